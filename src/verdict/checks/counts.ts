/** Prompt tokens of calls that differ in one thing. Only differences are judged, never the count of a tokenizer. */
import type { Exchange } from '../../exchange/exchange.ts';
import { wasAnswered, lastAnswer } from '../../exchange/reading/answered.ts';
import { chunkValue, readChunks } from '../../exchange/reading/chunks.ts';
import { type Json, memberOf } from '../../json.ts';
import type { Check } from '../check.ts';
import { holdsIn, noOccasion, observed } from '../check-result.ts';
import { broken, finding } from '../finding.ts';
import type { Observation, ObservedWord } from '../observation.ts';
import { jsonOf } from '../reading/answers.ts';

interface PromptCount {
  readonly exchange: Exchange;
  readonly tokens: number;
  readonly model: Json | undefined;
  readonly fingerprint: Json | undefined;
  /** Tokens of the prompt that came from a cache. Some gateways leave them out. */
  readonly cached: number;
}

const CACHED = ['cached_tokens', 'prompt_cache_hit_tokens', 'cache_read_input_tokens'];

/** What carries the counts: the completion, or the last chunk that has any. */
function countingPart(exchange: Exchange): Json | undefined {
  const answer = lastAnswer(exchange);
  if (!answer || !wasAnswered(exchange)) return undefined;
  if (exchange.request.mode === 'plain') return jsonOf(answer);
  const last = readChunks(answer).chunks.findLast(({ hasUsage }) => hasUsage);
  return last && chunkValue(last);
}

function promptCount(exchange: Exchange): PromptCount | undefined {
  const part = countingPart(exchange);
  const usage = memberOf(part, 'usage');
  const tokens = memberOf(usage, 'prompt_tokens');
  if (typeof tokens !== 'number' || !Number.isSafeInteger(tokens)) return undefined;
  const places = [usage, memberOf(usage, 'prompt_tokens_details')];
  const cached = Math.max(0, ...places.flatMap((place) => CACHED.map((name) => Number(memberOf(place, name)) || 0)));
  const [model, fingerprint] = [memberOf(part, 'model'), memberOf(part, 'system_fingerprint')];
  return { exchange, tokens, model, fingerprint, cached };
}

/** The model and whatever else tells servers apart are the same. */
function areAlike(a: PromptCount, b: PromptCount): boolean {
  return a.model === b.model && a.fingerprint === b.fingerprint;
}

function isCached(...counts: readonly PromptCount[]): boolean {
  return counts.some(({ cached }) => cached > 0);
}

/** Without a fingerprint, a router may have called two providers by one name. */
function areOfOneServer(a: PromptCount, b: PromptCount): boolean {
  return areAlike(a, b) && !isCached(a, b) && typeof a.fingerprint === 'string' && a.fingerprint !== '';
}

/** Tokens by which two counts of one prompt may differ. */
const NOISE = 2;

const NO_COUNT = noOccasion('token-count');
const NOT_COMPARABLE = noOccasion('comparable-counts');

function pairOf(a: PromptCount, b: PromptCount): Observation {
  return { name: 'prompt-tokens-differ', value: [a.tokens, b.tokens] };
}

// The constant and the signature.

/** The text of the long prompt is that of the short one, so many times. */
const TIMES = 10;
/** Fewer are words, and no letters. */
const WORDS = 2;
/** Bytes of a letter. */
const SCRIPTS = { Latin: 1, Cyrillic: 2, Chinese: 3, Arabic: 2 } as const;
type Script = keyof typeof SCRIPTS;

function scriptOf({ step }: Exchange): Script | undefined {
  return (Object.keys(SCRIPTS) as Script[]).find((script) => step.endsWith(`[${script.toLowerCase()}]`));
}

/** The most likely reasons for numbers that no tokenizer gives. */
function* notesOn(letters: ReadonlyMap<Script, number>, isSteady: boolean, isStreamCounted: boolean) {
  if (!isSteady) yield 'counts-vary' satisfies ObservedWord;
  if (!isStreamCounted) yield 'no-stream-count' satisfies ObservedWord;
  if (letters.size < Object.keys(SCRIPTS).length) return;
  const all = [...letters];
  // The same number for any text.
  if (all.every(([, tokens]) => tokens <= 0)) return;
  const isAlike = (values: readonly number[]): boolean => Math.max(...values) - Math.min(...values) <= 1;
  if ((letters.get('Chinese') ?? 0) <= WORDS) yield 'counted-words' satisfies ObservedWord;
  else if (isAlike(all.map(([, tokens]) => tokens)) || isAlike(all.map(([script, tokens]) => tokens / SCRIPTS[script])))
    yield 'estimated' satisfies ObservedWord;
}

export const COUNT_CHECKS = {
  'more-prompt-tokens': {
    summary: 'The second request has more prompt tokens than the first, which has less text.',
    execute: ({ exchanges }) => {
      const [less, more] = exchanges.map(promptCount);
      if (!less || !more) return NO_COUNT;
      if (!areAlike(less, more)) return NOT_COMPARABLE;
      if (more.tokens > less.tokens + less.cached) return holdsIn([more.exchange]);
      if (isCached(less, more)) return NOT_COMPARABLE;
      // Another provider may have a shorter template, but hardly one that is shorter by just this text.
      if (more.tokens < less.tokens && !areOfOneServer(less, more)) return observed([pairOf(less, more)]);
      const expected = { kind: 'more-tokens', than: less.tokens } as const;
      const actual = { kind: 'tokens', tokens: more.tokens, reasoning: 0 } as const;
      const pointer = '/usage/prompt_tokens';
      return broken([finding(more.exchange, { mismatch: 'value', pointer, expected, actualType: 'integer', actual })]);
    },
  },
  'same-prompt-tokens': {
    summary: 'Requests with the same messages have the same prompt tokens, but for two, on the same server.',
    execute: ({ exchanges }) => {
      const [first, ...others] = exchanges.flatMap((exchange) => promptCount(exchange) ?? []);
      if (!first || others.length === 0) return NO_COUNT;
      const differing = others.filter(({ tokens }) => Math.abs(tokens - first.tokens) > NOISE);
      if (differing.length === 0) return holdsIn(others.map(({ exchange }) => exchange));
      const wrong = differing.filter((other) => areOfOneServer(first, other));
      if (wrong.length === 0) return observed(differing.map((other) => pairOf(first, other)));
      const expected = { kind: 'same-tokens', as: first.tokens } as const;
      const parts = { mismatch: 'value', pointer: '/usage/prompt_tokens', expected, actualType: 'integer' } as const;
      return broken(
        wrong.map(({ exchange, tokens }) =>
          finding(exchange, { ...parts, actual: { kind: 'tokens', tokens, reasoning: 0 } }),
        ),
      );
    },
  },
  /** The constant is what is left of the short prompt when its text is taken away. */
  'prompt-signature': {
    summary: 'Records the tokens that every call carries, and those of a hundred letters of four scripts.',
    execute: ({ exchanges }) => {
      const countAt = (step: string): PromptCount | undefined => {
        const exchange = exchanges.find((each) => each.step === step);
        return exchange && promptCount(exchange);
      };
      const [short, long, again] = ['counts/short', 'counts/long', 'counts/again'].map(countAt);
      if (!short || !long) return NO_COUNT;
      const constant = Math.round(short.tokens - (long.tokens - short.tokens) / (TIMES - 1));
      const letters = new Map(
        exchanges.flatMap((exchange) => {
          const [script, count] = [scriptOf(exchange), promptCount(exchange)];
          return script && count ? [[script, count.tokens - constant] as const] : [];
        }),
      );
      const isSteady = again === undefined || Math.abs(again.tokens - short.tokens) <= NOISE;
      const notes = [...notesOn(letters, isSteady, countAt('counts/streamed') !== undefined)];
      return observed([
        { name: 'prompt-constant', value: constant },
        ...[...letters].map(([of, value]): Observation => ({ name: 'letter-tokens', of, value })),
        ...(notes.length > 0 ? [{ name: 'count-notes', value: notes } satisfies Observation] : []),
      ]);
    },
  },
} satisfies Record<string, Check>;
