/** What a page in a browser meets: cross-origin resource sharing (Fetch, 3.2). */
import { type Answer, type Exchange, findHeader } from '../../exchange/exchange.ts';
import { lastAnswer } from '../../exchange/reading/answered.ts';
import { allowsOrigin, isReadableByPage, originOf } from '../../exchange/reading/cross-origin.ts';
import { quoteHeaderValue } from '../../exchange/reading/standard-headers.ts';
import type { Check } from '../check.ts';
import { HOLDS, inconclusive, noOccasion, observed, seeOtherClause } from '../check-result.ts';
import { brokenWith, type BriefParts } from '../finding.ts';
import { headerItem, statusFound } from '../reading/answers.ts';
import { eachExchange } from '../reading/each-exchange.ts';
import { answerOutcome, whyNoAnswer } from '../reading/outcome.ts';
import type { CheckResult } from '../verdict.ts';

const NO_ORIGIN = noOccasion('allowed-origin');

function headerFound(answer: Answer, name: string): Pick<BriefParts, 'mismatch' | 'actualType' | 'actual'> {
  const value = findHeader(answer.headers, name.toLowerCase());
  if (value === undefined) return { mismatch: 'absent', actualType: 'absent', actual: 'absent' };
  return { mismatch: 'value', actualType: 'header', actual: { kind: 'header', name, value: quoteHeaderValue(value) } };
}

function judgeOrigin(exchange: Exchange, answer: Answer): CheckResult {
  if (allowsOrigin(answer, originOf(exchange) ?? '')) return HOLDS;
  return brokenWith(exchange, {
    expected: 'origin-allowed',
    ...headerFound(answer, 'Access-Control-Allow-Origin'),
  });
}

function namesIn(list: string | undefined): readonly string[] {
  return (list ?? '').split(',').map((name) => name.trim().toLowerCase());
}

/** Browsers take `*` for `authorization` too, although the standard no longer says so. */
function judgeHeaders(exchange: Exchange, answer: Answer): CheckResult {
  const asked = namesIn(findHeader(exchange.request.headers, 'access-control-request-headers'));
  const allowed = namesIn(findHeader(answer.headers, 'access-control-allow-headers'));
  const missing = asked.find((name) => !allowed.includes(name) && !allowed.includes('*'));
  if (missing === undefined) return HOLDS;
  const expected = { kind: 'header-allowed', header: missing } as const;
  return brokenWith(exchange, { expected, ...headerFound(answer, 'Access-Control-Allow-Headers') });
}

export const BROWSER_CHECKS = {
  'allowed-origin': {
    summary: 'Records the origins that may read the answer in a browser.',
    execute: eachExchange((exchange) => {
      const answer = lastAnswer(exchange);
      const value = headerItem(answer && findHeader(answer.headers, 'access-control-allow-origin'));
      return observed([{ name: 'allowed-origin', value }]);
    }),
  },
  'errors-readable': {
    summary: 'If a page may read any answer of the run, it may read this error too.',
    seeks: 'unauthorized',
    execute: eachExchange((exchange, { run }) => {
      const outcome = answerOutcome(exchange);
      if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
      if (outcome.status < 400) return seeOtherClause('key-accepted', 'auth.required');
      if (!run.traffic.exchanges.some(isReadableByPage)) return NO_ORIGIN;
      return judgeOrigin(exchange, outcome.answer);
    }),
  },
  /** GET and POST need not be named in Access-Control-Allow-Methods: browsers allow them anyway. */
  preflight: {
    summary: 'If a page may read any answer, a preflight without a key succeeds: 2xx, for this origin and its headers.',
    execute: eachExchange((exchange, { run }) => {
      const outcome = answerOutcome(exchange);
      if (!run.traffic.exchanges.some(isReadableByPage)) return NO_ORIGIN;
      if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
      const { answer } = outcome;
      if (answer.status < 200 || answer.status > 299)
        return brokenWith(exchange, statusFound(answer, { kind: 'success', condition: 'preflight' }));
      const origin = judgeOrigin(exchange, answer);
      return origin.kind === 'broken' ? origin : judgeHeaders(exchange, answer);
    }),
  },
} satisfies Record<string, Check>;
