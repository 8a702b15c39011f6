/** A run prepared for comparison: cases and observations, without inconclusive, skipped or flaky ones. */
import { isDeprecated } from '../../exchange/reading/model-list.ts';
import { isObject, type Json, memberOf, parseJson } from '../../json.ts';
import type { CaseReport, Report } from '../report.ts';
import { addObservations, noObservations, type Observations, observeAnswer } from './observations.ts';
import type { ObservedAnswer, ObservedExchange } from './observed-exchange.ts';
import type { ChangeSide } from './comparison.ts';

interface ObservedModel {
  readonly deprecated: boolean;
  /** Names of its fields. */
  readonly fields: ReadonlySet<string>;
  readonly exchange: string;
}

type Asked = Pick<ObservedExchange, 'endpoint' | 'mode'>;

/** An answer by which a case was judged. */
export interface CaseAnswer extends Asked {
  readonly side: ChangeSide & { readonly status: number };
}

export class ObservedRun {
  readonly report: Report;
  readonly source: string;
  /** The key is the step of the plan, so that another run can be asked for the same. */
  readonly steps = new Map<string, Observations>();
  readonly models = new Map<string, ObservedModel>();
  /** Models that were called with success, each with the first exchange. */
  readonly answeredModels = new Map<string, string>();
  /** The answer of each exchange that is not flaky. */
  readonly #answers = new Map<string, CaseAnswer>();
  readonly #leftOut: ReadonlySet<string>;
  readonly #judging: ReadonlySet<string>;
  readonly #asked = new Map<string, Asked>();
  /** Answers whose body was not kept. */
  withoutBody = 0;
  /** Whether it is a report that was made with `--no-bodies`. */
  withheld = false;
  lists = 0;

  constructor(report: Report, source: string) {
    this.report = report;
    this.source = source;
    const exchangesOf = (cases: readonly CaseReport[]) => cases.flatMap(({ exchange }) => exchange ?? []);
    this.#judging = new Set(exchangesOf(report.cases.filter(isComparable)));
    this.#leftOut = new Set(exchangesOf(report.cases).filter((id) => !this.#judging.has(id)));
  }

  /** Undefined for a case that was not settled. */
  answerOf({ exchange = '' }: CaseReport): CaseAnswer | undefined {
    return this.#judging.has(exchange) ? this.#answers.get(exchange) : undefined;
  }

  /** Whatever the cases made of it. */
  answerTo({ exchange = '' }: CaseReport): CaseAnswer | undefined {
    return this.#answers.get(exchange);
  }

  /** What the answers to these steps show. */
  observationsOf(steps: readonly string[]): Observations {
    const whole = noObservations();
    for (const step of steps) addObservations(whole, this.steps.get(step) ?? noObservations());
    return whole;
  }

  /** Undefined for a flaky exchange. */
  askedBy(exchange: string): Asked | undefined {
    return this.#asked.get(exchange);
  }

  add(exchange: ObservedExchange): void {
    const { id, answer, endpoint, mode, withheld } = exchange;
    if (withheld) this.withheld = true;
    if (!exchange.flaky) this.#asked.set(id, { endpoint, mode });
    this.#addAnswer(exchange);
    if (!answer || exchange.flaky || this.#leftOut.has(id)) return;
    if (answer.text === undefined && !answer.stream) this.withoutBody += 1;
    const known = this.steps.get(exchange.step) ?? noObservations();
    this.steps.set(exchange.step, known);
    addObservations(known, observeAnswer(exchange, answer));
    if (answer.status === 200) this.#addSuccess(exchange, answer);
  }

  /** A call to a server of ours, whose answer says nothing about the subject: only what was asked counts. */
  addServed({ id, endpoint, mode }: Asked & Pick<ObservedExchange, 'id'>): void {
    this.#asked.set(id, { endpoint, mode });
  }

  #addAnswer({ id, endpoint, mode, flaky, answer, stoppedWith: status = answer?.status }: ObservedExchange): void {
    if (status === undefined || flaky) return;
    const code = status < 400 ? undefined : memberOf(memberOf(parseJson(answer?.text), 'error'), 'code');
    const side = { status, ...(typeof code === 'string' && { code }), exchanges: [id] };
    this.#answers.set(id, { endpoint, mode, side });
  }

  #addSuccess({ id, endpoint, key, model }: ObservedExchange, answer: ObservedAnswer): void {
    if (endpoint === 'models' && key === 'full') this.#addModels(answer, id);
    if (endpoint === 'chat' && model !== undefined && !this.answeredModels.has(model))
      this.answeredModels.set(model, id);
  }

  #addModels({ text }: ObservedAnswer, exchange: string): void {
    const data = memberOf(parseJson(text), 'data');
    if (!Array.isArray(data)) return;
    this.lists += 1;
    for (const model of data as readonly Json[]) {
      if (!isObject(model) || typeof model['id'] !== 'string') continue;
      const known = this.models.get(model['id']);
      this.models.set(model['id'], {
        deprecated: (known?.deprecated ?? false) || isDeprecated(model),
        fields: new Set([...(known?.fields ?? []), ...Object.keys(model)]),
        exchange,
      });
    }
  }
}

/** Nothing inconclusive, skipped, flaky or intermittent is compared. */
export function isComparable(testCase: CaseReport): boolean {
  const isIntermittent = testCase.expectations.some(({ intermittent }) => intermittent);
  return isJudged(testCase) && !testCase.flaky && !isIntermittent;
}

export function isJudged({ verdict }: CaseReport): boolean {
  return verdict !== 'inconclusive' && verdict !== 'skipped';
}
