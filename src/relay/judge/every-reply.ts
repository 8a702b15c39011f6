/**
 * Checks of the replies that no case compares with the upstream: those of controls, and of cases that are about something
 * else. A gateway may mix replies up where nobody looks for it.
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
  summary: "The text of every other reply is the upstream's, whole and unaltered.",
  execute: (_evidence, run) =>
    // An error may be told in place of a reply, and a gateway that cools down calls no upstream.
    judgeOthers(run, judgesText, (asked) =>
      (asked.reading.kind === 'reply' && !tellsFailure(asked)) || losesText(asked)
        ? judgeReplyText(asked, run)
        : undefined,
    ),
};

export const everyOwnReply: RelayCheck = {
  summary: 'Every other reply belongs to its own request.',
  execute: (_evidence, run) =>
    judgeOthers(run, judgesOwnReply, (asked) =>
      asked.reading.kind === 'reply' ? judgeOwnReply(asked, run) : undefined,
    ),
};

/** Also what becomes of a failure, and of a refused key: other clauses judge a reply in their place. */
function judgesText(testCase: RelayCase): boolean {
  return injectsFailure(testCase) || !isValidKey(testCase.key) || judgesClause(testCase, 'relay.text');
}

function judgesOwnReply(testCase: RelayCase): boolean {
  return judgesClause(testCase, 'relay.own-reply');
}

function judgesClause({ calls, expect }: RelayCase, clause: string): boolean {
  return calls !== 'none' && expect.some((each) => each.clause === clause);
}

function judgeOthers(
  run: RelayRun,
  isJudged: (testCase: RelayCase) => boolean,
  judge: (asked: Asked) => CheckResult | undefined,
): CheckResult {
  const judged = new Set(run.cases.flatMap((each) => (isJudged(each.case) ? each.asked : [])));
  const others = run.asked.filter((asked) => !judged.has(asked));
  const results = others.flatMap((asked) => judge(withSameRequest(asked, run)) ?? []);
  if (results.length === 0) return skipped({ kind: 'no-occasion', of: 'front-answer' });
  return worstResult(
    results,
    others.map(({ front }) => front),
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
