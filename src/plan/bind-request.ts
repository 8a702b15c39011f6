/** Fills in a request template: the model, token counts, a word that no other request has. */

import { isObject, type Json, type JsonObject, withoutUndefined } from '../json.ts';
import type { Settings } from '../settings.ts';
import type { Spelling } from '../suite/case.ts';
import type { Bindings, RequestBody, RequestTemplate, Step } from './plan.ts';

/** About 16 KiB or 4,000 tokens: long enough to reach a proxy's body limit, short enough to pay for. */
const LONG_TEXT = 'The sea is wide and the gulls are loud. '.repeat(410);

/** A limit that cuts any reply but the shortest, as 1 does. */
const FEW_TOKENS = 4;

/** The names allowed in `${…}`. */
const PLACEHOLDERS = {
  model: ({ model }) => model,
  replyTokens: ({ replyTokens }) => replyTokens,
  streamTokens: ({ streamTokens }) => streamTokens,
  briefTokens: ({ briefTokens }) => briefTokens,
  fewTokens: ({ briefTokens }) => Math.max(briefTokens, FEW_TOKENS),
  forbiddenModel: ({ forbiddenModel }) => forbiddenModel,
  restrictedModel: ({ restrictedModel }) => restrictedModel,
  longText: () => LONG_TEXT,
  word: (_, word) => word,
} as const satisfies Record<string, (bindings: Bindings, word: string) => string | number | undefined>;

export type Placeholder = keyof typeof PLACEHOLDERS;

export interface FilledRequest extends Omit<RequestTemplate, 'path' | 'query' | 'headers' | 'body' | 'spellings'> {
  /** Path and query below the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The text has `${filler}` where the filler goes. */
  readonly body?: string;
  /** The names of all headers are sent in capitals. */
  readonly inCapitals?: true;
  /** Name of a connection that several requests share, one after the other. */
  readonly connection?: string;
}

export type Filled =
  | { readonly kind: 'request'; readonly request: FilledRequest }
  /** This run has no value for the placeholder. */
  | { readonly kind: 'missing'; readonly placeholder: Placeholder };

/** `word` differs between requests, so that no cache answers instead of the model. */
export function bindRequest(template: RequestTemplate, bindings: Bindings, word: string): Filled {
  const missing: Placeholder[] = [];
  const fill = (name: string): string | number => {
    if (!isPlaceholder(name)) return `\${${name}}`;
    const value = PLACEHOLDERS[name](bindings, word);
    if (value === undefined) missing.push(name);
    return value ?? '';
  };
  const { endpoint, mode, method, path, query, filler, idle, key, spellings } = template;
  const body = template.body && writeBody(template, template.body, bindings, fill);
  const [placeholder] = missing;
  if (placeholder !== undefined) return { kind: 'missing', placeholder };
  const headers = Object.entries(template.headers).filter((entry): entry is [string, string] => entry[1] !== null);
  const streamsOnly = bindings.acceptsOnlyStreams && mode === 'stream' && { accept: 'text/event-stream' };
  return {
    kind: 'request',
    request: {
      endpoint,
      mode,
      method,
      path: query === undefined ? path : `${path}?${query}`,
      headers: { ...streamsOnly, ...Object.fromEntries(headers) },
      ...withoutUndefined({ body, filler, idle }),
      ...(spellings?.includes('header-names') && { inCapitals: true }),
      key,
    },
  };
}

/** The value as it is sent. What this run has no value for stays as it is. */
export function bindValue(value: Json, bindings: Bindings, word: string): Json {
  return fillValue(
    value,
    (name) => (isPlaceholder(name) ? PLACEHOLDERS[name](bindings, word) : undefined) ?? `\${${name}}`,
  );
}

function isPlaceholder(name: string): name is Placeholder {
  return Object.hasOwn(PLACEHOLDERS, name);
}

type Fill = (name: string) => string | number;

function writeBody({ spellings = [] }: RequestTemplate, body: RequestBody, bindings: Bindings, fill: Fill): string {
  if (body.kind === 'raw') return fillText(body.text, fill);
  const value = fillValue(body.value, fill);
  if (bindings.withoutMaxTokens && isUsualLimit(body.value)) delete (value as Record<string, Json>)['max_tokens'];
  return spellJson(value, spellings).replaceAll(RAW_NUMBER, '$1');
}

/** True if `max_tokens` is only the usual limit and not what the request tests. */
function isUsualLimit(value: Json): boolean {
  return isObject(value) && typeof value['max_tokens'] === 'string' && value['max_tokens'].startsWith('${');
}

/** A string that consists of a single placeholder becomes its value, type included. */
function fillValue(value: Json, fill: Fill): Json {
  if (typeof value === 'string') {
    const whole = /^\$\{(\w+)\}$/.exec(value)?.[1];
    return whole === undefined ? fillText(value, fill) : fill(whole);
  }
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => fillValue(item, fill));
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fillValue(member, fill)]));
  }
  return value;
}

function fillText(text: string, fill: Fill): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => String(fill(name)));
}

/** A number that JavaScript cannot represent is a marked string in the template; its quotes are dropped here. */
const RAW_NUMBER = /"\$\{rawNumber:([^"}]*)\}"/g;

export function rawNumber(text: string): string {
  return `\${rawNumber:${text}}`;
}

/** The number that is sent for a value of a template. NaN if it is none. */
export function writtenNumber(value: Json): number {
  return Number(JSON.stringify(value).replaceAll(RAW_NUMBER, '$1'));
}

/** The bindings before anything is known about the target. */
export function initialBindings(settings: Settings): Bindings {
  const { model, forbiddenModel, replyTokens, streamTokens } = settings;
  const given = withoutUndefined({ model, forbiddenModel });
  return { ...given, sample: [], replyTokens, streamTokens, briefTokens: 1, withoutMaxTokens: false };
}

/** A request without a valid key needs no real model: it has to be refused before the model matters. */
export const ANY_MODEL = 'wirecheck-any-model';

export function modelFor({ sampled, seeks }: Step, bindings: Bindings): Pick<Bindings, 'model'> {
  const model = sampled === undefined ? bindings.model : bindings.sample[sampled];
  if (model !== undefined) return { model };
  return seeks === 'unauthorized' ? { model: ANY_MODEL } : {};
}

// Writes the same JSON in another spelling, which a reader of JSON does not notice (RFC 8259).

const NO_SPACE = { open: '', colon: ':', comma: ',', close: '', outside: '' };
/** Space in every place that allows it, of every kind. */
const EVERYWHERE = { open: '\n\t', colon: ' : ', comma: ' ,\r\n\t', close: '\n', outside: ' \n' };

/** The white space at this depth. */
function spaceOf(spellings: readonly Spelling[], depth: number) {
  if (spellings.includes('white-space')) return EVERYWHERE;
  if (!spellings.includes('indented')) return NO_SPACE;
  const line = `\n${'  '.repeat(depth)}`;
  return { open: `${line}  `, colon: ': ', comma: `,${line}  `, close: line, outside: '' };
}

export function spellJson(value: Json, spellings: readonly Spelling[]): string {
  const text = (content: string): string => spellText(content, spellings);
  const inOrder = (object: JsonObject): readonly (readonly [string, Json])[] => {
    const names = Object.keys(object);
    const sorted = spellings.includes('sorted-keys') ? names.toSorted() : names;
    const ordered = spellings.includes('key-order') ? sorted.toReversed() : sorted;
    return ordered.map((name) => [name, object[name] ?? null]);
  };
  const write = (part: Json, depth: number): string => {
    const space = spaceOf(spellings, depth);
    const list = (items: readonly string[], [open, close]: readonly [string, string]): string =>
      items.length === 0 ? open + close : `${open}${space.open}${items.join(space.comma)}${space.close}${close}`;
    const inside = (item: Json): string => write(item, depth + 1);
    if (typeof part === 'string') return text(part);
    if (Array.isArray(part)) return list((part as readonly Json[]).map(inside), ['[', ']']);
    if (!isObject(part)) return JSON.stringify(part);
    const members = inOrder(part).map(([name, member]) => `${text(name)}${space.colon}${inside(member)}`);
    return list(members, ['{', '}']);
  };
  const { outside } = spaceOf(spellings, 0);
  return `${outside}${write(value, 0)}${outside}`;
}

/** A raw number is a marked string, and keeps its mark. */
function spellText(content: string, spellings: readonly Spelling[]): string {
  const quoted = JSON.stringify(content);
  if (content.startsWith('${')) return quoted;
  const escaped = spellings.includes('escapes')
    ? quoted.replace(/^"([a-z])/i, (_, first: string) => `"${escapeUnit(first)}`)
    : quoted;
  const slashed = spellings.includes('escaped-slashes') ? escaped.replaceAll('/', '\\/') : escaped;
  return spellings.includes('surrogate-pairs') ? slashed.replaceAll(/[\u0080-\uffff]/g, escapeUnit) : slashed;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
