import { expect, it } from 'vitest';
import type { Modifier } from '../src/gateway/index.ts';
import type { Report } from '../src/report/report.ts';
import { runGateway } from './kit/real-run.ts';

/** Takes its time, repeats its prompt, and mixes up replies while more than ten calls are under way. */
function overwhelmed(seen: { most: number }): Modifier {
  return {
    title: 'Mixes up replies under load',
    only: ({ endpoint }) => endpoint === 'chat',
    reply: (reply, { underWay, body }) => {
      seen.most = Math.max(seen.most, underWay.length + 1);
      const prompt = underWay.length > 10 ? underWay.at(-1) : JSON.stringify(body['messages']);
      return { ...reply, pieces: [prompt ?? '', ...reply.pieces.slice(1)] };
    },
    answer: (answer) => ({ ...answer, delayMs: 150 }),
  };
}

const verdictsOf = ({ cases }: Report) =>
  cases.flatMap(({ id, expectations }) =>
    expectations.filter(({ clause }) => clause === 'service.own-reply').map(({ verdict }) => `${id} ${verdict}`),
  );

/** By the times of the client: a busy gateway hears later that a call is over. */
function mostAtOnce({ exchanges }: Report): number {
  const calls = exchanges.flatMap(({ attempts }) =>
    attempts.map(({ sentAt, answer }) => ({ from: sentAt, to: sentAt + (answer?.endAt ?? 0) })),
  );
  return Math.max(...calls.map(({ from }) => calls.filter((call) => call.from <= from && from < call.to).length));
}

it('--parallel sends that many requests at once, plain and streamed, and finds replies that are mixed up', async () => {
  const seen = { most: 0 };
  const changes = { parallel: 24, only: ['chat/own-reply', 'chat/parallel*'] };
  const report = await runGateway({ modifiers: [overwhelmed(seen)] }, changes);
  expect(seen.most).toBeGreaterThan(16);
  expect(seen.most).toBeLessThanOrEqual(24);
  expect(mostAtOnce(report)).toBeGreaterThan(16);
  expect(verdictsOf(report)).toEqual([
    'chat/own-reply fail',
    'chat/parallel[plain] fail',
    'chat/parallel[stream] fail',
  ]);
  expect(report.outcome.exit).toBe(1);
});

it('Without it, no more requests go at once than usual, and the cases say what they need', async () => {
  const report = await runGateway(
    { modifiers: [overwhelmed({ most: 0 })] },
    { only: ['chat/own-reply', 'chat/parallel*'] },
  );
  expect(mostAtOnce(report)).toBeLessThanOrEqual(4);
  expect(verdictsOf(report)).toEqual([
    'chat/own-reply pass',
    'chat/parallel[plain] skipped',
    'chat/parallel[stream] skipped',
  ]);
});

it('A gateway that answers many requests at once properly has nothing to fear', async () => {
  const report = await runGateway({ variant: 'echo-model' }, { parallel: 16, only: ['chat/parallel*'] });
  expect(verdictsOf(report)).toEqual(['chat/parallel[plain] pass', 'chat/parallel[stream] pass']);
});
