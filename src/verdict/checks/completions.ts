import { hasErrorMember, isObject, typeOf, type Json, memberOf } from '../../json.ts';
import { itemsOf } from '../reading/answers.ts';
import type { Check, RunView } from '../check.ts';
import { eachJson } from '../reading/each-exchange.ts';
import {
  HOLDS,
  NO_FIELD,
  broken,
  finding,
  holdsIn,
  skipped,
  mergeFindings,
  brokenIfAny,
  valueFound,
} from '../finding.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { formatAsked } from '../../exchange/identity.ts';
import { replyId } from '../reading/reply-id.ts';
import { quoteText, quoteValue } from '../../text/quote.ts';
import type { OtherAnswer } from '../actual.ts';
import type { Finding } from '../verdict.ts';

/** The clause that covers the fault, if it is of another kind. */
function judgedElsewhere(value: unknown): string | undefined {
  if (!isObject(value)) return 'completion.object-body';
  if (hasErrorMember(value)) return 'completion.no-error';
  const choices = memberOf(value, 'choices');
  if (choices === undefined) return undefined;
  if (!Array.isArray(choices) || !choices.every(isObject)) return 'completion.choices-type';
  const hasWrongMessage = choices.some((choice) => Object.hasOwn(choice, 'message') && !isObject(choice['message']));
  return hasWrongMessage ? 'choice.message-type' : undefined;
}

export const hasReply: Check = {
  summary: 'A completion has at least one choice with a message.',
  execute: (input) =>
    eachJson(input, (value, exchange) => {
      const clause = judgedElsewhere(value);
      if (clause !== undefined) return skipped({ kind: 'see-clause', because: 'another-fault', clause });
      const choices = memberOf(value, 'choices');
      if (Array.isArray(choices) && choices.some((choice) => memberOf(choice, 'message') !== undefined)) return HOLDS;
      return broken([
        finding(exchange, {
          mismatch: choices === undefined ? 'absent' : 'no-message',
          pointer: '/choices',
          expected: { kind: 'choice-with-message' },
          actualType: typeOf(choices),
          actual: valueFound(choices),
        }),
      ]);
    }),
};

/** Part 1: clients read the message of every choice. A completion without any is service.reply. */
export const messageInChoices: Check = {
  summary: 'If one choice of a completion has a message, every other one has too.',
  execute: (input) =>
    eachJson(input, (value, exchange) => {
      const choices = itemsOf(memberOf(value, 'choices'));
      const hasMessage = choices.map((choice) => memberOf(choice, 'message') !== undefined);
      if (!hasMessage.includes(true))
        return skipped({ kind: 'see-clause', because: 'another-fault', clause: 'service.reply' });
      const findings = choices.flatMap((choice, place) =>
        hasMessage[place] || !isObject(choice)
          ? []
          : [
              finding(exchange, {
                mismatch: 'absent',
                pointer: `/choices/${place}/message`,
                expected: { kind: 'message-in-choice' },
                actualType: 'absent',
                actual: { kind: 'absent' },
              }),
            ],
      );
      return brokenIfAny(mergeFindings(findings, [exchange]));
    }),
};

/** The first exchange with each id, across all parts of a long recording. */
function firstWithId({ carried }: RunView): Map<string, OtherAnswer> {
  const known = carried?.get('ids-differ') as Map<string, OtherAnswer> | undefined;
  const first = known ?? new Map<string, OtherAnswer>();
  carried?.set('ids-differ', first);
  return first;
}

export const idsDiffer: Check = {
  summary: 'No two completions have the same id.',
  execute: ({ exchanges, run }) => {
    const completions = [...new Set(exchanges)];
    const withId = completions.flatMap((exchange) => {
      const id = replyId(exchange);
      return id === undefined ? [] : [{ exchange, id }];
    });
    const first = firstWithId(run);
    // Streams with ids of their own say nothing about plain replies without any.
    const lacksIds = completions.some(isPlain) && !withId.some(({ exchange }) => isPlain(exchange));
    const findings: Finding[] = [];
    const repeating = new Set<Exchange>();
    for (const { exchange, id } of withId) {
      const before = first.get(id);
      if (before === undefined) first.set(id, { exchange: exchange.id, request: formatAsked(exchange) });
      else if (before.exchange !== exchange.id) {
        const actual = { kind: 'repeated', value: quoteText(id), ...before } as const;
        const expected = { kind: 'unique-id' } as const;
        repeating.add(exchange);
        findings.push(
          finding(exchange, { mismatch: 'repeated', pointer: '/id', expected, actualType: 'string', actual }),
        );
      }
    }
    const kept = withId.flatMap(({ exchange }) => (repeating.has(exchange) ? [] : [exchange]));
    if (findings.length > 0)
      return { ...broken(mergeFindings(findings, exchanges)), answers: { kept, broken: [...repeating] } };
    return lacksIds || first.size < 2 ? skipped({ kind: 'no-occasion', of: 'two-ids' }) : holdsIn(kept);
  },
};

function isPlain({ request }: Exchange): boolean {
  return request.mode === 'plain';
}

function* wrongIndices(value: Json, exchange: Exchange): Generator<Finding> {
  const seen = new Map<number, string>();
  for (const [place, choice] of itemsOf(memberOf(value, 'choices')).entries()) {
    const index = memberOf(choice, 'index');
    // Other clauses cover a missing index or one of the wrong type.
    if (typeof index !== 'number' || !Number.isInteger(index)) continue;
    const pointer = `/choices/${place}/index`;
    const first = seen.get(index);
    const found = { pointer, actualType: 'integer' } as const;
    if (place === 0 && index !== 0) {
      const expected = { kind: 'constant', value: 0 } as const;
      yield finding(exchange, { mismatch: 'value', expected, actual: valueFound(index), ...found });
    }
    if (first !== undefined) {
      const actual = { kind: 'repeated', value: quoteValue(index), pointer: first } as const;
      yield finding(exchange, { mismatch: 'repeated', expected: { kind: 'unique-index' }, actual, ...found });
    } else seen.set(index, pointer);
  }
}

export const indexValues: Check = {
  summary: 'The first choice has index 0, and no two choices share an index.',
  execute: (input) =>
    eachJson(input, (value, exchange) =>
      itemsOf(memberOf(value, 'choices')).some((choice) => Number.isInteger(memberOf(choice, 'index')))
        ? brokenIfAny(mergeFindings(wrongIndices(value, exchange), [exchange]))
        : NO_FIELD,
    ),
};

export const completionCounted: Check = {
  summary: 'The completion_tokens count is not 0 beside text.',
  execute: (input) =>
    eachJson(input, (value, exchange) => {
      const texts = itemsOf(memberOf(value, 'choices')).map((choice) =>
        memberOf(memberOf(choice, 'message'), 'content'),
      );
      const hasText = texts.some((text) => typeof text === 'string' && text !== '');
      if (!hasText) return skipped({ kind: 'no-occasion', of: 'reply-text' });
      const counted = memberOf(memberOf(value, 'usage'), 'completion_tokens');
      if (typeof counted !== 'number') return skipped({ kind: 'no-occasion', of: 'token-count' });
      if (counted !== 0) return HOLDS;
      return broken([
        finding(exchange, {
          mismatch: 'value',
          pointer: '/usage/completion_tokens',
          expected: { kind: 'counted-text' },
          actualType: 'integer',
          actual: valueFound(0),
        }),
      ]);
    }),
};

export const usageSum: Check = {
  summary: 'The total_tokens count is the sum of prompt_tokens and completion_tokens.',
  execute: (input) =>
    eachJson(input, (value, exchange) => {
      const usage = memberOf(value, 'usage');
      const [prompt, completion, total] = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((name) => {
        const count = memberOf(usage, name);
        return typeof count === 'number' && Number.isInteger(count) ? count : undefined;
      });
      if (prompt === undefined || completion === undefined || total === undefined) {
        return skipped({ kind: 'no-occasion', of: 'usage-counts' });
      }
      if (total === prompt + completion) return HOLDS;
      return broken([
        finding(exchange, {
          mismatch: 'value',
          pointer: '/usage/total_tokens',
          expected: { kind: 'token-sum', sum: prompt + completion },
          actualType: 'integer',
          actual: { kind: 'token-counts', total, prompt, completion },
        }),
      ]);
    }),
};
