/** A command that shows a fault under load again. */
import { COMMAND } from '../../contract/package-files.ts';
import { LOAD_CONCURRENCY } from '../../settings.ts';
import { flagOf } from '../../settings/setting-names.ts';
import type { LoadCount, LoadStage } from '../load-report.ts';
import { type RepeatedRun, settingFlags } from '../../settings/setting-flags.ts';
import { argument } from '../../text/shell-text.ts';

interface RepeatedLoad extends RepeatedRun {
  /** The target is this machine. */
  readonly isLocal: boolean;
  /** The command of `--during`. */
  readonly during?: readonly string[] | undefined;
}

/** Most clauses need two answers that break them. Seven times what one needs on average shows two with 99 % confidence. */
const CONFIDENT = 7;
/** Seconds. */
const SHORTEST = 5;
/** A stage that showed a fault less often may have done so by chance, and is a poor one to see it again. */
const OFTEN = 5;
const LONGEST = 300;
/** The pause, the burst, and the search for the smallest load that shows it. */
const BESIDE_RAMP = 7 + 3 + 20;
/** Each stage takes up to twice its share while a kind of call has few answers. */
const LONGER = 2;

/** A command for one stage has stages and a duration of its own. */
const OWN_STAGE = ['load.stages', 'load.duration'];
/** The command sets it itself. */
const USER_AGENT = 'userAgent';
/** Shows nothing of a fault that answers have. */
const BUDGETS = 'load.budgets';

/** The load that shows a fault, held for long enough at the rate that was seen. `count`: of a broken expectation. */
export function repeatLoad(run: RepeatedLoad, count: LoadCount | undefined, stages: readonly LoadStage[]) {
  // What no stage shows by itself, such as no recovery or a restart, takes the whole run.
  const { inFlight, time }: RepeatedStage = run.during ? {} : stageToRepeat(count, stages);
  const replaced = inFlight === undefined ? [USER_AGENT] : [...OWN_STAGE, USER_AGENT];
  const settings = Object.fromEntries(
    Object.entries(run.settings).filter(([path]) => !replaced.includes(path) && !(count && path === BUDGETS)),
  );
  // The highest stage has half of the time, and stage 1 is always there.
  const flags = inFlight === undefined ? [] : [`--stages ${inFlight}`, `--duration ${2 * (time ?? SHORTEST)}s`];
  const all = [
    ...settingFlags({ settings }),
    ...skipFlags(settings),
    ...loadLimits(run, inFlight),
    ...flags,
    `${flagOf('seed')} ${run.seed}`,
    '--out none',
    ...(run.during ? ['--during --', ...run.during.map((part) => argument(part))] : []),
  ];
  const needs = {
    ...(run.isLocal ? {} : { permission: new URL(run.baseUrl).hostname }),
    // Of the whole command: the stage that shows it, the one alone before it, and what follows.
    ...(time !== undefined &&
      inFlight !== undefined && { inFlight, seconds: time, most: LONGER * 2 * time + BESIDE_RAMP }),
  };
  return {
    repeat: [`${COMMAND} load`, argument(run.baseUrl), ...all].join(' '),
    ...(Object.keys(needs).length > 0 && { repeatNeeds: needs }),
  };
}

/** A load without a case, such as the one for unknown keys, sends other calls. */
function skipFlags({ skip }: RepeatedLoad['settings']): readonly string[] {
  return Array.isArray(skip) ? skip.map((glob) => `${flagOf('skip')} ${argument(String(glob))}`) : [];
}

/**
 * Settings without which a load is refused or reaches less: they are never left out. The permission is not among them, even
 * if it was given for this run: a report is read by others, and whoever copies the command has to type it out.
 */
function loadLimits({ settings }: RepeatedLoad, inFlight: number | undefined): readonly string[] {
  const { maxCompletions, concurrency } = settings;
  // The whole run goes as high as it did; one stage needs the setting only above its default.
  const most = inFlight ?? concurrency;
  const isNeeded = typeof most === 'number' && (inFlight === undefined || most > LOAD_CONCURRENCY.ramp);
  return [
    ...(typeof maxCompletions === 'number' ? [`${flagOf('max-completions')} ${maxCompletions}`] : []),
    ...(isNeeded ? [`${flagOf('concurrency')} ${most}`] : []),
  ];
}

interface RepeatedStage {
  readonly inFlight?: number | undefined;
  readonly time?: number;
}

/** The stage that breaks it: the lowest that showed it often, otherwise the one that shows it soonest. `time`: in seconds. */
function stageToRepeat(count: LoadCount | undefined, stages: readonly LoadStage[]): RepeatedStage {
  const shown = (count?.stages ?? []).flatMap(({ stage: place, broken }) => {
    const stage = stages[place];
    return stage && broken > 0 && stage.inFlight >= (count?.firstAt ?? 1)
      ? [{ inFlight: stage.inFlight, broken, time: secondsToSee(broken, stage.duration) }]
      : [];
  });
  const [lowest] = shown.filter(({ broken }) => broken >= OFTEN).toSorted((a, b) => a.inFlight - b.inFlight);
  const [soonest] = shown.toSorted((a, b) => a.time - b.time);
  return lowest ?? soonest ?? { inFlight: count?.firstAt };
}

function secondsToSee(broken: number, milliseconds: number): number {
  const seconds = Math.ceil((CONFIDENT * milliseconds) / 1000 / broken);
  return Math.min(LONGEST, Math.max(SHORTEST, seconds));
}
