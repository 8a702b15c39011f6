/** What a request has, in words of its kind: `temperature` is `between`, a text has `Hebrew`. Pairs of these are counted. */
import type { Contract, Range } from '../../contract/contract.ts';
import type { JsonObject } from '../../json.ts';
import { type DrawnRequest, fieldsOf, messagesIn, rolesIn, textsIn } from './drawn-request.ts';
import { mistakeIn } from './violations.ts';
import { TEXT_KINDS } from './texts.ts';
import { unknownKinds } from './unknown-fields.ts';

/** `group` is a field, or a part of the messages. A request may have several features of a group. */
export interface Feature {
  readonly group: string;
  readonly is: string;
}

export function featuresOf(request: DrawnRequest, contract: Contract): readonly Feature[] {
  const features: Feature[] = [];
  const add = (group: string, is: string): number => features.push({ group, is });
  const known = fieldsOf(contract);
  for (const [name, value] of Object.entries(request.body)) {
    if (name === 'model' || name === 'messages') continue;
    if (!known.has(name)) for (const is of unknownKinds(name, value)) add('unknown field', is);
    else if (typeof value === 'number') add(name, placeIn(value, contract.rules.limits[name] ?? {}));
    else add(name, JSON.stringify(value));
  }
  const spelled = Object.values(request.written).map((text) => (/e/i.test(text) ? 'exponent' : 'zeros'));
  for (const spelling of new Set(spelled)) add('number spelling', spelling);
  for (const spelling of request.spellings) add('spelling', spelling);
  if (request.raw !== undefined) add('mistake', String(mistakeIn(request)));
  const texts = textsIn(request).map((text) => text.replaceAll('${word}', ''));
  for (const [kind, pattern] of TEXT_KINDS) {
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
    Object.entries(message).flatMap(([name, value]) =>
      name === 'role' || name === 'content' ? [] : [{ index, kinds: unknownKinds(name, value) }],
    ),
  );
  const is = (test: boolean, group: string, name: string): readonly Feature[] => (test ? [{ group, is: name }] : []);
  return [
    { group: 'messages', is: sizeOf(size) },
    ...is(/^(system|assistant)/.test(roles), 'first role', roles.split(' ')[0] ?? ''),
    ...is(/(system|assistant)$/.test(roles), 'last role', roles.split(' ').at(-1) ?? ''),
    ...is(/(user|assistant) system/.test(roles), 'roles', 'late system'),
    ...is(/\b(\w+) \1 \1\b/.test(roles), 'roles', 'three in a row'),
    ...is(/\b(\w+) \1\b/.test(roles), 'roles', 'two in a row'),
    ...is(/system.* system/.test(roles), 'roles', 'two systems'),
    ...is(!roles.includes('user'), 'roles', 'no user'),
    ...is(/user assistant user/.test(roles), 'roles', 'turns'),
    ...is(new Set(textsIn(request)).size < textsIn(request).length, 'messages', 'the same text twice'),
    ...['role', 'content'].flatMap((name) => is(lacksOf(messages, name) !== '', `no ${name}`, lacksOf(messages, name))),
    ...is(
      unknown.length > 0,
      'unknown field in a message',
      unknown.every(({ index }) => index > 0) ? 'later' : 'first',
    ),
    ...unknown.flatMap(({ kinds }) => kinds.map((kind) => ({ group: 'unknown field in a message', is: kind }))),
  ];
}

const SIZES = [
  [1, '1'],
  [3, '2 to 3'],
  [6, '4 to 6'],
  [12, '7 to 12'],
] as const;

function sizeOf(count: number): string {
  if (count === 0) return 'none';
  return SIZES.find(([most]) => count <= most)?.[1] ?? 'more';
}

/** Which message lacks the field. */
function lacksOf(messages: readonly JsonObject[], name: string): string {
  const index = messages.findIndex((message) => !Object.hasOwn(message, name));
  if (index === -1) return '';
  return index < 2 ? (['first', 'second'][index] ?? '') : index === messages.length - 1 ? 'last' : 'later';
}

const COUNTS = [10, 16, 36, 64, 255, 999];

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
  if (Number.isInteger(value * 2)) return `at ${value}`;
  const fine = /\.\d{10}/.test(String(value)) ? ', very fine' : /\.\d{3}/.test(String(value)) ? ', fine' : '';
  return `${share < 0.1 ? 'near the minimum' : share > 0.9 ? 'near the maximum' : share < 0.5 ? 'low' : 'high'}${fine}`;
}

function distanceOf(distance: number): string {
  if (distance < 0.05) return 'a hair';
  if (distance === 1) return 'one';
  return distance < 100 ? 'a bit' : distance < 1e30 ? 'far' : 'very far';
}

/**
 * Pairs of features of different groups, each in one text: each of these with all others that `othersOf` gives. Many are
 * made, so that each costs little.
 */
export function pairsWith(
  features: readonly Feature[],
  othersOf: (feature: Feature) => readonly Feature[],
): readonly string[] {
  const pairs: string[] = [];
  for (const first of features) {
    const own = nameOfFeature(first);
    for (const second of othersOf(first)) {
      if (second.group === first.group) continue;
      const other = nameOfFeature(second);
      pairs.push(own < other ? `${own} + ${other}` : `${other} + ${own}`);
    }
  }
  return pairs;
}

export function nameOfFeature({ group, is }: Feature): string {
  return `${group}: ${is}`;
}

/** The clause, and which value or place breaks it. */
export function violationOf(clause: string, features: readonly Feature[]): Feature {
  const broken = features.filter(({ group, is }) => /^(no |mistake)/.test(group) || / (below|above)$/.test(is));
  return { group: 'violation', is: [clause, ...broken.map(({ is }) => is)].join(', ') };
}
