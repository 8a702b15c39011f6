/** `wirecheck run --targets FILE`: several gateways side by side, and a folder with a report on each. */
import { EXIT, firstExit } from '../../exit-codes.ts';
import { join, relative, resolve } from 'node:path';
import { Budget } from '../../exchange/attempts/budget.ts';
import { formatNotice } from '../../exchange/notice.ts';
import { clearReadings } from '../../exchange/reading/body-memo.ts';
import type { Redactor } from '../../exchange/secrets/redaction.ts';
import type { Scanner } from '../../exchange/secrets/scanner.ts';
import { verdictLine } from '../../render/verdict-line.ts';
import type { Report } from '../../report/report.ts';
import { plan, run } from '../../run/run.ts';
import type { SettingName } from '../../settings/setting-names.ts';
import { KEY_VARIABLES } from '../../settings/settings-without-flag.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { UsageError } from '../../usage-error.ts';
import { readSelected } from '../choose-cases.ts';
import type { CommandIo } from '../command-io.ts';
import { writeFiles } from '../files/deliver.ts';
import { reportToDeliver } from '../files/report-to-deliver.ts';
import { checkOutputs, type Outputs, readOutputs } from '../files/outputs.ts';
import { filesRead, refuseOverwrites, reportsOf } from '../files/refuse-overwrites.ts';
import { leakError, refuseOpenSecrets, removeLeaks, withoutSecrets } from '../files/secret-guard.ts';
import type { Flags } from '../settings/merge-settings.ts';
import type { Inputs } from '../settings/read-settings.ts';
import { chooseShard, readShard } from './choose-shard.ts';
import { type FleetProgress, fleetProgress } from './fleet-progress.ts';
import { countFinds, redactorOf, scannerOf } from './fleet-secrets.ts';
import { loadTargets, prepareTargets, type Target } from './read-targets.ts';
import { workSideBySide } from './side-by-side.ts';

const NO_FILES = 'none';

/** The plan does not depend on it. */
const ANY_ADDRESS = 'https://gateway.example/v1';

/** They concern a single run. */
const FOR_ONE_TARGET: readonly SettingName[] = ['reporter', 'record', 'rerun-failed', 'baseline'];

/** What came of a target: its exit code, or the error that kept it from a report. */
type Result = { readonly exit: number } | { readonly error: unknown };

interface Fleet {
  readonly targets: readonly Target[];
  readonly outputs: ReadonlyMap<Target, Outputs>;
  readonly scanner: Scanner;
  /** For the secrets of all targets in the answers of one. */
  readonly redactor: Redactor;
  readonly budget: Budget;
}

export async function checkTargets(file: string, flags: Flags, inputs: Inputs, io: CommandIo): Promise<number> {
  refuseForOneTarget(inputs);
  const listed = loadTargets(file, io.cwd);
  const shard = inputs.merged.get('shard');
  const chosen = shard === undefined ? listed : chooseShard(listed, readShard(shard));
  if (chosen.length === 0) {
    io.stdout.write(`Shard ${shard} has no targets: ${file} lists ${listed.length}. Nothing was sent.\n`);
    return 0;
  }
  // Mistakes that are not in the targets file are reported once, not for each target.
  plan(readSelected(inputs, ANY_ADDRESS));
  const targets = prepareTargets(chosen, flags, io);
  const scanner = scannerOf(targets);
  try {
    for (const { settings } of targets) refuseOpenSecrets(scanner, settings);
    const outputs = new Map(targets.map((target) => [target, outputsOf(target, inputs)]));
    refuseOverwrites(
      [inputs, ...targets.map((target) => target.inputs)].flatMap(filesRead),
      [...outputs.values()].flatMap((own) => reportsOf(own, '--out')),
    );
    // One file of each folder: what can be written there shows for all of them.
    for (const { files } of outputs.values()) checkOutputs({ files: files.slice(0, 1) });
    for (const notice of [...inputs.notices, ...extraKeyNotices(inputs)]) io.stderr.write(`${notice}\n`);
    const redactor = redactorOf(targets);
    return await checkFleet({ targets, outputs, scanner, redactor, budget: budgetOf(inputs) }, inputs, io);
  } catch (error) {
    throw withoutSecrets(error, scanner);
  }
}

async function checkFleet(fleet: Fleet, inputs: Inputs, io: CommandIo): Promise<number> {
  const { targets, scanner } = fleet;
  const names = targets.map(({ name }) => name);
  const progress = fleetProgress(names, inputs.merged.get('quiet') ?? false, io);
  const stop = new AbortController();
  const release = io.onInterrupt(() => {
    stop.abort();
    progress.clear();
    io.stderr.write('Interrupted. Writing the reports so far; press Ctrl-C again to quit now.\n');
  });
  const results: Result[] = [];
  const warnings: string[] = [];
  try {
    await workSideBySide(
      targets,
      ({ settings }) => new URL(settings.baseUrl).origin,
      async (target) => {
        if (stop.signal.aborted) return;
        try {
          const report = await checkFleetTarget(target, fleet, { progress, signal: stop.signal, cwd: io.cwd });
          results.push({ exit: report.outcome.exit });
          const leak = report.notices.find(({ kind }) => kind === 'other-key');
          if (leak) warnings.push(`${inert(target.name, 100)}: ${formatNotice(leak)}\n`);
          progress.finish(target.name, scanner.clean(verdictLine(report)));
        } catch (error) {
          // The other targets go on.
          results.push({ error });
          progress.finish(target.name, `no report: ${scanner.clean((error as Error).message)}`);
        }
      },
    );
  } finally {
    progress.end();
    release();
  }
  for (const warning of warnings) io.stderr.write(warning);
  return conclude(results, fleet, inputs, io);
}

interface FleetRun {
  readonly progress: FleetProgress;
  readonly signal: AbortSignal;
  readonly cwd: string;
}

async function checkFleetTarget(
  target: Target,
  { outputs, scanner, redactor, budget }: Fleet,
  { progress, signal, cwd }: FleetRun,
): Promise<Report> {
  const { name, settings, keys, excuses, inputs } = target;
  progress.update(name, undefined);
  const others = countFinds(redactor);
  const report = await run(settings, keys, {
    excuses,
    budget,
    signal,
    others,
    onProgress: ({ requests, requestsExpected }) => progress.update(name, { done: requests, total: requestsExpected }),
  });
  // The report has all that is needed of the bodies.
  clearReadings();
  const notices = others.finds > 0 ? [...report.notices, { kind: 'other-key' } as const] : report.notices;
  const kept = reportToDeliver({ ...report, target: { name, ...report.target }, notices }, inputs.merged);
  const own = outputs.get(target) ?? { files: [] };
  const { problem } = writeFiles(kept, own, cwd);
  const leaks = await removeLeaks(
    own.files.map(({ path }) => path),
    scanner,
  );
  if (leaks.length > 0) throw leakError(leaks);
  if (problem) throw problem;
  return kept;
}

function conclude(results: readonly Result[], { targets, outputs }: Fleet, { merged }: Inputs, io: CommandIo): number {
  const exits = results.flatMap((result) => ('exit' in result ? [result.exit] : []));
  const errors = results.flatMap((result) => ('error' in result ? [result.error] : []));
  const passed = exits.filter((exit) => exit === EXIT.passed).length;
  const missing = targets.length - results.length;
  const notStarted = missing === 0 ? '' : `, ${missing} not started`;
  io.stdout.write(`\n${passed} of ${count(targets.length, 'target')} passed${notStarted}\n`);
  const out = merged.get('out') ?? NO_FILES;
  if ([...outputs.values()].some(({ files }) => files.length > 0)) {
    const which = missing === 0 ? 'target' : 'started target';
    io.stderr.write(`Wrote one folder per ${which} to ${out}. To see them on one page: wirecheck board ${out}\n`);
  }
  const error = errors.find((each) => each instanceof UsageError) ?? errors[0];
  if (error !== undefined) throw error;
  return firstExit([...exits, ...(missing > 0 ? [EXIT.interrupted] : [])]);
}

function refuseForOneTarget({ merged }: Inputs): void {
  for (const name of FOR_ONE_TARGET) {
    const { label, at } = merged.origin(name) ?? {};
    const isSet = [merged.get(name)].flat().some((value) => value !== undefined);
    if (isSet && label !== undefined) {
      throw new UsageError(`${label} is for a single target: leave it out with --targets.`, at);
    }
  }
}

function extraKeyNotices({ env }: Inputs): readonly string[] {
  const { full: _full, second: _second, ...extra } = KEY_VARIABLES;
  return Object.values(extra)
    .filter((variable) => (env[variable] ?? '').trim() !== '')
    .map((variable) => `Ignored ${variable}: with --targets, extra keys are not used.`);
}

/** Counts over all targets. The usual time limit is that of one target; one that the user gave is for the whole. */
function budgetOf({ merged }: Inputs): Budget {
  const [maxRequests, maxCompletions] = [merged.get('max-requests'), merged.get('max-completions')];
  const time = merged.origin('max-time') === undefined ? undefined : merged.get('max-time');
  return new Budget(
    { ...(maxRequests !== undefined && { maxRequests }), ...(maxCompletions !== undefined && { maxCompletions }) },
    time === undefined ? undefined : AbortSignal.timeout(time),
  );
}

/** The usual files, in a folder of its own. */
function outputsOf({ folder }: Target, { merged, cwd }: Inputs): Outputs {
  const out = resolve(cwd, merged.get('out') ?? NO_FILES);
  const { files } = readOutputs(merged, cwd);
  return { files: files.map(({ format, path }) => ({ format, path: join(out, folder, relative(out, path)) })) };
}
