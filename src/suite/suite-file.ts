/**
 * The shapes of `suites/*.yaml`. The schemas `suite` and `requests` are made from these types, with their comments. A type
 * with tags is exported: otherwise its tags are lost where `Partial` or the like is applied.
 */
import type { Level } from '../contract/contract.ts';
import type { Json } from '../json.ts';
import type { FillerUse, KeyUse, Prerequisite, Spelling } from './case.ts';

/**
 * @pattern ^[a-z0-9]+(-[a-z0-9]+)*$
 * @x-message a name in lower case, such as unknown-key
 */
export type Name = string;

/**
 * @pattern ^[a-z0-9-]+/[a-z0-9-]+(\[[^\]]+\])?$
 * @x-message the id of a case with its suite, such as chat/reply
 */
export type CaseId = string;

/**
 * @pattern ^(/.*)?$
 * @x-message a JSON pointer such as /temperature
 */
export type Pointer = string;

/** Not a `Record` in `Readonly`, from which the generator of the schema could not tell the form of the keys. */
export type ByPointer<Value> = { readonly [Key in Pointer]: Value };

/**
 * @pattern ^[A-Z]+$
 * @x-message a method in capitals, such as GET
 */
export type Method = string;

/**
 * @pattern ^/
 * @x-message a path below the base URL, such as /models
 */
export type RequestPath = string;

/**
 * @pattern ^(-?[0-9.eE+-]+|\$\{[^}]+\})$
 * @x-message a number as text, such as '1e400'
 */
export type NumberText = string;

/** @minLength 1 */
export type SuiteText = string;

/**
 * Requests that cases start from: suites/requests.yaml.
 *
 * @minProperties 1
 */
export type RequestFile = { readonly [Key in Name]: RequestEntry };

/** @title a request */
export interface RequestEntry {
  readonly method: Method;
  readonly path: RequestPath;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: Json;
  /** Text to send literally, instead of body. */
  readonly raw?: string;
  /** Request to use as the control for edits of this one. Default: this request. */
  readonly control?: SuiteText;
}

/**
 * A suite of cases: suites/*.yaml, and files given with --suite.
 *
 * @title a suite
 */
export interface SuiteFile {
  readonly suite: Name;
  readonly title: SuiteText;
  /**
   * Clauses of your own, which cases of this file judge.
   *
   * @minItems 1
   */
  readonly clauses?: readonly OwnClauseEntry[];
  /** @minItems 1 */
  readonly cases: readonly CaseEntry[];
}

/** @title a clause */
export interface OwnClauseEntry {
  /**
   * Never changes: reports, waivers and scripts name it.
   *
   * @pattern ^[a-z]+\.[a-z0-9]+(-[a-z0-9]+)*$
   * @x-message two lower-case names joined by a dot, such as house.request-id
   */
  readonly id: string;
  readonly level: Level;
  /** The statement, in a sentence. */
  readonly summary: SuiteText;
  /** Who is hurt where it is broken, and how, in a sentence. */
  readonly hurts?: SuiteText;
  /** The reason for the clause. */
  readonly why?: SuiteText;
}

/** The keys that change the request a case starts from. */
export interface EditKeys {
  /**
   * Values to set in the body, by JSON pointer.
   *
   * @minProperties 1
   */
  readonly set?: ByPointer<Json>;
  /**
   * Values to insert into the body, by JSON pointer; /messages/- appends.
   *
   * @minProperties 1
   */
  readonly add?: ByPointer<Json>;
  /** Field to remove from the body, as a JSON pointer. */
  readonly remove?: Pointer;
  /** The whole body, sent literally. An empty text sends no body. */
  readonly raw?: string;
  /**
   * Numbers to send exactly as written here.
   *
   * @minProperties 1
   */
  readonly rawNumber?: ByPointer<NumberText>;
  /**
   * Writes the same request in another way.
   *
   * @minItems 1
   * @uniqueItems true
   */
  readonly spelling?: readonly Spelling[];
  /**
   * Headers to send. null removes a header.
   *
   * @minProperties 1
   */
  readonly header?: Readonly<Record<string, string | null>>;
  readonly key?: KeyUse;
  readonly method?: Method;
  readonly path?: RequestPath;
  /** Query string, without the question mark. */
  readonly query?: SuiteText;
}

/** The keys that a case and its variations may have. */
interface SharedKeys extends EditKeys {
  /** A sentence that says what is sent and what should happen. ${label} is the label of an expanded case. */
  readonly title: SuiteText;
  /**
   * Request to send, which should be answered: a name from suites/requests.yaml or the id of an earlier case. It may be
   * edited in any number of places.
   */
  readonly request?: SuiteText;
  /**
   * Request to edit in exactly one place, instead of request. A refusal proves something only if the control is answered
   * in the same run.
   */
  readonly control?: SuiteText;
  /** Id of an earlier case. If that case was not answered, this case is inconclusive. */
  readonly basis?: SuiteText;
  /** Sent only if that case was not answered. If it was, its answer also counts for this case. */
  readonly coveredBy?: CaseId;
  /** Sent only if the stream of that case looks fake. The checks get both streams. */
  readonly confirm?: CaseId;
  /** Not sent if that case was answered. */
  readonly unlessAnswered?: CaseId;
  /** Not sent if that case was refused. That refusal also counts for this case, which asks for something worse. */
  readonly unlessRefused?: CaseId;
  /** Sent only if an answer to a request with an Origin allows that origin. */
  readonly ifReadable?: boolean;
  /**
   * Text in place of ${filler}: large is 2 MiB, larger is more, up to --largest-body, and context is more words than
   * --context-tokens.
   */
  readonly filler?: FillerUse;
  /** Sent after idle pauses, together with the list, on kept connections and on new ones. */
  readonly patient?: boolean;
  /** Sent once for each model of a sample from the list. */
  readonly sample?: boolean;
  /** Sent as often as --parallel says, all at once. */
  readonly parallel?: boolean;
  /** Sent after everything else. */
  readonly wave?: 'closing';
  /** Sent again until this status comes, at most this many times. */
  readonly repeat?: Repetition;
  /**
   * The case is skipped without these.
   *
   * @uniqueItems true
   */
  readonly needs?: readonly Prerequisite[];
  /** @minItems 1 */
  readonly expect: readonly ExpectEntry[];
}

/** @title a case */
export interface CaseEntry extends SharedKeys {
  /** Never changes: reports, waivers and scripts name it. */
  readonly id: Name;
  /**
   * Judges the exchanges of other cases: their ids, or *, lists, replies, completions or streams.
   *
   * @minItems 1
   */
  readonly over?: readonly SuiteText[];
  /** Also judges runs that --only or --suite limit to other cases, on what they send. */
  readonly always?: boolean;
  /**
   * Makes one case for each of these requests, with the request as control.
   *
   * @minItems 1
   */
  readonly for?: readonly SuiteText[];
  /**
   * Makes one case for each label, with these fields merged into the case.
   *
   * @minProperties 1
   */
  readonly each?: Readonly<Record<string, Variation>>;
}

/** @title a variation of a case */
export type Variation = Partial<SharedKeys>;

/** @title repeat */
export interface Repetition {
  /**
   * @asType integer
   * @minimum 100
   * @maximum 599
   */
  readonly until: number;
  /**
   * @asType integer
   * @minimum 1
   */
  readonly most: number;
}

/**
 * A clause and the check that judges it, or a schema alone, which covers all of its clauses. Other keys are options of
 * the check.
 *
 * @title an expectation
 */
export interface ExpectEntry {
  readonly clause?: SuiteText;
  readonly check?: NamedCheck;
  /**
   * @pattern ^(v1|wire)/[a-z-]+$
   * @x-message the name of a schema, such as v1/error
   */
  readonly schema?: string;
  /** Judges this expectation at a lower level than that of its clause. */
  readonly level?: Level;
  readonly [option: string]: Json | undefined;
}

/** A built-in check, or one of your own from the library, whose name has a slash. */
export type NamedCheck = string;
