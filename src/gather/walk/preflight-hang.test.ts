import { describe, expect, it } from 'vitest';
import { quickRun, respondJson, serverFor } from '../../../test/kit/real-run.ts';

describe('a target that hangs from the first request on', () => {
  it('A server that accepts and never answers is unreachable', async () => {
    const origin = await serverFor(() => undefined);
    const { ending, outcome } = await quickRun(`${origin}/v1`, { only: ['chat/reply'], timeouts: { firstByte: 50 } });
    expect(ending).toMatchObject({
      kind: 'unreachable',
      failure: { kind: 'timeout', limit: 'first-byte-timeout' },
      most: 50,
    });
    expect(outcome.exit).toBe(3);
  });

  it('A server that sends headers and hangs is not taken for a different API', async () => {
    const origin = await serverFor((_request, response) => void response.writeHead(200).write('{"object'));
    const { ending, outcome, exchanges } = await quickRun(`${origin}/v1`, {
      only: ['chat/reply'],
      timeouts: { idle: 50 },
    });
    expect(ending).toMatchObject({
      kind: 'unreachable',
      failure: { kind: 'timeout', limit: 'idle-timeout' },
      most: 50,
      began: true,
    });
    expect(outcome.exit).toBe(3);
    expect(exchanges.map(({ id }) => id)).toEqual(['models', 'errors/empty-object~first#1']);
  });

  it('A target of which only the list hangs is there', async () => {
    const origin = await serverFor((request, response) => {
      if (request.url?.endsWith('/models')) response.writeHead(200).write('{"object');
      else respondJson(response, 400, { error: { message: 'no', type: 'invalid_request_error', code: 'bad' } });
    });
    const { ending } = await quickRun(`${origin}/v1`, { only: ['chat/reply'], timeouts: { idle: 50 } });
    expect(ending.kind).toBe('no-model');
  });
});
