/** Checks of what arrived at the upstream against what the client sent. */
import type { Exchange } from '../../../exchange/exchange.ts';
import { UPSTREAM_KEY } from '../../../exchange/secrets/vault.ts';
import { type Json, isObject, memberOf, parseJson } from '../../../json.ts';
import { quoteText, quoteValue } from '../../../text/quote.ts';
import { HOLDS, inconclusive, observed, seeOtherClause, skipped } from '../../../verdict/check-result.ts';
import { brokenIfAny, brokenWith, finding, typedValue } from '../../../verdict/finding.ts';
import { fieldItem } from '../../../verdict/observation.ts';
import { statusFound, statusOf } from '../../../verdict/reading/answers.ts';
import { answerFound, secretFound, wholeSecrets } from '../../../verdict/reading/body-content.ts';
import { worstResult } from '../../../verdict/reading/each-exchange.ts';
import { lostMessage, otherModel, otherTokenLimit } from '../../../verdict/reading/forwarded.ts';
import type { CheckResult, Finding } from '../../../verdict/verdict.ts';
import { type NamedModel, namedModels } from '../named-models.ts';
import { type ChatMessage, findWords, messagesOf, textsOf } from '../words.ts';
import type { Asked, UpstreamCall } from './both-ends.ts';
import {
  CONTROL_UNANSWERED,
  type CaseEvidence,
  NOT_FORWARDED,
  type RelayCheck,
  UNJUDGED,
  eachAsked,
  notReached,
  relayCheck,
} from './relay-check.ts';

type JudgeCall = (sent: Json, call: UpstreamCall) => readonly Finding[] | CheckResult;

/**
 * Judges every upstream call of a question against the body that the client sent. `follows`: the clause that is broken
 * if the call does not arrive at all.
 */
function eachCall(summary: string, judge: JudgeCall, follows?: 'relay.messages'): RelayCheck {
  return eachAsked(summary, (asked, evidence) => {
    const missed = notReached(asked, evidence, 'upstream-call');
    if (missed?.kind === 'broken' && follows) return seeOtherClause('message-lost', follows);
    if (missed) return missed;
    if (asked.calls.length === 0) return NOT_FORWARDED;
    const sent = sentBy(asked);
    for (const call of asked.calls) {
      const judged = judge(sent, call);
      const result = 'kind' in judged ? judged : brokenIfAny(judged);
      if (result !== HOLDS) return result;
    }
    return HOLDS;
  });
}

/** Judges the messages of every upstream call. If it does not arrive at all, the clause of their texts is broken. */
function eachConversation(
  summary: string,
  judge: (own: readonly ChatMessage[], arrived: readonly ChatMessage[], call: UpstreamCall) => ReturnType<JudgeCall>,
): RelayCheck {
  const judgeCall: JudgeCall = (sent, call) => judge(messagesOf(sent), messagesOf(call.body), call);
  return eachCall(summary, judgeCall, 'relay.messages');
}

const textOf = ({ text }: ChatMessage): string => text;

function isAligned(own: readonly ChatMessage[], arrived: readonly ChatMessage[]): boolean {
  return own.length === arrived.length && own.every(({ text }, index) => text === arrived[index]?.text);
}

function sentBy({ front }: Asked): Json {
  return parseJson(front.request.body) ?? null;
}

/** Many gateways keep numbers in single precision. */
function isSameNumber(sent: Json, got: Json | undefined): boolean {
  if (got === sent) return true;
  return typeof sent === 'number' && typeof got === 'number' && Math.fround(got) === Math.fround(sent);
}

/** Fields that every request has. */
const BASIC_FIELDS = ['model', 'messages', 'stream'];

function namesIn(value: Json | undefined): readonly string[] {
  return isObject(value) ? Object.keys(value) : [];
}

function itemsOrNone(names: readonly string[]) {
  return names.length === 0 ? ('none' as const) : names.slice(0, 50).map((name) => fieldItem('request', name));
}

// Whether each model that the user names is the one that the upstream is asked for.

interface Routed {
  readonly asked: Asked;
  readonly named: NamedModel;
}

function judgeModel({ asked, named: { upstream } }: Routed, earlier: readonly Routed[]): CheckResult {
  const arrived = modelOf(asked);
  const other = earlier.find((each) => modelOf(each.asked) === arrived)?.named.front;
  const wrong = otherModel(arrived, { name: upstream, other });
  return wrong ? brokenWith(asked.calls[0]?.exchange ?? asked.front, wrong) : HOLDS;
}

function modelOf({ calls: [first] }: Asked) {
  return memberOf(first?.body, 'model');
}

export const FORWARDING_CHECKS = {
  messages: eachCall('The text of every message reaches the upstream.', (sent, { exchange, body }) => {
    const lost = lostMessage(textsOf(sent), textsOf(body));
    return lost ? brokenWith(exchange, lost) : HOLDS;
  }),
  'message-list': eachConversation('No message is added, merged or reordered.', (own, arrived, { exchange }) => {
    if (lostMessage(own.map(textOf), arrived.map(textOf))) return seeOtherClause('message-lost', 'relay.messages');
    if (isAligned(own, arrived)) return HOLDS;
    const isReordered = own.length === arrived.length;
    return brokenWith(exchange, {
      mismatch: isReordered ? 'messages-reordered' : 'message-count',
      pointer: '/messages',
      expected: { kind: 'same-messages', count: own.length },
      actualType: 'array',
      actual: isReordered ? 'reordered' : { kind: 'messages', count: arrived.length },
    });
  }),
  roles: eachConversation('Messages keep their roles.', (own, arrived, { exchange }) => {
    const inOrder = isAligned(own, arrived);
    for (const [index, { role, text }] of own.entries()) {
      // Several messages may have the same text, and one of them may be lost.
      const alike = arrived.filter((message) => message.text === text);
      if (alike.length < own.filter((message) => message.text === text).length) continue;
      const other = inOrder ? arrived[index] : (alike.find((message) => message.role === role) ?? alike[0]);
      if (!other || other.role === role) continue;
      return brokenWith(exchange, {
        mismatch: 'role',
        pointer: `/messages/${index}/role`,
        expected: { kind: 'client-value', value: quoteText(role) },
        ...typedValue(other.role),
      });
    }
    return HOLDS;
  }),
  'token-limit': eachCall("The upstream gets a token limit no larger than the client's.", (sent, call) => {
    const wrong = otherTokenLimit(sent, call.body);
    return wrong ? brokenWith(call.exchange, wrong) : HOLDS;
  }),
  sampling: eachCall('Temperature and top_p reach the upstream.', (sent, call) =>
    ['temperature', 'top_p'].flatMap((field) => {
      const value = memberOf(sent, field);
      const got = memberOf(call.body, field);
      if (value === undefined || isSameNumber(value, got)) return [];
      const expected = { kind: 'client-value', value: quoteValue(value) } as const;
      const mismatch = got === undefined ? 'dropped' : 'altered';
      return [finding(call.exchange, { mismatch, pointer: `/${field}`, expected, ...typedValue(got) })];
    }),
  ),
  models: relayCheck(
    'Each model that the user names reaches the upstream as a model of its own, or as the one it is mapped to.',
    (evidence, { settings }) => {
      const named = namedModels(settings);
      const routed = evidence.asked.flatMap((asked): readonly Routed[] => {
        const model = memberOf(sentBy(asked), 'model');
        return named.filter(({ front }) => front === model).map((each) => ({ asked, named: each }));
      });
      return worstResult(
        routed.map((each, index) => {
          const missed = notReached(each.asked, evidence, 'upstream-call');
          return missed ?? judgeModel(each, routed.slice(0, index));
        }),
        evidence.asked.map(({ front }) => front),
      );
    },
  ),
  'request-fields': eachAsked('Unknown fields of a request that reach the upstream.', (asked) => {
    const [call] = asked.calls;
    const { answer } = asked.reading;
    if (!call) {
      if (!answer) return NOT_FORWARDED;
      return observed([{ name: 'request-fields-answer', value: { kind: 'status', ...statusOf(answer) } }]);
    }
    const names = namesIn(sentBy(asked)).filter((name) => !BASIC_FIELDS.includes(name));
    const passed = names.filter((name) => memberOf(call.body, name) !== undefined);
    const dropped = names.filter((name) => !passed.includes(name));
    return observed([
      { name: 'request-fields-passed', value: itemsOrNone(passed) },
      { name: 'request-fields-dropped', value: itemsOrNone(dropped) },
    ]);
  }),
  'added-fields': eachAsked('Fields that a gateway adds to a request.', (asked) => {
    const [call] = asked.calls;
    if (!call) return NOT_FORWARDED;
    const own = namesIn(sentBy(asked));
    const added = namesIn(call.body).filter((name) => !own.includes(name));
    return observed([{ name: 'request-fields-added', value: itemsOrNone(added) }]);
  }),
} satisfies Record<string, RelayCheck>;

// Checks of keys on their way through the gateway, and of replies that were made for another key.

function marksOf(asked: Asked | undefined): ReadonlySet<string> {
  return new Set(asked?.calls.flatMap(({ marks }) => [...marks]));
}

/** The second answer has the words of the reply to the first. */
function isRepeated({ asked: [first, second] }: CaseEvidence): boolean {
  const own = marksOf(second);
  const earlier = marksOf(first);
  const words = [...(second?.reading.texts.values() ?? [])].flatMap(findWords);
  return words.some((word) => earlier.has(word) && !own.has(word));
}

/** Statuses that say nothing about the key. */
const UNRELATED = [408, 429];

function withoutSecrets(exchanges: readonly Exchange[], find: Parameters<typeof wholeSecrets>[1]): CheckResult {
  const findings = exchanges.flatMap((exchange) => wholeSecrets(exchange, find));
  return brokenIfAny(findings, exchanges);
}

export const RELAY_KEY_CHECKS = {
  unauthorized: eachAsked('A request without a valid key is answered with 401.', (asked, { control }) => {
    const { answer } = asked.reading;
    if (!answer) return UNJUDGED;
    if (control === 'unanswered') return CONTROL_UNANSWERED;
    if (UNRELATED.includes(answer.status)) return inconclusive({ kind: 'status-unrelated', answer: statusOf(answer) });
    if (answer.status === 401) return HOLDS;
    const parts = statusFound(answer, { kind: 'status', status: 401 });
    return brokenWith(asked.front, { ...parts, ...(answer.status < 300 && { actual: answerFound(answer) }) });
  }),
  'refused-key': eachAsked(
    'A request that is refused for its key does not reach the upstream.',
    ({ reading: { answer }, calls: [first] }) => {
      if (!answer || answer.status < 400) return seeOtherClause('key-accepted', 'auth.required');
      if (!first) return HOLDS;
      const parts = { expected: 'no-upstream-call', actualType: 'call', actual: 'upstream-call' } as const;
      return brokenWith(first.exchange, { mismatch: 'forwarded', ...parts });
    },
  ),
  'client-key': relayCheck("The client's key is not forwarded.", (_evidence, { calls, traffic: { upstream } }) => {
    if (calls.length === 0) return NOT_FORWARDED;
    return withoutSecrets(upstream, ({ role, form, place }) => {
      const actual = { kind: 'secret', role, form, place } as const;
      return { mismatch: 'client-key', expected: 'no-client-key', actualType: place, actual };
    });
  }),
  'upstream-key': relayCheck("The upstream's key is never shown.", (_evidence, { asked, traffic }) => {
    const { front, knowsUpstreamKey } = traffic;
    if (!knowsUpstreamKey) return skipped({ kind: 'upstream-key-unknown' });
    if (!asked.some(({ reading }) => reading.answer)) return UNJUDGED;
    return withoutSecrets(front, (seen, attempt) => {
      if (seen.role !== UPSTREAM_KEY) return undefined;
      const actual = secretFound(seen, attempt);
      return { mismatch: 'upstream-key', expected: 'no-upstream-key', actualType: seen.place, actual };
    });
  }),
  'other-key': relayCheck('One key never gets a reply that was made for another.', (evidence) => {
    const [first, second] = evidence.asked;
    if (!first || !second) return UNJUDGED;
    if (first.reading.kind !== 'reply' || second.reading.kind !== 'reply') {
      const status = second.reading.answer?.status;
      return inconclusive({ kind: 'key-unanswered', ...(status !== undefined && { status }) });
    }
    if (!isRepeated(evidence)) return HOLDS;
    const parts = { expected: 'own-key-reply', actualType: 'reply', actual: 'first-key-reply' } as const;
    return brokenWith(second.front, { mismatch: 'cached-across-keys', ...parts });
  }),
  cache: relayCheck('Whether the same request with the same key is answered from a cache.', (evidence) => {
    if (evidence.asked[1]?.reading.kind !== 'reply') return UNJUDGED;
    return observed([{ name: 'same-request', value: isRepeated(evidence) ? 'from-cache' : 'new-reply' }]);
  }),
} satisfies Record<string, RelayCheck>;
