/** Streams that are sent again because the checker itself was late: reading rule 24. */
import { expect, it } from 'vitest';
import type { Call } from '../../gateway/call.ts';
import { FAULTS, type Modifier } from '../../gateway/index.ts';
import { expectationOf, runGateway } from '../../../test/kit/real-run.ts';
import type { Report } from '../../report/report.ts';

const CASE = 'streaming/in-pieces';

const isLong = (call: Call): boolean => call.streamed && call.body['max_tokens'] === 64;

/**
 * Blocks the event loop, which the gateway and the checker share here, until a stream has been sent. Each is sent in one
 * piece, since a busy machine may pause between several.
 */
function blocksDuring(...streams: readonly number[]): Modifier {
  let sent = 0;
  return {
    title: 'x',
    only: isLong,
    events: (events) => {
      const isBlocked = streams.includes((sent += 1));
      const wait = events.reduce((sum, { waitMs }) => sum + waitMs, 0);
      return [
        { bytes: ': \n\n', waitMs: wait },
        {
          waitMs: 0,
          get bytes() {
            for (const until = performance.now() + (isBlocked ? 80 : 0); performance.now() < until;);
            return Buffer.concat(events.map(({ bytes }) => Buffer.from(bytes)));
          },
        },
      ];
    },
  };
}

const streamsOf = (report: Report) => report.exchanges.map(({ id }) => id).filter((id) => id.startsWith(CASE));

// A machine that is busy with other tests may make more streams late.
it('A buffered stream is found although the first and the third one could not be timed', { retry: 2 }, async () => {
  const modifiers = [FAULTS['stream-buffered-whole'], blocksDuring(1, 3)];
  const report = await runGateway({ modifiers }, { only: [CASE], concurrency: 1 });
  expect(streamsOf(report)).toEqual([CASE, `${CASE}#2`, `${CASE}#3`]);
  expect(expectationOf(report, CASE, 'stream.in-pieces')?.verdict).toBe('warn');
});

it('Three more streams that cannot be timed are enough', async () => {
  const modifiers = [FAULTS['stream-buffered-whole'], blocksDuring(1, 2, 3, 4, 5, 6)];
  const report = await runGateway({ modifiers }, { only: [CASE], concurrency: 1 });
  expect(streamsOf(report)).toHaveLength(3);
  expect(expectationOf(report, CASE, 'stream.in-pieces')).toMatchObject({
    verdict: 'skipped',
    reason: { kind: 'checker-late' },
  });
});

it('A stream in pieces is not sent again', async () => {
  const report = await runGateway({ eventGapMs: 3 }, { only: [CASE] });
  expect(streamsOf(report)).toEqual([]);
  expect(expectationOf(report, CASE, 'stream.in-pieces')?.verdict).toBe('pass');
});
