import { expect, it, onTestFinished } from 'vitest';
import { GET_MODELS } from '../../../test/kit/raw-target.ts';
import { KEY, quickSettings, serverFor } from '../../../test/kit/real-run.ts';
import { createTransport } from '../transport/transport.ts';
import { Asker, type Question } from './asker.ts';
import type { Tried } from './retry.ts';
import { Retrying } from './retrying.ts';

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

/** The milliseconds that each attempt waited for, of this many questions in a row to a target that answers with 500. */
async function pausesOf(count: number, options: Pick<Question, 'patience'>, isExplored = true) {
  const origin = await serverFor((_request, response) => void response.writeHead(500).end());
  const explore = { requests: 1, completions: 1, shrinkCompletions: 1 };
  const settings = {
    ...quickSettings(`${origin}/v1`),
    retries: 2,
    retryPauses: [1, 2],
    ...(isExplored && { explore }),
  };
  const transport = createTransport(settings, { full: KEY });
  onTestFinished(() => transport.close());
  const asker = new Asker({ settings, transport, signal: new AbortController().signal });
  const pauses: (readonly number[])[] = [];
  for (let number = 1; number <= count; number += 1) {
    const question = {
      id: `models#${number}`,
      step: 'models',
      seeks: 'answer',
      request: GET_MODELS,
      ...options,
    } as const;
    const exchange = await asker.ask(question);
    pauses.push(exchange?.attempts.map(({ pause }) => pause) ?? []);
  }
  return pauses;
}

const [USUAL, AT_ONCE] = [
  [0, 1, 2],
  [0, 0, 0],
];

it('An exploration pauses no more for 5xx once three have stayed, unless it is asked to', async () => {
  expect(await pausesOf(4, {})).toEqual([USUAL, USUAL, USUAL, AT_ONCE]);
  expect(await pausesOf(4, { patience: 'full' })).toEqual([USUAL, USUAL, USUAL, USUAL]);
  expect(await pausesOf(4, {}, false)).toEqual([USUAL, USUAL, USUAL, USUAL]);
});

it('A 5xx is final if whoever asks repeats it', async () => {
  expect(await pausesOf(1, { patience: 'once' })).toEqual([[0]]);
});

it('An exploration waits less once a request has hung, unless it is asked to be patient', () => {
  const timeout = { sentAt: 0, pause: 0, outcome: { kind: 'none', failure: { kind: 'timeout' } }, secretsSeen: [] };
  const tried = { seeks: 'answer', key: 'full', mode: 'plain', bound: 'max-tokens', attempts: 1, attempt: timeout };
  const explore = { requests: 1, completions: 1, shrinkCompletions: 1 };
  const retrying = new Retrying({ ...quickSettings('http://127.0.0.1:9/v1'), retries: 2, explore });
  const next = () => retrying.next(tried as unknown as Tried).kind;
  expect([retrying.firstByteWithin(), next(), next()]).toEqual([undefined, 'again', 'final']);
  expect([retrying.firstByteWithin(), retrying.firstByteWithin('full')]).toEqual([5_000, undefined]);
});
