/** Counts of one stage: what became of its calls, and how long they took. */
import type { Exchange } from '../exchange/exchange.ts';
import { lastAnswer } from '../exchange/reading/answered.ts';
import { readChunks } from '../exchange/reading/chunks.ts';
import { timeOfFirstText } from '../exchange/reading/looks-fake.ts';
import { rarestSeen } from '../report/sureness.ts';
import {
  LOAD_KINDS,
  LOAD_OUTCOMES,
  LOAD_TIMES,
  type LoadKind,
  type LoadKindReport,
  type LoadOutcome,
  type LoadStage,
  type LoadTime,
  type OutcomeCounts,
} from '../report/load-report.ts';
import { Histogram } from './histogram.ts';

/** With fewer answers, a stage was not reached for a kind. */
const REACHED = 30;
/** More than one of so many calls without an answer: the stage is inconclusive. */
const MAX_UNANSWERED = 20;

/** Milliseconds. */
const PROMPT = 500;

type Counts = Record<LoadOutcome, number>;

export class StageCounts {
  readonly #kinds = new Map<LoadKind, Counts>();
  readonly times: Readonly<Record<LoadTime, Histogram>> = {
    headers: new Histogram(),
    'first-text': new Histogram(),
    end: new Histogram(),
  };
  /** Streams that text could be expected of, and those of them that had it soon. */
  #streams = 0;
  #quick = 0;
  /** Milliseconds that the target asked to wait. */
  retryAfter = 0;

  add(kind: LoadKind, outcome: LoadOutcome): void {
    const counts = this.#kinds.get(kind) ?? noCounts();
    this.#kinds.set(kind, counts);
    counts[outcome] += 1;
  }

  /** Times of a call that was answered. */
  addTimes(exchange: Exchange): void {
    const answer = lastAnswer(exchange);
    if (answer?.status !== 200) return;
    this.times.headers.add(answer.headersAt);
    this.times.end.add(answer.endAt);
    const first = firstTextOf(exchange);
    if (first !== undefined) this.times['first-text'].add(first);
  }

  /** A stream, answered or not. `quick`: milliseconds. */
  addStream(exchange: Exchange, quick: number): void {
    this.#streams += 1;
    if ((firstTextOf(exchange) ?? Infinity) <= quick) this.#quick += 1;
  }

  /** At least three of four streams had text soon, so that a call without any was forgotten. */
  get isQuick(): boolean {
    return this.#streams > 0 && this.#quick >= (this.#streams * 3) / 4;
  }

  /** The target had no trouble to answer, so that a piece that is late was held back. */
  get isPrompt(): boolean {
    return (this.times.headers.toTimes()?.p95 ?? Infinity) <= PROMPT;
  }

  get outcomes(): OutcomeCounts {
    const sum = noCounts();
    for (const counts of this.#kinds.values()) for (const name of LOAD_OUTCOMES) sum[name] += counts[name];
    return sum;
  }

  get calls(): number {
    return Object.values(this.outcomes).reduce((sum, each) => sum + each, 0);
  }

  get isInconclusive(): boolean {
    return this.outcomes.unanswered > this.calls / MAX_UNANSWERED;
  }

  toReport(): Pick<LoadStage, 'calls' | 'outcomes' | 'kinds' | 'times'> {
    const times = LOAD_TIMES.flatMap((name) => {
      const found = this.times[name].toTimes();
      return found ? [[name, found] as const] : [];
    });
    return {
      calls: this.calls,
      outcomes: this.outcomes,
      kinds: LOAD_KINDS.flatMap((kind) => this.#kindReport(kind)),
      times: Object.fromEntries(times),
    };
  }

  #kindReport(kind: LoadKind): readonly LoadKindReport[] {
    const outcomes = this.#kinds.get(kind);
    if (!outcomes) return [];
    const answers = outcomes.answered + outcomes.broken + outcomes.failed;
    return [{ kind, outcomes, answers, isReached: answers >= REACHED, oneIn: rarestSeen(answers) }];
  }
}

/** Milliseconds until a stream had text; undefined if it had none. */
function firstTextOf(exchange: Exchange): number | undefined {
  const answer = exchange.request.mode === 'stream' ? lastAnswer(exchange) : undefined;
  return answer && timeOfFirstText(readChunks(answer));
}

function noCounts(): Counts {
  return Object.fromEntries(LOAD_OUTCOMES.map((name) => [name, 0])) as Counts;
}
