/** The one value that every format is rendered from. Plain JSON; its shape is `schemas/files/report.schema.json`. */
import type { RunExit } from '../exit-codes.ts';
import type { Explanation } from '../contract/explanations.ts';
import type { Effect, MismatchKind } from '../contract/stock-clients.ts';
import type { Kind, Level, Scope, Subject } from '../contract/contract.ts';
import type { BodyEnd, Failure, Header, NetworkRead, SecretSeen, StreamEnd } from '../exchange/exchange.ts';
import type { Ending } from '../exchange/ending.ts';
import type { Cost, Endpoint, Mode } from '../plan/plan.ts';
import type { Edit, KeyUse, SourcePlace } from '../suite/case.ts';
import type { Quote } from '../text/quote.ts';
import type { ObservedItem } from '../verdict/observation.ts';
import type { Finding, Observation, Verdict, VerdictName } from '../verdict/verdict.ts';
import type { WaiverEntry } from './excuses/waivers.ts';

export type Counts = Readonly<Record<VerdictName, number>>;

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
  /** Must clauses that a run without extra keys can judge, and how many of them were. */
  readonly mustClauses: number;
  readonly mustJudged: number;
  /** With `--detect 1/N`: N, and the clauses with too few answers to see a fault that rare. */
  readonly detect?: { readonly oneIn: number; readonly short: readonly string[] };
}

export interface CaseReport {
  readonly id: string;
  readonly suite: string;
  readonly title: string;
  readonly source: SourcePlace;
  readonly verdict: VerdictName;
  readonly flaky: boolean;
  /** For a case that sends a request: the base request, its edits, and its control. */
  readonly base?: string;
  readonly control?: string;
  readonly edits: readonly Edit[];
  /** Exchange that answered the case, if there was one. */
  readonly exchange?: string;
  /** A command to paste; keys appear as variables. */
  readonly repeat?: string;
  /** For a scenario of a client: what came of it. */
  readonly client?: ClientEvidence;
  /** For a case of a relay: its exchanges at both ends, in order. */
  readonly relay?: { readonly front: readonly string[]; readonly upstream: readonly string[] };
  /** It was not chosen, and judged only what the chosen cases sent. */
  readonly partial?: true;
  readonly expectations: readonly ExpectationReport[];
}

/**
 * What came of a scenario. `pass`: the exact text, or a failure made known; `breaks`: an error in answer to a legal
 * answer; `wrong-text`: another text; `silent`: a failure shown as success; `hangs`: no result within the limit;
 * `retrying`: still retrying at the limit; `bad-request`: the request breaks a clause; `unsupported`: the client does
 * not make this kind of call; `not-started`: the command or driver did not run.
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
  /** The text that a client which understands returns; absent where a failure has to be made known. */
  readonly text?: string;
  /** What it returned: stdout, or the text of a driver. */
  readonly said: Quote;
  /** What it printed on stderr, or the error that a driver reported. */
  readonly complaint: Quote;
  /** Of a process that ended by itself. */
  readonly exit?: number;
  readonly signal?: string;
  /** Milliseconds until the result, or until the limit. */
  readonly time: number;
  /** In order of arrival. */
  readonly exchanges: readonly string[];
}

/** Why something broken does not count for the exit code. */
export const EXCUSES = ['waived', 'standing'] as const;
export type Excuse = (typeof EXCUSES)[number];

export interface ExpectationReport extends Omit<Verdict, 'case' | 'findings'> {
  readonly findings: readonly FindingReport[];
  /** Broken, but does not count: every finding is waived or already in the baseline. */
  readonly excused?: Excuse;
}

/**
 * A finding against the baseline. `new-case`: the suites of the baseline had no such case, or it looked at less;
 * `not-asked`: the baseline could not tell, or the case was not chosen for it. All but `standing` count.
 */
export const SINCE_BASELINE = ['standing', 'new', 'new-case', 'not-asked'] as const;
export type SinceBaseline = (typeof SINCE_BASELINE)[number];

export interface FindingReport extends Finding {
  readonly fingerprint: string;
  /** Number of the waiver that excuses it, in the report's list, from 1. */
  readonly waiver?: number;
  readonly since?: SinceBaseline;
}

/**
 * `unused`: everything that it names was asked and passed; `undecided`: nothing that it names failed, but not all of it passed;
 * `expired`: its last day is over; `pending`: the day of the removal is still to come.
 */
export const WAIVER_STATES = ['in-use', 'unused', 'undecided', 'expired', 'pending'] as const;
export type WaiverState = (typeof WAIVER_STATES)[number];

export interface WaiverReport extends WaiverEntry {
  readonly line: number;
  readonly state: WaiverState;
  /** Findings that it excuses, or would excuse if it were in effect. */
  readonly findings: number;
}

export interface WaiversReport {
  readonly file: string;
  /** The day for which expiry was decided. */
  readonly today: string;
  readonly failOnUnused: boolean;
  readonly entries: readonly WaiverReport[];
}

/** A finding of the baseline that this run does not have. */
export interface OlderFinding {
  readonly case: string;
  readonly clause: string;
  readonly fingerprint: string;
}

export interface BaselineReport {
  readonly file: string;
  readonly baseUrl: string;
  readonly startedAt: string;
  /** Whether the contract and the built-in suites are unchanged. */
  readonly sameContract: boolean;
  readonly fixed: readonly OlderFinding[];
  /** Deselected, skipped, inconclusive or flaky in this run. */
  readonly notJudged: readonly OlderFinding[];
}

/** Stock clients and a kind of mismatch. */
export interface AffectedClients extends MismatchKind {
  /** With their versions. */
  readonly affected: readonly { readonly client: string; readonly effect: Effect }[];
  readonly unaffected: readonly string[];
}

export interface AffectedReport {
  /** The day of the measurement. */
  readonly measured: string;
  readonly mismatches: readonly AffectedClients[];
}

/** `causes`: by status, or by why there was no answer. */
export interface ReplacedAttempts {
  readonly attempts: number;
  readonly replaced: number;
  readonly causes: Readonly<Record<string, number>>;
}

/** How many answers a verdict rests on. */
export interface Sureness {
  readonly answers: number;
  /** Kinds of request that test the clause, each on its own. */
  readonly edits: number;
  /** Answers to the kind that was asked least. */
  readonly fewest: number;
  /** The smallest share of faulty answers to that kind of which one would have been seen, with 95 % confidence. */
  readonly rate: number;
}

export interface ClauseReport {
  readonly id: string;
  readonly part: string;
  readonly kind: Kind;
  readonly level: Level | 'none';
  /** The contract's own level, where the user changed it. */
  readonly levelWas?: Level | 'none';
  readonly why?: string;
  readonly scope: Scope;
  readonly summary: string;
  /** Absent if no case of this run covers it. */
  readonly verdict?: VerdictName;
  /** Absent if it concerns the run as a whole, or was not judged. */
  readonly sureness?: Sureness;
  readonly cases: readonly string[];
  /** Of a clause that is broken in at least one case. */
  readonly explanation?: Explanation;
}

export interface StreamEvent {
  readonly at: number;
  readonly event?: string;
  readonly data: string;
}

export interface AttemptReport {
  readonly sentAt: number;
  readonly pause: number;
  readonly failure?: Failure;
  readonly answer?: {
    readonly status: number;
    readonly httpVersion: string;
    readonly headers: readonly Header[];
    readonly interim: number;
    readonly headersAt: number;
    readonly endAt: number;
    /** Decoded, redacted, cut to the size that evidence keeps; `bytes` is the full length. */
    readonly body: { readonly text: string; readonly bytes: number; readonly shown: number; readonly end: BodyEnd };
    readonly stream?: {
      readonly end: StreamEnd;
      readonly events: readonly StreamEvent[];
      readonly eventCount: number;
      readonly reads: readonly NetworkRead[];
      readonly comments: number;
      /** Milliseconds by which the checker itself was late, so that events seem to have come later. */
      readonly lateness?: number;
    };
  };
  readonly secretsSeen: readonly SecretSeen[];
}

export interface ExchangeReport {
  readonly id: string;
  /** Received by the scripted upstream of a relay, instead of sent by wirecheck. */
  readonly side?: 'upstream';
  readonly endpoint: Endpoint;
  readonly mode: Mode;
  readonly method: string;
  readonly path: string;
  readonly key: KeyUse;
  readonly headers: readonly Header[];
  readonly body?: string;
  readonly attempts: readonly AttemptReport[];
  readonly controlAfter?: 'answered' | 'unanswered';
  /** If a finding shows it and no case of the report sent it: how it differs from a base request, and how to repeat it. */
  readonly edits?: readonly Edit[];
  readonly repeat?: string;
}

export interface ObservationReport extends Observation {
  readonly clause: string;
  readonly case: string;
}

/** Tolerance in both directions: what the target ignores in requests, and what it adds to answers. */
export interface ToleranceReport {
  readonly unknownRequestFields: { readonly asked: number; readonly ignored: number };
  readonly unknownAnswerFields: readonly ObservedItem[];
}

/** Milliseconds. The first four: from the start of a run to its last answer. */
export interface TimeReport {
  readonly wall: number;
  /** While at least one request was under way. */
  readonly target: number;
  /** Idle on purpose: before a retry, for `--rate`, or slowed down after a 429 or 503. */
  readonly pauses: number;
  /** The rest: the checker's own time. */
  readonly checker: number;
  /** The exchanges that took longest, all attempts included. */
  readonly slowest: readonly { readonly exchange: string; readonly time: number }[];
}

export type DescribedHeader =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly withheld: 'value'; readonly variable?: string };

/** Times in milliseconds, sizes in bytes. Possible secrets are withheld. */
export type DescribedSetting =
  | string
  | number
  | boolean
  | readonly string[]
  | readonly DescribedHeader[]
  | { readonly withheld: 'login'; readonly shown: string }
  | { readonly withheld: 'address' | 'PEM text' };

/** The settings that differ from their defaults, by their path in `Settings`, such as `limits.depth`. */
export type DescribedSettings = Readonly<Record<string, DescribedSetting>>;

export interface Report {
  readonly format: 'wirecheck-report';
  readonly version: 1;
  /** For the reader, by `--title` and `--note`. */
  readonly title?: string;
  readonly note?: string;
  /** Absent for a gateway's front. */
  readonly subject?: Subject;
  readonly tool: { readonly name: 'wirecheck'; readonly version: string };
  readonly provenance: {
    /** SHA-256 over clauses, schemas and suites. */
    readonly contractHash: string;
    readonly node: string;
    readonly platform: string;
    readonly seed: number;
    readonly startedAt: string;
    readonly endedAt: string;
    readonly settings: DescribedSettings;
    /** Milliseconds that the target's clock is ahead of ours. */
    readonly clockSkew?: number;
  };
  readonly target: {
    /** Where several targets are checked: the name in the file that lists them. */
    readonly name?: string;
    /** Of a client: the address of the first scenario. */
    readonly baseUrl: string;
    readonly model?: string;
    readonly client?: { readonly name: string; readonly command: readonly string[]; readonly version?: string };
    readonly upstream?: { readonly url: string };
  };
  readonly strict: boolean;
  readonly ending: Ending;
  readonly outcome: Outcome;
  readonly notices: readonly string[];
  readonly counts: { readonly cases: Counts; readonly clauses: Counts; readonly expectations: Counts };
  readonly areas: readonly { readonly area: string; readonly cases: Counts }[];
  readonly cost: { readonly used: Cost; readonly least: Cost; readonly most: Cost };
  /** Of a gateway's front. */
  readonly retries?: ReplacedAttempts;
  /** Absent if exchanges are missing. */
  readonly time?: TimeReport;
  readonly tolerance: ToleranceReport;
  readonly cases: readonly CaseReport[];
  readonly clauses: readonly ClauseReport[];
  readonly observations: readonly ObservationReport[];
  readonly exchanges: readonly ExchangeReport[];
  /** What stock clients make of the findings; absent if no such mismatch was measured. */
  readonly affected?: AffectedReport;
  /** Where a waiver file was given. */
  readonly waivers?: WaiversReport;
  /** Where a baseline was given. */
  readonly baseline?: BaselineReport;
}
