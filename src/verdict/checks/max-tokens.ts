import type { Exchange } from '../../exchange/exchange.ts';
import { lastAnswer, wasAnswered } from '../../exchange/reading/answered.ts';
import { readChunks } from '../../exchange/reading/chunks.ts';
import { memberOf } from '../../json.ts';
import { CONTROL_STEP } from '../../plan/plan.ts';
import type { Check, RunView } from '../check.ts';
import { finding, mergeFindings, typedValue } from '../finding.ts';
import { broken, HOLDS, holdsIn, inconclusive, skipped, brokenWith } from '../check-result.ts';
import { itemsOf, jsonOf, statusFound } from '../reading/answers.ts';
import { noBasis } from '../reading/control.ts';
import { eachExchange, NOT_200 } from '../reading/each-exchange.ts';
import { answerOutcome, whyNoAnswer } from '../reading/outcome.ts';
import { maxTokensOf, tokenCounts } from '../reading/replies.ts';

/** The control or the long stream, if it was answered only without `max_tokens` or with a smaller one. */
function refusedForTokens({ traffic: { exchanges, bindings } }: RunView): Exchange | undefined {
  if (bindings.withoutMaxTokens) return exchanges.find(({ step }) => step === CONTROL_STEP);
  const again = exchanges.find((exchange) => exchange.occasion === 'fewer-tokens' && wasAnswered(exchange));
  return again && exchanges.find(({ step, occasion }) => step === again.step && occasion === undefined);
}

/** More text than one token can hold, with any tokenizer. */
const MAX_WORDS = 20;
const MAX_LETTERS = 100;

function isLongerThanOneToken(text: string): boolean {
  const words = text.split(/\s+/u).filter((word) => word !== '');
  return words.length > MAX_WORDS || words.some((word) => word.length > MAX_LETTERS);
}

interface Reached {
  readonly exchange: Exchange;
  readonly limit: number;
  readonly finish: string;
}

/** A reply of one choice with exactly as many tokens as `max_tokens` allows. Of several, none has a count of its own. */
function readReached(exchange: Exchange): readonly Reached[] {
  const answer = lastAnswer(exchange);
  const limit = maxTokensOf(exchange);
  if (!answer || limit === undefined) return [];
  const { choices, completion } = tokenCounts(exchange, answer);
  if (completion !== limit || choices !== 1) return [];
  const finish =
    exchange.request.mode === 'stream'
      ? readChunks(answer).choices[0]?.parts.findLast(({ finish: last }) => last?.text !== undefined)?.finish?.text
      : memberOf(itemsOf(memberOf(jsonOf(answer), 'choices'))[0], 'finish_reason');
  return typeof finish === 'string' ? [{ exchange, limit, finish }] : [];
}

export const TOKEN_LIMIT_CHECKS = {
  /** A control that is not answered is sent again without `max_tokens`, so the run knows this early. */
  'max-tokens-accepted': {
    summary: 'A request with max_tokens is not refused.',
    needsNoExchange: true,
    execute: ({ run }) => {
      const refused = refusedForTokens(run);
      if (!refused) {
        const control = run.exchange(CONTROL_STEP);
        return control && wasAnswered(control) ? holdsIn([control]) : inconclusive(noBasis(control));
      }
      const outcome = answerOutcome(refused);
      if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
      return brokenWith(refused, statusFound(outcome.answer, { kind: 'success', condition: 'max-tokens' }));
    },
  },
  'within-max-tokens': {
    summary: 'A reply has no more tokens than max_tokens allows, plus one per choice. One token is not a long text.',
    options: { reasoning: { type: 'boolean', default: false } },
    execute: eachExchange((exchange, input) => {
      const outcome = answerOutcome(exchange);
      if (outcome.kind !== 'answered') return inconclusive(NOT_200);
      const most = maxTokensOf(exchange);
      if (most === undefined) return skipped({ kind: 'no-occasion', of: 'max-tokens' });
      const { choices, completion: counted, reasoning, texts } = tokenCounts(exchange, outcome.answer);
      // A zero beside text is no count: `usage.completion-counted` says so, and the text decides.
      const completion = counted === 0 && texts.some((text) => text !== '') ? undefined : counted;
      const forReasoning = input.options['reasoning'] === true;
      const expected = { kind: 'token-limit', tokens: most } as const;
      // The text shows more than any count, which may be wrong.
      const long = most === 1 ? texts.find(isLongerThanOneToken) : undefined;
      if (long !== undefined && !forReasoning) {
        const actual = { kind: 'characters', characters: long.length } as const;
        return brokenWith(exchange, { mismatch: 'range', pointer: '', expected, actualType: 'string', actual });
      }
      if (completion === undefined) {
        const isCounted = most === 1 && texts.length > 0 && !forReasoning;
        return isCounted ? HOLDS : skipped({ kind: 'no-occasion', of: 'token-count' });
      }
      const allowed = (most + 1) * choices;
      if (completion <= allowed) return HOLDS;
      // The contract does not say whether hidden reasoning counts; where it explains the excess, only `reasoning` finds it.
      // Reasoning tokens that are not part of the count explain nothing.
      const explained = reasoning <= completion && completion - reasoning <= allowed;
      if (explained !== forReasoning) return HOLDS;
      const tokens = Math.min(completion, Number.MAX_VALUE);
      const pointer = '/usage/completion_tokens';
      const actual = { kind: 'tokens', tokens, reasoning } as const;
      return brokenWith(exchange, { mismatch: 'range', pointer, expected, actualType: 'integer', actual });
    }),
  },
  'finish-length': {
    summary: 'Replies that have exactly as many tokens as max_tokens allows do not all say stop.',
    execute: ({ exchanges }) => {
      const reached = exchanges.flatMap(readReached);
      if (reached.length === 0) return skipped({ kind: 'no-occasion', of: 'limit-reached' });
      if (reached.some(({ finish }) => finish !== 'stop')) return holdsIn(reached.map(({ exchange }) => exchange));
      // One may have ended there by chance.
      if (new Set(reached.map(({ limit }) => limit)).size < 2)
        return skipped({ kind: 'no-occasion', of: 'two-limits' });
      const parts = { mismatch: 'value', pointer: '/choices/0/finish_reason', expected: 'finish-length' } as const;
      const findings = reached.map(({ exchange, finish }) => finding(exchange, { ...parts, ...typedValue(finish) }));
      return broken(mergeFindings(findings, exchanges));
    },
  },
} satisfies Record<string, Check>;
