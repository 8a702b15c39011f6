/** Keeps a number of calls in flight for the time of a stage, then waits for them. It never aborts a call of a stage. */

import { pauseFor } from '../../exchange/channel/pace.ts';
import type { Ending } from '../../exchange/ending.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isRejection, lastAnswer } from '../../exchange/reading/answered.ts';
import { type LoadKind, type LoadStage, MIX_KINDS, type OnlyWith } from '../../report/load-report.ts';
import { type CallOptions, drawCall, type LoadCall, type MixOptions, requestOf, withId } from './calls.ts';
import { CallSource, type CallSourceOptions, type KeyWatch } from './call-source.ts';
import type { DoneCall } from './judge-call.ts';
import type { LoadJudge } from './load-judge.ts';
import { ENOUGH_ANSWERS, type StagePlan } from './plan-load.ts';
import { type AnswerMemory, sendCall, type Sender } from './send-call.ts';
import { StageClock } from './stage-clock.ts';

/** Slow readers start at so many in flight. */
const SLOW_READERS_FROM = 16;
/** Milliseconds between two calls of a slow reader, which are large; at least as long as the last one took. */
const SLOW_PAUSE = 2_000;
/** Milliseconds between two looks at whether there is room for another answer. */
const ROOM_POLL = 5;
/** Calls in a row without an answer, beyond those in flight: the target is asked alone before more is sent. */
const HOPELESS = 2;
const MOST_HOPELESS = 20;

const TRAIT_OF: Readonly<Record<LoadCall['connection'], OnlyWith>> = {
  kept: 'kept-connection',
  new: 'new-connection',
  idle: 'after-idle',
};

interface GeneratorOptions extends Sender, CallSourceOptions {
  readonly judge: Pick<LoadJudge, 'begin' | 'drop' | 'add'>;
  readonly room: AnswerMemory;
  readonly calls: CallOptions;
  /** Slow readers at once; 0 without an upstream of ours. */
  readonly slowReaders: number;
}

type StageRun = Pick<LoadStage, 'reached' | 'duration' | 'generator' | 'startedAt'> & {
  /** No answers came: the target has to be asked alone. */
  readonly isHopeless: boolean;
};

export class Generator {
  readonly #options: GeneratorOptions;
  readonly #source: CallSource;
  #ending: Ending | undefined;
  #openStreams = 0;
  #slowReaders = 0;
  #disconnects = 0;
  #unansweredInRow = 0;
  #hopeless = MOST_HOPELESS;

  constructor(options: GeneratorOptions) {
    this.#options = options;
    this.#source = new CallSource(options);
  }

  get keys(): KeyWatch {
    return this.#source.keys;
  }

  /** Clients of ours that have disconnected. */
  get disconnects(): number {
    return this.#disconnects;
  }

  /** Why nothing more is sent. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  /** `isOver`: ends the stage early. */
  async run(plan: StagePlan, stage: number, isOver: () => boolean = () => false): Promise<StageRun> {
    const { channel, slowReaders } = this.#options;
    const startedAt = performance.now() - channel.began;
    const state = new StageState(plan, this.#options.mix.mix);
    this.#source.beginStage(plan);
    this.#unansweredInRow = 0;
    this.#hopeless = Math.min(MOST_HOPELESS, HOPELESS + plan.inFlight);
    const goesOn = (): boolean => !this.#isStopped() && !isOver() && state.goesOn();
    const slow = plan.inFlight >= SLOW_READERS_FROM ? Math.min(slowReaders, plan.inFlight - 1) : 0;
    await Promise.all(
      Array.from({ length: plan.inFlight }, (_, slot) => this.#fillSlot(slot < slow, stage, state, goesOn)),
    );
    const last = this.#isStopped() ? undefined : this.#source.drawLast(stage, state.nextNumber());
    if (last) await this.#take(last, state);
    this.keys.endStage();
    return {
      ...state.clock.stop(),
      startedAt: Math.round(startedAt),
      isHopeless: this.#unansweredInRow >= this.#hopeless,
    };
  }

  /** One plain call by itself, which is not judged. Undefined if the run ended. */
  async ask(stage: number, number: number, usesOtherKey = false): Promise<Exchange | undefined> {
    const drawn = {
      ...drawCall({ ...this.#options.mix, disconnects: 0 }, stage, number),
      kind: 'plain',
      mode: 'plain',
    } as const;
    const { violation: _violation, ...plain } = drawn;
    const call = { ...plain, usesOtherKey, connection: 'new' as const };
    const done = await this.#send(withId(call, stage, number));
    if (!done) return undefined;
    done.room.release();
    this.#options.judge.drop(done.known);
    return done.exchange;
  }

  #isStopped(): boolean {
    const { signal } = this.#options.channel;
    return (
      signal.aborted || this.#ending !== undefined || this.#unansweredInRow >= this.#hopeless || this.keys.isShutOut
    );
  }

  async #fillSlot(isSlow: boolean, stage: number, state: StageState, goesOn: () => boolean): Promise<void> {
    while (goesOn()) {
      await this.#waitForRoom(state.clock);
      if (!goesOn()) return;
      const began = performance.now();
      await this.#take(this.#source.draw(stage, state.nextNumber(), isSlow), state);
      if (isSlow) await pauseFor(Math.max(SLOW_PAUSE, performance.now() - began), this.#options.channel.signal);
    }
  }

  async #take(call: LoadCall, state: StageState): Promise<void> {
    state.clock.change(1);
    const done = await this.#send(call).finally(() => state.clock.change(-1));
    if (!done) return;
    state.note(done);
    this.#options.judge.add(done);
  }

  /** Answers that wait for judging take memory: while there is too little, no call starts. */
  async #waitForRoom(clock: StageClock): Promise<void> {
    const { room, channel } = this.#options;
    while (room.isFull && !channel.signal.aborted) {
      clock.hold(true);
      await pauseFor(ROOM_POLL, channel.signal);
    }
    clock.hold(false);
  }

  async #send(call: LoadCall): Promise<DoneCall | undefined> {
    const { judge, calls, room } = this.#options;
    const known = judge.begin(call.id, call.profile);
    const ownRoom = room.open(call.kind === 'slow-reader');
    const traits = this.#traits();
    this.#begin(call, 1);
    const sent = await sendCall(call, requestOf(call, known, calls), ownRoom, this.#options);
    this.#begin(call, -1);
    this.#source.end(call);
    if (sent.kind !== 'sent') {
      ownRoom.release();
      judge.drop(known);
      if (sent.kind === 'forbidden') this.#ending ??= { kind: 'budget', setting: sent.setting, underLoad: true };
      return undefined;
    }
    const { exchange, hasLeft, use } = sent;
    if (hasLeft) this.#disconnects += 1;
    this.#note(call, exchange, hasLeft);
    return { call, known, exchange, hasLeft, room: ownRoom, traits: [...traits, TRAIT_OF[use]] };
  }

  #traits(): readonly OnlyWith[] {
    return [
      ...(this.#disconnects > 0 ? (['after-disconnect'] as const) : []),
      ...(this.#openStreams > 0 ? (['open-stream'] as const) : []),
      ...(this.#slowReaders > 0 ? (['slow-reader'] as const) : []),
    ];
  }

  #begin({ kind, mode }: LoadCall, by: 1 | -1): void {
    if (mode === 'stream') this.#openStreams += by;
    if (kind === 'slow-reader') this.#slowReaders += by;
  }

  #note({ kind }: LoadCall, exchange: Exchange, hasLeft: boolean): void {
    if (kind === 'unknown-key') this.keys.noteUnknown(exchange);
    // A value out of range may be refused with 403.
    else if (kind !== 'refusal') this.keys.noteValid(exchange);
    if (hasLeft) return;
    this.#unansweredInRow = lastAnswer(exchange) ? 0 : this.#unansweredInRow + 1;
  }
}

/** How far a stage is: its time, its calls, and the answers that each kind of request has. */
class StageState {
  readonly clock = new StageClock();
  readonly #plan: StagePlan;
  readonly #answers: Map<LoadKind, number>;
  #number = 0;

  constructor(plan: StagePlan, mix: MixOptions['mix']) {
    this.#plan = plan;
    this.#answers = new Map(MIX_KINDS.filter((kind) => mix[kind] > 0).map((kind) => [kind, 0]));
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

  goesOn(): boolean {
    const { elapsed } = this.clock;
    if (this.#number >= (this.#plan.mostCalls ?? Infinity)) return false;
    if (elapsed < this.#plan.least) return true;
    return elapsed < this.#plan.most && [...this.#answers.values()].some((answers) => answers < ENOUGH_ANSWERS);
  }
}
