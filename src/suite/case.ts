/** A case as the suites state it, after `for` and `each` have been expanded. */
import type { Json } from '../json.ts';

/** How the Authorization of a request is made. The first four are keys that somebody was given; the rest are made from the full one or out of nothing. */
export const KEY_USES = [
  'full',
  'restricted',
  'exhausted',
  'limited',
  'none',
  'empty',
  'basic',
  'basic-plain',
  'token',
  'bare',
  'no-prefix',
  'unknown',
  'longer',
  'shorter',
  'lower-case-scheme',
  'x-api-key',
  'query',
] as const;
export type KeyUse = (typeof KEY_USES)[number];

export const EXTRA_KEYS = ['restricted', 'exhausted', 'limited'] as const;
export type ExtraKey = (typeof EXTRA_KEYS)[number];

export function isExtraKey(use: KeyUse): use is ExtraKey {
  return (EXTRA_KEYS as readonly KeyUse[]).includes(use);
}

/** A key that somebody was given, sent as the contract says: a 401 to it says nothing about the rest of a request. */
export function isValidKey(use: KeyUse): boolean {
  return use === 'full' || isExtraKey(use);
}

/** What a case needs beyond a base URL and a key: without it the case is skipped. */
export const PREREQUISITES = ['restricted-key', 'exhausted-key', 'limited-key', 'forbidden-model', 'openapi'] as const;
export type Prerequisite = (typeof PREREQUISITES)[number];

/** One change to a base request. Pointers go into its JSON body. */
export type Edit =
  | { readonly kind: 'set'; readonly pointer: string; readonly value: Json }
  | { readonly kind: 'add'; readonly pointer: string; readonly value: Json }
  | { readonly kind: 'remove'; readonly pointer: string }
  /** The number as written: JSON text that JavaScript could not hold, such as `1e400`. */
  | { readonly kind: 'rawNumber'; readonly pointer: string; readonly text: string }
  /** The whole body, to the letter; empty for no body at all. */
  | { readonly kind: 'raw'; readonly text: string }
  | { readonly kind: 'header'; readonly name: string; readonly value: string | null }
  | { readonly kind: 'key'; readonly use: KeyUse }
  | { readonly kind: 'method'; readonly method: string }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'query'; readonly query: string };

export type EditKind = Edit['kind'];

/** A named request that cases start from. Strings such as `${model}` are filled in when it is sent. */
export interface BaseRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** In place of `body`: the text to send, to the letter. */
  readonly raw?: string;
  /** The request that stands as control for edits of this one, where it is not this one itself. */
  readonly control?: string;
}

export interface SourcePlace {
  readonly file: string;
  readonly line: number;
}

/** One clause that one case judges, and the check that does it. */
export interface Expectation {
  readonly clause: string;
  readonly check: string;
  readonly options: Readonly<Record<string, Json>>;
}

export interface Case {
  /** `suite/name`, or `suite/name[label]` where the case was expanded. For ever. */
  readonly id: string;
  readonly suite: string;
  readonly title: string;
  readonly source: SourcePlace;
  /** Lines of what can be found wrong only later, in the order of `ask.edits`, `expect` and `over`. */
  readonly lines?: Readonly<Record<'edits' | 'expect' | 'over', readonly number[]>>;
  /** The exchange that the case asks for; absent for a case that only looks at the exchanges of others. */
  readonly ask?: Ask;
  /** For a case that looks at the exchanges of others: ids of cases, or a selection of all exchanges of the run. */
  readonly over: readonly string[];
  readonly needs: readonly Prerequisite[];
  readonly expect: readonly Expectation[];
}

/** Where an edit or an expectation of a case stands, or what it looks over. */
export function placeIn(
  { source, lines }: Pick<Case, 'source' | 'lines'>,
  what: keyof NonNullable<Case['lines']>,
  index: number,
): SourcePlace {
  return { file: source.file, line: lines?.[what][index] ?? source.line };
}

/**
 * What `over` can name besides cases: everything; every 200 to a list, to a plain chat request, to a streamed one;
 * every reply that is a completion at all, so that an error dressed as one is found once and not field by field.
 */
export const SELECTIONS = ['*', 'lists', 'replies', 'completions', 'streams'] as const;
export type Selection = (typeof SELECTIONS)[number];

export interface Ask {
  readonly base: BaseRequest;
  readonly edits: readonly Edit[];
  /** A refusal proves something only if this was answered in the same run: the name of a base request, or the id of a case. */
  readonly control?: string;
  /** For a case that has to be answered: where that case was not, this one shows nothing of its own. */
  readonly basis?: string;
  /** Ask only if that case was not answered; if it was, its answer stands for this one. */
  readonly coveredBy?: string;
  /** Ask again until this status comes, at most so many times. */
  readonly repeat?: { readonly until: number; readonly most: number };
  /** Ask a sample of the listed models in turn, and once more after a 403. */
  readonly sample: boolean;
  /** Ask when everything else is done. */
  readonly closing: boolean;
  /** Ask only if the stream of that case looks fake; the checks get both. */
  readonly confirms?: string;
}

export interface Suite {
  readonly name: string;
  readonly title: string;
  readonly cases: readonly Case[];
}
