/** `wirecheck run --targets FILE`: several gateways side by side, and a folder with a report on each. */
import { COMMAND } from '../../contract/package-files.ts';
import { Budget } from '../../exchange/channel/ledger.ts';
import type { Redactor } from '../../exchange/secrets/redaction.ts';
import type { Report } from '../../report/report.ts';
import { plan, run } from '../../run/run.ts';
import { KEY_VARIABLES } from '../../settings/settings-without-flag.ts';
import { readSelected } from '../choose-cases.ts';
import type { Limits } from '../plan-budgets.ts';
import type { CommandIo } from '../command-io.ts';
import { filesRead } from '../files/refuse-overwrites.ts';
import { refuseOpenSecrets } from '../files/secret-guard.ts';
import type { Flags } from '../settings/merge-settings.ts';
import type { Inputs } from '../settings/read-settings.ts';
import { checkFleet, type FleetHooks, refuseForOne } from './check-fleet.ts';
import { chooseShard, readShard } from './choose-shard.ts';
import { countFinds, redactorOf, scannerOf } from './fleet-secrets.ts';
import { loadTargets, type TargetsList } from './list-targets.ts';
import { prepareTargets, type Target } from './read-targets.ts';

/** The plan does not depend on it. */
const ANY_ADDRESS = 'https://gateway.example/v1';

const WORDS = { target: 'target', unit: 'request', flag: '--targets' };

export async function checkTargets(file: string, flags: Flags, inputs: Inputs, io: CommandIo): Promise<number> {
  const chosen = chooseTargets(file, inputs, io);
  if (chosen.targets.length === 0) return 0;
  const targets = prepareTargets(chosen, flags, io);
  const scanner = scannerOf(targets);
  for (const { settings } of targets) refuseOpenSecrets(scanner, settings);
  const shared = { budget: budgetOf(inputs), redactor: redactorOf(targets) };
  return checkFleet({
    inputs: { ...inputs, notices: [...inputs.notices, ...extraKeyNotices(inputs)] },
    io,
    targets,
    words: WORDS,
    alsoRead: targets.flatMap((target) => filesRead(target.inputs)),
    scanner,
    hostOf: ({ settings }) => new URL(settings.baseUrl).origin,
    check: (target, hooks) => checkFleetTarget(target, shared, hooks),
    finish(missing) {
      const which = missing === 0 ? 'target' : 'started target';
      const out = inputs.merged.get('out');
      io.stderr.write(`Wrote one folder per ${which} to ${out}. To see them on one page: ${COMMAND} board ${out}\n`);
    },
  });
}

/** Of the shard, if there is one. None if it has none, which is said. */
export function chooseTargets(file: string, inputs: Inputs, io: CommandIo): TargetsList {
  refuseForOne(inputs, ['reporter', 'record', 'rerun-failed', 'last-failed', 'baseline'], WORDS);
  const { targets: listed, mistakes } = loadTargets(file, io.cwd);
  const shard = inputs.merged.get('shard');
  const targets = shard === undefined ? listed : chooseShard(listed, readShard(shard));
  if (targets.length === 0) {
    mistakes.throwAny();
    io.stdout.write(`Shard ${shard} has no targets: ${file} lists ${listed.length}. Nothing was sent.\n`);
    return { targets, mistakes };
  }
  // Mistakes that are not in the targets file are reported once, not for each target.
  plan(readSelected(inputs, ANY_ADDRESS));
  return { targets, mistakes };
}

interface SharedByAll {
  readonly budget: Budget;
  /** For the secrets of all targets in the answers of one. */
  readonly redactor: Redactor;
}

async function checkFleetTarget(
  { name, settings, keys, excuses }: Target,
  { budget, redactor }: SharedByAll,
  { signal, onAdvance, onAwait }: FleetHooks,
): Promise<Report> {
  const others = countFinds(redactor);
  const report = await run(settings, keys, {
    excuses,
    budget,
    signal,
    others,
    onAwait,
    onProgress: ({ requests, requestsExpected = requests }) => onAdvance({ done: requests, total: requestsExpected }),
  });
  const notices = others.finds > 0 ? [...report.notices, { kind: 'other-key' } as const] : report.notices;
  return { ...report, target: { name, ...report.target }, notices };
}

function extraKeyNotices({ env }: Inputs): readonly string[] {
  const { full: _full, second: _second, ...extra } = KEY_VARIABLES;
  return Object.values(extra)
    .filter((variable) => (env[variable] ?? '').trim() !== '')
    .map((variable) => `Ignored ${variable}: with --targets, extra keys are not used.`);
}

/** Counts over all targets. The usual time limit is that of one target; one that the user gave is for the whole. */
function budgetOf(inputs: Inputs): Budget {
  const { merged } = inputs;
  const time = merged.origin('max-time') === undefined ? undefined : merged.get('max-time');
  return new Budget(limitsOf(inputs), time === undefined ? undefined : AbortSignal.timeout(time));
}

export function limitsOf({ merged }: Inputs): Limits {
  const [maxRequests, maxCompletions] = [merged.get('max-requests'), merged.get('max-completions')];
  return { ...(maxRequests !== undefined && { maxRequests }), ...(maxCompletions !== undefined && { maxCompletions }) };
}
