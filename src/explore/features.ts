/** What a request has, in words of its kind: `temperature` is `between`, a text has `Hebrew`. Pairs of these are counted. */
import type { Contract, Range } from '../contract/contract.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { type DrawnRequest, messagesIn, rolesIn, textsIn } from './drawn-request.ts';
import { fieldsOf } from './request-schema.ts';

/** `group` is a field, or a part of the messages. A request may have several features of a group. */
export interface Feature {
  readonly group: string;
  readonly is: string;
}

const TEXT_KINDS: Readonly<Record<string, RegExp>> = {
  Latin: /[\u00C0-\u024F]/,
  Greek: /\p{Script=Greek}/u,
  Cyrillic: /\p{Script=Cyrillic}/u,
  Armenian: /\p{Script=Armenian}/u,
  Hebrew: /\p{Script=Hebrew}/u,
  Arabic: /\p{Script=Arabic}/u,
  Devanagari: /\p{Script=Devanagari}/u,
  Bengali: /\p{Script=Bengali}/u,
  Tamil: /\p{Script=Tamil}/u,
  Thai: /\p{Script=Thai}/u,
  Georgian: /\p{Script=Georgian}/u,
  Ethiopic: /\p{Script=Ethiopic}/u,
  kana: /\p{Script=Hiragana}/u,
  Han: /[\u4E00-\u9FFF]/,
  Hangul: /\p{Script=Hangul}/u,
  emoji: /\p{Extended_Pictographic}|\p{Regional_Indicator}/u,
  astral: /[\u{10000}-\u{1EFFF}\u{20000}-\u{3FFFF}]/u,
  combining: /[\u0300-\u036F]/,
  joiner: /\u200C|\u200D|\u2060/,
  direction: /[\u200E\u200F\u2066-\u2069]/,
  'odd space': /[\u00A0\u2003\u3000\u00AD]/,
  quote: /["'`]/,
  backslash: /\\/,
  escape: /\\u|\\n|\\"/,
  markup: /<[a-z!/]|&\w+;/,
  'closing tag': /<\//,
  JSON: /[{[]["\d\]}]/,
  'JSON first': /^[{[]/,
  percent: /%/,
  symbol: /[$#&~^|*@=;]/,
  framing: /data:|HTTP\/|<\|/,
  'line break': /\n/,
  'leading space': /^\s/,
  'trailing space': /\s$/,
  long: /^[^]{300}/,
  'very long': /^[^]{701}/,
};

export function featuresOf(request: DrawnRequest, contract: Contract): readonly Feature[] {
  const features: Feature[] = [];
  const add = (group: string, is: string): number => features.push({ group, is });
  const known = fieldsOf(contract);
  for (const [name, value] of Object.entries(request.body)) {
    if (name === 'model' || name === 'messages') continue;
    if (!known.has(name)) add('unknown field', nestingOf(value));
    else if (typeof value === 'number') add(name, placeIn(value, contract.rules.limits[name] ?? {}));
    else add(name, JSON.stringify(value));
  }
  for (const text of new Set(Object.values(request.written).map(spellingOf))) add('number spelling', text);
  for (const spelling of request.spellings) add('spelling', spelling);
  const texts = textsIn(request).map((text) => text.replaceAll('${word}', ''));
  for (const [kind, pattern] of Object.entries(TEXT_KINDS)) {
    if (texts.some((text) => pattern.test(text))) add('text', kind);
  }
  for (const each of messageFeatures(request)) features.push(each);
  return features;
}

function messageFeatures(request: DrawnRequest): readonly Feature[] {
  const messages = messagesIn(request);
  const roles = rolesIn(request);
  const size = messages.length;
  const unknown = messages.flatMap((message, index) =>
    Object.keys(message).some((name) => name !== 'role' && name !== 'content') ? [index] : [],
  );
  const is = (test: boolean, group: string, name: string): readonly Feature[] => (test ? [{ group, is: name }] : []);
  return [
    { group: 'messages', is: size < 2 ? String(size) : size < 4 ? '2 to 3' : size < 7 ? '4 to 6' : '7 or more' },
    ...is(/^(system|assistant)/.test(roles), 'first role', roles.split(' ')[0] ?? ''),
    ...is(/(system|assistant)$/.test(roles), 'last role', roles.split(' ').at(-1) ?? ''),
    ...is(/(user|assistant) system/.test(roles), 'roles', 'late system'),
    ...is(/\b(\w+) \1 \1\b/.test(roles), 'roles', 'three in a row'),
    ...is(/\b(\w+) \1\b/.test(roles), 'roles', 'two in a row'),
    ...['role', 'content'].flatMap((name) => is(lacksOf(messages, name) !== '', `no ${name}`, lacksOf(messages, name))),
    ...is(unknown.length > 0, 'unknown field in a message', unknown.every((index) => index > 0) ? 'later' : 'first'),
  ];
}

/** Which message lacks the field. */
function lacksOf(messages: readonly JsonObject[], name: string): string {
  const index = messages.findIndex((message) => !Object.hasOwn(message, name));
  if (index === -1) return '';
  return index < 2 ? (['first', 'second'][index] ?? '') : index === messages.length - 1 ? 'last' : 'later';
}

const COUNTS = [10, 36, 64, 255];

/** Tokens are counted, so the classes of integers grow. */
function placeIn(value: number, { minimum = -Infinity, maximum = Infinity }: Range): string {
  if (value === minimum) return 'at the minimum';
  if (value === maximum) return 'at the maximum';
  if (value < minimum) return `${distanceOf(minimum - value)} below`;
  if (value > maximum) return `${distanceOf(value - maximum)} above`;
  if (!Number.isFinite(maximum - minimum)) {
    const most = COUNTS.find((count) => value <= count);
    return most === undefined ? 'more' : `up to ${most}`;
  }
  const share = (value - minimum) / (maximum - minimum);
  const fine = /\.\d{3}/.test(String(value)) ? ', fine' : '';
  return `${share < 0.1 ? 'near the minimum' : share > 0.9 ? 'near the maximum' : share < 0.5 ? 'low' : 'high'}${fine}`;
}

function distanceOf(distance: number): string {
  return distance < 0.05 ? 'a hair' : distance < 100 ? 'a bit' : 'far';
}

function spellingOf(text: string): string {
  return /e/i.test(text) ? 'exponent' : 'zeros';
}

function nestingOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value) || isObject(value)) return depthOf(value) > 2 ? 'deep' : 'nested';
  return 'flat';
}

function depthOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value as JsonObject).map(depthOf));
}

/** Two features of different groups, in one text. */
export function pairsOf(features: readonly Feature[]): readonly string[] {
  return features.flatMap((first, index) =>
    features
      .slice(index + 1)
      .filter(({ group }) => group !== first.group)
      .map((second) =>
        [first, second]
          .map(({ group, is }) => `${group}: ${is}`)
          .toSorted()
          .join(' + '),
      ),
  );
}
