/**
 * Checks of every reply of the run: also of those that no case compares with the upstream, such as replies to controls. A
 * gateway may mix replies up where nobody looks for it.
 */
import { isValidKey } from '../../suite/case.ts';
import { skipped } from '../../verdict/finding.ts';
import { worstResult } from '../../verdict/reading/each-exchange.ts';
import type { CheckResult } from '../../verdict/verdict.ts';
import { injectsFailure, type RelayCase } from '../relay-case.ts';
import type { Asked } from './both-ends.ts';
import { tellsFailure } from './failures.ts';
import type { RelayCheck, RelayRun } from './relay-check.ts';
import { judgeOwnReply, judgeReplyText, losesText } from './replies.ts';

export const everyText: RelayCheck = {
  summary: "The text of every reply of the run is the upstream's, whole and unaltered.",
  execute: (_evidence, run) => {
    const judgedElsewhere = new Set(run.cases.flatMap((each) => (isTextElsewhere(each.case) ? each.asked : [])));
    return judgeReplies(
      run,
      // An error may be told in place of a reply, and a gateway that cools down calls no upstream.
      (asked) =>
        !judgedElsewhere.has(asked) && ((asked.reading.kind === 'reply' && !tellsFailure(asked)) || losesText(asked)),
      judgeReplyText,
    );
  },
};

export const everyOwnReply: RelayCheck = {
  summary: 'Every reply of the run belongs to its own request.',
  execute: (_evidence, run) => judgeReplies(run, ({ reading }) => reading.kind === 'reply', judgeOwnReply),
};

/** Other checks judge what becomes of a failure, of a silence, and of a key that is not valid. */
function isTextElsewhere(testCase: RelayCase): boolean {
  return injectsFailure(testCase) || testCase.calls === 'silence' || !isValidKey(testCase.key);
}

function judgeReplies(
  run: RelayRun,
  isJudged: (asked: Asked) => boolean,
  judge: (asked: Asked, run: RelayRun) => CheckResult,
): CheckResult {
  const replies = run.asked.filter(isJudged);
  if (replies.length === 0) return skipped({ kind: 'no-occasion', of: 'front-answer' });
  return worstResult(
    replies.map((asked) => judge(withSameRequest(asked, run), run)),
    replies.map(({ front }) => front),
  );
}

/** A cache may give the reply to the very same request, which relay.cache and relay.other-key look at. */
function withSameRequest(asked: Asked, run: RelayRun): Asked {
  const { body } = asked.front.request;
  const same = run.asked.filter(
    (other) => other === asked || (body !== undefined && other.front.request.body === body),
  );
  return same.length === 1 ? asked : { ...asked, calls: same.flatMap(({ calls }) => calls) };
}
