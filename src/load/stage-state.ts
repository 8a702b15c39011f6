/** How far a stage is: its time, its calls, and the answers that each kind of request has. */
import type { Exchange } from '../exchange/exchange.ts';
import { lastAnswer } from '../exchange/reading/answered.ts';
import type { MixKind } from '../report/load-report.ts';
import type { LoadCall } from './calls.ts';
import type { MixOptions } from './mix.ts';
import { ENOUGH_ANSWERS, type StagePlan } from './ramp.ts';
import { StageClock } from './stage-clock.ts';

interface EndedCall {
  readonly call: Pick<LoadCall, 'kind'>;
  readonly exchange: Exchange;
  readonly hasLeft: boolean;
}

export class StageState {
  readonly clock = new StageClock();
  readonly #plan: StagePlan;
  readonly #answers: Map<MixKind, number>;
  #number = 0;

  constructor(plan: StagePlan, mix: MixOptions['mix']) {
    this.#plan = plan;
    const kinds = Object.entries(mix).filter(([, weight]) => weight > 0);
    this.#answers = new Map(kinds.map(([kind]) => [kind as MixKind, 0]));
  }

  nextNumber(): number {
    return ++this.#number;
  }

  note({ call: { kind }, exchange, hasLeft }: EndedCall): void {
    const known = this.#answers.get(kind as MixKind);
    const status = lastAnswer(exchange)?.status;
    if (known === undefined || hasLeft || status === undefined || status === 429 || status === 503) return;
    this.#answers.set(kind as MixKind, known + 1);
  }

  goesOn(): boolean {
    const { elapsed } = this.clock;
    if (this.#number >= (this.#plan.mostCalls ?? Infinity)) return false;
    if (elapsed < this.#plan.least) return true;
    return elapsed < this.#plan.most && [...this.#answers.values()].some((answers) => answers < ENOUGH_ANSWERS);
  }
}
