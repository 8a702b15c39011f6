/** What a run costs on a model that never stops by itself: reading rule 4. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Modifier } from '../src/gateway/index.ts';
import { neverStops } from '../selftest/never-stops.ts';
import { runInMemory } from './kit/in-memory-run.ts';
import { expectationOf, withVerdict } from './kit/real-run.ts';

const UNBOUNDED = 'chat/only-required-fields';

async function countTokens(skip: readonly string[], ...modifiers: readonly Modifier[]) {
  let tokens = 0;
  const endless = neverStops((more) => void (tokens += more));
  const report = await runInMemory({ modifiers: [...modifiers, endless], eventGapMs: 3 }, { skip });
  return { tokens, report };
}

describe('a model that never stops by itself', () => {
  let bounded: Awaited<ReturnType<typeof countTokens>>;
  beforeAll(async () => void (bounded = await countTokens([UNBOUNDED])));

  it('generates at most 1,500 tokens in a run, apart from the one reply without max_tokens', () => {
    const { tokens, report } = bounded;
    expect(report.outcome).toMatchObject({ exit: 0 });
    expect(tokens).toBeLessThan(1_500);
    expect(report.cost.used.tokens).toBeLessThan(1_500);
  });

  it('null for max_tokens is streamed and ended at the first text, and accepted', () => {
    const { report } = bounded;
    const id = 'parameters/null-alone[max-tokens]';
    const exchange = report.exchanges.find((candidate) => candidate.id === id);
    expect(exchange?.attempts.map(({ answer }) => answer?.body.end)).toEqual([{ kind: 'aborted', why: 'text' }]);
    expect(expectationOf(report, id, 'request.null-optional')).toMatchObject({ verdict: 'observed' });
    expect(expectationOf(report, id, 'errors.no-server-error')).toMatchObject({ verdict: 'pass' });
    expect(withVerdict(report, 'inconclusive')).toEqual([]);
  });

  it('generates at most 2,000 on a gateway that answers almost anything', async () => {
    const { tokens } = await countTokens([UNBOUNDED], {
      title: 'refuses only max_tokens out of range and bodies that are not JSON',
      authorize: () => 'full',
      refusal: (refusal) => (/^(max-tokens|body)/.test(refusal.rule) ? refusal : undefined),
    });
    expect(tokens).toBeLessThan(2_000);
  });

  it('The reply without max_tokens is requested once, for one word', async () => {
    const { tokens, report } = await countTokens([]);
    const exchange = report.exchanges.find(({ id }) => id === UNBOUNDED);
    expect(exchange?.attempts).toHaveLength(1);
    expect(exchange?.body).toContain('single word');
    expect(tokens).toBeGreaterThan(4_000);
    expect(tokens).toBeLessThan(6_000);
  });
});
