import { expect, it, onTestFinished } from 'vitest';
import { GET_MODELS } from '../../../test/kit/raw-target.ts';
import { KEY, quickSettings, serverFor } from '../../../test/kit/real-run.ts';
import { createTransport } from '../transport/transport.ts';
import { Asker } from './asker.ts';

it('A run that is stopped does not wait for requests under way', async () => {
  const origin = await serverFor(() => undefined);
  const settings = quickSettings(`${origin}/v1`, { timeouts: { firstByte: 60_000, attempt: 60_000 } });
  const transport = createTransport(settings, { full: KEY });
  onTestFinished(() => transport.close());
  const asker = new Asker({ settings, transport, signal: new AbortController().signal });
  const ending = { kind: 'chat-unanswered', limit: 'first-byte-timeout' } as const;
  const cancelled = asker.stopIn(1, { kind: 'rate-limited' });
  cancelled();
  asker.stopIn(50, ending);
  const exchange = await asker.ask({ id: 'models', step: 'models', seeks: 'answer', request: GET_MODELS });
  expect(exchange).toBeUndefined();
  expect(asker.ending).toEqual(ending);
});
