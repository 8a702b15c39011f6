import { expect, it } from 'vitest';
import { checkInput, COMPLETION, plainExchange, readObserved, streamExchange } from '../../../test/kit/exchanges.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { formatObservationName } from '../observation.ts';
import { COUNT_CHECKS } from './counts.ts';

const call = (
  id: string,
  tokens: number,
  { usage = {}, ...more }: { usage?: object; [name: string]: unknown } = {},
) => {
  const counts = { prompt_tokens: tokens, completion_tokens: 1, total_tokens: tokens + 1, ...usage };
  return plainExchange({ id, step: id, json: { ...COMPLETION, ...more, usage: counts } as never });
};
const judge = (check: keyof typeof COUNT_CHECKS, exchanges: readonly Exchange[]) =>
  COUNT_CHECKS[check].execute(checkInput(exchanges));
const FP = { system_fingerprint: 'fp_1' };

it('more text has to count more', () => {
  expect(judge('more-prompt-tokens', [call('a', 17), call('b', 18)]).kind).toBe('holds');
  expect(judge('more-prompt-tokens', [call('a', 17), call('b', 17)])).toMatchObject({
    kind: 'broken',
    findings: [{ exchange: 'b', expected: { kind: 'more-tokens', than: 17 } }],
  });
  expect(judge('more-prompt-tokens', [call('a', 17, FP), call('b', 9, FP)]).kind).toBe('broken');
  // Another provider, another model, a cache, no count.
  expect(judge('more-prompt-tokens', [call('a', 32), call('b', 26)]).kind).toBe('observed');
  expect(judge('more-prompt-tokens', [call('a', 17), call('b', 17, { model: 'other' })]).kind).toBe('skipped');
  const cached = { usage: { prompt_tokens_details: { cached_tokens: 9 } } };
  expect(judge('more-prompt-tokens', [call('a', 17), call('b', 17, cached)]).kind).toBe('skipped');
  // However a cache is counted, 40 tokens are more than 17 of which, or beside which, 9 were cached.
  expect(judge('more-prompt-tokens', [call('a', 17, cached), call('b', 40, cached)]).kind).toBe('holds');
  expect(judge('more-prompt-tokens', [call('a', 17, cached), call('b', 26)]).kind).toBe('skipped');
  expect(judge('more-prompt-tokens', [plainExchange(), call('b', 17)]).kind).toBe('skipped');
});

it('the same messages have to count the same on one server, within two tokens', () => {
  expect(judge('same-prompt-tokens', [call('a', 17), call('b', 19), call('c', 15)]).kind).toBe('holds');
  expect(judge('same-prompt-tokens', [call('a', 17, FP), call('b', 20, FP)])).toMatchObject({
    kind: 'broken',
    findings: [{ exchange: 'b', expected: { kind: 'same-tokens', as: 17 } }],
  });
  expect(judge('same-prompt-tokens', [call('a', 17), call('b', 29)])).toEqual({
    kind: 'observed',
    observations: [{ name: 'prompt-tokens-differ', value: [17, 29] }],
  });
  expect(judge('same-prompt-tokens', [call('a', 17, FP), call('b', 29, { system_fingerprint: 'fp_2' })]).kind).toBe(
    'observed',
  );
  expect(judge('same-prompt-tokens', [call('a', 17)]).kind).toBe('skipped');
});

it('reads the count of a stream from its last chunk with usage', () => {
  const chunk = (more: object) => `data: ${JSON.stringify({ id: '1', model: 'm', choices: [], ...more })}\n\n`;
  const usage = { prompt_tokens: 40, completion_tokens: 1, total_tokens: 41 };
  const text = `${chunk({ choices: [{ index: 0, delta: { content: 'a' } }] })}${chunk({ usage, ...FP })}data: [DONE]\n\n`;
  const streamed = streamExchange({ id: 's', step: 's', text });
  const plain = call('a', 17, { ...FP, model: 'm' });
  expect(judge('same-prompt-tokens', [plain, streamed])).toMatchObject({
    kind: 'broken',
    findings: [{ exchange: 's' }],
  });
});

const signature = (tokens: readonly [number, number, number], letters: readonly number[]) => {
  const [short, long, again] = tokens;
  const names = ['latin', 'cyrillic', 'chinese', 'arabic'];
  const result = judge('prompt-signature', [
    call('counts/short', short),
    call('counts/long', long),
    call('counts/again', again),
    ...letters.map((count, place) => call(`counts/letters[${names[place]}]`, count)),
  ]);
  if (result.kind !== 'observed') throw new Error(result.kind);
  return Object.fromEntries(
    result.observations.map((each) => [formatObservationName(each), readObserved(each.value)]),
  ) as Record<string, unknown>;
};
const CONSTANT = 'tokens that every call carries and that you did not send';
const NOTES = 'about these numbers';

it('takes the part of the text away, and tells what the numbers look like', () => {
  const usual = signature([425, 542, 425], [437, 452, 512, 470]);
  expect(usual).toMatchObject({ [CONSTANT]: 412, 'tokens of a hundred Latin letters': 25 });
  expect(usual[NOTES]).toEqual(['streams report no prompt tokens']);
  expect(signature([17, 134, 17], [29, 23, 5, 26])).toMatchObject({
    [CONSTANT]: 4,
    [NOTES]: expect.arrayContaining(['words seem to be counted, not tokens']),
  });
  expect(signature([16, 160, 16], [31, 31, 31, 31])).toMatchObject({
    [NOTES]: expect.arrayContaining(['the numbers follow the length of the text, as an estimate does']),
  });
  expect(signature([17, 134, 40], [])).toMatchObject({
    [NOTES]: expect.arrayContaining([expect.stringContaining('counted differently')]),
  });
  expect(signature([10, 10, 10], [10, 10, 10, 10])[NOTES]).toEqual(['streams report no prompt tokens']);
  expect(judge('prompt-signature', [call('counts/short', 17)]).kind).toBe('skipped');
});
