/** Keeps a number of calls in flight for the time of a stage, then waits for them, but not for long: a target may hang. */

import { cpus } from 'node:os';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { pauseFor } from '../../exchange/channel/pace.ts';
import type { Ending } from '../../exchange/ending.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isRejection, lastAnswer } from '../../exchange/reading/answered.ts';
import { type LoadKind, type LoadStage, MIX_KINDS, type OnlyWith } from '../../report/load-report.ts';
import { type Called, CallSource, type CallSourceOptions, type LoadCall, type MixOptions, requestOf } from './calls.ts';
import type { Settings } from '../../settings.ts';
import type { DoneCall } from './judge-call.ts';
import type { LoadJudge } from './load-judge.ts';
import { ENOUGH_ANSWERS, type StagePlan } from './plan-load.ts';
import { AnswerMemory, GivingUp, sendCall, type Sender } from './send-call.ts';
import type { LoadUpstream } from './upstream-server.ts';

/** Slow readers start at so many in flight. */
const SLOW_READERS_FROM = 16;
/** Milliseconds between two calls of a slow reader, which are large; at least as long as the last one took. */
const SLOW_PAUSE = 2_000;
/** Milliseconds between two looks at whether there is room for another answer. */
const ROOM_POLL = 5;
/** Calls in a row without an answer, beyond those in flight: the target is asked alone before more is sent. */
const HOPELESS = 2;
const MOST_HOPELESS = 20;

/** What the parts of a run share. */
export interface LoadParts extends Sender, CallSourceOptions {
  readonly settings: Settings;
  readonly judge: LoadJudge;
  readonly called: Called;
  readonly upstream?: LoadUpstream;
  /** Milliseconds that calls in flight have once their stage should be over. */
  readonly drain: number;
}

export class Generator {
  readonly parts: LoadParts;
  /** Slow readers at once, which need an upstream of ours. */
  readonly #mostSlow: number;
  readonly source: CallSource;
  readonly #room: AnswerMemory;
  /** Why nothing more is sent. */
  ending: Ending | undefined;
  /** Clients of ours that have disconnected. */
  disconnects = 0;
  #asked = 0;
  readonly #open = new Set<LoadCall>();
  #unansweredInRow = 0;
  #hopeless = MOST_HOPELESS;
  #present: StageState | undefined;

  constructor(parts: LoadParts) {
    this.parts = parts;
    this.source = new CallSource(parts);
    this.#mostSlow = parts.upstream ? parts.settings.load.slowReaders : 0;
    this.#room = new AnswerMemory(this.#mostSlow);
  }

  async run(plan: StagePlan, stage: number) {
    const { channel, mix } = this.parts;
    const startedAt = Math.round(performance.now() - channel.began);
    this.source.beginStage(plan);
    this.#unansweredInRow = 0;
    this.#hopeless = Math.min(MOST_HOPELESS, HOPELESS + plan.inFlight);
    const givingUp = new GivingUp(channel.signal, plan.most + this.parts.drain);
    const state = (this.#present = new StageState(plan, mix, givingUp, () => this.#isStopped()));
    await givingUp.during(this.#fill(plan, stage, state));
    this.#present = undefined;
    this.source.keys.endStage();
    // No answers came: the target has to be asked alone.
    const isHopeless = this.#unansweredInRow >= this.#hopeless;
    return { ...state.stop(), startedAt, isHopeless };
  }

  /** The stage starts no more calls. */
  finishStage(): void {
    this.#present?.finish(this.parts.drain);
  }

  /** Once a stage starts no more calls: how many are in flight, and the milliseconds until they are given up. */
  get awaited(): { readonly awaited?: { readonly calls: number; readonly most: number } } {
    const { inFlight: calls = 0, givingUp, goesOn = true } = this.#present ?? {};
    return goesOn || !givingUp ? {} : { awaited: { calls, most: givingUp.left } };
  }

  /** One plain call by itself, which is not judged. Undefined if the run ended. `most`: milliseconds. */
  async ask(most = Infinity, usesOtherKey = false): Promise<Exchange | undefined> {
    const givingUp = new GivingUp(this.parts.channel.signal, most);
    const call = this.source.drawControl(++this.#asked, usesOtherKey);
    const done = await givingUp.during(this.#send(call, givingUp.signal));
    if (!done) return undefined;
    done.room.release();
    this.parts.judge.drop(done.known);
    return done.exchange;
  }

  /** Nothing more may be sent. */
  get isOver(): boolean {
    return this.parts.channel.signal.aborted || this.ending !== undefined || this.source.keys.isShutOut;
  }

  #isStopped(): boolean {
    return this.isOver || this.#unansweredInRow >= this.#hopeless;
  }

  async #fill({ inFlight }: StagePlan, stage: number, state: StageState): Promise<void> {
    const slow = inFlight >= SLOW_READERS_FROM ? Math.min(this.#mostSlow, inFlight - 1) : 0;
    await Promise.all(Array.from({ length: inFlight }, (_, slot) => this.#fillSlot(slot < slow, stage, state)));
    const last = this.#isStopped() ? undefined : this.source.drawLast(stage, state.nextNumber());
    if (last) await this.#take(last, state);
  }

  async #fillSlot(isSlow: boolean, stage: number, state: StageState): Promise<void> {
    while (state.goesOn) {
      await this.#waitForRoom(state);
      if (!state.goesOn) return;
      const began = performance.now();
      await this.#take(this.source.draw(stage, state.nextNumber(), isSlow), state);
      const pause = Math.max(SLOW_PAUSE, performance.now() - began);
      if (isSlow && state.goesOn) await pauseFor(Math.min(pause, state.left), state.givingUp.signal);
    }
  }

  async #take(call: LoadCall, state: StageState): Promise<void> {
    state.change(1);
    const done = await this.#send(call, state.givingUp.signal).finally(() => state.change(-1));
    if (!done) return;
    state.note(done);
    this.parts.judge.add(done);
  }

  /** Answers that wait for judging take memory: while there is too little, no call starts. */
  async #waitForRoom(state: StageState): Promise<void> {
    while (this.#room.isFull && state.goesOn) {
      state.hold(true);
      await pauseFor(ROOM_POLL, state.givingUp.signal);
    }
    state.hold(false);
  }

  async #send(call: LoadCall, until: AbortSignal): Promise<DoneCall | undefined> {
    const { judge, called } = this.parts;
    const known = judge.begin(call.id, call.profile);
    const room = this.#room.open(call.kind === 'slow-reader');
    const traits = this.#traits();
    this.#open.add(call);
    const sent = await sendCall(call, requestOf(call, known, called), room, { ...this.parts, until });
    this.#open.delete(call);
    const isSent = sent !== undefined && 'exchange' in sent;
    this.source.end(call, isSent ? sent.exchange : undefined);
    if (!isSent) {
      room.release();
      judge.drop(known);
      if (sent) this.ending ??= { kind: 'budget', setting: sent.setting, underLoad: true };
      return undefined;
    }
    const { exchange, hasLeft, use } = sent;
    if (hasLeft) this.disconnects += 1;
    else this.#unansweredInRow = lastAnswer(exchange) ? 0 : this.#unansweredInRow + 1;
    return { call, known, exchange, hasLeft, room, traits: [...traits, use] };
  }

  #traits(): readonly OnlyWith[] {
    const open = [...this.#open];
    return [
      ...(this.disconnects > 0 ? (['after-disconnect'] as const) : []),
      ...(open.some(({ mode }) => mode === 'stream') ? (['open-stream'] as const) : []),
      ...(open.some(({ kind }) => kind === 'slow-reader') ? (['slow-reader'] as const) : []),
    ];
  }
}

/** Milliseconds of delay, at the 99th percentile, from which the times of a stage do not count. */
const BUSY = 100;
/** Milliseconds of a single delay. */
const FROZEN = 5_000;

/** A stage under way: its calls, the answers that each kind of request has, and how busy the generator itself was. */
class StageState {
  readonly #plan: StagePlan;
  readonly givingUp: GivingUp;
  readonly #isStopped: () => boolean;
  #isFinished = false;
  readonly #answers: Map<LoadKind, number>;
  readonly #began = performance.now();
  readonly #cpu = process.cpuUsage();
  readonly #ticks = readTicks();
  readonly #delay = monitorEventLoopDelay({ resolution: 10 });
  #number = 0;
  inFlight = 0;
  #most = 0;
  /** Calls times milliseconds. */
  #area = 0;
  #changed = this.#began;
  #heldBack = 0;
  #heldSince: number | undefined;

  constructor(plan: StagePlan, mix: MixOptions['mix'], givingUp: GivingUp, isStopped: () => boolean) {
    this.#plan = plan;
    this.givingUp = givingUp;
    this.#isStopped = isStopped;
    this.#answers = new Map(MIX_KINDS.filter((kind) => mix[kind] > 0).map((kind) => [kind, 0]));
    this.#delay.enable();
  }

  get #elapsed(): number {
    return performance.now() - this.#began;
  }

  /** Milliseconds until it should be over. */
  get left(): number {
    return this.#plan.most - this.#elapsed;
  }

  nextNumber(): number {
    return ++this.#number;
  }

  note({ call: { kind }, exchange, hasLeft }: DoneCall): void {
    const known = this.#answers.get(kind);
    const status = lastAnswer(exchange)?.status;
    if (known === undefined || hasLeft || status === undefined || isRejection(status)) return;
    this.#answers.set(kind, known + 1);
  }

  /** It starts no more calls. `drain`: milliseconds for those in flight. */
  finish(drain: number): void {
    this.#isFinished = true;
    this.givingUp.left = drain;
  }

  /** Whether it starts more calls. */
  get goesOn(): boolean {
    const elapsed = this.#elapsed;
    if (this.#isFinished || this.#isStopped()) return false;
    if (this.#number >= (this.#plan.mostCalls ?? Infinity)) return false;
    if (elapsed < this.#plan.least) return true;
    return elapsed < this.#plan.most && [...this.#answers.values()].some((answers) => answers < ENOUGH_ANSWERS);
  }

  /** `by`: 1 when a call starts, -1 when it ends. */
  change(by: 1 | -1): void {
    const now = performance.now();
    this.#area += this.inFlight * (now - this.#changed);
    this.#changed = now;
    this.inFlight += by;
    this.#most = Math.max(this.#most, this.inFlight);
  }

  hold(isHeld: boolean): void {
    if (isHeld) this.#heldSince ??= performance.now();
    else if (this.#heldSince !== undefined) {
      this.#heldBack += performance.now() - this.#heldSince;
      this.#heldSince = undefined;
    }
  }

  stop(): Pick<LoadStage, 'reached' | 'duration' | 'generator'> {
    this.hold(false);
    this.#delay.disable();
    const duration = this.#elapsed;
    const { user, system } = process.cpuUsage(this.#cpu);
    return {
      reached: { mean: round(duration === 0 ? 0 : this.#area / duration), most: this.#most },
      duration: Math.round(duration),
      generator: {
        ...loopDelay(this.#delay),
        cpu: round((user + system) / 1000 / Math.max(1, duration)),
        memory: process.memoryUsage.rss(),
        heldBack: Math.round(this.#heldBack),
        ...machineUse(this.#ticks, readTicks()),
      },
    };
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Of the event loop, from nanoseconds. One long stop makes every call late that was in flight then. */
export function loopDelay(delays: Pick<IntervalHistogram, 'max' | 'percentile'>) {
  // The monitor counts its own resolution as delay.
  const delay = Math.max(0, delays.percentile(99) / 1e6 - 10);
  return { delay: round(delay), isBusy: delay > BUSY || delays.max / 1e6 > FROZEN };
}

// How much of the whole machine was in use: what else runs on it makes times longer, and the target is not to blame.

/** Share of all cores from which nothing was left to wait for. */
const FULL = 0.95;

type Ticks = Readonly<Record<'idle' | 'all', number>>;

/** Over all cores; nothing if the system does not tell. */
export function machineUse(began: Ticks, ended: Ticks): Pick<LoadStage['generator'], 'machine' | 'isMachineBusy'> {
  const passed = ended.all - began.all;
  if (passed <= 0) return {};
  const used = 1 - (ended.idle - began.idle) / passed;
  return { machine: round(Math.min(1, Math.max(0, used))), ...(used >= FULL && { isMachineBusy: true }) };
}

export function readTicks(): Ticks {
  const times = cpus().map((core) => core.times);
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap((core) => Object.values(core))) };
}
