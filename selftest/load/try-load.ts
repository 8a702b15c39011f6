/** Tries `wirecheck load` on a gateway or a relay whose fault shows only under load, or on one that copes in an unusual way. */
import { runLoad, setUpLoad } from '../../src/load/run-load.ts';
import type { Report } from '../../src/report/report.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/settings.ts';
import type { TestSubject } from '../test-subjects.ts';
import type { Judged, TestSide } from '../trial.ts';
import { findLoadRow } from './catalogue.ts';
import type { LoadRow } from './load-row.ts';
import { frontKeys, startFront } from './start-front.ts';

/** Two, since each pauses for seconds. Replies of 8 MiB take all of a core, and times of a busy stage do not count. */
export const LOAD_TRIALS: TestSide = {
  parallel: 2,
  needsQuiet: ({ id, breaks }) =>
    findLoadRow(id).load?.slowReaders !== undefined || (breaks?.includes('load.pieces') ?? false),
  tryOut: tryLoad,
};

/** The conditions of all rows are met by these. */
const STAGES = ['1', '4', '16'];
/** Milliseconds. */
const DURATION = 5_000;
const RECOVERY = 2_500;
const SILENCE = 6_000;
/** Factor of the pause before the burst, for targets that do nothing special after one. */
const PACE = 0.1;

async function tryLoad({ id, breaks }: TestSubject, patience: number): Promise<Judged> {
  const row = findLoadRow(id);
  const keys = frontKeys(row);
  const settings = settingsFor(row.load, patience, breaks === undefined);
  const setup = await setUpLoad(settings, keys, row.front === 'relay' ? 0 : undefined);
  const front = await startFront(row, setup.upstream?.url ?? '');
  try {
    const pace = row.when?.some(({ kind }) => kind === 'idle') ? 1 : PACE;
    const plain = await runLoad({ ...settings, baseUrl: front.baseUrl }, keys, setup, { pace });
    return { plain, problems: seenTooEarly(plain, row) };
  } finally {
    await front.close();
  }
}

/**
 * Sightings at a load that does not show the fault. Half of it, since calls of clients that have left may still be under
 * way at the target.
 */
function seenTooEarly({ load }: Report, { breaks = [], when = [] }: LoadRow): readonly string[] {
  const limits = when.flatMap((condition) => (condition.kind === 'above' ? [condition.inFlight] : []));
  const least = Math.max(0, ...limits) / 2;
  const counts = load?.counts.filter(({ clause }) => breaks.includes(clause)) ?? [];
  return counts.flatMap(({ clause, firstAt = Infinity, threshold }) => {
    const seenAt = Math.min(firstAt, ...(threshold?.fewer ?? []).map(({ inFlight }) => inFlight));
    return seenAt > least ? [] : [`${clause} was seen at ${seenAt} in flight, too few to show it`];
  });
}

function settingsFor(own: LoadRow['load'], patience: number, strict: boolean): Settings {
  const { duration = DURATION, ...others } = own ?? {};
  const silence = SILENCE * patience;
  return {
    ...DEFAULT_SETTINGS,
    baseUrl: '',
    // A broken should in an honest target also fails the run.
    strict,
    concurrency: 16,
    load: { ...DEFAULT_SETTINGS.load, slowReaders: 0, ...others, stages: STAGES, duration: duration * patience },
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
