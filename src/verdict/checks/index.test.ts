import { describe, expect, it } from 'vitest';
import { loadContract } from '../../contract/read-contract.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { ERROR_PARTS } from './errors.ts';
import { checkInput, failure, modelsExchange, plainExchange, streamExchange } from '../../../test/kit/exchanges.ts';
import type { Check } from '../check.ts';
import { STREAM_CHECKS } from '../../../test/kit/streams.ts';
import { CHECKS } from './index.ts';

const contract = loadContract();

/** Bodies made to trip a careless reader: other types everywhere, names of built-in members, depth, size. */
const HOSTILE: readonly string[] = [
  'null',
  '[]',
  '"text"',
  '0',
  '{"choices":{"length":5},"data":{"length":-1},"usage":[],"error":[]}',
  '{"choices":[null,1,"x",[],{}],"data":[null,1,"x",[],{"id":null}],"error":{"message":[],"code":{},"type":null}}',
  '{"__proto__":{"choices":[{"message":{}}]},"constructor":1,"toString":"x","hasOwnProperty":null}',
  '{"choices":[{"message":{"__proto__":{"role":"user"}},"index":1e400}],"usage":{"completion_tokens":-1e308,"toJSON":1}}',
  `{"data":[${Array.from({ length: 30_000 }, () => '{}').join(',')}]}`,
  `{"error":${'{"error":'.repeat(150)}1${'}'.repeat(150)}}`,
  '['.repeat(100_000),
  '\u0000\u001B[31m\u2028',
];

function hostileExchanges(): readonly Exchange[] {
  const statuses = [200, 204, 302, 400, 401, 500, 999];
  return HOSTILE.flatMap((text, place) =>
    statuses.flatMap((status) => [
      plainExchange({ id: `chat-${place}-${status}`, status, text, sent: { model: '__proto__', max_tokens: 1 } }),
      modelsExchange({ id: `models-${place}-${status}`, status, text }),
      streamExchange({ id: `stream-${place}-${status}`, status, text: `data: ${text}\n\n`, sent: { max_tokens: 1 } }),
    ]),
  );
}

describe('every plain check', () => {
  const plain = Object.entries(CHECKS).filter(([name]) => !Object.hasOwn(STREAM_CHECKS, name));
  const exchanges = [...hostileExchanges(), plainExchange({ id: 'none', failure: failure('closed') })];

  it.each(plain)(
    '%s has a result for anything a target sends',
    (name, check) => {
      const clause = 'completion.choices-type';
      const schema = { schema: 'v1/chat-completion-response' };
      const own = name === 'header-present' ? { name: 'x-request-id' } : schema;
      const variations = name.includes('error-body') ? ERROR_PARTS.map((part) => ({ part })) : [own];
      for (const options of variations) {
        const result = check.execute(
          checkInput(exchanges, { clause, options, run: { contract, settings: { forbiddenModel: 'x' } } }),
        );
        // The exchanges in `answers` are those that were given, not copies.
        const texts = JSON.stringify({ ...result, answers: undefined }).length;
        expect(texts).toBeLessThan(200_000);
      }
    },
    60_000,
  );

  it.each(plain)('%s has a summary that is a sentence', (_, { summary }) => {
    expect(summary).toMatch(/^[A-Z].*\.$/);
  });
});

describe('the registry of checks', () => {
  const checks: readonly (readonly [name: string, check: Check])[] = Object.entries(CHECKS);

  it('leaves names with a slash to custom checks', () => {
    expect(checks.filter(([name]) => name.includes('/'))).toEqual([]);
  });

  it('has every option that a check requires', () => {
    for (const [name, { options = {}, requires = [] }] of checks)
      expect(Object.keys(options), name).toEqual(expect.arrayContaining([...requires]));
  });

  it('has one check of the whole bodies of each mode, so that it is known whether any expectation judges them', () => {
    const judged = checks.flatMap(([, { judgesWholeBodies }]) => judgesWholeBodies ?? []);
    expect(judged.toSorted()).toEqual(['plain', 'stream']);
  });
});
