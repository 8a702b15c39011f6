/** The course of a run: stage after stage, until the ramp is over or the target has had enough. */
import { contractOf } from '../contract/profile/apply-profile.ts';
import { pauseFor } from '../exchange/channel/pace.ts';
import type { Ledger } from '../exchange/channel/ledger.ts';
import type { Ending } from '../exchange/ending.ts';
import type { LoadDuring, LoadEnd, LoadRecovery } from '../exchange/load-traffic.ts';
import type { Keys, Settings } from '../settings.ts';
import type { AnyCase, Case } from '../suite/case.ts';
import { AloneCalls } from './alone-calls.ts';
import type { LoadConnections } from './connections.ts';
import { DuringCommand, type DuringOptions } from './during.ts';
import { Generator } from './generator.ts';
import { halve } from './halve.ts';
import type { LoadBook } from './load-book.ts';
import { countAll } from './load-counts.ts';
import { mixToSend, modelToCall } from './load-settings.ts';
import { findOtherKey, type OtherKey } from './other-key.ts';
import { preflight } from './preflight.ts';
import { planLoad } from './plan-load.ts';
import { ProgressTeller } from './progress-teller.ts';
import { PAUSE, type StagePlan } from './ramp.ts';
import { awaitRecovery } from './recovery.ts';
import { AnswerRoom } from './room.ts';
import type { LoadHooks, LoadSetup } from './load-setup.ts';
import { UNKNOWN_KEY_CASE } from './load-suite.ts';

/** Milliseconds alone before a command is started. */
const ALONE = 2_000;

export interface LoadRunOptions {
  readonly settings: Settings;
  readonly keys: Keys;
  readonly setup: LoadSetup;
  readonly connections: LoadConnections;
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
  readonly ordinary: readonly Case[];
  readonly own: readonly AnyCase[];
  readonly hooks: LoadHooks;
  readonly book: LoadBook;
}

/** What the run itself knows of its end. */
type GatheredEnd = Omit<LoadEnd, 'used' | 'refused' | 'notices' | 'endedAt'>;

export class LoadRun {
  readonly #options: LoadRunOptions;
  readonly #began = performance.now();
  readonly #book: LoadBook;
  readonly #otherKey: OtherKey | undefined;
  #model = '';
  #during: LoadDuring | undefined;
  #generator: Generator | undefined;
  readonly #alone: AloneCalls;
  readonly #progress: ProgressTeller;

  constructor(options: LoadRunOptions) {
    this.#options = options;
    const { keys, setup, hooks, settings } = options;
    // One alone and one with the command, or the ramp and the burst.
    const planned = setup.during ? 2 : planLoad(settings).ramp.length + 1;
    this.#progress = new ProgressTeller((progress) => hooks.onProgress?.(progress), planned);
    this.#otherKey = findOtherKey(keys, setup.upstream !== undefined);
    const { connections, signal, ledger } = options;
    this.#book = options.book;
    this.#alone = new AloneCalls({
      connections,
      signal,
      ledger,
      began: this.#began,
      ask: (...call) => this.#generate().ask(...call),
      onList: this.#book.setList,
    });
  }

  async gather(): Promise<GatheredEnd> {
    const { settings, setup } = this.#options;
    const found = await preflight({
      model: modelToCall(settings, setup.upstream !== undefined),
      upstream: setup.upstream,
      settings,
      signal: this.#options.signal,
      list: () => this.#alone.list('full', 'before'),
      ask: (model) => {
        this.#model = model;
        return this.#alone.control();
      },
    });
    if ('ending' in found) return this.gathered(found.ending, { kind: 'not-asked' });
    const before = this.#alone.last;
    if (this.#otherKey) await this.#otherKey.ask(this.#alone, found.model);
    const ending = await (setup.during ? this.#hold(setup.during) : this.#climb());
    this.#progress.tell({ kind: 'recovery' });
    const { recovery, last } = await awaitRecovery({
      longest: settings.relay.recovery,
      signal: this.#options.signal,
      ask: () => this.#alone.control(),
      before,
    });
    if (recovery.kind === 'recovered') {
      await this.#alone.list('full', 'after');
      if (this.#otherKey) await this.#alone.list(this.#otherKey.role, 'after');
      this.#book.endLists();
      if (setup.upstream && !setup.during) await this.#halve();
    }
    const unrecovered = recovery.kind === 'not-recovered' ? last : undefined;
    return { ...this.gathered(ending, recovery), model: found.model, ...(unrecovered && { unrecovered }) };
  }

  gathered(ending: Ending, recovery: LoadRecovery): GatheredEnd {
    const { keys } = this.#generate();
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
    const { settings, signal, connections, hooks } = this.#options;
    const plan = planLoad(settings);
    for (const stage of plan.ramp) {
      const isClear = await this.#runStage(stage);
      if (this.#isStopped()) return this.#endingNow();
      const silence = await this.#alone.findSilence();
      if (silence) return this.#stoppedAnswering(silence);
      if (!isClear) break;
      await this.#respectRetryAfter();
    }
    const highest = Math.max(...this.#book.stages.map(({ inFlight }) => inFlight));
    this.#progress.skipToLast();
    this.#progress.tell({ kind: 'pause' });
    await connections.renewHalf();
    await pauseFor(PAUSE * (hooks.pace ?? 1), signal);
    if (this.#isStopped()) return this.#endingNow();
    await this.#runStage(plan.burst(highest));
    return this.#endingNow();
  }

  /** One stage while a command runs, after a short one alone as the control (rule 38). */
  async #hold(options: DuringOptions): Promise<Ending> {
    const { settings, signal } = this.#options;
    await this.#runStage({ phase: 'ramp', inFlight: 1, least: ALONE, most: ALONE });
    if (this.#isStopped()) return this.#endingNow();
    const command = new DuringCommand(options, signal);
    const most = settings.timeouts.run;
    await this.#runStage({ phase: 'during', inFlight: settings.concurrency, least: most, most }, () => command.isOver);
    this.#during = await command.ended;
    return this.#endingNow();
  }

  #isStopped(): boolean {
    const generator = this.#generate();
    return this.#options.signal.aborted || generator.ending !== undefined || generator.keys.isShutOut;
  }

  /** A target that went down says nothing about disconnects. */
  #stoppedAnswering(silence: 'silent' | 'server-error' | 'failed'): Ending {
    const { disconnects } = this.#generate();
    if (silence !== 'failed' && disconnects > 0) return { kind: 'stopped-after-disconnects', clients: disconnects };
    return this.#endedUnderLoad('stopped-answering');
  }

  #endingNow(): Ending {
    const { ending, keys } = this.#generate();
    return ending ?? (keys.isShutOut ? this.#endedUnderLoad('shut-out') : { kind: 'complete' });
  }

  #endedUnderLoad(why: 'stopped-answering' | 'shut-out'): Ending {
    return { kind: 'ended-under-load', why, inFlight: this.#book.stages.at(-1)?.inFlight ?? 1 };
  }

  /** Says whether the ramp may go higher. */
  async #runStage(plan: StagePlan, isOver?: () => boolean): Promise<boolean> {
    const { hooks, signal } = this.#options;
    this.#book.beginStage(plan.phase);
    const place = this.#book.judge.stages.length - 1;
    const run = await this.#progress.during(plan, () => this.#generate().run(plan, place, isOver));
    const { isHopeless, ...facts } = run;
    const mayRise = this.#book.endStage({ phase: plan.phase, inFlight: plan.inFlight, ...facts }, signal.aborted);
    const stage = this.#book.stages.at(-1);
    if (stage) hooks.onStage?.(stage);
    return !isHopeless && mayRise;
  }

  /** Waits as long as the rejections of the last stage asked for. */
  async #respectRetryAfter(): Promise<void> {
    const { settings, signal } = this.#options;
    const asked = this.#book.judge.stages.at(-1)?.retryAfter ?? 0;
    await pauseFor(Math.min(asked, settings.maxRetryWait), signal);
  }

  /** Only with an upstream of ours. */
  async #halve(): Promise<void> {
    const { ordinary, own } = this.#options;
    await halve({
      counts: () => countAll(this.#book.judge, [...own, ...ordinary], this.#book.stages, { hasUpstream: true }),
      run: async (plan) => void (await this.#runStage(plan)),
      isStopped: () => this.#isStopped(),
    });
  }

  #generate(): Generator {
    const { settings, setup, connections, ledger, signal, own } = this.#options;
    const { rules } = contractOf(settings);
    return (this.#generator ??= new Generator({
      connections,
      ledger,
      signal,
      began: this.#began,
      registry: setup.registry,
      room: new AnswerRoom(setup.upstream ? settings.load.slowReaders : 0),
      mix: mixToSend(settings, rules, this.#otherKey !== undefined),
      calls: { rules, model: () => this.#model, otherKey: this.#otherKey },
      hasUpstream: setup.upstream !== undefined,
      slowReaders: setup.upstream ? settings.load.slowReaders : 0,
      sendsUnknownKeys: own.some(({ id }) => id === UNKNOWN_KEY_CASE),
      onBegin: this.#book.begin,
      onDrop: this.#book.drop,
      onDone: this.#book.add,
    }));
  }
}
