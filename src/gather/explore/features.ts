/** What a request has: draws lean to features, and pairs of them, that were not drawn yet. */
import type { Contract, Range } from '../../contract/contract.ts';
import type { JsonObject } from '../../json.ts';
import { fieldsOf } from './request-schema.ts';
import { type DrawnRequest, messagesIn, rolesIn, textsIn } from './drawn-request.ts';
import { unknownKinds } from './requests.ts';
import { TEXT_KINDS } from './texts.ts';

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
  if (request.mistake !== undefined) add('mistake', String(request.mistake));
  const texts = textsIn(request).map((text) => text.replaceAll('${word}', ''));
  for (const [kind, pattern] of TEXT_KINDS) {
    if (texts.some((text) => pattern.test(text))) add('text', kind);
  }
  for (const each of messageFeatures(request)) features.push(each);
  return features;
}

export const nameOfFeature = ({ group, is }: Feature): string => `${group}: ${is}`;

export const featureNames = (request: DrawnRequest, contract: Contract): readonly string[] =>
  featuresOf(request, contract).map(nameOfFeature);

function messageFeatures(request: DrawnRequest): readonly Feature[] {
  const messages = messagesIn(request);
  const roles = rolesIn(request);
  const unknown = messages.flatMap((message, index) =>
    Object.entries(message).flatMap(([name, value]) =>
      name === 'role' || name === 'content' ? [] : [{ index, kinds: unknownKinds(name, value) }],
    ),
  );
  const is = (test: boolean, group: string, name: string): readonly Feature[] => (test ? [{ group, is: name }] : []);
  return [
    { group: 'messages', is: upTo(messages.length, SIZES) },
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

const SIZES = [0, 1, 3, 6, 12, Infinity];

const upTo = (count: number, limits: readonly number[]): string => `up to ${limits.find((most) => count <= most)}`;

/** Which message lacks the field. */
function lacksOf(messages: readonly JsonObject[], name: string): string {
  const index = messages.findIndex((message) => !Object.hasOwn(message, name));
  if (index === -1) return '';
  return index < 2 ? (['first', 'second'][index] ?? '') : index === messages.length - 1 ? 'last' : 'later';
}

const COUNTS = [10, 16, 36, 64, 255, 999, Infinity];

/** Tokens are counted, so the classes of integers grow. */
function placeIn(value: number, { minimum = -Infinity, maximum = Infinity }: Range): string {
  if (value === minimum) return 'at the minimum';
  if (value === maximum) return 'at the maximum';
  if (value < minimum) return `${distanceOf(minimum - value)} below`;
  if (value > maximum) return `${distanceOf(value - maximum)} above`;
  if (!Number.isFinite(maximum - minimum)) return upTo(value, COUNTS);
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

/** The clause, and which value or place breaks it. */
export function violationOf(clause: string, features: readonly Feature[]): Feature {
  const broken = features.filter(({ group, is }) => /^(no |mistake)/.test(group) || / (below|above)$/.test(is));
  return { group: 'violation', is: [clause, ...broken.map(({ is }) => is)].join(', ') };
}
