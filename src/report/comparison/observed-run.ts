/** A run prepared for comparison: its exchanges, what their answers show, and its cases. */
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import { isTransientStatus, lastAnswer } from '../../exchange/reading/answered.ts';
import { partsOf } from '../../exchange/reading/choices.ts';
import { readEvents, streamEnd } from '../../exchange/reading/event-stream.ts';
import { isDeprecated } from '../../exchange/reading/model-list.ts';
import { type Json, hasErrorMember, isObject, memberOf, parseJson, pointerOf, typeOf } from '../../json.ts';
import type { Endpoint, Mode } from '../../plan/plan.ts';
import { type AnswerShape, shapeOfAnswer } from '../../verdict/checks/observed-fields.ts';
import { wasFlaky } from '../../verdict/reading/outcome.ts';
import type { AnswerReport, CaseReport, ExchangeReport, Report } from '../report.ts';
import { WITHHELD } from '../without-bodies.ts';
import type { ChangeSide } from './comparison.ts';

// An exchange prepared for comparison, from a report or from a recording.

export interface ObservedExchange extends Pick<ExchangeReport, 'id' | 'step' | 'endpoint' | 'mode' | 'key'> {
  /** The model that was called. */
  readonly model?: string;
  /** An earlier attempt failed on the server's side, and the last did not. */
  readonly flaky: boolean;
  /** Whether the report was made with `--no-bodies`. */
  readonly withheld: boolean;
  /** The answer to the last attempt; undefined if there was none, or if it broke off. */
  readonly answer?: ObservedAnswer;
  /** The status of a stream that wirecheck itself stopped reading: its text shows nothing, but it was answered. */
  readonly stoppedWith?: number;
}

export interface ObservedAnswer {
  readonly status: number;
  /** Undefined if the report has only part of it. */
  readonly text?: string;
  readonly stream?: {
    /** Data of each event. */
    readonly events: readonly string[];
    readonly isDone: boolean;
    readonly hasError: boolean;
    readonly times: StreamTimes;
  };
  /** Milliseconds since the request was sent. */
  readonly endAt: number;
}

/** Milliseconds since the request was sent. */
export interface StreamTimes {
  /** When each event with text or reasoning came. */
  readonly texts: readonly number[];
  /** When the last event came. Undefined if the report has only the first ones. */
  readonly last?: number;
  /** How late the checker itself was. */
  readonly lateness: number;
}

/** The last answer, as a recording and a report have it alike. */
interface Received extends Omit<ObservedAnswer, 'stream'> {
  /** How its body ended. */
  readonly end: string;
  readonly stream?: Pick<NonNullable<AnswerReport['stream']>, 'end' | 'events' | 'eventCount' | 'lateness'>;
}

export function observeExchange(exchange: Exchange): ObservedExchange {
  const { id, step, request } = exchange;
  const answer = lastAnswer(exchange);
  return observe({ id, step, ...request }, wasFlaky(exchange), answer && fromRecording(answer, request.mode));
}

function fromRecording(answer: Answer, mode: Mode): Received {
  const { status, body, endAt, lateness } = answer;
  const plain = { status, text: new TextDecoder().decode(body.bytes), endAt, end: body.end.kind };
  if (mode === 'plain' || status !== 200) return plain;
  const { events } = readEvents(body);
  return { ...plain, stream: { end: streamEnd(answer), events, eventCount: events.length, lateness } };
}

function observeReported(exchange: ExchangeReport): ObservedExchange {
  const { body, attempts } = exchange;
  const last = attempts.at(-1)?.answer;
  const hasGoneWrong = attempts.slice(0, -1).some(({ answer }) => Math.floor((answer?.status ?? 0) / 100) !== 4);
  // A report always keeps the beginning of a body, unless it was withheld.
  const withheld = body === WITHHELD || (last !== undefined && last.body.bytes > 0 && last.body.shown === 0);
  return observe(exchange, hasGoneWrong, last && fromReport(last), withheld);
}

function fromReport({ status, endAt, stream, body }: AnswerReport): Received {
  const text = body.shown === body.bytes && { text: body.text };
  return { status, ...text, endAt, end: body.end.kind, ...(stream && { stream }) };
}

type Sent = Pick<ExchangeReport, 'id' | 'step' | 'endpoint' | 'mode' | 'key' | 'body'>;

/** `hasGoneWrong`: an earlier attempt failed on the server's side. */
function observe(
  sent: Sent,
  hasGoneWrong: boolean,
  received: Received | undefined,
  withheld = false,
): ObservedExchange {
  const { id, step, endpoint, mode, key, body } = sent;
  const model = memberOf(parseJson(body), 'model');
  const answer = received && wholeAnswer(received);
  // If every attempt failed, it is not flaky.
  const isProper = answer !== undefined && !isTransientStatus(answer.status) && !answer.stream?.hasError;
  return {
    ...{ id, step, endpoint, mode, key, withheld },
    flaky: hasGoneWrong && isProper,
    ...(typeof model === 'string' && { model }),
    ...(answer && { answer }),
    ...(received?.end === 'aborted' && { stoppedWith: received.status }),
  };
}

const BROKEN_OFF = ['cut', 'stalled', 'limit', 'aborted'];

function wholeAnswer({ end, stream, ...answer }: Received): ObservedAnswer | undefined {
  if (!stream) return end === 'complete' ? answer : undefined;
  if (BROKEN_OFF.includes(stream.end)) return undefined;
  const { events, eventCount, lateness = 0 } = stream;
  const read = events.map(({ event, data, at }) => ({ event, at, value: parseJson(data) }));
  const last = events.length === eventCount ? events.at(-1)?.at : undefined;
  return {
    ...answer,
    stream: {
      events: events.map(({ data }) => data),
      isDone: stream.end === 'done',
      hasError: read.some(({ event, value }) => event === 'error' || hasErrorMember(value)),
      times: {
        texts: read
          .filter(({ value }) => partsOf(value, 0, 0).some(({ text, reasoning }) => text !== '' || reasoning !== ''))
          .map(({ at }) => at),
        ...(last !== undefined && { last }),
        lateness,
      },
    },
  };
}

// What the answers to some requests show: times, how streams end, and per endpoint, mode and status the shape of answers:
// their fields, how often they occur, and their types.

/** Words or types, each with exchanges that show it. */
export type Sightings = Map<string, readonly string[]>;

export interface FieldCount {
  /** Answers in which every parent object has it, and in which any does. */
  inAll: number;
  inAny: number;
  readonly types: Sightings;
  /** Values of a field that holds words of a vocabulary. */
  readonly words: Sightings;
  exchanges: readonly string[];
}

export interface ObservedShape {
  readonly endpoint: Endpoint;
  readonly mode: Mode;
  readonly status: number;
  /** The resource of the contract; chunks of a stream are none. */
  readonly resource: AnswerShape | undefined;
  answers: number;
  exchanges: readonly string[];
  /** A JSON type, `event stream` or `no JSON`. */
  readonly bodyTypes: Set<string>;
  /** Answers that had an object at this place, by pointer, with `*` for every item of a list. */
  readonly places: Map<string, number>;
  /** The key is a pointer as well. */
  readonly fields: Map<string, FieldCount>;
}

/** The key is made of endpoint, mode and status. */
export type ObservedShapes = Map<string, ObservedShape>;

export interface Observations {
  readonly shapes: ObservedShapes;
  /** Milliseconds by what was measured, and by exchange. */
  readonly times: Map<string, Map<string, number>>;
  /** The key is an exchange. */
  readonly streamTimes: Map<string, StreamTimes>;
  /** Streams with [DONE], and without. */
  readonly streams: { readonly done: string[]; readonly withoutMarker: string[] };
}

/** Times of answers. Refusals are those of chat requests. */
export const REPLY = 'reply';
export const REFUSAL = 'refusal';
export const MODEL_LIST = 'model list';

/** Exchanges listed per change. */
export const MAX_EXCHANGES = 3;
/** A target may send a new name every time. */
const MAX_FIELDS = 2_000;
const MAX_WORDS = 200;
const MAX_WORD_LENGTH = 100;
const MAX_DEPTH = 12;

/** Fields whose values are a vocabulary: the contract has no list of them, so a new one is additive. */
const VOCABULARIES = new Set(['/choices/*/finish_reason', '/error/type', '/error/code']);

export function noObservations(): Observations {
  return { shapes: new Map(), times: new Map(), streamTimes: new Map(), streams: { done: [], withoutMarker: [] } };
}

export function observeAnswer({ id, endpoint, mode }: ObservedExchange, answer: ObservedAnswer): Observations {
  const { status, endAt, stream } = answer;
  const isStream = mode === 'stream' && status === 200;
  const found = noObservations();
  if (isStream && stream && stream.events.length > 0)
    (stream.isDone ? found.streams.done : found.streams.withoutMarker).push(id);
  if (endpoint === 'other') return found;
  const shape = shapeOf(id, { endpoint, mode }, answer);
  if (shape) found.shapes.set(`${endpoint} ${mode} ${status}`, shape);
  const time = (measure: string) => found.times.set(measure, new Map([[id, endAt]]));
  if (isStream) {
    if (stream) found.streamTimes.set(id, stream.times);
  } else if (status === 200) time(endpoint === 'models' ? MODEL_LIST : REPLY);
  else if (status >= 400 && status < 500 && endpoint === 'chat') time(REFUSAL);
  return found;
}

type Asked = Pick<ObservedShape, 'endpoint' | 'mode'>;

function shapeOf(id: string, asked: Asked, { status, text, stream }: ObservedAnswer): ObservedShape | undefined {
  const isStream = asked.mode === 'stream' && status === 200;
  // A body that was cut may lack fields only for that reason.
  if (!isStream && text === undefined) return undefined;
  const values = isStream ? (stream?.events ?? []).map(parseJson) : [parseJson(text)];
  // An error disguised as success would make every field of a completion look optional.
  if (status === 200 && values.some(hasErrorMember)) return undefined;
  const objects = new Map<string, number>();
  const fields = new Map<string, FieldCount>();
  for (const value of values) collectFields(value, '', { id, objects, fields }, 0);
  // Chunks may differ, so a stream has a field if any chunk does.
  for (const [pointer, field] of fields)
    field.inAll = Number(isStream || field.inAll === objects.get(parentOf(pointer)));
  return {
    ...{ ...asked, status, resource: shapeOfAnswer(asked.endpoint, asked.mode, status) },
    ...{ answers: 1, exchanges: [id], bodyTypes: new Set([bodyType(values, isStream)]) },
    places: new Map([...objects.keys()].map((place) => [place, 1])),
    fields,
  };
}

function bodyType(values: readonly (Json | undefined)[], isStream: boolean): string {
  if (isStream) return values.length === 0 ? 'no event' : 'event stream';
  return values[0] === undefined ? 'no JSON' : typeOf(values[0]);
}

/** One answer: number of objects by pointer, and their fields, each with the number of objects in `inAll`. */
interface Seen extends Pick<ObservedShape, 'fields'> {
  readonly id: string;
  readonly objects: Map<string, number>;
}

function collectFields(value: Json | undefined, place: string, seen: Seen, depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) collectFields(item, `${place}/*`, seen, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  const { id, objects, fields } = seen;
  addTo(objects, place, 1);
  for (const [name, member] of Object.entries(value)) {
    const pointer = place + pointerOf([name]);
    const field = fields.get(pointer) ?? { ...newField(), inAny: 1, exchanges: [id] };
    fields.set(pointer, field);
    field.inAll += 1;
    field.types.set(typeOf(member), [id]);
    if (typeof member === 'string' && VOCABULARIES.has(pointer))
      field.words.set(member.slice(0, MAX_WORD_LENGTH), [id]);
    collectFields(member, pointer, seen, depth + 1);
  }
}

function newField(): FieldCount {
  return { inAll: 0, inAny: 0, types: new Map(), words: new Map(), exchanges: [] };
}

function addTo(numbers: Map<string, number>, name: string, number: number): void {
  numbers.set(name, (numbers.get(name) ?? 0) + number);
}

function firstExchanges(some: readonly string[], others: readonly string[]): readonly string[] {
  return [...some, ...others].slice(0, MAX_EXCHANGES);
}

/** Number of answers with the parent of the field. */
export function answersWithParent({ places }: ObservedShape, pointer: string): number {
  return places.get(parentOf(pointer)) ?? 0;
}

export function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

/** Adds all that the others show to `known`. */
export function addObservations(known: Observations, { shapes, times, streamTimes, streams }: Observations): void {
  for (const [name, shape] of shapes) addShape(known.shapes, name, shape);
  for (const [measure, own] of times) known.times.set(measure, new Map([...(known.times.get(measure) ?? []), ...own]));
  for (const [id, each] of streamTimes) known.streamTimes.set(id, each);
  known.streams.done.push(...streams.done);
  known.streams.withoutMarker.push(...streams.withoutMarker);
}

function addShape(shapes: ObservedShapes, name: string, other: ObservedShape): void {
  const none = { answers: 0, exchanges: [], bodyTypes: new Set<string>(), places: new Map(), fields: new Map() };
  const shape = shapes.get(name) ?? { ...other, ...none };
  shapes.set(name, shape);
  shape.answers += other.answers;
  shape.exchanges = firstExchanges(shape.exchanges, other.exchanges);
  for (const type of other.bodyTypes) shape.bodyTypes.add(type);
  for (const [place, answers] of other.places) addTo(shape.places, place, answers);
  for (const [pointer, { inAll, inAny, types, words, exchanges }] of other.fields) {
    const field = shape.fields.get(pointer) ?? newField();
    if (!shape.fields.has(pointer) && shape.fields.size >= MAX_FIELDS) continue;
    shape.fields.set(pointer, field);
    field.inAll += inAll;
    field.inAny += inAny;
    addSightings(field.types, types);
    addSightings(field.words, words);
    field.exchanges = firstExchanges(field.exchanges, exchanges);
  }
}

export function addSightings(known: Sightings, others: Sightings): void {
  for (const [value, exchanges] of others)
    if (known.has(value) || known.size < MAX_WORDS) known.set(value, firstExchanges(known.get(value) ?? [], exchanges));
}

// The run: cases and observations, without inconclusive, skipped or flaky ones.

interface ObservedModel {
  readonly deprecated: boolean;
  /** Names of its fields. */
  readonly fields: ReadonlySet<string>;
  readonly exchange: string;
}

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
  answerTo({ exchange = '' }: Pick<CaseReport, 'exchange'>): CaseAnswer | undefined {
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

/** Observes a report alone: bodies are there as far as the report keeps them. */
export function observeReport(report: Report, source: string): ObservedRun {
  const run = new ObservedRun(report, source);
  for (const exchange of report.exchanges) {
    if (exchange.side === undefined) run.add(observeReported(exchange));
    else run.addServed(exchange);
  }
  return run;
}

/** Nothing inconclusive, skipped, flaky or intermittent is compared. */
export function isComparable(testCase: CaseReport): boolean {
  const isIntermittent = testCase.expectations.some(({ intermittent }) => intermittent);
  return isJudged(testCase) && !testCase.flaky && !isIntermittent;
}

export function isJudged({ verdict }: CaseReport): boolean {
  return verdict !== 'inconclusive' && verdict !== 'skipped';
}
