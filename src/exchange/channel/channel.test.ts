import { describe, expect, it, onTestFinished } from 'vitest';
import { GET_MODELS } from '../../../test/kit/raw-target.ts';
import { type Changes, KEY, quickSettings, serverFor } from '../../../test/kit/real-run.ts';
import { createTransport } from '../transport/transport.ts';
import { Channel, type Question } from './channel.ts';
import type { Tried } from './retry.ts';
import { Retrying } from './retry.ts';

it('A run that is stopped does not wait for requests under way', async () => {
  // Only then is it under way, however busy the machine is.
  const origin = await serverFor(() => {
    channel.stopIn(50, ending);
  });
  const settings = quickSettings(`${origin}/v1`, { timeouts: { firstByte: 60_000, attempt: 60_000 } });
  const transport = createTransport(settings, { full: KEY });
  onTestFinished(() => transport.close());
  const channel = new Channel({ settings, keys: { full: KEY } });
  const ending = { kind: 'chat-unanswered', limit: 'first-byte-timeout' } as const;
  const cancelled = channel.stopIn(1, { kind: 'rate-limited' });
  cancelled();
  const exchange = await channel.ask({ id: 'models', step: 'models', seeks: 'answer', request: GET_MODELS });
  expect(exchange).toBeUndefined();
  expect(channel.ending).toEqual(ending);
  // It was sent, and the target may charge it.
  expect(channel.ledger.used.requests).toBe(1);
  const [givenUp] = channel.completed;
  expect(givenUp).toMatchObject({
    id: 'models~given-up',
    givenUp: 'models',
    attempts: [{ outcome: { kind: 'none' } }],
  });
  const outcome = givenUp?.attempts[0]?.outcome;
  expect(outcome?.kind === 'none' && outcome.failure).toMatchObject({ kind: 'aborted', at: expect.any(Number) });
});

it('A request that had no connection yet when the run ended was not sent', async () => {
  const settings = quickSettings('http://127.0.0.1/v1');
  const transport = createTransport(settings, { full: KEY });
  onTestFinished(() => transport.close());
  const failure = { kind: 'aborted', code: 'ABORTED', detail: '' } as const;
  const send = () =>
    Promise.resolve({ sentAt: 0, outcome: { kind: 'none' as const, failure }, secretsSeen: [] as const });
  const channel = new Channel({ settings, keys: { full: KEY }, transport: { ...transport, send } });
  expect(await channel.ask({ id: 'models', step: 'models', seeks: 'answer', request: GET_MODELS })).toBeUndefined();
  expect([channel.completed, channel.ledger.used.requests]).toEqual([[], 0]);
});

const QUESTION = { id: 'models', step: 'models', seeks: 'any', request: GET_MODELS } as const;

/** A channel to a target that never answers, and the moment at which a request has arrived there. */
async function silentChannel(changes: Changes = {}, signal?: AbortSignal): Promise<[Channel, Promise<void>]> {
  let arrive: () => void;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const origin = await serverFor(() => arrive());
  const settings = quickSettings(`${origin}/v1`, changes);
  const channel = new Channel({ settings, keys: { full: KEY }, ...(signal && { hooks: { signal } }) });
  onTestFinished(() => channel.close());
  return [channel, arrived];
}

describe('A client that leaves', () => {
  it('has what came until then as its answer, and the run goes on', async () => {
    const [channel, arrived] = await silentChannel();
    const leave = new AbortController();
    void arrived.then(() => leave.abort());
    const exchange = await channel.ask({ ...QUESTION, leave: leave.signal, isWhole: true });
    expect(exchange?.attempts).toMatchObject([{ outcome: { kind: 'none', failure: { kind: 'aborted' } } }]);
    expect([channel.ending, channel.conclusion.kind, channel.ledger.used.requests]).toEqual([undefined, 'complete', 1]);
  });

  it('at the end of the run has no answer, but what it sent is counted and kept', async () => {
    const stop = new AbortController();
    const [channel, arrived] = await silentChannel({}, stop.signal);
    void arrived.then(() => stop.abort());
    expect(await channel.ask({ ...QUESTION, leave: new AbortController().signal, isWhole: true })).toBeUndefined();
    expect(channel.completed.map(({ givenUp }) => givenUp)).toEqual(['models']);
    expect([channel.conclusion.kind, channel.ledger.used.requests]).toEqual(['interrupted', 1]);
    expect(channel.ledger.silence.unanswered).toEqual({ of: 'all', requests: 1 });
  });
});

describe('How a run ends', () => {
  it('is told by its time limit if nothing else ended it', async () => {
    const [channel] = await silentChannel({ timeouts: { run: 20 } });
    expect(await channel.ask(QUESTION)).toBeUndefined();
    expect(channel.conclusion).toEqual({ kind: 'budget', setting: 'max-time' });
  });

  it('is told by what came first', async () => {
    const [channel] = await silentChannel();
    channel.end({ kind: 'rate-limited' });
    channel.end({ kind: 'complete' });
    expect(channel.conclusion).toEqual({ kind: 'rate-limited' });
    expect(await channel.ask(QUESTION)).toBeUndefined();
  });

  it('at the limit of completions leaves what costs nothing', async () => {
    const origin = await serverFor((_request, response) => void response.writeHead(401).end());
    const settings = quickSettings(`${origin}/v1`, { maxCompletions: 0 });
    const channel = new Channel({ settings, keys: { full: KEY } });
    onTestFinished(() => channel.close());
    channel.end({ kind: 'budget', setting: 'max-completions' });
    expect(await channel.ask(QUESTION)).toBeUndefined();
    expect(await channel.ask({ ...QUESTION, isFree: true })).toBeDefined();
  });
});

it('A question at another address spends from the same budget, and is not kept', async () => {
  const origin = await serverFor((_request, response) => void response.end());
  const settings = quickSettings(`${origin}/v1`);
  const channel = new Channel({ settings, keys: { full: KEY } });
  onTestFinished(() => channel.close());
  expect(await channel.askAt(`${origin}/v2`, QUESTION)).toMatchObject({ id: 'models' });
  expect([channel.completed, channel.ledger.used.requests]).toEqual([[], 1]);
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
  const channel = new Channel({ settings, keys: { full: KEY } });
  const pauses: (readonly number[])[] = [];
  for (let number = 1; number <= count; number += 1) {
    const question = {
      id: `models#${number}`,
      step: 'models',
      seeks: 'answer',
      request: GET_MODELS,
      ...options,
    } as const;
    const exchange = await channel.ask(question);
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

describe('An exploration waits less once a request has hung', () => {
  const explore = { requests: 1, completions: 1, shrinkCompletions: 1 };
  const settings = { ...quickSettings('http://127.0.0.1:9/v1'), retries: 2 };
  const triedWith = (outcome: object): Tried => {
    const attempt = { sentAt: 0, pause: 0, outcome, secretsSeen: [] };
    return {
      seeks: 'answer',
      key: 'full',
      mode: 'plain',
      bound: 'max-tokens',
      attempts: 1,
      attempt,
    } as unknown as Tried;
  };
  const answerOf = (end: object, headersAt: number, endAt: number): Tried =>
    triedWith({
      kind: 'answer',
      answer: { status: 200, headers: [], body: { bytes: new Uint8Array(), end }, headersAt, endAt },
    });
  const timeout = triedWith({ kind: 'none', failure: { kind: 'timeout' } });
  const stalled = answerOf({ kind: 'limit', limit: 'idle-timeout' }, 10, 30_000);

  it('before its headers', () => {
    const retrying = new Retrying({ ...settings, explore });
    expect([retrying.waits(), retrying.next(timeout).kind, retrying.next(timeout).kind]).toEqual([
      {},
      'again',
      'final',
    ]);
    expect(retrying.waits()).toEqual({ firstByte: 5_000, idle: 5_000 });
  });

  it('after them', () => {
    const retrying = new Retrying({ ...settings, explore });
    retrying.next(stalled);
    expect(retrying.waits('once')).toEqual({ firstByte: 3_000, idle: 3_000 });
  });

  it('but long enough for a slow gateway, and longer if it is asked to be patient', () => {
    const retrying = new Retrying({ ...settings, explore });
    retrying.next(answerOf({ kind: 'complete' }, 2_000, 8_000));
    retrying.next(timeout);
    expect(retrying.waits()).toEqual({ firstByte: 10_000, idle: 40_000 });
    expect(retrying.waits('full')).toEqual({ firstByte: 40_000, idle: 160_000 });
  });

  it('and any other run does not', () => {
    const retrying = new Retrying(settings);
    retrying.next(timeout);
    expect(retrying.waits()).toEqual({});
  });
});
