/** Tries `wirecheck load` on a gateway or a relay whose fault shows only under load, or on one that copes in an unusual way. */
import { runLoad, setUpLoad } from '../../load/run-load.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../settings.ts';
import type { TestSubject } from '../test-subjects.ts';
import type { Judged, TestSide } from '../trial.ts';
import { findLoadRow } from './catalogue.ts';
import { frontKeys, startFront } from './start-front.ts';

/** Two, since each pauses for seconds; more would only wait for one another. */
export const LOAD_TRIALS: TestSide = { parallel: 2, tryOut: tryLoad };

/** The conditions of all rows are met by these. */
const STAGES = ['1', '4', '16'];
/** Milliseconds. */
const DURATION = 5_000;
const RECOVERY = 2_500;
const SILENCE = 3_000;

async function tryLoad({ id, breaks }: TestSubject, patience: number): Promise<Judged> {
  const row = findLoadRow(id);
  const keys = frontKeys(row);
  const settings = settingsFor(patience, breaks === undefined);
  const setup = await setUpLoad(settings, keys, row.front === 'relay' ? 0 : undefined);
  const front = await startFront(row, setup.upstream?.url ?? '');
  try {
    return { plain: await runLoad({ ...settings, baseUrl: front.baseUrl }, keys, setup) };
  } finally {
    await front.close();
  }
}

function settingsFor(patience: number, strict: boolean): Settings {
  const silence = SILENCE * patience;
  return {
    ...DEFAULT_SETTINGS,
    baseUrl: '',
    // A broken should in an honest target also fails the run.
    strict,
    concurrency: 16,
    load: { ...DEFAULT_SETTINGS.load, stages: STAGES, duration: DURATION },
    relay: { ...DEFAULT_SETTINGS.relay, recovery: RECOVERY * patience },
    timeouts: {
      attempt: 20_000 * patience,
      edit: silence,
      connect: 5_000 * patience,
      firstByte: silence,
      idle: silence,
      run: 240_000 * patience,
    },
  };
}
