/** A profile: v1 with changes, by name. The first part is the file as people write it, the second part what is read from it. */
import type { Json } from '../../json.ts';
import type { PositiveInteger, Sha256 } from '../../scalars.ts';
import type { ContractSuite, Level } from '../contract.ts';

/**
 * The contract of one service: v1 with changes, each with its reason. Used by --profile FILE.
 *
 * @title a profile
 */
export interface ProfileFile {
  readonly profile: ProfileName;
  readonly version: ProfileVersion;
  readonly basedOn: 'v1';
  /**
   * What the profile is for, in a sentence.
   *
   * @minLength 1
   */
  readonly about?: string;
  /**
   * Suite file with the cases for clauses of your own, relative to this file.
   *
   * @minLength 1
   */
  readonly suite?: string;
  /** @minItems 1 */
  readonly changes: readonly ChangeEntry[];
}

/**
 * @pattern ^[a-z0-9]+(-[a-z0-9]+)*$
 * @maxLength 60
 * @x-message a name in lower case, such as acme-gateway
 */
export type ProfileName = string;

/**
 * @pattern ^[0-9A-Za-z][0-9A-Za-z.+-]{0,29}$
 * @x-message a version in quotes, such as "3"
 */
export type ProfileVersion = string;

/**
 * One change. It has exactly one of clause, limit, required, field and add.
 *
 * @title a change
 */
export interface ChangeEntry {
  /**
   * Id of a clause whose level changes, or of a clause of your own.
   *
   * @minLength 1
   */
  readonly clause?: string;
  readonly level?: Level;
  /**
   * The statement of a clause of your own, in a sentence.
   *
   * @minLength 1
   */
  readonly summary?: string;
  /**
   * Who is hurt where a clause of your own is broken, and how, in a sentence.
   *
   * @minLength 1
   */
  readonly hurts?: string;
  /**
   * Parameter whose limits change: max_tokens, temperature or top_p.
   *
   * @minLength 1
   */
  readonly limit?: string;
  /** The least value that is answered; none lifts the limit. */
  readonly min?: ChangedBound;
  /** The largest value that is answered; none lifts the limit. */
  readonly max?: ChangedBound;
  /**
   * Parameter that every request has to have.
   *
   * @minLength 1
   */
  readonly required?: string;
  /**
   * Field of an answer whose types change, such as error.code.
   *
   * @minLength 1
   */
  readonly field?: string;
  /**
   * Types that the field may have.
   *
   * @minItems 1
   * @uniqueItems true
   */
  readonly types?: readonly TypeName[];
  /**
   * Fields to send with every chat request, by JSON pointer.
   *
   * @minProperties 1
   */
  readonly add?: AddedFields;
  /**
   * The reason for the change.
   *
   * @minLength 1
   */
  readonly why: string;
}

/** @x-message the name of a type in quotes, such as "string" or "null" */
export type TypeName = string;

/** @x-message a number or none */
export type ChangedBound = number | Lifted;

/**
 * @pattern ^none$
 * @x-message a number or none
 */
export type Lifted = string;

/**
 * @pattern ^/[^/]
 * @x-message a JSON pointer such as /metadata
 */
export type AddedPointer = string;

export type AddedFields = { readonly [Key in AddedPointer]: Json };

/** What a profile changes. `null` for a limit that is lifted. */
export type ProfileChange = { readonly line?: PositiveInteger; readonly why?: string } & (
  | { readonly kind: 'level'; readonly clause: string; readonly level: Level }
  | {
      readonly kind: 'clause';
      readonly clause: string;
      readonly level: Level;
      readonly summary: string;
      /** Who is hurt where it is broken, and how. */
      readonly hurts?: string;
    }
  | { readonly kind: 'limit'; readonly field: string; readonly min?: number | null; readonly max?: number | null }
  | { readonly kind: 'required'; readonly field: string }
  | { readonly kind: 'field'; readonly field: string; readonly types: readonly string[] }
  | { readonly kind: 'add'; readonly fields: Readonly<Record<string, Json>> }
);

export type ChangeOf<Kind extends ProfileChange['kind']> = Extract<ProfileChange, { readonly kind: Kind }>;

/** A profile that was read. Plain data: recordings keep it, so that they can be judged again. */
export interface Profile {
  /** Absent for changed levels of a config file, and for clauses of suites. */
  readonly name?: string;
  readonly version?: string;
  readonly about?: string;
  /** The file, as the user named it. */
  readonly file?: string;
  /** Kept whole, so that a recording can be judged without the file. */
  readonly suite?: ContractSuite;
  readonly changes: readonly ProfileChange[];
  /** SHA-256 over the canonical JSON of the profile and its suite. */
  readonly digest: Sha256;
}

export function changesOf<Kind extends ProfileChange['kind']>(
  { changes }: Pick<Profile, 'changes'>,
  kind: Kind,
): readonly ChangeOf<Kind>[] {
  return changes.filter((change): change is ChangeOf<Kind> => change.kind === kind);
}
