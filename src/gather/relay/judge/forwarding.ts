/** Checks of what arrived at the upstream against what the client sent. */
import { isObject, type Json, memberOf, parseJson, typeOf } from '../../../json.ts';
import { quoteText, quoteValue } from '../../../text/quote.ts';
import type { Actual } from '../../../verdict/actual.ts';
import { finding, valueFound } from '../../../verdict/finding.ts';
import { broken, HOLDS, inconclusive, observed, skipped, brokenWith } from '../../../verdict/check-result.ts';
import { fieldItem } from '../../../verdict/observation.ts';
import { statusOf } from '../../../verdict/reading/answers.ts';
import { worstResult } from '../../../verdict/reading/each-exchange.ts';
import type { CheckResult, Finding } from '../../../verdict/verdict.ts';
import { type NamedModel, namedModels } from '../named-models.ts';
import { eachAsked, notReached, type RelayCheck } from './relay-check.ts';
import type { Asked, UpstreamCall } from './both-ends.ts';
import { type ChatMessage, messagesOf } from '../words.ts';
import { BEFORE, excerptAt } from './replies.ts';
import { firstDifference } from '../../../verdict/reading/forwarded.ts';

/**
 * Judges every upstream call of a question against the body that the client sent. `follows`: the clause that is broken
 * if the call does not arrive at all.
 */
function eachCall(
  judge: (sent: Json, call: UpstreamCall) => readonly Finding[] | CheckResult,
  follows?: 'relay.messages',
) {
  return eachAsked((asked, evidence) => {
    const missed = notReached(asked, evidence, { kind: 'upstream-call' });
    if (missed?.kind === 'broken' && follows) {
      return skipped({ kind: 'see-clause', because: 'message-lost', clause: follows });
    }
    if (missed) return missed;
    if (asked.calls.length === 0) return inconclusive({ kind: 'relay-not-forwarded' });
    const sent = sentBy(asked);
    for (const call of asked.calls) {
      const result = judge(sent, call);
      if ('kind' in result) return result;
      if (result.length > 0) return broken(result);
    }
    return HOLDS;
  });
}

function sentBy({ front }: Asked): Json {
  return parseJson(front.request.body) ?? null;
}

/** An excerpt around the first difference. A text that is empty is said to be. */
function textFrom(text: string, at: number): Actual {
  const excerpt = excerptAt(text, at);
  if (text === '') return { kind: 'value', value: excerpt };
  return { kind: 'text-at', text: excerpt, from: Math.max(0, at - BEFORE), length: text.length };
}

/** The texts that arrived in no message, neither alone nor within another. */
function missingTexts(sent: readonly ChatMessage[], arrived: readonly ChatMessage[]): readonly number[] {
  const left = arrived.map(({ text }) => text);
  const unmatched: number[] = [];
  for (const [index, { text }] of sent.entries()) {
    const at = left.indexOf(text);
    if (at === -1) unmatched.push(index);
    else left.splice(at, 1);
  }
  return unmatched.filter((index) => !left.some((text) => text.includes(sent[index]?.text ?? '')));
}

const messages: RelayCheck = {
  summary: 'The text of every message reaches the upstream.',
  execute: eachCall((sent, call) => {
    const [own, arrived] = [messagesOf(sent), messagesOf(call.body)];
    return missingTexts(own, arrived)
      .slice(0, 1)
      .map((index) => {
        const text = own[index]?.text ?? '';
        const got = arrived[index]?.text;
        const at = firstDifference(text, got ?? '');
        const from = Math.max(0, at - BEFORE);
        return finding(call.exchange, {
          mismatch: 'message-text',
          pointer: `/messages/${index}/content`,
          expected: { kind: 'client-text', text: excerptAt(text, at), from },
          actualType: got === undefined ? 'absent' : 'text',
          actual: got === undefined ? { kind: 'absent' } : textFrom(got, at),
        });
      });
  }),
};

const roles: RelayCheck = {
  summary: 'Messages keep their roles.',
  execute: eachCall((sent, call) => {
    const [own, arrived] = [messagesOf(sent), messagesOf(call.body)];
    const isAligned = own.length === arrived.length && own.every(({ text }, index) => text === arrived[index]?.text);
    const pairs = own.flatMap(({ role, text }, index) => {
      // Several messages may have the same text, and one of them may be lost.
      const alike = arrived.filter((message) => message.text === text);
      if (alike.length < own.filter((message) => message.text === text).length) return [];
      const other = isAligned ? arrived[index] : (alike.find((message) => message.role === role) ?? alike[0]);
      return other && other.role !== role ? [{ index, role, got: other.role }] : [];
    });
    return pairs.slice(0, 1).map(({ index, role, got }) =>
      finding(call.exchange, {
        mismatch: 'role',
        pointer: `/messages/${index}/role`,
        expected: { kind: 'client-value', value: quoteText(role) },
        actualType: 'string',
        actual: { kind: 'value', value: quoteText(got) },
      }),
    );
  }, 'relay.messages'),
};

const LIMIT_FIELDS = ['max_tokens', 'max_completion_tokens'] as const;

/** Many gateways keep numbers in single precision. */
function isSameNumber(sent: Json, got: Json | undefined): boolean {
  return (
    got === sent || (typeof sent === 'number' && typeof got === 'number' && Math.fround(got) === Math.fround(sent))
  );
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

const models: RelayCheck = {
  summary: 'Each model that the user names reaches the upstream as a model of its own, or as the one it is mapped to.',
  execute(evidence, { settings }) {
    const named = namedModels(settings);
    const routed = evidence.asked.flatMap((asked): readonly Routed[] => {
      const model = memberOf(parseJson(asked.front.request.body), 'model');
      return named.filter(({ front }) => front === model).map((each) => ({ asked, named: each }));
    });
    return worstResult(
      routed.map((each, index) => {
        const missed = notReached(each.asked, evidence, { kind: 'upstream-call' });
        return missed ?? judgeModel(each, routed.slice(0, index));
      }),
      evidence.asked.map(({ front }) => front),
    );
  },
};

function judgeModel({ asked, named }: Routed, earlier: readonly Routed[]): CheckResult {
  const { upstream } = named;
  const sent = modelOf(asked);
  const foundAs = (expected: Parameters<typeof finding>[1]['expected']): CheckResult =>
    brokenWith(asked.calls[0]?.exchange ?? asked.front, {
      mismatch: 'model',
      pointer: '/model',
      expected,
      actualType: typeOf(sent),
      actual: valueFound(sent),
    });
  if (upstream !== undefined) {
    return sent === upstream ? HOLDS : foundAs({ kind: 'upstream-model', model: quoteText(upstream) });
  }
  const same = earlier.find((other) => modelOf(other.asked) === sent);
  return same ? foundAs({ kind: 'own-model', model: quoteText(same.named.front) }) : HOLDS;
}

function modelOf({ calls: [first] }: Asked) {
  return memberOf(first?.body, 'model');
}

export const FORWARDING_CHECKS = {
  messages,
  'message-list': {
    summary: 'No message is added, merged or reordered.',
    execute: eachCall((sent, call) => {
      const [own, arrived] = [messagesOf(sent), messagesOf(call.body)];
      if (missingTexts(own, arrived).length > 0) {
        return skipped({ kind: 'see-clause', because: 'message-lost', clause: 'relay.messages' });
      }
      const isSame = own.length === arrived.length && own.every(({ text }, index) => text === arrived[index]?.text);
      if (isSame) return [];
      const isReordered = own.length === arrived.length;
      return [
        finding(call.exchange, {
          mismatch: isReordered ? 'messages-reordered' : 'message-count',
          pointer: '/messages',
          expected: { kind: 'same-messages', count: own.length },
          actualType: 'array',
          actual: isReordered ? { kind: 'reordered' } : { kind: 'messages', count: arrived.length },
        }),
      ];
    }, 'relay.messages'),
  },
  roles,
  'token-limit': {
    summary: "The upstream gets a token limit no larger than the client's.",
    execute: eachCall((sent, call) => {
      const limit = Number(memberOf(sent, 'max_tokens'));
      const given = LIMIT_FIELDS.flatMap((field) => {
        const value = memberOf(call.body, field);
        return value === undefined || value === null ? [] : [{ field, value }];
      });
      const wrong = given.find(({ value }) => typeof value !== 'number' || value > limit);
      if (given.length > 0 && !wrong) return [];
      return [
        finding(call.exchange, {
          mismatch: wrong ? 'token-limit' : 'token-limit-absent',
          pointer: `/${wrong?.field ?? 'max_tokens'}`,
          expected: { kind: 'token-limit', tokens: limit },
          actualType: typeOf(wrong?.value),
          actual: valueFound(wrong?.value),
        }),
      ];
    }),
  },
  sampling: {
    summary: 'Temperature and top_p reach the upstream.',
    execute: eachCall((sent, call) =>
      (['temperature', 'top_p'] as const).flatMap((field) => {
        const value = memberOf(sent, field);
        const got = memberOf(call.body, field);
        if (value === undefined || isSameNumber(value, got)) return [];
        return [
          finding(call.exchange, {
            mismatch: got === undefined ? 'dropped' : 'altered',
            pointer: `/${field}`,
            expected: { kind: 'client-value', value: quoteValue(value) },
            actualType: typeOf(got),
            actual: valueFound(got),
          }),
        ];
      }),
    ),
  },
  models,
  'request-fields': {
    summary: 'Unknown fields of a request that reach the upstream.',
    execute: eachAsked((asked) => {
      const [call] = asked.calls;
      const { answer } = asked.reading;
      if (!call) {
        if (!answer) return inconclusive({ kind: 'relay-not-forwarded' });
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
  },
  'added-fields': {
    summary: 'Fields that a gateway adds to a request.',
    execute: eachAsked((asked) => {
      const [call] = asked.calls;
      if (!call) return inconclusive({ kind: 'relay-not-forwarded' });
      const own = namesIn(sentBy(asked));
      const added = namesIn(call.body).filter((name) => !own.includes(name));
      return observed([{ name: 'request-fields-added', value: itemsOrNone(added) }]);
    }),
  },
} satisfies Record<string, RelayCheck>;
