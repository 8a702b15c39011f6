/** Checks several targets, with a report in a folder for each: what `run --targets` and `client --clients` share. */
import { EXIT, firstExit } from '../../exit-codes.ts';
import type { OnAwait } from '../../exchange/channel/hooks.ts';
import { formatNotice, type Notice } from '../../exchange/notice.ts';
import { clearReadings } from '../../exchange/reading/body-memo.ts';
import type { Scanner } from '../../exchange/secrets/scanner.ts';
import { withoutTargetText } from '../../render/report/agent.ts';
import { verdictLine } from '../../render/verdict-line.ts';
import type { Report } from '../../report/report.ts';
import type { SettingName } from '../../settings/setting-names.ts';
import { count, inert } from '../../text/layout.ts';
import { UsageError, usageError } from '../../usage-error.ts';
import { writeFiles, reportToDeliver } from '../files/deliver.ts';
import { announceAgent, inFolder, wantsNoProgress, type Outputs, readOutputs } from '../files/outputs.ts';
import { prepareFiles, type Input, type Output } from '../files/prepare-files.ts';
import { guardSecrets, refuseLeaks } from '../files/secret-guard.ts';
import { type Advance, type FleetProgress, fleetProgress, type FleetWords } from '../progress.ts';
import type { Inputs } from '../settings/read-settings.ts';
import { stopOnInterrupt } from '../check-subject.ts';
import { groupBy } from '../../report/counts.ts';

interface FleetTarget {
  readonly name: string;
  /** The folder of its reports, in that of all. */
  readonly folder: string;
  /** Its own settings, if it has any. */
  readonly inputs?: Inputs;
}

interface FleetHooks {
  readonly signal: AbortSignal;
  readonly onAdvance: (advance: Advance) => void;
  readonly onAwait: OnAwait;
}

interface Fleet<Target extends FleetTarget> {
  readonly inputs: Inputs;
  readonly targets: readonly Target[];
  readonly words: FleetWords;
  readonly alsoRead: readonly Input[];
  readonly alsoWritten?: readonly Output[];
  /** Finds the secrets of all targets. */
  readonly scanner: Scanner;
  /** Targets of one host are checked one after the other. */
  readonly hostOf: (target: Target) => string;
  readonly check: (target: Target, hooks: FleetHooks) => Promise<Report>;
  /** Called with each report, as it was written. */
  readonly onReport?: (report: Report, target: Target) => void;
  /** Called at the end, if reports are written. `missing`: how many targets were not started. */
  readonly finish: (missing: number) => Promise<void> | void;
}

/** Settings that concern the check of one target. */
export function refuseForOne(
  { merged }: Inputs,
  names: readonly SettingName[],
  { target, flag }: Pick<FleetWords, 'target' | 'flag'>,
): void {
  for (const name of names) {
    const { label, at } = merged.origin(name) ?? {};
    const isSet = [merged.get(name)].flat().some((value) => value !== undefined);
    if (isSet && label !== undefined) {
      // --json is short for a reporter.
      const said = label === '--reporter' ? '--reporter, or --json,' : label;
      throw usageError.CONFLICT(`${said} is for a single ${target}: leave it out with ${flag}.`, at);
    }
  }
}

/** Notices that are not only in the report, since they ask for something to be done. */
const TOLD_AT_ONCE: readonly Notice['kind'][] = ['other-key', 'version-unknown'];

/** What came of a target: its exit code, or the error that kept it from a report. */
type Result = { readonly exit: number } | { readonly error: unknown };

export function checkFleet<Target extends FleetTarget>(fleet: Fleet<Target>): Promise<number> {
  const { inputs, targets, words, alsoRead, alsoWritten = [], scanner } = fleet;
  const { io } = inputs;
  return guardSecrets(scanner, async () => {
    const usual = readOutputs(inputs.merged, io);
    prepareFiles({
      inputs,
      outputs: targets.map(({ folder }) => inFolder(usual, folder)),
      flags: '--out',
      alsoRead,
      alsoWritten: usual.files.length > 0 ? alsoWritten : [],
    });
    announceAgent(usual, io);
    const names = targets.map(({ name }) => name);
    const progress = fleetProgress(names, wantsNoProgress(inputs.merged, usual), words, io);
    const interrupts = stopOnInterrupt(io, 'reports', progress.clear);
    try {
      const results = await checkSideBySide(fleet, usual, progress, interrupts.signal);
      interrupts.endRun();
      return await conclude(results, fleet, usual);
    } finally {
      interrupts.release();
    }
  });
}

async function checkSideBySide<Target extends FleetTarget>(
  { inputs, targets, scanner, hostOf, check, onReport }: Fleet<Target>,
  usual: Outputs,
  progress: FleetProgress,
  signal: AbortSignal,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const warnings: string[] = [];
  const work = async (target: Target): Promise<void> => {
    if (signal.aborted) return;
    const { name, folder } = target;
    progress.update(name, undefined);
    try {
      const onAdvance = (advance: Advance): void => progress.update(name, advance);
      const found = await check(target, { signal, onAdvance, onAwait: progress.await(name) });
      // The report has all that is needed of the bodies.
      clearReadings();
      const report = reportToDeliver(found, target.inputs ?? inputs);
      const own = inFolder(usual, folder);
      const { problem } = writeFiles(report, own, inputs.io.cwd);
      const paths = own.files.map(({ path }) => path);
      await refuseLeaks(paths, scanner);
      if (problem) throw problem;
      results.push({ exit: report.outcome.exit });
      onReport?.(report, target);
      // An agent may take the target's text for an instruction.
      const shown = usual.stdout === 'agent' ? withoutTargetText(report) : report;
      for (const notice of shown.notices.filter(({ kind }) => TOLD_AT_ONCE.includes(kind))) {
        warnings.push(scanner.clean(`${inert(name, 100)}: ${inert(formatNotice(notice), 600)}\n`));
      }
      const { version } = shown.target.client ?? {};
      const words = [...(version === undefined ? [] : [inert(version, 60)]), verdictLine(shown)];
      progress.finish(name, scanner.clean(words.join('  ')));
    } catch (error) {
      // The other targets go on.
      results.push({ error });
      progress.finish(name, `no report: ${scanner.clean((error as Error).message)}`);
    }
  };
  try {
    await workSideBySide(targets, hostOf, work);
  } finally {
    progress.end();
  }
  for (const warning of warnings) inputs.io.stderr.write(warning);
  return results;
}

async function conclude<Target extends FleetTarget>(
  results: readonly Result[],
  { inputs, targets, words, finish }: Fleet<Target>,
  usual: Outputs,
): Promise<number> {
  const exits = results.flatMap((result) => ('exit' in result ? [result.exit] : []));
  const errors = results.flatMap((result) => ('error' in result ? [result.error] : []));
  const passed = exits.filter((exit) => exit === EXIT.passed).length;
  const missing = targets.length - results.length;
  const notStarted = missing === 0 ? '' : `, ${missing} not started`;
  inputs.io.stdout.write(`\n${passed} of ${count(targets.length, words.target)} passed${notStarted}\n`);
  if (usual.files.length > 0) await finish(missing);
  const error = errors.find((each) => each instanceof UsageError) ?? errors[0];
  if (error !== undefined) throw error;
  return firstExit([...exits, ...(missing > 0 ? [EXIT.interrupted] : [])]);
}

/** More would need more memory and make every answer late: one process reads and judges them all. */
const MAX_HOSTS = 8;

/** `work` does not reject. */
async function workSideBySide<Of>(
  items: readonly Of[],
  hostOf: (item: Of) => string,
  work: (item: Of) => Promise<void>,
): Promise<void> {
  const hosts = [...groupBy(items, hostOf).values()].values();
  const workOn = async (): Promise<void> => {
    for (const own of hosts) for (const item of own) await work(item);
  };
  await Promise.all(Array.from({ length: MAX_HOSTS }, workOn));
}
