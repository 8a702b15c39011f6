/** The one value that every format is rendered from. Plain JSON; `schemas/files/report.schema.json` is made from these types. */
import type { Clause, Explanation, Level, Sentence, Subject } from '../contract/contract.ts';
import type { Effect, MismatchKind } from '../contract/stock-clients.ts';
import type { Ending } from '../exchange/ending.ts';
import type { Notice } from '../exchange/notice.ts';
import type { RunExit } from '../exit-codes.ts';
import type { Cost } from '../plan/plan.ts';
import type {
  Count,
  Day,
  Duration,
  HttpVersion,
  Integer,
  PositiveInteger,
  SemanticVersion,
  Sha256,
  Timestamp,
} from '../scalars.ts';
import type { DescribedSettings } from '../settings/setting-flags.ts';
import type { AnyCase, Edit } from '../suite/case.ts';
import type { Observation, ObservedItem } from '../verdict/observation.ts';
import type { CountedAnswers, Finding, Verdict, VerdictName } from '../verdict/verdict.ts';
import type { BaselineReport, Excuse, SinceBaseline, WaiversReport } from './excuses/excuse-report.ts';
import type { ExploreReport } from './explore-report.ts';
import type { LoadReport, RepeatNeeds } from './load-report.ts';
import type { ProfileReport } from './profile-report.ts';
import type {
  Answer,
  Attempt,
  BodyEnd,
  Exchange,
  Failure,
  NetworkRead,
  SentRequest,
  StreamEnd,
} from '../exchange/exchange.ts';
import type { Identity } from '../exchange/identity.ts';
import type { ServerEvent } from '../exchange/reading/event-stream.ts';
import type { Quote } from '../text/quote.ts';

export type Counts = Readonly<Record<VerdictName, Count>>;

export const OUTCOMES = [
  'conforms',
  'conforms-in-part',
  'conforms-but-waived',
  'no-new-violations',
  'unused-waivers',
  'does-not-conform',
  'not-judged',
] as const;
export type OutcomeName = (typeof OUTCOMES)[number];

export interface Outcome {
  readonly name: OutcomeName;
  readonly exit: RunExit;
  /** The verdict in one sentence, as every format shows it. Absent in older reports of the library. */
  readonly line?: string;
  /**
   * The numbers of the sentence: all must clauses, with those that need an extra key or a setting, and how many of them
   * were judged. Absent in older reports of the library.
   */
  readonly mustClausesInLine?: Count;
  readonly mustJudgedInLine?: Count;
  /**
   * Must clauses that a run needs nothing but its key for, and how many of them were judged. They decide the name. A
   * clause is judged if it is broken, or if no case that asked for it was inconclusive.
   */
  readonly mustClauses: Count;
  readonly mustJudged: Count;
  /**
   * How many of the others were asked for, and no answer could have broken them, such as the type of a field that no answer
   * has. They do not take CONFORMS away. Absent in older reports.
   */
  readonly mustIdle?: Count;
  /** The expectation whose reason explains most, if something that counts is inconclusive. */
  readonly undecided?: { readonly case: string; readonly clause: string };
  /** The N of `--detect 1/N`, and the clauses with too few answers to see a fault that rare. */
  readonly detect?: {
    /**
     * @asType integer
     * @minimum 2
     */
    readonly oneIn: number;
    readonly short: readonly string[];
  };
}

export interface CaseReport extends Omit<AnyCase, 'expect'> {
  readonly verdict: VerdictName;
  readonly flaky: boolean;
  /** The base request, if the case sends one; then its edits and its control. */
  readonly base?: string;
  readonly control?: string;
  readonly edits: readonly Edit[];
  /** Exchange that answered the case, if there was one. */
  readonly exchange?: string;
  /** A command to paste; keys appear as variables. */
  readonly repeat?: string;
  /** What that command needs or takes. */
  readonly repeatNeeds?: RepeatNeeds;
  /** What came of the scenario of a client. */
  readonly client?: ClientEvidence;
  /** What happened at both ends in the case of a relay. */
  readonly relay?: RelayEvidence;
  /** It was not chosen, and judged only what the chosen cases sent. */
  readonly partial?: true;
  readonly expectations: readonly ExpectationReport[];
}

export interface ExpectationReport extends Omit<Verdict, 'case' | 'findings'> {
  readonly findings: readonly FindingReport[];
  /** Broken, but does not count: every finding is waived or already in the baseline. */
  readonly excused?: Excuse;
}

export interface FindingReport extends Finding {
  readonly fingerprint: string;
  /** Number of the waiver that excuses it, in the report's list, from 1. */
  readonly waiver?: PositiveInteger;
  readonly since?: SinceBaseline;
}

/** One root cause, as every format shows it: its finding with the plainest request, and all cases that show it. */
export interface CauseReport {
  readonly verdict: 'fail' | 'warn';
  /** It does not count. */
  readonly excused?: Excuse;
  readonly clause: string;
  readonly level: Level;
  /** What the clause asks. */
  readonly requirement: string;
  readonly expected?: string;
  readonly actual?: string;
  /** Other forms of the same fault, with the number of answers of each. */
  readonly also?: string;
  /** A command to paste; keys appear as variables. */
  readonly repeat?: string;
  /** The case of that finding comes first. */
  readonly cases: readonly string[];
  readonly fingerprints: readonly string[];
  /** Answers that show it, of those that `cases` judged. For most clauses of a relay, these are not all answers. */
  readonly answers: Count;
  /** How many answers broke the clause, of how many, if the same request sometimes kept it. */
  readonly intermittent?: CountedAnswers;
  /** The same counts if other answers kept the clause, each to another request. */
  readonly share?: CountedAnswers;
}

/** Stock clients and a kind of mismatch. */
export interface AffectedClients extends MismatchKind {
  /** The clients, with their versions. In older reports, those that are not affected have none. */
  readonly affected: readonly { readonly client: string; readonly effect: Effect }[];
  readonly unaffected: readonly string[];
  /** Those that are affected by some answers of the kind only. */
  readonly depending?: readonly string[];
}

export interface AffectedReport {
  /** The day of the measurement. */
  readonly measured: Day;
  readonly mismatches: readonly AffectedClients[];
}

export interface ReplacedAttempts {
  readonly attempts: Count;
  readonly replaced: Count;
  /**
   * Why they were replaced: by status, or by why there was no answer.
   *
   * @propertyNames {"anyOf": [{"pattern": "^[0-9]{3}$"}, {"$ref": "#/definitions/NoAnswer"}]}
   */
  readonly causes: Readonly<Record<string, PositiveInteger>>;
}

/** How many answers a verdict rests on. */
export interface Sureness {
  readonly answers: Count;
  /** Kinds of request that test the clause, each on its own. */
  readonly edits: PositiveInteger;
  /** Answers to the kind that was asked least. */
  readonly fewest: Count;
  /**
   * The smallest share of faulty answers to that kind of which one would have been seen, with 95 % confidence.
   *
   * @minimum 0
   * @maximum 1
   */
  readonly rate: number;
}

export interface ClauseReport extends Omit<Clause, 'tally'> {
  /** The contract's own level, where the user changed it. */
  readonly levelWas?: Level | 'none';
  /** Absent if no case of this run covers it. */
  readonly verdict?: VerdictName;
  /** Absent if it concerns the run as a whole, or was not judged. */
  readonly sureness?: Sureness;
  readonly cases: readonly string[];
  /** How the clause is read, if it is broken in at least one case. */
  readonly explanation?: Explanation;
}

/** Sentences of one part of the contract, or rows of one of its tables. */
export interface ContractPart extends Omit<Sentence, 'text'> {
  readonly sentences: readonly { readonly text: string; readonly clauses: readonly Count[] }[];
}

export type ObservationReport = Observation & { readonly clause: string; readonly case: string };

/** Tolerance in both directions: what the target ignores in requests, and what it adds to answers. */
export interface ToleranceReport {
  readonly unknownRequestFields: { readonly asked: Count; readonly ignored: Count };
  /** Absent if no case of the run looked for them. */
  readonly unknownAnswerFields?: readonly ObservedItem[];
}

/** Milliseconds. The first four: from the start of a run to its last answer. */
export interface TimeReport {
  readonly wall: Duration;
  /** While at least one request was under way, and before the first one, for `--wait-for`. */
  readonly target: Duration;
  /** Idle on purpose: for `--rate`, before a retry, or slowed down after a 429 or 503. */
  readonly pauses: Duration;
  /** The rest: the checker's own time. Absent for a HAR file, whose rest is the time of somebody else's client. */
  readonly checker?: Duration;
  /** The exchanges that took longest, all attempts included. */
  readonly slowest: readonly { readonly exchange: string; readonly time: Duration }[];
}

/** What `--product`, `--product-version` and `--contact` name. */
export interface Product {
  /**
   * @pattern \S
   * @maxLength 200
   */
  readonly name?: string;
  /**
   * @pattern \S
   * @maxLength 100
   */
  readonly version?: string;
  /**
   * @pattern \S
   * @maxLength 200
   */
  readonly contact?: string;
}

/**
 * A report, as the json format writes it.
 *
 * @title a report
 */
export interface Report {
  readonly format: 'wirecheck-report';
  readonly version: 2;
  /** The edition of the tests, such as `2026.1`; `2026.1-draft` until it is cut. Absent in reports of 0.2.0. */
  readonly edition?: string;
  /** SHA-256 over what the edition covers: ids, levels, requests, expectations, schemas, numbers of readings. */
  readonly editionDigest?: Sha256;
  /** SHA-256 over the recording of the run, uncompressed. Absent if none was made. */
  readonly recordingDigest?: Sha256;
  /** SHA-256 over the canonical JSON (RFC 8785) of this report without this member. Absent in reports of a library. */
  readonly reportDigest?: Sha256;
  /** The title for the reader, by `--title`; `--note` adds a note. */
  readonly title?: string;
  readonly note?: string;
  /** What was tested, as whoever ran the test says. Nothing proves it. */
  readonly product?: Product;
  /** Absent for a gateway's front. */
  readonly subject?: Subject;
  readonly tool: { readonly name: 'wirecheck'; readonly version: SemanticVersion };
  readonly provenance: {
    /** SHA-256 over clauses, schemas and suites. */
    readonly contractHash: Sha256;
    readonly node: string;
    readonly platform: string;
    readonly seed: number;
    readonly startedAt: Timestamp;
    readonly endedAt: Timestamp;
    readonly settings: DescribedSettings;
    /** The versions of HTTP that the verdicts hold for, such as 1.1: those of the answers. */
    readonly httpVersions?: readonly HttpVersion[];
    /** Milliseconds that the target's clock is ahead of ours. */
    readonly clockSkew?: number;
  };
  readonly target: {
    /** Where several targets are checked: the name in the file that lists them. */
    readonly name?: string;
    /** The base URL; for a client, the address of the first scenario. */
    readonly baseUrl: string;
    readonly model?: string;
    readonly client?: { readonly name: string; readonly command: readonly string[]; readonly version?: string };
    readonly upstream?: { readonly url: string };
  };
  /** Absent if the run was judged by v1 as it is. */
  readonly profile?: ProfileReport;
  readonly strict: boolean;
  readonly ending: Ending;
  readonly outcome: Outcome;
  /** What failed and what warns, the worst first. Absent in older reports of the library. */
  readonly causes?: readonly CauseReport[];
  readonly notices: readonly Notice[];
  readonly counts: { readonly cases: Counts; readonly clauses: Counts; readonly expectations: Counts };
  readonly areas: readonly { readonly area: string; readonly cases: Counts }[];
  readonly cost: { readonly used: Cost; readonly least: Cost; readonly most: Cost };
  /** The retries at a gateway's front. */
  readonly retries?: ReplacedAttempts;
  /** Absent if exchanges are missing. */
  readonly time?: TimeReport;
  readonly tolerance: ToleranceReport;
  /** What `wirecheck load` found. */
  readonly load?: LoadReport;
  /** What `wirecheck explore` found. */
  readonly explore?: ExploreReport;
  readonly cases: readonly CaseReport[];
  readonly clauses: readonly ClauseReport[];
  /** The words of v1, with the clauses that they state or imply: places in `clauses`. Absent in older reports. */
  readonly contract?: readonly ContractPart[];
  readonly observations: readonly ObservationReport[];
  readonly exchanges: readonly ExchangeReport[];
  /** What stock clients make of the findings; absent if no such mismatch was measured. */
  readonly affected?: AffectedReport;
  /** Where a waiver file was given. */
  readonly waivers?: WaiversReport;
  /** Where a baseline was given. */
  readonly baseline?: BaselineReport;
}

// What the report has of a case of a relay.

/** Its exchanges at both ends, in order. */
export interface RelayEvidence {
  readonly front: readonly string[];
  readonly upstream: readonly string[];
  /** Chat calls without a word of the run that the upstream refused meanwhile, if it got no call of a question. */
  readonly wordless?: PositiveInteger;
}

// A request and its answers, as a report keeps them.

export interface StreamEvent extends Pick<ServerEvent, 'at' | 'event' | 'data'> {
  /** It has text of the reply, or reasoning. */
  readonly hasText?: true;
}

export interface AttemptReport extends Pick<Attempt, 'sentAt' | 'pause' | 'secretsSeen'> {
  readonly failure?: Failure;
  readonly answer?: AnswerReport;
}

/** @title an answer */
export interface AnswerReport extends Omit<Answer, 'body' | 'lateness' | 'textLateness' | 'surplus'> {
  /** Decoded, redacted, cut to the size that evidence keeps; `bytes` is the full length. */
  readonly body: { readonly text: string; readonly bytes: Count; readonly shown: Count; readonly end: BodyEnd };
  readonly stream?: {
    readonly end: StreamEnd;
    readonly events: readonly StreamEvent[];
    readonly eventCount: Count;
    readonly reads: readonly NetworkRead[];
    readonly comments: Count;
    /** Milliseconds by which the checker itself was late, so that events seem to have come later. */
    readonly lateness?: Duration;
  };
}

export interface ExchangeReport extends Identity, Omit<SentRequest, 'unread'>, Pick<Exchange, 'controlAfter'> {
  /** @minItems 1 */
  readonly attempts: readonly AttemptReport[];
  /** How the request differs from a base request, if a finding shows it and no case of the report sent it. */
  readonly edits?: readonly Edit[];
  readonly repeat?: string;
}

// The part of a report that is about a client in one scenario.

/**
 * The result of a scenario. `pass`: the exact text, or a reported failure; `breaks`: an error in answer to a legal
 * answer; `wrong-text`: different text; `silent`: a failure shown as success; `hangs`: no result within the limit;
 * `retrying`: still retrying at the limit; `bad-request`: the request breaks a clause; `unsupported`: the client does
 * not make this kind of call; `not-started`: the command or driver did not run, or ended before
 * it made a call.
 */
export const CLIENT_RESULTS = [
  'pass',
  'breaks',
  'wrong-text',
  'silent',
  'hangs',
  'retrying',
  'bad-request',
  'unsupported',
  'not-started',
] as const;
export type ClientResult = (typeof CLIENT_RESULTS)[number];

/** What a client said and did in one scenario. */
export interface ClientEvidence {
  readonly result: ClientResult;
  /** The text that a client which understands returns; absent where a failure has to be reported. */
  readonly text?: string;
  /** What it returned: stdout, or the text of a driver. */
  readonly said: Quote;
  /** What it printed on stderr, or the error that a driver reported. */
  readonly complaint: Quote;
  /** The exit code of a process that ended by itself. */
  readonly exit?: Integer;
  readonly signal?: string;
  /** Milliseconds until the result, or until the limit. */
  readonly time: Duration;
  /** The exchanges in order of arrival. */
  readonly exchanges: readonly string[];
}
