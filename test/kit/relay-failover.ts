/** Evidence of two upstreams: for each check a gateway that keeps its clause and one that breaks it, and two that differ. */
import type { UpstreamName } from '../../src/exchange/identity.ts';
import { chunk, completion, type Question, plain, streamed, TEXT } from './relay-evidence.ts';
import { CUT, ERROR, type Examples, FAILED, type Judged, of, type Observing } from './relay-examples.ts';

/** The upstream of each call, in order. Default: the primary, then the fallback. */
export function two(question: Question, ...names: readonly UpstreamName[]): Question {
  const [first = 'primary', ...more] = names;
  const rest = more.length > 0 ? more : (['fallback'] as const);
  const upstream = question.upstream.map((call, at) => ({
    ...call,
    upstream: at === 0 ? first : (rest[Math.min(at, rest.length) - 1] ?? 'fallback'),
  }));
  return { ...question, upstream };
}

/** A gateway that has called both, elsewhere. */
const ELSEWHERE = { ...two(plain({ id: 'other' }, FAILED, {})) };

function failover(question: Question, more: Partial<Judged> = {}): Judged {
  return { questions: [question], testCase: { suite: 'failover', ...more.testCase }, ...more };
}

const FROM_OTHER = completion('Another provider wrote this.');
const BROKEN_OFF = { events: [chunk('The mark is ')], end: CUT } as const;
const WHOLE = { events: [chunk('Another '), chunk('provider.'), chunk('', 'stop'), '[DONE]'] };
const GOES_ON = { ...WHOLE, sent: { messages: [{ role: 'assistant', content: 'The mark is ' }] } };
const JOINED = { events: [chunk('The mark is '), ...WHOLE.events] };
const COUNTS = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };

/** As many calls of one question as there are names. */
const calls = (...names: readonly UpstreamName[]): Question =>
  two(plain({}, ...names.map((_, at) => (at < names.length - 1 ? FAILED : {}))), ...names);

const refused = { status: 400, json: ERROR };
/** The questions of a case with bad requests, in order. `after`: the upstream that then answers. */
function amongBad(after: UpstreamName): Judged {
  const questions = Array.from({ length: 16 }, (_, at) => {
    const isBad = at >= 3 && at < 13 && at % 2 === 1;
    const upstream = at > 11 ? after : 'primary';
    const asked = isBad ? plain({ id: `q${at}`, ...refused }, refused) : plain({ id: `q${at}` }, {});
    return two({ ...asked, front: { ...asked.front, number: at + 1 } }, upstream);
  });
  return { ...failover(ELSEWHERE), questions: [ELSEWHERE, ...questions] };
}

export const FAILING_OVER: Examples = {
  'fallback-answered': {
    holds: failover(two(plain({ json: FROM_OTHER }, FAILED, { json: FROM_OTHER }))),
    breaks: failover(two(plain(FAILED, FAILED, {}))),
    mismatch: 'unanswered',
  },
  'fallback-whole': {
    holds: failover(two(plain({ json: FROM_OTHER }, FAILED, { json: FROM_OTHER }))),
    breaks: failover(two(plain({ json: completion('Another one wrote this.') }, FAILED, { json: FROM_OTHER }))),
    mismatch: 'text-altered',
  },
  'fallback-joined': {
    holds: failover(two(streamed(JOINED, BROKEN_OFF, GOES_ON))),
    breaks: failover(two(streamed(JOINED, BROKEN_OFF, WHOLE))),
    mismatch: 'joined',
  },
  'fallback-calls': {
    holds: failover(calls(...Array.from({ length: 9 }, () => 'primary' as const), 'fallback')),
    breaks: failover(calls(...Array.from({ length: 10 }, () => 'primary' as const), 'fallback')),
    mismatch: 'upstream-calls',
  },
  'fallback-others': { holds: amongBad('primary'), breaks: amongBad('fallback'), mismatch: 'taken-out' },
  'fallback-usage': {
    holds: failover(
      two(plain({ json: completion(TEXT, { usage: COUNTS }) }, FAILED, { json: completion(TEXT, { usage: COUNTS }) })),
    ),
    breaks: failover(two(plain({ json: completion(TEXT) }, FAILED, { json: completion(TEXT, { usage: COUNTS }) }))),
    mismatch: 'usage-lost',
  },
  'fallback-model': {
    holds: failover(ELSEWHERE, { relay: { fallbackModel: 'm' } }),
    breaks: failover(ELSEWHERE, { relay: { fallbackModel: 'provider/m' } }),
    mismatch: 'model',
  },
};

const WAITING = { status: 503, json: ERROR, headers: { 'retry-after': '3' } };
const again = (at: number) =>
  failover(two(plain({}, WAITING, { ...FAILED, sentAt: at }, {}), 'primary', 'primary', 'fallback'));
const outage = (second: UpstreamName): Judged =>
  of(two(plain({ id: 'a' }, FAILED, {})), two(plain({ id: 'b', sentAt: 100 }, {}), second));

export const OBSERVING_FAILOVER: Observing = {
  'fallback-attempts': {
    seen: failover(calls('primary', 'primary', 'fallback')),
    unseen: failover(calls('primary', 'fallback')),
  },
  'fallback-wait': { seen: again(3_000), unseen: again(10) },
  'fallback-elsewhere': {
    seen: { questions: [two(plain({}, refused, {}))] },
    unseen: { questions: [two(plain(refused, refused)), ELSEWHERE], testCase: {} },
  },
  'fallback-pace': { seen: outage('fallback'), unseen: outage('primary') },
};
