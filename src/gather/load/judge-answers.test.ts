/** Calls that were not answered: forgotten by a target that is quick, or one of many that a slow one had no time for. */
import { expect, it } from 'vitest';
import { failure, streamExchange } from '../../../test/kit/exchanges.ts';
import { stage } from '../../../test/kit/load-reports.ts';
import { DONE, ROLE, say, STOP, wire } from '../../../test/kit/streams.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { LoadJudge } from './load-judge.ts';

const textAfter = (at: number): Exchange =>
  streamExchange({ reads: [{ at, text: wire([ROLE, ...say('a'), STOP, DONE]) }] });
const silent = streamExchange({ failure: failure('timeout', { at: 2_000 }) });
const rejected = streamExchange({ status: 503, text: '{"error":{"message":"m","type":"t","code":"c"}}' });

const times = (count: number, exchange: Exchange): readonly Exchange[] => Array.from({ length: count }, () => exchange);

it.each([
  ['three of four streams had text soon', [...times(6, textAfter(2_900)), ...times(2, silent)], {}, 2],
  ['fewer had: those without an answer count too', [...times(5, textAfter(2_900)), ...times(2, silent)], {}, 0],
  ['those with text had it late', [...times(6, textAfter(3_100)), ...times(2, silent)], {}, 0],
  ['calls have less time than that', [...times(6, textAfter(1_900)), ...times(2, silent)], { attempt: 2_000 }, 0],
  ['rejected calls prove nothing', [...times(6, textAfter(2_900)), ...times(9, rejected), ...times(2, silent)], {}, 2],
] satisfies readonly (readonly [string, readonly Exchange[], object, number])[])(
  'Whether calls without an answer were forgotten: %s',
  (_title, exchanges, timeouts, expected) => {
    const settings = {
      ...DEFAULT_SETTINGS,
      baseUrl: 'http://127.0.0.1/v1',
      timeouts: { ...DEFAULT_SETTINGS.timeouts, ...timeouts },
    };
    const judge = new LoadJudge({ settings, salt: 1, startedAt: 0 }, [], {});
    judge.beginStage('ramp');
    for (const [at, exchange] of exchanges.entries()) {
      const id = `e${at}`;
      judge.add({
        call: { kind: 'stream', stage: 0 },
        known: judge.begin(id, 'short'),
        exchange: { ...exchange, id, stage: 0 },
        hasLeft: false,
        traits: [],
        room: { release: () => undefined },
      });
    }
    judge.endStage(stage(1), false);
    expect(judge.tallies.silent.broken).toBe(expected);
  },
);
