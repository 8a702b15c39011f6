import type { Exchange } from '../../exchange/exchange.ts';
import { lastAnswer } from '../../exchange/reading/answered.ts';
import { readChunks } from '../../exchange/reading/chunks.ts';
import { hasErrorMember, isObject, type Json, type JsonObject, memberOf, parseJson, typeOf } from '../../json.ts';
import type { Endpoint, Mode } from '../../plan/plan.ts';
import { quoteText } from '../../text/quote.ts';
import type { Check } from '../check.ts';
import { noOccasion, observed, skipped } from '../check-result.ts';
import {
  fieldItem,
  isItemList,
  nameOnly,
  type Observation,
  type ObservedItem,
  type ObservedValue,
  type ObservedWord,
  seenItems,
  seenValues,
} from '../observation.ts';
import { itemsOf, jsonOf, readBody } from '../reading/answers.ts';
import { allAnswers } from '../reading/answer-places.ts';
import { isControlAnswered } from '../reading/control.ts';
import { jsonOf200 } from '../reading/each-exchange.ts';

interface Count {
  objects: number;
  present: number;
  readonly types: Set<ObservedWord>;
}

function presenceOf({ objects, present }: Count): ObservedWord {
  if (present === 0) return 'never';
  return present === objects ? 'always' : 'sometimes';
}

/** Counts are added; a field is always present only if it is in both parts. */
function combineValues(earlier: ObservedValue | undefined, later: ObservedValue): ObservedValue {
  if (typeof earlier === 'number' && typeof later === 'number') return earlier + later;
  if (!isPresence(earlier) || !isPresence(later)) return later;
  const [before, ...typesBefore] = earlier;
  const [now, ...typesNow] = later;
  const types = seenValues([...typesBefore, ...typesNow]);
  return [now !== undefined && before === now ? now : 'sometimes', ...types];
}

function isPresence(value: ObservedValue | undefined): value is readonly ObservedItem[] {
  return value !== undefined && isItemList(value) && value.length > 0;
}

function* fieldsBeyond(exchanges: readonly Exchange[]): Generator<ObservedItem> {
  for (const shaped of shapedAnswers(exchanges)) {
    for (const { object, place } of objectsOf(shaped)) {
      for (const name of Object.keys(object)) if (!place.fields.has(name)) yield fieldItem(place.title, name);
    }
  }
}

const DAY = 86_400_000;

/** Milliseconds per unit. The unit that puts the time within a day of the run's start is the right one. */
const UNITS = { seconds: 1_000, milliseconds: 1, microseconds: 0.001, nanoseconds: 0.000_001 } as const;

function unitOf(created: number, startedAt: number): ObservedWord {
  const units = Object.keys(UNITS) as (keyof typeof UNITS)[];
  return units.find((unit) => Math.abs(created * UNITS[unit] - startedAt) < DAY) ?? 'no-unit';
}

/** The contract does not define the deprecation mark: it may be a field of that name, or a state. */
const MARK_NAME = /deprecat|retire|sunset|(?:^|_)eol(?:_|$)|end_of_life/i;
const STATE_NAME = /^(?:status|state|lifecycle|lifecycle_status)$/i;
const MARK_VALUE = /deprecat|retir|sunset|end.of.life|legacy/i;

function isMark(name: string, value: Json | undefined): boolean {
  if (MARK_NAME.test(name)) return value !== false && value !== null && value !== '';
  return STATE_NAME.test(name) && typeof value === 'string' && MARK_VALUE.test(value);
}

function reasonsOf(exchange: Exchange): readonly string[] {
  const answer = lastAnswer(exchange);
  if (!answer || exchange.request.endpoint !== 'chat' || !isControlAnswered(exchange)) return [];
  if (exchange.request.mode === 'stream') {
    const { choices } = readChunks(answer);
    return choices.flatMap(({ parts }) => parts.flatMap(({ finish }) => finish?.text ?? []));
  }
  const choices = itemsOf(memberOf(jsonOf(answer), 'choices'));
  return choices.map((choice) => memberOf(choice, 'finish_reason')).filter((reason) => typeof reason === 'string');
}

// The shapes of answers, with the fields that parts 2 and 7 define.

/** The contract's fields of each object, by pointer, with `*` for array items. */
const SHAPES = {
  completion: {
    '': ['id', 'object', 'created', 'model', 'choices', 'usage'],
    '/choices/*': ['index', 'message', 'finish_reason'],
    '/choices/*/message': ['role', 'content'],
    '/usage': ['prompt_tokens', 'completion_tokens', 'total_tokens'],
  },
  'model-list': {
    '': ['object', 'data'],
    '/data/*': ['id', 'object', 'owned_by'],
  },
  error: {
    '': ['error'],
    '/error': ['message', 'type', 'code'],
  },
} as const satisfies Record<string, Readonly<Record<string, readonly string[]>>>;

export type AnswerShape = keyof typeof SHAPES;

function placesOf(shape: AnswerShape): readonly (readonly [place: string, fields: readonly string[]])[] {
  return Object.entries(SHAPES[shape] as Readonly<Record<string, readonly string[]>>);
}

// Pointers such as `/choices/*/message/role`.
export function contractFields(shape: AnswerShape): ReadonlySet<string> {
  return new Set(placesOf(shape).flatMap(([place, fields]) => fields.map((field) => `${place}/${field}`)));
}

interface ShapedAnswer {
  readonly shape: AnswerShape;
  readonly value: JsonObject;
}

export function shapeOfAnswer(endpoint: Endpoint, mode: Mode, status: number): AnswerShape | undefined {
  if (endpoint === 'other') return undefined;
  if (status >= 400) return 'error';
  // Stream checks deal with chunks.
  if (status !== 200 || mode === 'stream') return undefined;
  return endpoint === 'models' ? 'model-list' : 'completion';
}

/** Every answer that is a JSON object of a known shape, retried attempts included. */
function* shapedAnswers(exchanges: readonly Exchange[]): Generator<ShapedAnswer> {
  for (const { exchange, answer } of allAnswers(exchanges)) {
    const { endpoint, mode } = exchange.request;
    const shape = shapeOfAnswer(endpoint, mode, answer.status);
    const value = shape && jsonOf(answer);
    // An error disguised as success would make every field of a completion look optional.
    if (shape && isObject(value) && (shape === 'error' || !hasErrorMember(value))) yield { shape, value };
  }
}

/** Titles are such as `completion /usage`, and those of fields such as `completion /usage/total_tokens`. */
const PLACES = new Map(
  (Object.keys(SHAPES) as AnswerShape[]).map(
    (shape) =>
      [
        shape,
        placesOf(shape).map(([place, fields]) => ({
          title: `${shape} ${place}`,
          tokens: place.split('/').slice(1),
          fields: new Map(fields.map((field) => [field, `${shape} ${place}/${field}`])),
        })),
      ] as const,
  ),
);

/** Each object of the shape in this value, with its place. */
export function objectsOf({ shape, value }: ShapedAnswer) {
  return (PLACES.get(shape) ?? []).flatMap((place) =>
    objectsAt(value, place.tokens).map((object) => ({ object, place })),
  );
}

// The tokens are those of a place such as `/choices/*/message`.
function objectsAt(value: Json | undefined, [token, ...below]: readonly string[]): readonly JsonObject[] {
  if (token === '*') return itemsOf(value).flatMap((item) => objectsAt(item, below));
  if (token !== undefined) return objectsAt(memberOf(value, token), below);
  return isObject(value) ? [value] : [];
}

export const SEEN_FIELD_CHECKS = {
  'deprecation-marks': {
    summary: 'Records how models are marked deprecated, and how many.',
    execute: ({ exchanges }) => {
      const lists = exchanges.map((exchange) => jsonOf200(exchange)).filter((read) => !read.why);
      if (lists.length === 0) return skipped('no-model-list');
      // A model in several lists counts once.
      const marked = new Set<Json | undefined>();
      const names = new Set<string>();
      for (const model of lists.flatMap(({ value }) => itemsOf(memberOf(value, 'data'))).filter(isObject)) {
        const marks = Object.keys(model).filter((name) => isMark(name, model[name]));
        if (marks.length > 0) marked.add(memberOf(model, 'id'));
        for (const mark of marks) names.add(mark);
      }
      return observed([
        { name: 'deprecated-models', value: marked.size },
        { name: 'deprecation-fields', value: seenValues([...names].map((name) => quoteText(name))) },
      ]);
    },
  },
  'created-unit': {
    summary: 'Records the unit and epoch of created.',
    execute: ({ exchanges, run }) => {
      const times: number[] = [];
      for (const { shape, value } of shapedAnswers(exchanges)) {
        const created = shape === 'completion' ? memberOf(value, 'created') : undefined;
        if (typeof created === 'number') times.push(created);
      }
      if (times.length === 0) return noOccasion('created');
      const units = seenValues(times.map((time) => unitOf(time, run.traffic.startedAt)));
      return observed([{ name: 'created-unit', value: units }]);
    },
  },
  /** Each field with its types, and whether its object always has it. Used to compare two runs. */
  'fields-present': {
    summary: 'Records which contract fields are always present, and their types.',
    execute: ({ exchanges }) => {
      const answers = new Map<string, number>();
      const counts = new Map<string, Count>();
      for (const shaped of shapedAnswers(exchanges)) {
        answers.set(shaped.shape, (answers.get(shaped.shape) ?? 0) + 1);
        for (const { object, place } of objectsOf(shaped)) {
          for (const [field, title] of place.fields) {
            const count = counts.get(title) ?? { objects: 0, present: 0, types: new Set<ObservedWord>() };
            if (count.objects === 0) counts.set(title, count);
            count.objects += 1;
            if (!Object.hasOwn(object, field)) continue;
            count.present += 1;
            count.types.add(typeOf(object[field]));
          }
        }
      }
      if (answers.size === 0) return skipped('no-known-shape');
      const observations: Observation[] = [...answers].map(([of, value]) => ({ name: 'answers', of, value }));
      for (const [of, count] of counts)
        observations.push({ name: 'presence', of, value: [presenceOf(count), ...[...count.types].toSorted()] });
      return observed(observations);
    },
    combine(earlier, later) {
      const all = new Map(earlier.map((observation) => [JSON.stringify(nameOnly(observation)), observation]));
      for (const observation of later) {
        const key = JSON.stringify(nameOnly(observation));
        all.set(key, { ...observation, value: combineValues(all.get(key)?.value, observation.value) });
      }
      return [...all.values()];
    },
  },
  'unknown-fields': {
    summary: 'Records fields of answers that are not in the contract.',
    observesUnknownFields: true,
    execute: ({ exchanges }) => observed([{ name: 'unknown-fields', value: seenValues(fieldsBeyond(exchanges)) }]),
  },
  'finish-reasons': {
    summary: 'Records every finish_reason.',
    execute: ({ exchanges }) => {
      const reasons = exchanges.flatMap((exchange) => reasonsOf(exchange));
      if (reasons.length === 0) return noOccasion('finish-reason');
      // Clients know these two; any other is the target's own text.
      const value = seenItems(reasons, (reason) =>
        reason === 'stop' || reason === 'length' ? reason : quoteText(reason),
      );
      return observed([{ name: 'finish-reason', value }]);
    },
  },
  'model-echo': {
    summary: 'Records whether the reply names the requested model.',
    execute: ({ exchanges }) => {
      const echoes = exchanges.flatMap((exchange): readonly ObservedItem[] => {
        const asked = memberOf(parseJson(exchange.request.body), 'model');
        const read = jsonOf200(exchange);
        if (typeof asked !== 'string' || read.why) return [];
        const named = memberOf(read.value, 'model');
        if (typeof named !== 'string') return ['no-model'];
        return [named === asked ? 'requested-model' : { kind: 'another-model', name: quoteText(named) }];
      });
      if (echoes.length === 0) return noOccasion('model-name');
      return observed([{ name: 'reply-model', value: seenValues(echoes) }]);
    },
  },
  'json-notes': {
    summary: 'Records harmless oddities of JSON bodies.',
    execute: ({ exchanges }) => {
      const notes = allAnswers(exchanges).flatMap(({ answer }) => {
        const reading = readBody(answer);
        return reading.kind === 'json' ? reading.notes : [];
      });
      return observed([{ name: 'json-oddities', value: seenValues(notes) }]);
    },
  },
} satisfies Record<string, Check>;
