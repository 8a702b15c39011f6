import { type Answer, type Attempt, type Exchange, findHeader } from '../../exchange/exchange.ts';
import { lastAnswer } from '../../exchange/reading/answered.ts';
import { readChunks } from '../../exchange/reading/chunks.ts';
import { isPageOrEmpty } from '../../exchange/reading/page-or-empty.ts';
import type { Mode } from '../../plan/plan.ts';
import { STEPS } from '../../plan/known-steps.ts';
import { isExtraKey } from '../../suite/case.ts';
import { quoteText } from '../../text/quote.ts';
import { type Check, type CheckInput, type RunView, textOption } from '../check.ts';
import { type BriefParts, finding, broken, brokenIfAny, brokenWith } from '../finding.ts';
import { HOLDS, holdsIn, inconclusive, noOccasion, observed, seeOtherClause, skipped } from '../check-result.ts';
import type { Observation, ObservedWord } from '../observation.ts';
import { statusClass, statusFound, statusOf } from '../reading/answers.ts';
import { allAnswers, carriesError } from '../reading/answer-places.ts';
import { answerFound } from '../reading/body-content.ts';
import { controlAnswered, explainedByRun, isControlAnswered, noBasis } from '../reading/control.ts';
import { eachExchange } from '../reading/each-exchange.ts';
import { answerOutcome, outcomeOfAttempt, holdsFor, whyNoAnswer } from '../reading/outcome.ts';
import { recordedIssues } from '../reading/schema-issues.ts';
import type { Reason } from '../reason.ts';
import type { CheckResult } from '../verdict.ts';
import { jsonBody } from './bodies.ts';
import { streamCompletes } from './streams/stream-replies.ts';

/** After the headers there may be nothing, and then the status shows nothing either. */
function whyNothingCame(answer: Answer, mode: Mode): Reason | undefined {
  const { end, bytes } = answer.body;
  const isNothing = mode === 'stream' ? readChunks(answer).form === 'nothing' : bytes.length === 0;
  if (!isNothing) return undefined;
  const what = mode === 'stream' ? 'stream' : 'body';
  if (end.kind === 'limit') return { kind: 'over-limit', what, limit: end.limit };
  return end.kind === 'aborted' ? { kind: 'not-read', what } : undefined;
}

/** A body that is cut off is like a 5xx. It is one finding for the whole run, unless nothing else would find it. */
function judgeBody(exchange: Exchange, input: CheckInput): CheckResult {
  if (!input.isBodyUnjudged) return HOLDS;
  const check = exchange.request.mode === 'stream' ? streamCompletes : jsonBody;
  return check.execute({ ...input, exchanges: [exchange] });
}

function isControlUnanswered(input: CheckInput): boolean {
  return input.control !== undefined && !controlAnswered(input);
}

function judgeSuccess(exchange: Exchange, answer: Answer, input: CheckInput): CheckResult {
  const reason = whyNothingCame(answer, exchange.request.mode);
  if (reason) return inconclusive(reason);
  // A login page in front of the API answers everything: that is one fault, and no answer to this request.
  if (isControlUnanswered(input) && isPageOrEmpty(answer)) return inconclusive(noBasis(input.control));
  const body = judgeBody(exchange, input);
  if (body.kind === 'broken') return isControlUnanswered(input) ? inconclusive(noBasis(input.control)) : body;
  return holdsFor(exchange);
}

const OF_THE_KEY: ReadonlySet<number> = new Set([401, 402, 403]);

/** An extra key may be the wrong one, or have no credit. If its list was refused, its model may be one that it may not call. */
function isAboutKey(exchange: Exchange, status: number, run: RunView): boolean {
  const { key, endpoint } = exchange.request;
  if (!isExtraKey(key) || isForbiddenAnyway(exchange, run)) return false;
  const list = run.exchange(STEPS.restrictedList);
  const isModelUnsure = key === 'restricted' && endpoint === 'chat' && list !== undefined && !isControlAnswered(list);
  return OF_THE_KEY.has(status) || isModelUnsure;
}

/** A second 403 is no accident, and a key with which a plain call is answered is not the wrong one. */
function isForbiddenAnyway({ request, attempts }: Exchange, { traffic }: RunView): boolean {
  const forbidden = attempts.filter(({ outcome }) => outcome.kind === 'answer' && outcome.answer.status === 403);
  return (
    forbidden.length > 1 &&
    traffic.exchanges.some(
      (other) =>
        other.request.key === request.key &&
        other.request.endpoint === 'chat' &&
        other.request.mode === 'plain' &&
        isControlAnswered(other),
    )
  );
}

/** Why an answer that is not a success says nothing of this request. */
function whyUnclear(exchange: Exchange, answer: Answer, input: CheckInput): Reason | undefined {
  const { status } = answer;
  if (status === 429) return { kind: 'status-stayed', answer: { status } };
  const explanation = explainedByRun(answer, input.run);
  if (explanation) return explanation;
  if (isControlUnanswered(input)) return noBasis(input.control);
  if (isAboutKey(exchange, status, input.run)) return { kind: 'status-stayed', answer: statusOf(answer) };
  // If the control is not answered either, a 402 means a used-up account, not a fault of this request.
  return status === 402 && !controlAnswered(input) ? { kind: 'key-used-up' } : undefined;
}

const answered: Check = {
  asksWhetherBodiesAreJudged: true,
  // With `mayBeRefused`, a 4xx is legal, and a 5xx is left to errors.no-server-error.
  options: { mayBeRefused: { type: 'boolean', default: false } },
  summary: 'A valid request is answered with exactly 200, and with a whole body if no other expectation judges that.',
  expectsAnswer: true,
  findsRefusals: true,
  ignoresCutAnswers: true,
  isIndependentOfEdits: true,
  execute: eachExchange((exchange, input) => {
    const outcome = answerOutcome(exchange);
    if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
    const { status, answer } = outcome;
    // An error in the control itself is left to completion.no-error.
    const isPlainEdit = input.control !== undefined && exchange.request.mode === 'plain';
    const hasError = status === 200 && isPlainEdit && carriesError(exchange, answer);
    if (status === 200 && !hasError) return judgeSuccess(exchange, answer, input);
    const unclear = whyUnclear(exchange, answer, input);
    if (unclear) return inconclusive(unclear);
    if (input.options['mayBeRefused'] === true && status >= 400) return noOccasion('legal-refusal');
    if (!hasError) return brokenWith(exchange, statusFound(answer, { kind: 'status', status: 200 }));
    const expected = { kind: 'success', condition: 'no-error' } as const;
    const [actualType, actual] = [statusClass(status), answerFound(answer)];
    return brokenWith(exchange, { mismatch: 'error-in-success', expected, actualType, actual });
  }),
};

/** Bytes of names and values. From here on, Node's HTTP client gives up, and the official JavaScript SDK with it. */
const TOO_LARGE_HEADERS = 16_384;

/** What is wrong with the HTTP of an attempt, if anything. */
function oddHttp({ outcome }: Attempt): BriefParts | undefined {
  const expected = 'http';
  if (outcome.kind === 'none') {
    const { kind, code, detail } = outcome.failure;
    if (kind !== 'not-http') return undefined;
    const actual = { kind: 'failure', code, detail: quoteText(detail) } as const;
    return { mismatch: 'not-http', expected, actualType: 'not-http', actual };
  }
  const { headers, surplus, body } = outcome.answer;
  if (body.end.kind === 'undecodable') {
    const actual = { kind: 'text', text: quoteText(body.end.detail) } as const;
    return { mismatch: 'undecodable', expected, actualType: 'undecodable', actual };
  }
  if (!surplus) return undefined;
  const length = findHeader(headers, 'content-length')?.slice(0, 20);
  const actual = { kind: 'surplus', ...(length !== undefined && { length }) } as const;
  return { mismatch: 'size', expected, actualType: 'body', actual };
}

// Answers after idle pauses (`--patient`).

function isOn(on: 'opening' | 'kept'): (exchange: Exchange) => boolean {
  return ({ request }) => request.idle?.on === on;
}

/** A new connection in place of the kept one shows that the target had closed that in good time. */
function fateOf({ attempts }: Exchange, opening: Exchange | undefined): ObservedWord {
  const [first] = attempts;
  if (first && outcomeOfAttempt(first).kind === 'closed') return 'reset';
  return first?.connection === opening?.attempts.at(-1)?.connection ? 'kept' : 'closed';
}

export const ANSWER_CHECKS = {
  answered,
  'exactly-200': {
    summary: 'Every valid recorded request that succeeded was answered with exactly 200.',
    options: { endpoint: { type: 'string', enum: ['models', 'chat'], default: 'chat' } },
    execute: eachExchange((exchange, input) => {
      const endpoint = textOption(input.options, 'endpoint', 'chat');
      const isValid = recordedIssues(input.run.contract)(exchange).length === 0;
      if (exchange.request.endpoint !== endpoint || !isValid)
        return skipped({ kind: 'recording-gap', gap: 'valid-request' });
      const outcome = answerOutcome(exchange);
      if (outcome.kind === 'answered') return HOLDS;
      // A foreign recording does not tell why a request was refused, or whether a retry would help.
      if (outcome.kind !== 'success-other') return skipped({ kind: 'recording-gap', gap: 'success' });
      const expected = { kind: 'status', status: 200 } as const;
      return brokenWith(exchange, { ...statusFound(outcome.answer, expected), actual: answerFound(outcome.answer) });
    }),
  },
  /** One failure may be an accident; after two pauses or more, it is the pause. */
  'after-pauses': {
    summary: 'Requests after idle pauses are not answered with 5xx: after one pause, or after several.',
    options: { several: { type: 'boolean', default: false } },
    execute: ({ exchanges, options }) => {
      const sent = exchanges.filter(({ request: { idle } }) => idle !== undefined && idle.on !== 'opening');
      const failed = sent.filter((exchange) => answerOutcome(exchange).kind === 'server-error');
      if (failed.length === 0) {
        const kept = sent.filter((exchange) => answerOutcome(exchange).kind === 'answered');
        return kept.length > 0 ? holdsIn(kept) : inconclusive('nothing-to-judge');
      }
      const several = new Set(failed.map(({ request }) => request.idle?.pause)).size > 1;
      if (several !== (options['several'] === true)) {
        const clause = several ? 'errors.after-pauses' : 'errors.after-pause';
        return seeOtherClause('other-pauses', clause);
      }
      // One cause, whichever pauses show it: the shortest is the quickest to repeat.
      const pause = Math.min(...failed.map(({ request }) => request.idle?.pause ?? 0));
      const findings = failed.flatMap((exchange) => {
        const answer = lastAnswer(exchange);
        return answer ? [finding(exchange, statusFound(answer, { kind: 'no-server-error-after', pause }))] : [];
      });
      return broken(findings, failed);
    },
  },
  'idle-connections': {
    summary: 'Records what became of connections that idled.',
    execute: ({ exchanges }) => {
      const opened = new Map(exchanges.filter(isOn('opening')).map((each) => [each.request.idle?.connection, each]));
      const observations = exchanges.filter(isOn('kept')).map((exchange): Observation => {
        const { pause = 0, connection } = exchange.request.idle ?? {};
        const of = `${pause / 1000} s (${exchange.request.endpoint})`;
        return { name: 'idle-connection', of, value: fateOf(exchange, opened.get(connection)) };
      });
      return observations.length === 0 ? skipped('nothing-to-judge') : observed(observations);
    },
  },
  'http-well-formed': {
    summary: 'Every answer is well-formed HTTP.',
    execute: ({ exchanges }) => {
      const findings = exchanges.flatMap((exchange) =>
        exchange.attempts.flatMap((tried, attempt) => {
          const odd = oddHttp(tried);
          return odd ? [finding(exchange, { ...odd, attempt })] : [];
        }),
      );
      return brokenIfAny(findings, exchanges);
    },
  },
  /** Part 1. */
  'headers-fit': {
    summary: 'The headers of every answer are smaller than 16 KiB in total.',
    execute: eachExchange((exchange) => {
      const answers = exchange.request.endpoint === 'other' ? [] : allAnswers([exchange]);
      if (answers.length === 0) return skipped('nothing-to-judge');
      return answers.flatMap(({ attempt, answer }) => {
        const count = answer.headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
        if (count < TOO_LARGE_HEADERS) return [];
        const parts = { mismatch: 'size', expected: 'small-headers', actualType: 'large-headers' } as const;
        return [finding(exchange, { ...parts, actual: { kind: 'header-bytes', count }, attempt })];
      });
    }),
  },
  /** Only clauses of a profile use it: v1 asks for no header of this kind. */
  'header-present': {
    summary: 'Every answer of the two endpoints has the header that name gives, and it is not empty.',
    options: { name: { type: 'string', pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" } },
    requires: ['name'],
    execute: ({ exchanges, options }) => {
      const name = textOption(options, 'name');
      const expected = { kind: 'header-named', name } as const;
      // An attempt that was replaced may come from a proxy in front of the gateway.
      const judged = allAnswers(exchanges).filter(
        ({ exchange, attempt }) => exchange.request.endpoint !== 'other' && attempt === exchange.attempts.length - 1,
      );
      if (judged.length === 0) return inconclusive('nothing-to-judge');
      const findings = judged
        .filter(({ answer }) => (findHeader(answer.headers, name.toLowerCase()) ?? '').trim() === '')
        .map(({ exchange, attempt, answer }) => ({
          ...finding(exchange, { mismatch: 'absent', expected, actualType: 'absent', actual: 'absent', attempt }),
          // A gateway often sets it on answers of one kind only.
          status: answer.status,
        }));
      return brokenIfAny(findings, exchanges);
    },
  },
  'base-address': {
    summary: 'The base URL ends in v1.',
    needsNoExchange: true,
    execute: ({ run }) => {
      const asked = [STEPS.list, STEPS.control].map((step) => run.exchange(step));
      const exchange = asked.find((sent) => isControlAnswered(sent));
      if (!exchange) return inconclusive('api-silent');
      const segment = new URL(run.settings.baseUrl).pathname.split('/').findLast((part) => part !== '');
      if (segment === 'v1') return holdsIn([exchange]);
      const parts = { mismatch: 'base-address', expected: 'version-segment' } as const;
      return segment === undefined
        ? brokenWith(exchange, { ...parts, actualType: 'absent', actual: 'no-path' })
        : brokenWith(exchange, { ...parts, actualType: 'other-segment', actual: { kind: 'path-segment', segment } });
    },
  },
} satisfies Record<string, Check>;
