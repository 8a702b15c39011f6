/** Sorts the choices of a stream's chunks into the choices of the reply. */
import { isObject, type Json, typeOf } from '../../json.ts';

/**
 * What stood in a member: its type, and its text where it was a string. Values are not kept: what a hostile stream holds
 * takes up many times its size once it is built.
 */
export interface Member {
  readonly type: string;
  readonly text?: string;
}

/** A choice as one chunk has it. */
export interface ChoicePart {
  /** Number of the event, and when it came. */
  readonly event: number;
  readonly at: number;
  /** Place in the chunk's `choices`. */
  readonly position: number;
  /** Undefined where the choice has none, or one that is no integer. */
  readonly index: number | undefined;
  /** False where the choice has no delta, or one that is no object. */
  readonly hasDelta: boolean;
  /** Null in a delta counts as absent. */
  readonly role: Member | undefined;
  /** Undefined where the choice has no `finish_reason` at all. */
  readonly finish: Member | undefined;
  /** It has an `error` that is not null. */
  readonly hasError: boolean;
  /** What the model said: `delta.content`, or a refusal in its place. */
  readonly text: string;
  /** What it thought, under either of the names in use. */
  readonly reasoning: string;
}

/** Text as it came. Never empty. */
export interface Piece {
  readonly event: number;
  readonly at: number;
  readonly text: string;
}

export interface ChoiceReading {
  readonly index: number;
  readonly parts: readonly ChoicePart[];
  readonly text: readonly Piece[];
  readonly reasoning: readonly Piece[];
}

export interface ChoiceSorting {
  readonly choices: readonly ChoiceReading[];
  /** Parts whose index is not that of the choice they belong to: another than 0 where there is a single choice. */
  readonly misnumbered: readonly ChoicePart[];
}

/** Of one chunk. We never ask for a second choice; a thousand empty ones in each chunk would only cost memory. */
export const MOST_CHOICES = 16;

const TEXT_FIELDS = ['content', 'refusal'] as const;
const REASONING_FIELDS = ['reasoning_content', 'reasoning'] as const;

/** Own members only, so that `__proto__` and `constructor` find nothing. */
export function ownMember(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** What a member holds; undefined for one that is not there. */
export function memberSeen(value: Json | undefined): Member | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? { type: 'string', text: value } : { type: typeOf(value) };
}

/** Some gateways send a list of parts: a breach of its own, which must not count as silence too. */
function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  const texts = value.map((part: Json) => ownMember(part, 'text'));
  return texts.filter((text) => typeof text === 'string').join('');
}

/** The first of the fields that says something: where two names are in use at once, both have the same text. */
function firstText(delta: Json | undefined, fields: readonly string[]): string {
  for (const field of fields) {
    const text = textOf(ownMember(delta, field));
    if (text !== '') return text;
  }
  return '';
}

function partOf(choice: Json, event: number, at: number, position: number): ChoicePart {
  const delta = ownMember(choice, 'delta');
  const index = ownMember(choice, 'index');
  return {
    event,
    at,
    position,
    index: typeof index === 'number' && Number.isInteger(index) ? index : undefined,
    hasDelta: isObject(delta),
    role: memberSeen(ownMember(delta, 'role') ?? undefined),
    finish: memberSeen(ownMember(choice, 'finish_reason')),
    hasError: (ownMember(choice, 'error') ?? null) !== null,
    text: firstText(delta, TEXT_FIELDS),
    reasoning: firstText(delta, REASONING_FIELDS),
  };
}

export function partsOf(chunk: Json, event: number, at: number): readonly ChoicePart[] {
  const choices = ownMember(chunk, 'choices');
  if (!Array.isArray(choices)) return [];
  return choices
    .slice(0, MOST_CHOICES)
    .flatMap((choice: Json, position) => (isObject(choice) ? [partOf(choice, event, at, position)] : []));
}

/** Any finish reason but null and the empty text: a mistyped one is a breach, but it is there. */
export function endsChoice({ finish }: ChoicePart): boolean {
  return finish !== undefined && finish.type !== 'null' && finish.text !== '';
}

function choiceOf(index: number, parts: readonly ChoicePart[]): ChoiceReading {
  const pieces = (field: 'text' | 'reasoning'): readonly Piece[] =>
    parts.filter((part) => part[field] !== '').map((part) => ({ event: part.event, at: part.at, text: part[field] }));
  return { index, parts, text: pieces('text'), reasoning: pieces('reasoning') };
}

/**
 * Further choices are legal though none was asked for, and may come one in each chunk; yet there are gateways that count
 * tokens in `index`. A choice of its own comes to its own end, or at least begins with a role and goes on: a counted
 * token does neither, not even where a role stands in every delta.
 */
function isChoiceOfItsOwn(parts: readonly ChoicePart[]): boolean {
  return parts.some(endsChoice) || (parts.length > 1 && parts.some(({ role }) => role !== undefined));
}

export function sortChoices(parts: readonly ChoicePart[]): ChoiceSorting {
  const byIndex = new Map<number, ChoicePart[]>();
  for (const part of parts) {
    const index = part.index ?? part.position;
    const group = byIndex.get(index);
    if (group) group.push(part);
    else byIndex.set(index, [part]);
  }
  const groups = [...byIndex];
  if (groups.length > 1 && groups.every(([, group]) => isChoiceOfItsOwn(group))) {
    return { choices: groups.map(([index, group]) => choiceOf(index, group)), misnumbered: [] };
  }
  return {
    choices: parts.length === 0 ? [] : [choiceOf(0, parts)],
    misnumbered: parts.filter(({ index }) => index !== undefined && index !== 0),
  };
}
