/** Judges every answer of a run soon after it came, then drops it. */
import type { Contract } from '../contract/contract.ts';
import { retryAfter } from '../exchange/channel/retry.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { clearReadings } from '../exchange/reading/body-memo.ts';
import { lastAnswer } from '../exchange/reading/answered.ts';
import type { LoadOutcome } from '../report/load-report.ts';
import type { Settings } from '../settings.ts';
import type { Case } from '../suite/case.ts';
import type { FindingParts } from '../verdict/finding.ts';
import type { CallRegistry } from './call-registry.ts';
import type { DoneCall } from './generator.ts';
import { judgeCall } from './judge-call.ts';
import { ListWatch } from './lists.ts';
import { judgePieces } from './paced-calls.ts';
import { OrdinaryJudge } from './ordinary-judge.ts';
import { shortened } from './shortened.ts';
import { StageCounts } from './stage-counts.ts';
import { createTallies, type Tallies } from './tally.ts';

/** Answers that are judged together: a check costs less for many, but nothing else happens meanwhile. */
const BATCH = 96;
/** Milliseconds: the upstream has answered, and the gateway still has not. */
const SILENCE = 20_000;
/** A stream with text within this share of the time that calls wait for an answer is quick. */
const QUICK = 1 / 10;
/** Streams of these outcomes tell how quick the target is. Others were refused, or ended by our client. */
const TELLING: readonly LoadOutcome[] = ['answered', 'broken', 'unanswered', 'limit'];
/** Bytes of an answer. */
const LARGE = 512 * 1024;
/** Bytes of a batch, which is then judged although it is small: what is read of a body takes many times its size. */
const HEAVY = 1024 * 1024;
/** Calls without an answer that are remembered until the stage ends. */
const MAX_SILENT = 500;

/** A recording may claim more than a run has. */
const MAX_PACED = 10;

interface PacedStream {
  readonly exchange: Exchange;
  readonly parts?: FindingParts;
}

interface Waiting {
  readonly done: DoneCall;
  readonly outcome: LoadOutcome;
}

export interface AnswerJudging {
  readonly settings: Settings;
  readonly contract: Contract;
  readonly cases: readonly Case[];
  readonly registry: CallRegistry;
  readonly hasUpstream: boolean;
}

export class AnswerJudge {
  readonly #judging: AnswerJudging;
  readonly tallies: Tallies = createTallies();
  readonly lists: ListWatch;
  readonly ordinary: OrdinaryJudge;
  readonly #stages: StageCounts[] = [];
  #waiting: Waiting[] = [];
  /** Bytes of the bodies that wait. */
  #waitingBytes = 0;
  readonly #batches: (readonly Waiting[])[] = [];
  #silent: Exchange[] = [];
  /** Streams in whose middle the upstream paused, with what is wrong with them. */
  #paced: PacedStream[] = [];
  #isScheduled = false;
  /** While a command of `--during` runs. */
  allowsFailures = false;
  /** Statuses of rejected calls, and calls that were answered on a second try. */
  readonly rejections = new Map<number, number>();
  secondTries = 0;

  constructor(judging: AnswerJudging) {
    this.#judging = judging;
    this.lists = new ListWatch(this.tallies.list, this.tallies['list-of-other-key']);
    this.ordinary = new OrdinaryJudge(judging.cases, judging.contract, judging.settings);
  }

  get stages(): readonly StageCounts[] {
    return this.#stages;
  }

  beginStage(): StageCounts {
    const counts = new StageCounts();
    this.#stages.push(counts);
    return counts;
  }

  readonly add = (done: DoneCall): void => {
    const { outcome, isOrdinary } = judgeCall(done, {
      registry: this.#judging.registry,
      hasUpstream: this.#judging.hasUpstream,
      tallies: this.tallies,
      lists: this.lists,
      allowsFailures: this.allowsFailures,
    });
    this.#note(done, outcome);
    const size = sizeOf(done.exchange);
    if (isOrdinary) this.#wait({ done, outcome }, size);
    else this.#finish(done, outcome);
    if (size > LARGE) clearReadings();
  };

  /** All answers of the stage have come. `areTimesSure`: neither the checker nor the machine was busy. */
  endStage(areTimesSure: boolean): void {
    this.#closeBatch();
    this.#judgeBatches();
    const counts = this.#stages.at(-1);
    const isForgotten = counts?.isQuick ?? false;
    if (areTimesSure) {
      for (const exchange of this.#silent)
        this.tallies.silent.add(exchange, isForgotten ? silence(exchange) : undefined);
    }
    this.#silent = [];
    const arePiecesTimed = areTimesSure && (counts?.isPrompt ?? false);
    if (arePiecesTimed) for (const { exchange, parts } of this.#paced) this.tallies.pieces.add(exchange, parts);
    this.#paced = [];
  }

  /** The batches depend on nothing but the order of the answers, so that a recording is judged in the same ones. */
  #wait(waiting: Waiting, size: number): void {
    this.#waiting.push(waiting);
    this.#waitingBytes += size;
    if (this.#waiting.length < BATCH && this.#waitingBytes < HEAVY) return;
    this.#closeBatch();
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#judgeBatches();
    });
  }

  #closeBatch(): void {
    if (this.#waiting.length > 0) this.#batches.push(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #judgeBatches(): void {
    for (const batch of this.#batches.splice(0)) this.#judgeBatch(batch);
  }

  #judgeBatch(batch: readonly Waiting[]): void {
    const stage = batch[0]?.done.call.stage ?? 0;
    const broken = this.ordinary.judge(
      batch.map(({ done }) => done.exchange),
      stage,
    );
    for (const { done, outcome } of batch) this.#finish(done, broken.has(done.exchange.id) ? 'broken' : outcome);
    clearReadings();
  }

  #note(done: DoneCall, outcome: LoadOutcome): void {
    const { exchange } = done;
    const answer = lastAnswer(exchange);
    if (outcome === 'unanswered') this.#noteSilence(done);
    else if (outcome !== 'left' && outcome !== 'limit') this.tallies.silent.add(exchange);
    if (answer && exchange.attempts.length > 1) this.secondTries += 1;
    if (done.known.wasPaced && outcome === 'answered') this.#notePaced(exchange);
    if (!answer || outcome !== 'rejected') return;
    this.rejections.set(answer.status, (this.rejections.get(answer.status) ?? 0) + 1);
    const counts = this.#stages[done.call.stage];
    if (counts) counts.retryAfter = Math.max(counts.retryAfter, retryAfter(answer) ?? 0);
  }

  /** Whether it counts is known at the end of the stage. */
  #notePaced(exchange: Exchange): void {
    const judged = this.#paced.length < MAX_PACED ? judgePieces(exchange) : undefined;
    if (judged) this.#paced.push({ exchange: shortened(exchange), ...judged });
  }

  /** Proven at once if our own upstream had answered long before. JudgingChange the other streams of the stage tell. */
  #noteSilence({ exchange, known }: DoneCall): void {
    const { upstreamDone, to = performance.now() } = known;
    if (upstreamDone !== undefined && to - upstreamDone >= SILENCE)
      this.tallies.silent.add(exchange, silence(exchange));
    else if (this.#silent.length < MAX_SILENT) this.#silent.push(exchange);
  }

  /** Milliseconds. `--idle-timeout` is usually the shortest of these limits. */
  get #quick(): number {
    const { idle, firstByte, attempt } = this.#judging.settings.timeouts;
    return Math.min(idle, firstByte, attempt) * QUICK;
  }

  #finish({ call, known, exchange, room }: DoneCall, outcome: LoadOutcome): void {
    const counts = this.#stages[call.stage];
    counts?.add(call.kind, outcome);
    if (outcome === 'answered' && call.kind !== 'slow-reader' && known.profile !== 'paced') counts?.addTimes(exchange);
    if (call.kind === 'stream' && TELLING.includes(outcome)) counts?.addStream(exchange, this.#quick);
    room.release();
  }
}

function sizeOf(exchange: Exchange): number {
  return lastAnswer(exchange)?.body.bytes.length ?? 0;
}

function silence({ attempts }: Exchange) {
  const outcome = attempts.at(-1)?.outcome;
  const time = outcome?.kind === 'answer' ? outcome.answer.endAt : (outcome?.failure.at ?? 0);
  return {
    mismatch: 'unanswered',
    expected: { kind: 'timely-answer' },
    actualType: 'waiting',
    actual: { kind: 'unanswered', time },
  } as const;
}
