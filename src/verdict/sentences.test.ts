/** Every sentence of the four tables, held to the rules for what people read. */
import { describe, expect, it } from 'vitest';
import { ACTUALS, EXPECTATIONS, OBSERVED_FACTS, QUOTED, REASONS } from '../../test/kit/one-of-each.ts';
import { dropQuotes } from '../text/quote.ts';
import { formatActual } from './actual.ts';
import { formatExpected } from './expected.ts';
import { formatObserved } from './observation.ts';
import { didNotApply, formatReason } from './reason.ts';

const SENTENCES: readonly (readonly [kind: string, text: string, withoutQuotes: string])[] = [
  ...REASONS.map((fact) => [fact.kind, formatReason(fact), formatReason(dropQuotes(fact))] as const),
  ...EXPECTATIONS.map((fact) => [fact.kind, formatExpected(fact), formatExpected(dropQuotes(fact))] as const),
  ...ACTUALS.map((fact) => [fact.kind, formatActual(fact), formatActual(dropQuotes(fact))] as const),
  ...OBSERVED_FACTS.map((fact) => [fact.kind, formatObserved(fact), formatObserved(dropQuotes(fact))] as const),
];

describe('every sentence', () => {
  it.each(SENTENCES)('of %s is short and complete: %s', (_, text) => {
    expect(text).not.toMatch(/undefined|null at|\[object|\.$|^\s|\s$|^What /);
    const words = text
      .replaceAll(/\(.*?\)/g, '')
      .split(/[:,]/)
      .map((part) => part.trim().split(/\s+/).length);
    expect(Math.max(...words)).toBeLessThanOrEqual(20);
  });

  it.each(SENTENCES)('of %s contains text of the target only in quotes', (_, __, withoutQuotes) => {
    expect(withoutQuotes).not.toContain(QUOTED);
  });
});

describe('a reason', () => {
  /** They say that the case has no meaning here. */
  const NOT_APPLYING = ['no-occasion', 'see-clause', 'limit-lifted', 'field-required'];

  it.each(REASONS.filter(({ kind }) => !NOT_APPLYING.includes(kind)))(
    'that may need attention is not summarized: %j',
    (reason) => {
      expect(didNotApply(reason)).toBe(false);
    },
  );

  it('that names another clause or a missing occasion means that the case did not apply', () => {
    expect(didNotApply({ kind: 'no-occasion', of: 'refusal' })).toBe(true);
    expect(didNotApply({ kind: 'see-clause', because: 'no-delta', clause: 'stream.choice-delta' })).toBe(true);
  });

  it('ends with a remedy if there is one', () => {
    expect(formatReason({ kind: 'not-asked-again', draws: 2, limit: 'completions' })).toBe(
      '2 draws failed and could not be asked again: raise --shrink-completions, or send each alone with --path',
    );
    expect(formatReason({ kind: 'not-asked-again', draws: 1, limit: 'silence' })).toBe(
      '1 draw failed and could not be asked again, since the time for requests without an answer was used: send each alone with --path',
    );
    expect(formatReason({ kind: 'needs', settings: ['openapi'] })).toBe('not tested: pass --openapi');
    expect(formatReason({ kind: 'needs', settings: ['restricted-key', 'forbidden-model'] })).toBe(
      'not tested: set WIRECHECK_RESTRICTED_KEY and pass --forbidden-model',
    );
    expect(formatReason({ kind: 'over-limit', what: 'body', limit: 'max-body' })).toBe(
      'the body exceeds --max-body: raise --max-body',
    );
  });
});

describe('an actual value', () => {
  it('names the request of another answer', () => {
    const value = { quote: 'a', length: 1 };
    expect(formatActual({ kind: 'repeated', value, exchange: 'chat~round#2', request: 'chat' })).toBe(
      '"a", the same as in the answer to chat',
    );
    expect(formatActual({ kind: 'foreign-word', exchange: '7', request: 'chat/parallel[plain]' })).toBe(
      'the random word of chat/parallel[plain], a concurrent request',
    );
  });

  it('says how much of a text arrived, or that none did', () => {
    const cut = { kind: 'text-at', text: { quote: '', length: 0 }, from: 9 } as const;
    expect(formatActual({ ...cut, length: 9 })).toBe('only the first 9 characters');
    expect(formatActual({ ...cut, from: 0, length: 0 })).toBe('no text');
  });
});
