/** Requests that are sent once more in another way, so that a refusal is blamed on its cause. */
import { describe, expect, it } from 'vitest';
import { brokenClauses, quickRun, gatewayFor, runGateway } from '../../../test/kit/real-run.ts';
import { FAULTS, type FaultId } from '../../gateway/index.ts';
import type { Report } from '../../report/report.ts';

const run = (fault: FaultId, only: readonly string[]): Promise<Report> =>
  runGateway({ modifiers: [FAULTS[fault]] }, { only: [...only] });

const sentBy = (report: Report): readonly string[] => report.exchanges.map(({ id }) => id);

describe('a control that is refused', () => {
  it('is sent once more if it is answered without max_tokens: the first call may be refused for being the first', async () => {
    const report = await run('chat-first-refused', ['chat/reply', 'parameters/max-tokens-accepted']);
    expect(sentBy(report)).toEqual(['models', 'chat', 'chat-bare', 'chat~second#1']);
    expect(brokenClauses(report)).toEqual(['endpoint.chat-answers']);
  });

  it('is refused because of max_tokens if it is refused twice', async () => {
    const report = await run('param-max-tokens-refused', ['chat/reply', 'parameters/max-tokens-accepted']);
    expect(brokenClauses(report)).toEqual(['limits.max-tokens-in-range']);
  });
});

describe('a stream that is refused', () => {
  it('is sent once more with another Accept, which the rest of the run uses', async () => {
    const only = ['streaming/reply', 'streaming/accept-json', 'parameters/top-p-out-of-range-streamed'];
    const report = await run('stream-accept-json-refused', only);
    expect(sentBy(report)).toContain('chat-stream~accept#1');
    expect(brokenClauses(report)).toEqual(['stream.accept-json']);
    expect(report.outcome.exit).toBe(0);
  });

  it('is not blamed on Accept if it is refused with another one too', async () => {
    expect(brokenClauses(await run('stream-refused', ['streaming/reply', 'streaming/accept-json']))).toEqual([
      'stream.answers',
    ]);
  });
});

describe('the restricted key', () => {
  it.each<[FaultId, string]>([
    ['models-restricted-first-gone', 'endpoint.models-callable'],
    ['models-restricted-first-forbidden', 'endpoint.models-permitted'],
  ])('tries the next model of its list: %s', async (fault, clause) => {
    const gateway = await gatewayFor({ modifiers: [FAULTS[fault]] });
    const report = await quickRun(
      gateway.baseUrl,
      { only: ['auth/restricted-*', 'models/listed-models-answer'], forbiddenModel: 'sea-large' },
      gateway.keys,
    );
    expect(sentBy(report)).toContain('auth/restricted-allowed~2');
    expect(brokenClauses(report)).toEqual([clause]);
  });

  it('is no evidence if it gets 403 everywhere, since it may be the wrong key', async () => {
    const gateway = await gatewayFor({ faults: ['auth-unknown-key-403'] });
    const keys = { full: gateway.keys.full, restricted: 'sk-service-mistyped-key-of-somebody' };
    const report = await quickRun(
      gateway.baseUrl,
      { only: ['models/*', 'auth/restricted-*'], forbiddenModel: 'sea-large' },
      keys,
    );
    expect(brokenClauses(report)).toEqual([]);
    expect(report.cases.find(({ id }) => id === 'auth/restricted-list')?.verdict).toBe('inconclusive');
  });
});

describe('a combination that is refused', () => {
  // Without bodies of many mebibytes, and refusals, which are no combinations.
  const VALID = [
    'chat/*',
    'streaming/*',
    ...['*imum', '*-inside', '*-one', '*-together', '*accepted', '*-top-p'].map((name) => `parameters/${name}`),
  ];

  it.each<[FaultId, string]>([
    ['param-temperature-one-refused', 'limits.temperature-in-range'],
    ['param-temperature-fraction-refused', 'limits.temperature-in-range'],
    ['param-temperature-refused-in-streams', 'limits.temperature-in-range'],
    ['messages-system-alone-refused', 'message.roles'],
    ['param-temperature-with-top-p-rejected', 'limits.top-p-in-range'],
    ['param-charset-refused', 'wire.charset-accepted'],
    ['text-over-100-refused', 'message.ordinary-length'],
  ])('is asked in parts until the guilty one is found: %s', async (fault, clause) => {
    expect(brokenClauses(await run(fault, VALID))).toEqual([clause]);
  });

  it('asks for fewer tokens if the long stream is refused, so that other streams can be judged', async () => {
    const report = await run('param-max-tokens-above-sixteen-refused', [
      ...VALID,
      'parameters/temperature-out-of-range-streamed',
    ]);
    expect(brokenClauses(report)).toEqual(['limits.max-tokens-in-range']);
    expect(sentBy(report)).toContain('chat-stream~tokens#1');
    const verdictOf = (id: string) => report.cases.find((testCase) => testCase.id === id)?.verdict;
    expect([verdictOf('streaming/reply'), verdictOf('parameters/temperature-out-of-range-streamed')]).toEqual([
      'pass',
      'pass',
    ]);
    expect(verdictOf('parameters/max-tokens-accepted')).toBe('fail');
  });
});
