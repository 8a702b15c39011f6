/** `wirecheck load BASE_URL`: judges every answer of a gateway under load. */
import { longestRun, PAUSE, ordinaryCases, planLoad, readLoadSettings } from '../gather/load/plan-load.ts';
import { PROFILES, USUAL_PROFILES } from '../gather/load/calls.ts';
import { type Settings, type Keys, LOAD_CONCURRENCY } from '../settings.ts';
import { loadContract } from '../contract/read-contract.ts';
import { type LoadProgress, runLoad, setUpLoad } from '../gather/load/run-load.ts';
import { recordLoad } from '../recording/write-recording.ts';
import { formatLoadStage, LOAD_WORDS } from '../render/load-facts.ts';
import { checkTransport, isLoopback } from '../run/check-address.ts';
import { SUBJECTS } from '../subjects/subjects.ts';
import { count, groupDigits, inert } from '../text/layout.ts';
import { UsageError, usageError } from '../usage-error.ts';
import { announceUpstream, checkSubject, createFile } from './check-subject.ts';
import { chooseCases } from './choose-cases.ts';
import { readOutputs, wantsNoProgress } from './files/outputs.ts';
import { guardKeys } from './files/secret-guard.ts';
import { formatJson } from '../json.ts';
import { contractLine } from './plan-text.ts';
import { type Advance, formatSeconds } from './progress.ts';
import {
  requireBaseUrl,
  type Inputs,
  readInputs,
  requireKeys,
  toSettings,
  sharedSeed,
} from './settings/read-settings.ts';
import { LOAD_SETTINGS } from './settings/command-settings.ts';
import type { Call } from './command-row.ts';

/** Milliseconds. */
const RECOVERY = 60_000;

/** Options of its own: neither a variable nor the config file may allow a load or start a program. */
export async function loadCommand({ args, words, options, flags, io }: Call): Promise<number> {
  if (options.targets !== undefined)
    throw usageError.CONFLICT('--targets cannot be used with load: load one gateway at a time.');
  const during = requireCommand(words, options.during ?? false);
  const inputs = readInputs(LOAD_SETTINGS, flags, io);
  const settings = readSettings(inputs, requireBaseUrl('load', args[0], inputs), during !== undefined);
  checkTransport(settings.baseUrl, settings.allowHttp);
  if (options.plan) {
    const plan = describePlan(settings);
    io.stdout.write(options.json ? formatJson(plan) : formatPlan(plan, settings));
    return 0;
  }
  const { relay, maxCompletions } = settings;
  if (relay.upstreamPort === undefined && maxCompletions === undefined) throw usageError.VALUE_MISSING(UNLIMITED);
  requirePermission(settings.baseUrl, options.allowLoad);
  const keys = requireKeys(inputs);
  return guardKeys(settings, keys, () => checkLoad(settings, keys, during, inputs));
}

function requireCommand(command: readonly string[], isDuring: boolean): readonly string[] | undefined {
  if (isDuring && command.length === 0)
    throw usageError.VALUE_MISSING(
      '--during needs a command: write it after two dashes, as in --during -- ./restart.sh',
    );
  if (!isDuring && command.length > 0)
    throw usageError.TOO_MANY_ARGUMENTS(
      `Unexpected argument ${inert(command[0] ?? '', 60)}: add --during to run a command.`,
    );
  return isDuring ? command : undefined;
}

function readSettings(inputs: Inputs, baseUrl: string, isDuring: boolean): Settings {
  const given = toSettings(inputs, baseUrl);
  const { merged } = inputs;
  const has = (name: 'concurrency' | 'recovery'): boolean => merged.origin(name) !== undefined;
  const settings: Settings = {
    ...given,
    userAgent: 'wirecheck load',
    concurrency: has('concurrency') ? given.concurrency : LOAD_CONCURRENCY[isDuring ? 'during' : 'ramp'],
    seed: sharedSeed(given, inputs),
    relay: { ...given.relay, recovery: has('recovery') ? given.relay.recovery : RECOVERY },
    only: chooseCases(inputs, [...SUBJECTS.load.cases(), ...ordinaryCases({ only: [], skip: [], levels: {} })], 'load')
      .only,
  };
  readLoadSettings(settings);
  refuseFallback(settings, isDuring);
  return settings;
}

/** An upstream fails in a stage of its own, after the ramp. */
function refuseFallback({ relay: { upstreamPort, fallbackPort } }: Settings, isDuring: boolean): void {
  if (fallbackPort === undefined) return;
  if (isDuring) throw usageError.CONFLICT('--fallback-port cannot be used with --during: leave one of them out.');
  if (upstreamPort === undefined)
    throw usageError.CONFLICT('--fallback-port is for a second upstream: add --upstream-port N.');
}

const UNLIMITED =
  'Every answer may cost money: limit them with --max-completions N, or put the scripted upstream behind the gateway with --upstream-port N.';

/** Only what the user typed counts. */
function requirePermission(baseUrl: string, allowed: string | undefined): void {
  const { hostname, host } = new URL(baseUrl);
  if (isLoopback(hostname) || allowed === hostname || allowed === host) return;
  throw new UsageError(
    allowed === undefined
      ? `${inert(hostname, 100)} is not this machine: load it only if its operator agreed, with --allow-load ${inert(hostname, 100)}.`
      : `--allow-load is "${inert(allowed, 100)}", but the base URL has the host ${inert(hostname, 100)}: type that host.`,
    { code: allowed === undefined ? 'VALUE_MISSING' : 'BAD_VALUE' },
  );
}

/** `now`: `4 in flight, 3 s of 10 s to 20 s`; `awaits`: `waiting for 12 calls in flight, at most 20 s` */
export function formatNow(now: LoadProgress['now']): Pick<Advance, 'now' | 'awaits'> {
  if (now.kind === 'pause') return { now: 'a pause before the burst' };
  if (now.kind === 'recovery')
    return { now: '1 in flight', awaits: `waiting until the gateway answers again, at most ${roundSeconds(now.most)}` };
  const { phase, inFlight, elapsed, least, most, awaited } = now;
  const name = `${phase === 'ramp' || phase === 'during' ? '' : `${LOAD_WORDS.phase[phase]}, `}${inFlight} in flight`;
  if (awaited)
    return {
      now: name,
      awaits: `waiting for ${count(awaited.calls, 'call')} in flight, at most ${roundSeconds(awaited.most)}`,
    };
  if (phase === 'during') return { now: `${name} while the command runs` };
  const limits = [...new Set([least, most].map(roundSeconds))];
  return { now: `${name}, ${formatSeconds(elapsed)} of ${limits.join(' to ')}` };
}

function roundSeconds(milliseconds: number): string {
  return formatSeconds(Math.round(milliseconds / 1_000) * 1_000);
}

function checkLoad(
  settings: Settings,
  keys: Keys,
  during: readonly string[] | undefined,
  inputs: Inputs,
): Promise<number> {
  const { io } = inputs;
  const isQuiet = wantsNoProgress(inputs.merged, readOutputs(inputs.merged, io));
  const tell = (text: string): void =>
    isQuiet ? undefined : io.stderr.write(`${io.stderr.live ? '\r\u001b[2K' : ''}${text}\n`);
  return checkSubject({
    inputs,
    excusable: { subject: 'load', suites: [] },
    unit: 'stages',
    advance: ({ done, total, now }: LoadProgress) => ({ done, total, ...formatNow(now) }),
    createRecorder: createFile,
    async begin() {
      const made = await setUpLoad(settings, keys);
      const { vault, upstream } = made;
      const command = during && {
        command: during,
        cwd: io.cwd,
        env: io.env,
        onOutput: (bytes: Buffer) => tell(inert(bytes.toString().trimEnd(), 2_000)),
      };
      const setup = { ...made, ...(command && { during: command }) };
      if (upstream) tell(announceUpstream(settings, upstream.url, upstream.fallbackUrl).trimEnd());
      tell(`Seed ${settings.seed}.`);
      return {
        check: (hooks, file) =>
          runLoad(settings, keys, setup, {
            ...hooks,
            ...(io.loadPace !== undefined && { pace: io.loadPace }),
            onStage: (stage) => tell(formatLoadStage(stage)),
            ...(file && recordLoad(file, loadContract('load').hash)),
          }),
        scanner: () => vault.createScanner(upstream ? [upstream.url, upstream.fallbackUrl ?? upstream.url] : []),
      };
    },
  });
}

type ShownPlan = ReturnType<typeof describePlan>;

/** What `--plan --json` prints: the stages, and the most that they can cost. Times are in milliseconds. */
function describePlan(settings: Settings) {
  const { baseUrl, relay, timeouts, seed, maxCompletions, maxRequests = Infinity } = settings;
  const plan = planLoad(settings);
  const highest = Math.max(...plan.ramp.map(({ inFlight }) => inFlight));
  // The scripted upstream costs nothing. A run without it needs a limit, which its plan may lack.
  const completions = relay.upstreamPort === undefined ? maxCompletions && Math.min(maxCompletions, maxRequests) : 0;
  const tokens = Math.max(...USUAL_PROFILES.map((name) => PROFILES[name].maxTokens));
  const last = plan.ramp.at(-1);
  const failover = last && plan.failover ? [plan.failover(last)] : [];
  const stages = [...plan.ramp, plan.burst(highest), ...failover];
  return {
    baseUrl,
    stages,
    /** The time without calls before the burst. */
    pause: PAUSE,
    /** The longest time with one call in flight. */
    recovery: relay.recovery,
    /** From the first stage to the end of the run, whatever the gateway does. */
    longest: longestRun(settings, stages),
    /** From the first contact. */
    maxTime: timeouts.run,
    mix: readLoadSettings(settings).mix,
    seed,
    cost: completions === undefined ? null : { completions, completionTokens: completions * tokens },
  };
}

function formatPlan(
  { baseUrl, stages, pause, recovery, longest, maxTime, mix, seed, cost }: ShownPlan,
  settings: Settings,
): string {
  const rows = stages.map(({ phase, inFlight, least, most, mostCalls: calls }) => {
    const when: Partial<Record<typeof phase, string>> = {
      burst: `, after ${pause / 1000} s without calls`,
      failover: ', while one of the two upstreams fails',
    };
    const name = `${inFlight} in flight${when[phase] ?? ''}`;
    const time = least === most ? seconds(least) : `${seconds(least)} to ${seconds(most)}`;
    return `  ${name}: ${time}${calls === undefined ? '' : `, at most ${groupDigits(calls)} calls`}\n`;
  });
  const shares = Object.entries(mix).map(([kind, weight]) => `${kind}=${weight}`);
  return [
    `Load on ${baseUrl}\n`,
    ...contractLine(settings).map((line) => `${line}\n`),
    ...rows,
    `  then 1 in flight until it recovers, at most ${seconds(recovery)}\n`,
    `Even if the gateway hangs, the stages take at most ${roundSeconds(longest)}, and all of it ${roundSeconds(maxTime)} (--max-time)\n`,
    `Mix ${shares.join(',')}, seed ${seed}\n`,
    `${formatCost(cost)}\n`,
    'Nothing was sent.\n',
  ].join('');
}

function formatCost(cost: ShownPlan['cost']): string {
  if (!cost) return UNLIMITED;
  if (cost.completions === 0) return 'Nothing is charged: the scripted upstream answers.';
  const tokens = groupDigits(cost.completionTokens);
  return `At most ${groupDigits(cost.completions)} charged completions, with at most ${tokens} completion tokens`;
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
