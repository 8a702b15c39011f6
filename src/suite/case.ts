/** A case of a suite, after `for` and `each` have been expanded. */
import type { Level } from '../contract/contract.ts';
import type { Json } from '../json.ts';
import type { Count } from '../scalars.ts';

export const EXTRA_KEYS = ['restricted', 'exhausted', 'limited', 'second', 'revoked', 'expired'] as const;
export type ExtraKey = (typeof EXTRA_KEYS)[number];

/** How a request is authorized. The first six are real keys; the rest are made up or derived from the full key. */
export const KEY_USES = [
  'full',
  ...EXTRA_KEYS,
  'none',
  'empty',
  'basic',
  'basic-plain',
  'token',
  'bare',
  'no-prefix',
  'unknown',
  'basic-unknown',
  'longer',
  'dashed',
  'shorter',
  'other-case',
  'other-end',
  'prefix-alone',
  'word-after',
  'word-before',
  'word-between',
  'lower-case-scheme',
  'x-api-key',
  'query',
] as const;
export type KeyUse = (typeof KEY_USES)[number];

/** As known afterwards: the tool that wrote a HAR file may have left the key out or masked it. */
export type SentKey = KeyUse | 'not-in-file';

export function isExtraKey(use: SentKey): use is ExtraKey {
  return (EXTRA_KEYS as readonly SentKey[]).includes(use);
}

/** A valid key, sent as the contract says: a 401 to it says nothing about the rest of the request. */
export function isValidKey(use: SentKey): boolean {
  return use === 'full' || (isExtraKey(use) && use !== 'revoked' && use !== 'expired');
}

/** What a case may need beyond a base URL and a key. Without it the case is skipped. */
export const PREREQUISITES = [
  'restricted-key',
  'exhausted-key',
  'limited-key',
  'second-key',
  'revoked-key',
  'expired-key',
  'forbidden-model',
  'openapi',
  'upstream-model',
  'fallback-model',
  'upstream-timeout',
  'parallel',
  'largest-body',
  'context-tokens',
  'patient',
  'counts',
] as const;
export type Prerequisite = (typeof PREREQUISITES)[number];

/**
 * Text in place of `${filler}`: `large` 2 MiB; `larger` from 4 MiB up to `--largest-body`, a request each; `context` more
 * words than `--context-tokens`.
 */
export const FILLER_USES = ['large', 'larger', 'context'] as const;
export type FillerUse = (typeof FILLER_USES)[number];

/**
 * Ways to write the same request: `key-order` the other way round, `escapes` of letters, `surrogate-pairs` for everything
 * beyond ASCII, header names in capitals; as languages do by default: `sorted-keys`, `indented`, `escaped-slashes`.
 */
export const SPELLINGS = [
  'key-order',
  'sorted-keys',
  'white-space',
  'indented',
  'escapes',
  'escaped-slashes',
  'surrogate-pairs',
  'header-names',
] as const;
export type Spelling = (typeof SPELLINGS)[number];

/** One change to a base request. Pointers refer to its JSON body. */
export type Edit =
  | { readonly kind: 'set'; readonly pointer: string; readonly value: Json }
  | { readonly kind: 'add'; readonly pointer: string; readonly value: Json }
  | { readonly kind: 'remove'; readonly pointer: string }
  /** A number as JSON text that JavaScript cannot represent, such as `1e400`. */
  | { readonly kind: 'rawNumber'; readonly pointer: string; readonly text: string }
  /** The whole body, verbatim; empty for no body. */
  | { readonly kind: 'raw'; readonly text: string }
  /** The same request, written in another way. */
  | { readonly kind: 'spelling'; readonly spellings: readonly Spelling[] }
  | { readonly kind: 'header'; readonly name: string; readonly value: string | null }
  | { readonly kind: 'key'; readonly use: KeyUse }
  | { readonly kind: 'method'; readonly method: string }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'query'; readonly query: string };

export type EditKind = Edit['kind'];

/** A named request that cases start from. Placeholders such as `${model}` are filled in when it is sent. */
export interface BaseRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** Instead of `body`: the text to send, verbatim. */
  readonly raw?: string;
  /** The control for edits of this request, if it is not the request itself. */
  readonly control?: string;
}

export type BaseRequests = ReadonlyMap<string, BaseRequest>;

export interface SourcePlace {
  readonly file: string;
  readonly line: Count;
}

/** A clause that a case judges, and the check that judges it. */
export interface Expectation {
  readonly clause: string;
  readonly check: string;
  readonly options: Readonly<Record<string, Json>>;
  /** Lower than that of the clause. Only suites of users have it: severity comes from the clause. */
  readonly level?: Level;
}

/** What cases of gateways, clients and relays have in common. Each subject adds what its own cases ask. */
export interface AnyCase {
  /** `suite/name`, or `suite/name[label]` if the case was expanded. Never changes. */
  readonly id: string;
  /** The suite of a gateway's case, or the area of a client's or a relay's: a row of tables. */
  readonly suite: string;
  readonly title: string;
  readonly source: SourcePlace;
  readonly expect: readonly Expectation[];
}

/** A case of a gateway. */
export interface Case extends AnyCase {
  /** Lines of the parts that are checked later, in the order of `ask.edits` and `expect`. */
  readonly lines?: Readonly<Record<'edits' | 'expect', readonly number[]>>;
  /** The request that the case sends; absent if it only looks at exchanges of other cases. */
  readonly ask?: Ask;
  /** The exchanges that the case looks at: case ids, or selections from the whole run. */
  readonly over: readonly string[];
  /** Also judges runs that --only or --suite limit to other cases, on what they send. */
  readonly always?: true;
  readonly needs: readonly Prerequisite[];
  /** The case means nothing by this contract, so it is not sent. */
  readonly pointless?: Pointless;
}

/** It is about a limit that there is not (`any`: neither of the two), or leaves out a field that is required. */
export type Pointless =
  | { readonly kind: 'limit-lifted'; readonly field: string; readonly bound: 'minimum' | 'maximum' | 'any' }
  | { readonly kind: 'field-required'; readonly field: string };

/** The place in the suite file of an edit or an expectation. */
export function placeIn(
  { source, lines }: Pick<Case, 'source' | 'lines'>,
  what: keyof NonNullable<Case['lines']>,
  index: number,
): SourcePlace {
  return { file: source.file, line: lines?.[what][index] ?? source.line };
}

/**
 * What `over` can name besides cases: every exchange, or every 200 to a list request, a plain chat request or a
 * streamed one. `completions` leaves out errors sent as 200, which would otherwise be found once per missing field.
 */
export const SELECTIONS = ['*', 'lists', 'replies', 'completions', 'streams'] as const;
export type Selection = (typeof SELECTIONS)[number];

export function isSelection(name: string): name is Selection {
  return (SELECTIONS as readonly string[]).includes(name);
}

export interface Ask {
  readonly base: BaseRequest;
  readonly edits: readonly Edit[];
  /** A base request or a case. A refusal proves something only if this was answered in the same run. */
  readonly control?: string;
  /** A case. If it was not answered, a missing answer to this one shows nothing new. */
  readonly basis?: string;
  /** A case. Its answer is used for this one, which is sent only if there is none. */
  readonly coveredBy?: string;
  /** A case. If it was answered, this one is not sent. */
  readonly unlessAnswered?: string;
  /** A case. Its refusal is used for this one, which is sent only if there is none. */
  readonly unlessRefused?: string;
  /** Send only if a page in a browser may read an answer of this run. */
  readonly ifReadable?: true;
  readonly filler?: FillerUse;
  /** Send after idle pauses, with the list, on kept connections and on new ones. */
  readonly patient?: true;
  /** Repeat until this status comes, at most `most` times. */
  readonly repeat?: { readonly until: number; readonly most: number };
  /** Send to each model of the sample, and again after a 403. */
  readonly sample: boolean;
  /** Send as many as `--parallel` says, all at once. */
  readonly parallel?: true;
  /** Send after everything else. */
  readonly closing: boolean;
  /** A case. Send only if its stream looks fake; the checks get both streams. */
  readonly confirms?: string;
}

export interface Suite {
  readonly name: string;
  readonly title: string;
  readonly cases: readonly Case[];
  /** Not named by the user: it has only cases that judge every run. */
  readonly added?: true;
}
