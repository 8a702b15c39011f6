import { expect, it } from 'vitest';
import { checkInput, plainExchange, streamExchange } from '../../../test/kit/exchanges.ts';
import { jsonBody } from '../checks/bodies.ts';
import { streamCompletes } from '../checks/streams/stream-replies.ts';

const end = { kind: 'cut', detail: 'reset' } as const;
const chunk = { choices: [{ index: 0, delta: { content: 'a' } }] };

it.each([
  ['stream', streamCompletes, streamExchange({ step: 'a/b', events: [chunk], end })],
  ['plain reply', jsonBody, plainExchange({ step: 'a/b', text: '{"id":', end })],
] as const)(
  'A %s that broke off when the target died is inconclusive, and any other one broken',
  (_, check, exchange) => {
    const died = (...suspects: readonly string[]) => ({
      run: { traffic: { ending: { kind: 'stopped-answering', suspects } as const } },
    });
    expect(check.execute(checkInput(exchange, died('a/b'))).kind).toBe('inconclusive');
    expect(check.execute(checkInput(exchange, died('a/c'))).kind).toBe('broken');
    expect(check.execute(checkInput(exchange)).kind).toBe('broken');
  },
);
