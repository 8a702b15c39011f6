/** One run as it is compared: what it says of each case, and what it observed, without what was inconclusive, skipped or flaky. */
import { isDeprecated } from '../../exchange/walking/choose-model.ts';
import { isObject, type Json } from '../../json.ts';
import type { CaseReport, Report } from '../report.ts';
import type { ObservedAnswer, ObservedExchange } from './observed-exchange.ts';
import { Shapes } from './shapes.ts';

export interface ListedModel {
  readonly deprecated: boolean;
  /** Names of its fields. */
  readonly fields: ReadonlySet<string>;
  readonly exchange: string;
}

export interface Streams {
  readonly done: string[];
  readonly withoutMarker: string[];
}

/** Numbers of milliseconds, by what was measured. */
export type Times = ReadonlyMap<string, { readonly values: readonly number[]; readonly exchanges: readonly string[] }>;

/** An answer by which a case was judged. */
export interface CaseAnswer {
  readonly exchange: string;
  readonly endpoint: ObservedExchange['endpoint'];
  readonly mode: ObservedExchange['mode'];
  readonly status: number;
  readonly code?: string;
}

export type Asked = Pick<ObservedExchange, 'endpoint' | 'mode'>;

export class ObservedRun {
  readonly report: Report;
  readonly source: string;
  readonly shapes = new Shapes();
  readonly models = new Map<string, ListedModel>();
  readonly streams: Streams = { done: [], withoutMarker: [] };
  /** Models that were called with success. */
  readonly answeredModels = new Map<string, string>();
  readonly #times = new Map<string, { values: number[]; exchanges: string[] }>();
  readonly #answers = new Map<string, CaseAnswer>();
  readonly #leftOut: ReadonlySet<string>;
  readonly #judging: ReadonlySet<string>;
  /** Exchanges that findings point to, and what was asked there; flaky ones have nothing. */
  readonly #accused = new Map<string, Asked | undefined>();
  /** Answers whose body was not kept. */
  withoutBody = 0;
  /** Whether it is a report that was made with `--no-bodies`. */
  withheld = false;
  lists = 0;

  constructor(report: Report, source: string) {
    this.report = report;
    this.source = source;
    const settled = new Set(report.cases.filter(isComparable).flatMap(({ exchange }) => exchange ?? []));
    const unsettled = report.cases.filter((one) => !isComparable(one)).flatMap(({ exchange }) => exchange ?? []);
    this.#leftOut = new Set(unsettled.filter((id) => !settled.has(id)));
    this.#judging = settled;
    for (const { expectations } of report.cases)
      for (const { findings } of expectations)
        for (const { exchange } of findings) this.#accused.set(exchange, undefined);
  }

  get times(): Times {
    return this.#times;
  }

  answerOf(one: CaseReport): CaseAnswer | undefined {
    return one.exchange === undefined ? undefined : this.#answers.get(one.exchange);
  }

  /** Undefined where it went wrong in passing. */
  askedBy(exchange: string): Asked | undefined {
    return this.#accused.get(exchange);
  }

  add(exchange: ObservedExchange): void {
    const { id, answer, endpoint, mode, key, withheld = false } = exchange;
    if (withheld) this.withheld = true;
    if (!exchange.flaky && this.#accused.has(id)) this.#accused.set(id, { endpoint, mode });
    if (!answer || exchange.flaky || this.#leftOut.has(id)) return;
    if (this.#judging.has(id)) {
      const code = codeOf(answer);
      this.#answers.set(id, {
        exchange: id,
        endpoint,
        mode,
        status: answer.status,
        ...(code !== undefined && { code }),
      });
    }
    if (answer.text === undefined && !answer.events) this.withoutBody += 1;
    this.shapes.add(exchange);
    this.#measure(exchange, answer);
    if (answer.status !== 200) return;
    if (endpoint === 'models' && key === 'full') this.#addModels(answer, id);
    if (endpoint === 'chat') this.#addCalled(exchange);
    if (mode === 'stream' && answer.events && answer.events.length > 0) {
      (answer.ending === 'done' ? this.streams.done : this.streams.withoutMarker).push(id);
    }
  }

  #addModels({ text }: ObservedAnswer, exchange: string): void {
    const list = parse(text);
    const data = isObject(list) ? list['data'] : undefined;
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

  #addCalled({ id, requestBody }: ObservedExchange): void {
    const body = parse(requestBody);
    const model = isObject(body) ? body['model'] : undefined;
    if (typeof model === 'string' && !this.answeredModels.has(model)) this.answeredModels.set(model, id);
  }

  #measure({ id, endpoint, mode }: ObservedExchange, { status, endAt, firstEventAt }: ObservedAnswer): void {
    if (endpoint === 'other') return;
    if (mode === 'stream' && status === 200) {
      if (firstEventAt !== undefined) this.#time('first event of a stream', firstEventAt, id);
      return;
    }
    if (status === 200) this.#time(endpoint === 'models' ? 'model list' : 'reply', endAt, id);
    else if (status >= 400 && status < 500 && endpoint === 'chat') this.#time('refusal', endAt, id);
  }

  #time(measure: string, milliseconds: number, id: string): void {
    const known = this.#times.get(measure) ?? { values: [], exchanges: [] };
    this.#times.set(measure, known);
    known.values.push(milliseconds);
    if (known.exchanges.length < 3) known.exchanges.push(id);
  }
}

/** Nothing inconclusive, skipped or flaky is compared. */
export function isComparable({ verdict, flaky }: Pick<CaseReport, 'verdict' | 'flaky'>): boolean {
  return verdict !== 'inconclusive' && verdict !== 'skipped' && !flaky;
}

function codeOf({ status, text }: ObservedAnswer): string | undefined {
  if (status < 400) return undefined;
  const body = parse(text);
  const error = isObject(body) ? body['error'] : undefined;
  const code = isObject(error) ? error['code'] : undefined;
  return typeof code === 'string' ? code : undefined;
}

function parse(text: string | undefined): Json | undefined {
  try {
    const value: Json | undefined = text === undefined ? undefined : JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
