/** The course of a run: stage after stage, until the ramp is over or the target has had enough. */

import { contractOf } from '../../contract/profile/apply-profile.ts';
import type { Hooks } from '../../exchange/channel/hooks.ts';
import type { Channel } from '../../exchange/channel/channel.ts';
import { pauseFor } from '../../exchange/channel/pace.ts';
import type { Ending } from '../../exchange/ending.ts';
import type { LoadDuring, LoadEnd, LoadEvent, LoadRecovery, LoadStart } from '../../exchange/load-traffic.ts';
import type { Vault } from '../../exchange/secrets/vault.ts';
import type { Excuses } from '../../report/excuses/apply-excuses.ts';
import type { LoadStage } from '../../report/load-report.ts';
import type { CallRegistry } from './call-registry.ts';
import type { LoadCases } from './load-suite.ts';
import type { LoadUpstream } from './upstream-server.ts';
import type { Keys, Settings } from '../../settings.ts';
import { AloneCalls, type OtherKey } from './alone-calls.ts';
import { DuringCommand, type DuringOptions } from './during.ts';
import { Generator } from './generator.ts';
import type { LoadJudge } from './load-judge.ts';
import { countAll, halve } from './load-counts.ts';
import { UNKNOWN_KEY_CASE } from './load-suite.ts';
import { mixToSend, modelToCall } from './calls.ts';
import { PAUSE, planLoad, type StagePlan } from './plan-load.ts';
import { AnswerMemory, type LoadConnections } from './send-call.ts';

/** How far a run is. Nobody knows how long the whole takes: stages last longer while a kind of call has few answers. */
export interface LoadProgress {
  /** Stages that are over, and all that are planned: those of the ramp and the burst. */
  readonly done: number;
  readonly total: number;
  readonly now: PresentStage | { readonly kind: 'pause' | 'recovery' };
}

/** Times are milliseconds. */
interface PresentStage extends Pick<StagePlan, 'phase' | 'inFlight' | 'least' | 'most'> {
  readonly kind: 'stage';
  readonly elapsed: number;
}

export interface LoadHooks extends Hooks<LoadProgress> {
  /** When a stage has ended. */
  onStage?(stage: LoadStage): void;
  readonly excuses?: Excuses;
  /** Factor of the pause before the burst; absent: 1. For tests. */
  readonly pace?: number;
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

/** Milliseconds between two tellings of how far a stage is. */
const INTERVAL = 500;
/** Milliseconds alone before a command is started. */
const ALONE = 2_000;

interface LoadRunOptions {
  readonly settings: Settings;
  readonly keys: Keys;
  readonly setup: LoadSetup;
  readonly connections: LoadConnections;
  readonly channel: Channel;
  readonly cases: LoadCases;
  readonly hooks: LoadHooks;
  readonly judge: LoadJudge;
}

/** What the run itself knows of its end. */
type GatheredEnd = Omit<LoadEnd, 'used' | 'refused' | 'notices' | 'endedAt'>;

export class LoadRun {
  readonly #options: LoadRunOptions;
  readonly #judge: LoadJudge;
  readonly #otherKey: OtherKey | undefined;
  readonly #generator: Generator;
  readonly #alone: AloneCalls;
  #stagesDone = 0;
  #stagesPlanned: number;
  #model = '';
  #during: LoadDuring | undefined;

  constructor(options: LoadRunOptions) {
    this.#options = options;
    const { settings, keys, setup, connections, channel, cases, judge } = options;
    const { upstream } = setup;
    const { rules } = contractOf(settings);
    this.#judge = judge;
    // One alone and one with the command, or the ramp and the burst.
    this.#stagesPlanned = setup.during ? 2 : planLoad(settings).ramp.length + 1;
    const role = upstream ? 'second' : 'restricted';
    this.#otherKey = keys[role] === undefined ? undefined : { role };
    const slowReaders = upstream ? settings.load.slowReaders : 0;
    this.#generator = new Generator({
      connections,
      channel,
      judge,
      room: new AnswerMemory(slowReaders),
      mix: mixToSend(settings, rules, this.#otherKey !== undefined),
      calls: { rules, model: () => this.#model, otherKey: this.#otherKey },
      hasUpstream: upstream !== undefined,
      slowReaders,
      sendsUnknownKeys: cases.own.some(({ id }) => id === UNKNOWN_KEY_CASE),
    });
    this.#alone = new AloneCalls({
      settings,
      upstream,
      connections,
      channel,
      ask: (...call) => this.#generator.ask(...call),
      onList: (...list) => judge.setList(...list),
    });
  }

  async gather(): Promise<GatheredEnd> {
    const { settings, setup } = this.#options;
    const choose = (model: string): void => void (this.#model = model);
    const first = await this.#alone.firstContact(modelToCall(settings, setup.upstream !== undefined), choose);
    if ('kind' in first) return this.gathered(first, { kind: 'not-asked' });
    if (this.#otherKey) await this.#alone.meetOtherKey(this.#otherKey, this.#model);
    const ending = await (setup.during ? this.#hold(setup.during) : this.#climb());
    this.#tell({ kind: 'recovery' });
    const { recovery, last } = await this.#alone.awaitRecovery(first);
    if (recovery.kind === 'recovered') {
      await this.#alone.list('full', 'after');
      if (this.#otherKey) await this.#alone.list(this.#otherKey.role, 'after');
      this.#judge.endLists();
      if (setup.upstream && !setup.during) await this.#halve();
    }
    const unrecovered = recovery.kind === 'not-recovered' ? last : undefined;
    return { ...this.gathered(ending, recovery), model: this.#model, ...(unrecovered && { unrecovered }) };
  }

  gathered(ending: Ending, recovery: LoadRecovery): GatheredEnd {
    const { keys } = this.#generator;
    return {
      ending,
      recovery,
      areKeysBlocked: keys.isBlocked,
      isShutOut: keys.isShutOut,
      hasOtherKey: this.#otherKey !== undefined,
      ...(this.#during && { during: this.#during }),
    };
  }

  /** The ramp, a pause and a burst. */
  async #climb(): Promise<Ending> {
    const { settings, channel, connections, hooks } = this.#options;
    const plan = planLoad(settings);
    for (const stage of plan.ramp) {
      const isClear = await this.#runStage(stage);
      if (this.#isStopped()) return this.#endingNow();
      const silence = await this.#alone.findSilence();
      if (silence) return this.#stoppedAnswering(silence);
      if (!isClear) break;
      await this.#respectRetryAfter();
    }
    const highest = Math.max(...this.#judge.stages.map(({ inFlight }) => inFlight));
    // The target has had enough: of the stages that are left, only the last is run.
    this.#stagesPlanned = this.#stagesDone + 1;
    this.#tell({ kind: 'pause' });
    await connections.renewHalf();
    await pauseFor(PAUSE * (hooks.pace ?? 1), channel.signal);
    if (this.#isStopped()) return this.#endingNow();
    await this.#runStage(plan.burst(highest));
    return this.#endingNow();
  }

  /** One stage while a command runs, after a short one alone as the control (rule 38). */
  async #hold(options: DuringOptions): Promise<Ending> {
    const { settings, channel } = this.#options;
    await this.#runStage({ phase: 'ramp', inFlight: 1, least: ALONE, most: ALONE });
    if (this.#isStopped()) return this.#endingNow();
    const command = new DuringCommand(options, channel.signal);
    const most = settings.timeouts.run;
    await this.#runStage({ phase: 'during', inFlight: settings.concurrency, least: most, most }, () => command.isOver);
    this.#during = await command.ended;
    return this.#endingNow();
  }

  #isStopped(): boolean {
    const generator = this.#generator;
    return this.#options.channel.signal.aborted || generator.ending !== undefined || generator.keys.isShutOut;
  }

  /** A target that went down says nothing about disconnects. */
  #stoppedAnswering(silence: 'silent' | 'server-error' | 'failed'): Ending {
    const { disconnects } = this.#generator;
    if (silence !== 'failed' && disconnects > 0) return { kind: 'stopped-after-disconnects', clients: disconnects };
    return this.#endedUnderLoad('stopped-answering');
  }

  #endingNow(): Ending {
    const { ending, keys } = this.#generator;
    return ending ?? (keys.isShutOut ? this.#endedUnderLoad('shut-out') : { kind: 'complete' });
  }

  #endedUnderLoad(why: 'stopped-answering' | 'shut-out'): Ending {
    return { kind: 'ended-under-load', why, inFlight: this.#judge.stages.at(-1)?.inFlight ?? 1 };
  }

  /** Says whether the ramp may go higher. */
  async #runStage(plan: StagePlan, isOver?: () => boolean): Promise<boolean> {
    const { hooks, channel } = this.#options;
    this.#judge.beginStage(plan.phase);
    const place = this.#judge.counts.length - 1;
    const stopTelling = this.#tellOf(plan);
    const { isHopeless, ...facts } = await this.#generator.run(plan, place, isOver).finally(stopTelling);
    // The search for the smallest load comes on top.
    if (plan.phase !== 'halving') this.#stagesDone += 1;
    const mayRise = this.#judge.endStage(
      { phase: plan.phase, inFlight: plan.inFlight, ...facts },
      channel.signal.aborted,
    );
    const stage = this.#judge.stages.at(-1);
    if (stage) hooks.onStage?.(stage);
    return !isHopeless && mayRise;
  }

  #tell(now: LoadProgress['now']): void {
    this.#options.hooks.onProgress?.({ done: this.#stagesDone, total: this.#stagesPlanned, now });
  }

  /** Tells how far a stage is, twice a second, until the returned function is called. */
  #tellOf({ phase, inFlight, least, most }: StagePlan): () => void {
    const began = performance.now();
    const tell = (): void =>
      this.#tell({ kind: 'stage', phase, inFlight, least, most, elapsed: performance.now() - began });
    tell();
    const timer = setInterval(tell, INTERVAL).unref();
    return () => clearInterval(timer);
  }

  /** Waits as long as the rejections of the last stage asked for. */
  async #respectRetryAfter(): Promise<void> {
    const { settings, channel } = this.#options;
    const asked = this.#judge.counts.at(-1)?.retryAfter ?? 0;
    await pauseFor(Math.min(asked, settings.maxRetryWait), channel.signal);
  }

  /** Looks for the smallest load that shows a fault. Needs an upstream of ours. */
  async #halve(): Promise<void> {
    const { ordinary, own } = this.#options.cases;
    await halve({
      counts: () => countAll(this.#judge, [...own, ...ordinary], { stages: this.#judge.stages, hasUpstream: true }),
      run: async (plan) => void (await this.#runStage(plan)),
      isStopped: () => this.#isStopped(),
    });
  }
}
