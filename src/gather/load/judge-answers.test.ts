/** Answers that are judged when their stage has ended. Calls that were not answered: forgotten by a target that is quick, or one of many that a slow one had no time for. */
import { describe, expect, it } from 'vitest';
import { failure, streamExchange } from '../../../test/kit/exchanges.ts';
import { stage } from '../../../test/kit/load-reports.ts';
import { DONE, ROLE, say, STOP, wire } from '../../../test/kit/streams.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { LoadPhase, StageFacts } from '../../exchange/load-traffic.ts';
import { makeRequestWord } from '../../plan/request-word.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { LoadJudge } from './load-judge.ts';

const textAfter = (at: number): Exchange =>
  streamExchange({ reads: [{ at, text: wire([ROLE, ...say('a'), STOP, DONE]) }] });
const unanswered = streamExchange({ failure: failure('timeout', { at: 2_000 }) });
const rejected = streamExchange({ status: 503, text: '{"error":{"message":"m","type":"t","code":"c"}}' });

const times = (count: number, exchange: Exchange): readonly Exchange[] => Array.from({ length: count }, () => exchange);

it.each([
  ['three of four streams had text soon', [...times(6, textAfter(2_900)), ...times(2, unanswered)], {}, 2],
  ['fewer had: those without an answer count too', [...times(5, textAfter(2_900)), ...times(2, unanswered)], {}, 0],
  ['those with text had it late', [...times(6, textAfter(3_100)), ...times(2, unanswered)], {}, 0],
  ['calls have less time than that', [...times(6, textAfter(1_900)), ...times(2, unanswered)], { attempt: 2_000 }, 0],
  [
    'rejected calls prove nothing',
    [...times(6, textAfter(2_900)), ...times(9, rejected), ...times(2, unanswered)],
    {},
    2,
  ],
] satisfies readonly (readonly [string, readonly Exchange[], object, number])[])(
  'Whether calls without an answer were forgotten: %s',
  (_title, exchanges, timeouts, expected) => {
    const settings = {
      ...DEFAULT_SETTINGS,
      baseUrl: 'http://127.0.0.1/v1',
      timeouts: { ...DEFAULT_SETTINGS.timeouts, ...timeouts },
    };
    expect(judgeStreams(exchanges, { settings }).tallies.silent.broken).toBe(expected);
  },
);

it('Calls without an answer count on a busy machine too, if others had text soon', () => {
  const { generator } = stage(1);
  const facts = stage(1, { generator: { ...generator, isMachineBusy: true } });
  const exchanges = [...times(6, textAfter(2_900)), ...times(2, unanswered)];
  expect(judgeStreams(exchanges, { facts }).tallies.silent.broken).toBe(2);
});

const SETTINGS = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1' };

/** `upstreamDone`: milliseconds since each of them had its whole reply from the upstream. */
interface Judging {
  readonly settings: typeof SETTINGS;
  readonly facts: StageFacts;
  readonly upstreamDone: number;
  readonly phase: LoadPhase;
  readonly hasLeft: boolean;
}

function judgeStreams(
  exchanges: readonly Exchange[],
  { settings = SETTINGS, facts = stage(1), upstreamDone = NaN, phase = 'ramp', hasLeft = false }: Partial<Judging> = {},
): LoadJudge {
  const judge = new LoadJudge({ settings, salt: 1, startedAt: 0 }, [], {});
  judge.beginStage(phase);
  for (const [at, exchange] of exchanges.entries()) {
    const id = `e${at}`;
    const known = judge.begin(id, 'short');
    if (!Number.isNaN(upstreamDone)) known.behind.upstreamDone = performance.now() - upstreamDone;
    judge.add({
      call: { kind: 'stream', stage: 0 },
      known,
      exchange: { ...exchange, id, stage: 0 },
      hasLeft,
      traits: [],
      room: { release: () => undefined },
    });
  }
  judge.endStage(facts, false);
  return judge;
}

describe('Calls that were given up', () => {
  const GIVEN_UP = { kind: 'aborted', why: 'interrupted' } as const;
  const nothing = streamExchange({ failure: failure('aborted', { at: 25_000 }) });
  const headers = streamExchange({ end: GIVEN_UP, reads: [] });
  const some = streamExchange({ end: GIVEN_UP, reads: [{ at: 20, text: wire([ROLE, ...say('a')]) }] });
  const exchanges = [...times(30, textAfter(20)), nothing, headers, some];

  it('are counted, and prove nothing by themselves, however quick others were', () => {
    const { tallies, stages } = judgeStreams(exchanges);
    expect(tallies.silent.broken + tallies['broken-off'].broken).toBe(0);
    expect(stages).toMatchObject([
      { givenUp: 3, outcomes: { answered: 30, unanswered: 2, limit: 1 }, doubt: 'unanswered' },
    ]);
  });

  it('break the clause if nothing came for as long as --idle-timeout, while others had text soon', () => {
    const forgotten = streamExchange({ failure: failure('aborted', { at: 30_010 }) });
    expect(judgeStreams([...exchanges, forgotten, forgotten]).tallies.silent.broken).toBe(2);
    const slow = [...times(30, textAfter(3_100)), forgotten, forgotten];
    expect(judgeStreams(slow).tallies.silent.broken).toBe(0);
  });

  it('break the clause if the upstream had answered 20 s before', () => {
    expect(judgeStreams(exchanges, { upstreamDone: 21_000 }).tallies.silent.broken).toBe(2);
    expect(judgeStreams(exchanges, { upstreamDone: 19_000 }).tallies.silent.broken).toBe(0);
  });

  it.each([{ isBusy: true }, { isMachineBusy: true as const }])(
    'do not break it by times of the upstream in a stage that was %j, unless others had text soon',
    (busy) => {
      const facts = stage(1, { generator: { ...stage(1).generator, ...busy } });
      const late = [...times(30, textAfter(3_100)), nothing, headers];
      expect(judgeStreams(late, { upstreamDone: 21_000 }).tallies.silent.broken).toBe(2);
      const { silent } = judgeStreams(late, { upstreamDone: 21_000, facts }).tallies;
      expect([silent.judged, silent.broken]).toEqual([32, 0]);
      expect(judgeStreams(exchanges, { upstreamDone: 21_000, facts }).tallies.silent.broken).toBe(2);
    },
  );

  it('are all counted, and few of them kept', () => {
    const all = [...times(30, textAfter(20)), ...times(600, unanswered)];
    const { silent } = judgeStreams(all, { upstreamDone: 21_000 }).tallies;
    expect([silent.judged, silent.broken]).toEqual([630, 600]);
    expect(silent.findings).toMatchObject([{ exchange: 'e30', more: 599, moreAnswers: 599 }]);
    expect(silent.examples.map(({ id }) => id)).toEqual(['e30', 'e31', 'e32', 'e0']);
  });
});

it('A call whose client left is broken by what it read, and was not given up', () => {
  const read = (text: string) =>
    streamExchange({ events: [ROLE, ...say(text)], end: { kind: 'aborted', why: 'interrupted' } });
  const { stages } = judgeStreams([read('a'), read(makeRequestWord(1, 'e0'))], { hasLeft: true });
  expect(stages).toMatchObject([
    { outcomes: { left: 1, broken: 1 }, brokenAt: [0], mixedAt: [[0, expect.any(Number)]] },
  ]);
  expect(stages[0]).not.toHaveProperty('givenUp');
});

it.each([
  ['ramp', { broken: 3, failed: 0 }],
  ['during', { broken: 0, failed: 3 }],
] as const)('In the phase "%s", calls that fail count as %j', (phase, outcomes) => {
  const text = '{"error":{"message":"m","type":"t","code":"c"}}';
  const { stages, tallies } = judgeStreams(times(3, streamExchange({ status: 500, text })), { phase });
  expect(stages).toMatchObject([{ outcomes }]);
  expect(tallies.failed.broken).toBe(outcomes.broken);
});

describe('Responses that stay open after [DONE]', () => {
  const text = wire([ROLE, ...say('a'), STOP, DONE]);
  const open = streamExchange({ reads: [{ at: 20, text }], end: { kind: 'aborted', why: 'done' }, endAt: 1_100 });
  const exchanges = [...times(5, streamExchange({ reads: [{ at: 20, text }], endAt: 21 })), open, open];

  it('are counted by stage, and are not given up', () => {
    const { tallies, stages } = judgeStreams(exchanges);
    expect(tallies.closes.stages).toEqual([{ stage: 0, judged: 7, broken: 2 }]);
    expect(stages[0]).not.toHaveProperty('givenUp');
  });

  it('do not count in a stage in which the checker or the machine was busy', () => {
    const { generator } = stage(1);
    for (const busy of [{ isBusy: true }, { isMachineBusy: true as const }]) {
      const facts = stage(1, { generator: { ...generator, ...busy } });
      expect(judgeStreams(exchanges, { facts }).tallies.closes.judged).toBe(0);
    }
  });
});
