/** Sorts the choices of a stream's chunks into the choices of the reply. */
import { hasErrorMember, isObject, type Json, memberOf, typeOf } from '../../json.ts';

/**
 * A member of a chunk: its type, and its text if it is a string. Other values are not kept, since those of a hostile
 * stream would take many times its size.
 */
export interface Member {
  readonly type: ReturnType<typeof typeOf>;
  readonly text?: string;
}

/** A choice in one chunk. */
export interface ChoicePart {
  /** Number and arrival time of the event. */
  readonly event: number;
  readonly at: number;
  /** Position in the chunk's `choices`. */
  readonly position: number;
  /** Undefined if it is missing or not an integer. */
  readonly index: number | undefined;
  /** False if the delta is missing or not an object. */
  readonly hasDelta: boolean;
  /** Null in a delta counts as absent. */
  readonly role: Member | undefined;
  /** Undefined if the choice has no `finish_reason`. */
  readonly finish: Member | undefined;
  /** It has an `error` that is not null. */
  readonly hasError: boolean;
  /** The text of the reply: `delta.content`, or a refusal instead. */
  readonly text: string;
  /** Reasoning, under either of its common names. */
  readonly reasoning: string;
}

/** A piece of text as it arrived. Never empty. */
export interface ReplyPiece {
  readonly event: number;
  readonly at: number;
  readonly text: string;
}

export interface ChoiceReading {
  readonly index: number;
  readonly parts: readonly ChoicePart[];
  readonly text: readonly ReplyPiece[];
  readonly reasoning: readonly ReplyPiece[];
}

/** The most choices of a chunk that are read. Runs never ask for a second one, and a thousand empty ones would cost memory. */
export const MAX_CHOICES = 16;

export const TEXT_FIELDS = ['content', 'refusal'] as const;
export const REASONING_FIELDS = ['reasoning_content', 'reasoning'] as const;

/** Undefined for a missing member. */
export function describeMember(value: Json | undefined): Member | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? { type: 'string', text: value } : { type: typeOf(value) };
}

/** Some gateways send a list of parts. That is a finding of its own, and must not also count as missing text. */
export function joinParts(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  const texts = value.map((part: Json) => memberOf(part, 'text'));
  return texts.filter((text) => typeof text === 'string').join('');
}

/** The first field with text: if both names are used, both have the same text. */
export function firstText(delta: Json | undefined, fields: readonly string[]): string {
  for (const field of fields) {
    const text = joinParts(memberOf(delta, field));
    if (text !== '') return text;
  }
  return '';
}

function partOf(choice: Json, event: number, at: number, position: number): ChoicePart {
  const delta = memberOf(choice, 'delta');
  const index = memberOf(choice, 'index');
  return {
    event,
    at,
    position,
    index: typeof index === 'number' && Number.isInteger(index) ? index : undefined,
    hasDelta: isObject(delta),
    role: describeMember(memberOf(delta, 'role') ?? undefined),
    finish: describeMember(memberOf(choice, 'finish_reason')),
    hasError: hasErrorMember(choice),
    text: firstText(delta, TEXT_FIELDS),
    reasoning: firstText(delta, REASONING_FIELDS),
  };
}

export function partsOf(chunk: Json | undefined, event: number, at: number): readonly ChoicePart[] {
  const choices = memberOf(chunk, 'choices');
  if (!Array.isArray(choices)) return [];
  return choices
    .slice(0, MAX_CHOICES)
    .flatMap((choice: Json, position) => (isObject(choice) ? [partOf(choice, event, at, position)] : []));
}

/** Text or reasoning. */
export function hasReplyText(choices: readonly ChoiceReading[]): boolean {
  return choices.some(({ text, reasoning }) => text.length + reasoning.length > 0);
}

/** Any finish_reason except null and an empty string. One of the wrong type is a finding, but present. */
export function endsChoice({ finish }: ChoicePart): boolean {
  return finish !== undefined && finish.type !== 'null' && finish.text !== '';
}

function choiceOf(index: number, parts: readonly ChoicePart[]): ChoiceReading {
  const pieces = (field: 'text' | 'reasoning'): readonly ReplyPiece[] =>
    parts.filter((part) => part[field] !== '').map((part) => ({ event: part.event, at: part.at, text: part[field] }));
  return { index, parts, text: pieces('text'), reasoning: pieces('reasoning') };
}

/**
 * More choices are legal although none was requested, and each may come in a chunk of its own; but some gateways count
 * tokens in `index`, or number the last chunks differently. Groups are choices if each has ended and has something to
 * say. A group that has not ended has to begin with a role; a later group without a role may just continue it. If the
 * role is repeated, it does not tell where a choice begins.
 */
function areChoices(groups: readonly (readonly ChoicePart[])[]): boolean {
  if (groups.length < 2) return false;
  const open = groups.filter((group) => !group.some(endsChoice));
  if (open.length === 0) return groups.every((group) => group.some(carriesReply));
  const roles = groups.flat().filter(({ role }) => role !== undefined).length;
  if (roles > groups.length) return false;
  const firstOpen = open.reduce((first, [part]) => Math.min(first, part?.event ?? first), Infinity);
  return groups.every((group) => {
    const end = group.find(endsChoice);
    if (end && end.event < firstOpen) return true;
    return group[0]?.role !== undefined && (end !== undefined || group.length > 1);
  });
}

function carriesReply({ role, text, reasoning }: ChoicePart): boolean {
  return role !== undefined || text !== '' || reasoning !== '';
}

/** `misnumbered`: parts with the wrong index, which is not 0 although there is a single choice. */
export function sortChoices(parts: readonly ChoicePart[]) {
  const byIndex = new Map<number, ChoicePart[]>();
  for (const part of parts) {
    const index = part.index ?? part.position;
    const group = byIndex.get(index);
    if (group) group.push(part);
    else byIndex.set(index, [part]);
  }
  const groups = [...byIndex];
  if (areChoices(groups.map(([, group]) => group))) {
    return { choices: groups.map(([index, group]) => choiceOf(index, group)), misnumbered: [] };
  }
  const misnumbered = parts.filter(({ index }) => index !== undefined && index !== 0);
  return { choices: parts.length === 0 ? [] : [choiceOf(0, parts)], misnumbered };
}
