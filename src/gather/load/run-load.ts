/** The whole flow under load: lists and a control alone, stage after stage, recovery, halving, report. */
import { randomInt } from 'node:crypto';
import { contractOf } from '../../contract/profile/apply-profile.ts';
import { Channel } from '../../exchange/channel/channel.ts';
import { LIST_REQUEST } from '../../exchange/channel/first-contact.ts';
import type { Hooks } from '../../exchange/channel/hooks.ts';
import { pauseFor } from '../../exchange/channel/pace.ts';
import type { Ending } from '../../exchange/ending.ts';
import { withLimit } from '../../exchange/explain-ending.ts';
import type { LoadDuring, LoadEnd, LoadEvent, LoadStart } from '../../exchange/load-traffic.ts';
import { type Vault, createVault } from '../../exchange/secrets/vault.ts';
import { LIGHT_ENCODINGS } from '../../exchange/transport/decompression.ts';
import { createTransport } from '../../exchange/transport/transport.ts';
import { withoutUndefined } from '../../json.ts';
import type { Excuses } from '../../report/excuses/apply-excuses.ts';
import type { LoadStage } from '../../report/load-report.ts';
import type { Report } from '../../report/report.ts';
import { UPSTREAM_MODEL } from '../../scripted/scripted-server.ts';
import type { Keys, Settings } from '../../settings.ts';
import { clientEnvironment } from '../client/client-setup.ts';
import { Child } from '../client/drive/child.ts';
import { namedModels } from '../relay/named-models.ts';
import {
  askList,
  awaitRecovery,
  findSilenceAlone,
  firstContact,
  meetOtherKey,
  type SilenceAlone,
} from './alone-calls.ts';
import { CallRegistry, type Called, mixToSend } from './calls.ts';
import { Generator, type LoadParts } from './generator.ts';
import { countAll, nextGap } from './load-checks.ts';
import { LoadJudge } from './load-judge.ts';
import {
  DRAIN,
  type LoadCases,
  MOST_HALVING,
  PAUSE,
  type StagePlan,
  UNKNOWN_KEY_CASE,
  chooseLoadCases,
  planLoad,
} from './plan-load.ts';
import { reportOnLoad } from './report-on-load.ts';
import { LoadConnections } from './send-call.ts';
import { type LoadUpstream, startLoadUpstream } from './upstream-server.ts';

/** How far a run is. Nobody knows how long the whole takes: stages last longer while a kind of call has few answers. */
export interface LoadProgress {
  /** Stages that are over, and all that are planned: those of the ramp and the burst. */
  readonly done: number;
  readonly total: number;
  readonly now: PresentStage | { readonly kind: 'pause' } | { readonly kind: 'recovery'; readonly most: number };
}

/** Times are milliseconds. `awaited`: once it starts no more calls, those in flight, and the time until they are given up. */
type PresentStage = StagePlan & { readonly kind: 'stage'; readonly elapsed: number } & Generator['awaited'];

export interface LoadHooks extends Hooks<LoadProgress> {
  /** When a stage has ended. */
  onStage?(stage: LoadStage): void;
  readonly excuses?: Excuses;
  /** Factor of the pause before the burst; absent: 1. For tests. */
  readonly pace?: number;
  /** Milliseconds for calls in flight, once their stage should be over. For tests. */
  readonly drain?: number;
  /** These keep a recording: before the first call, with everything that happens, and at the end. */
  onStart?(start: LoadStart): void;
  readonly onEvent?: (event: LoadEvent) => void;
  onEnd?(end: LoadEnd): void;
}

/** What has to be there before the first call: the words, the secrets and, with `--upstream-port`, the upstream. */
export interface LoadSetup {
  readonly registry: CallRegistry;
  readonly vault: Vault;
  readonly upstream?: LoadUpstream;
  /** The command of `--during`. */
  readonly during?: DuringOptions;
}

const MAX_SALT = 2 ** 31;
/** Bytes. Each header takes a hundred times its size while it is read, and so many answers arrive at once. */
const MAX_HEADERS = 8 * 1024;

/** `runLoad` closes the upstream. `port`: 0 for any free one; undefined for none, unless the settings have one. */
export async function setUpLoad(
  settings: Settings,
  keys: Keys,
  port = settings.relay.upstreamPort,
): Promise<LoadSetup> {
  const registry = new CallRegistry(randomInt(MAX_SALT));
  const vault = createVault(settings, keys, [UPSTREAM_MODEL]);
  if (port === undefined) return { registry, vault };
  return { registry, vault, upstream: await startLoadUpstream(settings, port, vault, registry) };
}

/** The report of a recording. `end`: known once all events were read. */
export async function judgeRecordedLoad(
  start: LoadStart,
  recorded: { readonly events: AsyncIterable<LoadEvent>; readonly end: () => LoadEnd },
  excuses?: Excuses,
): Promise<Report> {
  const cases = chooseLoadCases(start.settings);
  const judge = new LoadJudge(start, cases.ordinary, {});
  for await (const event of recorded.events) judge.replay(event);
  return reportOnLoad({ ...start, ...recorded.end(), cases, judge }, excuses);
}

export async function runLoad(
  settings: Settings,
  keys: Keys,
  setup: LoadSetup,
  hooks: LoadHooks = {},
): Promise<Report> {
  const cases = chooseLoadCases(settings);
  const { registry, vault, upstream } = setup;
  const { onAwait, onEvent } = hooks;
  const wire = { redactor: vault.redactor, encodings: LIGHT_ENCODINGS, ...(onAwait && { onAwait }) };
  const limits = { ...settings.limits, headers: Math.min(settings.limits.headers, MAX_HEADERS) };
  const open = (concurrency: number) => createTransport({ ...settings, limits, concurrency }, keys, wire);
  const connections = new LoadConnections(open, settings.concurrency);
  const channel = new Channel({ settings, keys, hooks, transport: connections.main });
  const { ledger, startedAt } = channel;
  try {
    await channel.awaitTarget(LIST_REQUEST);
    const { salt } = registry;
    const start: LoadStart = { settings, salt, startedAt, ...(upstream && { upstreamUrl: upstream.url }) };
    hooks.onStart?.(start);
    const judge = new LoadJudge(start, cases.ordinary, { registry, ...(onEvent && { onEvent }) });
    const run = new LoadRun({ settings, keys, ...setup, connections, channel, cases, hooks, judge });
    const gathered = channel.ending ? run.gathered(channel.ending) : await run.gather();
    const end: LoadEnd = {
      ...gathered,
      ending: withLimit(channel.signal.aborted ? endedEarly(channel) : gathered.ending, settings),
      used: ledger.used,
      refused: ledger.refused,
      notices: channel.notices,
      endedAt: Date.now(),
    };
    hooks.onEnd?.(end);
    return reportOnLoad({ ...start, ...end, cases, judge }, hooks.excuses);
  } finally {
    await connections.close();
    await upstream?.close();
  }
}

/** The user ended the run, or its time limit did. */
function endedEarly({ conclusion, ledger: { silence } }: Channel): Ending {
  if (conclusion.kind === 'budget') return { ...conclusion, underLoad: true, ...silence };
  return conclusion.kind === 'interrupted' ? { ...conclusion, ...silence } : conclusion;
}

/** What the run itself knows of its end. */
type GatheredEnd = Omit<LoadEnd, 'used' | 'refused' | 'notices' | 'endedAt'>;

interface LoadRunParts extends LoadSetup, Pick<LoadParts, 'settings' | 'connections' | 'channel' | 'judge'> {
  readonly keys: Keys;
  readonly cases: LoadCases;
  readonly hooks: LoadHooks;
}

/** Milliseconds between two tellings of how far a stage is. */
const INTERVAL = 500;
/** Milliseconds of calls alone from which a target is slow. */
const SLOW = 2_000;
/** Milliseconds alone before a command is started. */
const ALONE = 2_000;
/** Milliseconds of one stage of the search for the smallest load. */
const HALVING_STAGE = 2_500;

/** The course of a run: stage after stage, until the ramp is over or the target has had enough. */
class LoadRun {
  readonly #parts: LoadRunParts;
  readonly #judge: LoadJudge;
  readonly #generator: Generator;
  #stagesDone = 0;
  #stagesPlanned: number;
  #during: LoadDuring | undefined;
  /** Why the ramp ended: the target did not answer one call at a time. */
  #silence: SilenceAlone | undefined;

  constructor(parts: LoadRunParts) {
    this.#parts = parts;
    const { settings, keys, upstream, cases, judge, hooks } = parts;
    const { rules } = contractOf(settings);
    this.#judge = judge;
    // One alone and one with the command, or the ramp and the burst.
    this.#stagesPlanned = parts.during ? 2 : planLoad(settings).ramp.length + this.#afterRamp;
    const role = upstream ? 'second' : 'restricted';
    const named = upstream ? namedModels(settings).map(({ front }) => front) : [];
    const called: Called = { rules, model: '', named, otherKey: keys[role] === undefined ? undefined : { role } };
    this.#generator = new Generator({
      ...parts,
      ...mixToSend(settings, rules),
      called,
      drain: hooks.drain ?? DRAIN,
      hasUpstream: upstream !== undefined,
      sendsUnknownKeys: cases.own.some(({ id }) => id === UNKNOWN_KEY_CASE),
    });
  }

  async gather(): Promise<GatheredEnd> {
    const { settings, upstream, during } = this.#parts;
    const first = await firstContact(this.#generator);
    if ('kind' in first) return this.gathered(first);
    await meetOtherKey(this.#generator);
    const ending = await (during ? this.#hold(during) : this.#climb());
    const began = this.#silence?.since ?? performance.now();
    const after = await this.#whileWaiting(began, awaitRecovery(this.#generator, first, this.#silence));
    const { model, otherKey } = this.#generator.parts.called;
    if (after.recovery.kind === 'recovered') {
      // They take no more than the rest of the same time.
      const left = (): number => began + settings.relay.recovery - performance.now();
      await askList(this.#generator, 'full', 'after', left());
      if (otherKey) await askList(this.#generator, otherKey.role, 'after', left());
      this.#judge.endLists();
      if (upstream && !during) await this.#halve();
    }
    return { ...this.gathered(ending), ...after, model };
  }

  gathered(ending: Ending): GatheredEnd {
    const { parts, source } = this.#generator;
    return {
      ending,
      recovery: { kind: 'not-asked' },
      areKeysBlocked: source.keys.isBlocked,
      isShutOut: source.keys.isShutOut,
      hasOtherKey: parts.called.otherKey !== undefined,
      ...(this.#during && { during: this.#during }),
    };
  }

  /** The ramp, a pause and a burst. */
  async #climb(): Promise<Ending> {
    const { settings, channel, connections, hooks } = this.#parts;
    const plan = planLoad(settings);
    /** Milliseconds of calls alone between stages. */
    let alone = 0;
    /** The highest stage that the target coped with. */
    let held: StagePlan | undefined;
    for (const stage of plan.ramp) {
      const isClear = await this.#runStage(stage);
      if (this.#generator.isOver) return this.#endingNow();
      const began = performance.now();
      const left = settings.relay.recovery - alone;
      this.#silence = await this.#whileWaiting(began, findSilenceAlone(this.#generator, left));
      // Cut short by the time that earlier ones took: it may only be slow.
      if (this.#silence) return alone < SLOW ? this.#stoppedAnswering(this.#silence) : this.#endingNow();
      if (!isClear) break;
      held = stage;
      alone += performance.now() - began;
      // As long as the rejections of the stage asked for.
      const asked = this.#judge.counts.at(-1)?.retryAfter ?? 0;
      await pauseFor(Math.min(asked, settings.maxRetryWait), channel.signal);
    }
    const highest = Math.max(...this.#judge.stages.map(({ inFlight }) => inFlight));
    // The target has had enough: of the stages that are left, only the last is run.
    this.#stagesPlanned = this.#stagesDone + this.#afterRamp;
    this.#tell({ kind: 'pause' });
    await connections.renewHalf();
    await pauseFor(PAUSE * (hooks.pace ?? 1), channel.signal);
    if (this.#generator.isOver) return this.#endingNow();
    await this.#runStage(plan.burst(highest));
    if (held && plan.failover && !this.#generator.isOver) await this.#failOver(plan.failover(held));
    return this.#endingNow();
  }

  /** Stages after the ramp: the burst, and one while an upstream fails. */
  get #afterRamp(): number {
    return planLoad(this.#parts.settings).failover ? 2 : 1;
  }

  /** One stage while the upstream fails that the gateway calls first. */
  async #failOver(stage: StagePlan): Promise<void> {
    const { upstream } = this.#parts;
    if (!upstream) return;
    const { primary, fallback } = upstream.callsOf;
    upstream.failing = primary < fallback ? 'fallback' : 'primary';
    await this.#runStage(stage);
    upstream.failing = undefined;
  }

  /** One stage while a command runs, after a short one alone as the control (rule 38). */
  async #hold(options: DuringOptions): Promise<Ending> {
    const { settings } = this.#parts;
    await this.#runStage({ phase: 'ramp', inFlight: 1, least: ALONE, most: ALONE });
    if (this.#generator.isOver) return this.#endingNow();
    const command = this.#runCommand(options);
    const most = settings.timeouts.run;
    await this.#runStage({ phase: 'during', inFlight: settings.concurrency, least: most, most });
    await command;
    return this.#endingNow();
  }

  async #runCommand(options: DuringOptions): Promise<void> {
    this.#during = await runDuring(options, this.#parts.channel.signal);
    this.#generator.finishStage();
  }

  /** A target that went down says nothing about disconnects. */
  #stoppedAnswering({ kind }: SilenceAlone): Ending {
    const { disconnects } = this.#generator;
    if (kind !== 'failed' && disconnects > 0) return { kind: 'stopped-after-disconnects', clients: disconnects };
    return this.#endedUnderLoad('stopped-answering');
  }

  #endingNow(): Ending {
    const { ending, source } = this.#generator;
    return ending ?? (source.keys.isShutOut ? this.#endedUnderLoad('shut-out') : { kind: 'complete' });
  }

  #endedUnderLoad(why: 'stopped-answering' | 'shut-out'): Ending {
    return { kind: 'ended-under-load', why, inFlight: this.#judge.stages.at(-1)?.inFlight ?? 1 };
  }

  /** Says whether the ramp may go higher. */
  async #runStage(plan: StagePlan): Promise<boolean> {
    const { hooks, channel, upstream } = this.#parts;
    this.#judge.beginStage(plan.phase);
    const place = this.#judge.counts.length - 1;
    const began = performance.now();
    const tell = (): void =>
      this.#tell({ kind: 'stage', ...plan, elapsed: performance.now() - began, ...this.#generator.awaited });
    const { isHopeless, ...facts } = await telling(tell, this.#generator.run(plan, place));
    // The search for the smallest load comes on top.
    if (plan.phase !== 'halving') this.#stagesDone += 1;
    const { phase, inFlight } = plan;
    const described = { phase, inFlight, ...facts, ...withoutUndefined({ failing: upstream?.failing }) };
    const mayRise = this.#judge.endStage(described, channel.signal.aborted);
    const stage = this.#judge.stages.at(-1);
    if (stage) hooks.onStage?.(stage);
    return !isHopeless && mayRise;
  }

  /** One call at a time, until one is answered: told only once that is waited for. `began`: by `performance.now()`. */
  #whileWaiting<Found>(began: number, found: Promise<Found>): Promise<Found> {
    const tell = (): void => {
      const elapsed = performance.now() - began;
      const most = Math.max(0, this.#parts.settings.relay.recovery - elapsed);
      if (elapsed >= SLOW) this.#tell({ kind: 'recovery', most });
    };
    return telling(tell, found);
  }

  #tell(now: LoadProgress['now']): void {
    this.#parts.hooks.onProgress?.({ done: this.#stagesDone, total: this.#stagesPlanned, now });
  }

  /** Looks for the smallest load that shows a fault, between a clean stage and a broken one. Needs an upstream of ours. */
  async #halve(): Promise<void> {
    const { own } = this.#parts.cases;
    const began = performance.now();
    for (;;) {
      const { stages } = this.#judge;
      // With an upstream of ours, `isLocal` does not matter.
      const inFlight = nextGap(countAll(this.#judge, own, { stages, hasUpstream: true, isLocal: true }));
      const isLate = performance.now() - began + HALVING_STAGE > MOST_HALVING;
      if (inFlight === undefined || this.#generator.isOver || isLate) return;
      await this.#runStage({ phase: 'halving', inFlight, least: HALVING_STAGE, most: HALVING_STAGE });
    }
  }
}

/** Tells again and again, until it is done. */
function telling<Done>(tell: () => void, done: Promise<Done>): Promise<Done> {
  tell();
  const timer = setInterval(tell, INTERVAL).unref();
  return done.finally(() => clearInterval(timer));
}

/**
 * The command of `--during`: started without a shell and without keys. If wirecheck ends it, everything that it started is
 * ended too; a gateway that it restarted lives on otherwise.
 */
export interface DuringOptions {
  /** A program and its arguments. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** The environment of the user, without keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the command prints. */
  readonly onOutput: (text: Buffer) => void;
}

/** Ended when `signal` aborts. Returns when it has ended, by itself or not, and never rejects. */
export async function runDuring(
  { command, cwd, env, onOutput }: DuringOptions,
  signal: AbortSignal,
): Promise<LoadDuring> {
  const began = performance.now();
  const { variables } = clientEnvironment(env);
  const streams = { takesInput: false, stdout: 'pipe', onStdout: onOutput, onStderr: onOutput } as const;
  const child = new Child(command, { env: variables, cwd, leavesOthers: true, ...streams });
  const kill = (): void => child.kill();
  signal.addEventListener('abort', kill);
  const end = await child.ended;
  signal.removeEventListener('abort', kill);
  const duration = Math.round(performance.now() - began);
  return { command, duration, end: signal.aborted ? { kind: 'ended-by-us' } : describeEnd(end) };
}

function describeEnd(end: Awaited<Child['ended']>): LoadDuring['end'] {
  if (end.kind === 'exited') return { kind: 'exited', code: end.exit };
  return end.kind === 'killed' ? { kind: 'signalled', signal: end.signal } : end;
}
