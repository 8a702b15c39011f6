/** The one value that every format is rendered from. Plain JSON; its shape is `schemas/files/report.schema.json`. */
import type { Kind, Level, Scope } from '../contract/clause.ts';
import type { BodyEnd, Failure, Header, NetworkRead, SecretSeen, StreamEnd } from '../exchange/exchange.ts';
import type { Ending } from '../exchange/traffic.ts';
import type { Cost, Endpoint, Mode } from '../plan/plan.ts';
import type { Edit, KeyUse, SourcePlace } from '../suite/case.ts';
import type { Observation, Verdict, VerdictName } from '../verdict/verdict.ts';

export type Counts = Readonly<Record<VerdictName, number>>;

/** What the last line says. */
export const OUTCOMES = ['conforms', 'conforms-in-part', 'does-not-conform', 'not-judged'] as const;
export type OutcomeName = (typeof OUTCOMES)[number];

export interface Outcome {
  readonly name: OutcomeName;
  readonly exit: 0 | 1 | 3 | 130;
  /** Must clauses that a run without lent keys can judge, and how many of them were. */
  readonly mustClauses: number;
  readonly mustJudged: number;
}

export interface CaseReport {
  readonly id: string;
  readonly suite: string;
  readonly title: string;
  readonly source: SourcePlace;
  readonly verdict: VerdictName;
  readonly flaky: boolean;
  /** For a case that asks: the base request, what was changed in it, and the control it rests on. */
  readonly base?: string;
  readonly control?: string;
  readonly edits: readonly Edit[];
  /** Exchange that answered the case, if there was one. */
  readonly exchange?: string;
  /** A command that can be pasted; keys stand in it as variables. */
  readonly repeat?: string;
  readonly expectations: readonly Omit<Verdict, 'case'>[];
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
  /** Absent where no case of this run speaks of it. */
  readonly verdict?: VerdictName;
  readonly cases: readonly string[];
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
    };
  };
  readonly secretsSeen: readonly SecretSeen[];
}

export interface ExchangeReport {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly mode: Mode;
  readonly method: string;
  readonly path: string;
  readonly key: KeyUse;
  readonly headers: readonly Header[];
  readonly body?: string;
  readonly attempts: readonly AttemptReport[];
  readonly controlAfter?: 'answered' | 'unanswered';
}

export interface ObservationReport extends Observation {
  readonly clause: string;
  readonly case: string;
}

/** Tolerance in both directions: what the target ignores in requests, and what it adds to answers. */
export interface ToleranceReport {
  readonly unknownRequestFields: { readonly asked: number; readonly ignored: number };
  /** Fields beyond the contract, as `shape /pointer`. */
  readonly unknownAnswerFields: readonly string[];
}

export interface Report {
  readonly format: 'wirecheck-report';
  readonly version: 1;
  readonly tool: { readonly name: 'wirecheck'; readonly version: string };
  readonly provenance: {
    /** SHA-256 over clauses, schemas and suites. */
    readonly contractHash: string;
    readonly node: string;
    readonly platform: string;
    readonly seed: number;
    readonly startedAt: string;
    readonly endedAt: string;
    /** What was set, as text, without anything secret. */
    readonly settings: Readonly<Record<string, string | number | boolean | readonly string[]>>;
    /** Milliseconds that the target's clock is ahead of ours. */
    readonly clockSkew?: number;
  };
  readonly target: { readonly baseUrl: string; readonly model?: string };
  readonly strict: boolean;
  readonly ending: Ending;
  readonly outcome: Outcome;
  readonly notices: readonly string[];
  readonly counts: { readonly cases: Counts; readonly clauses: Counts; readonly expectations: Counts };
  readonly areas: readonly { readonly area: string; readonly cases: Counts }[];
  readonly cost: { readonly used: Cost; readonly least: Cost; readonly most: Cost };
  readonly tolerance: ToleranceReport;
  readonly cases: readonly CaseReport[];
  readonly clauses: readonly ClauseReport[];
  readonly observations: readonly ObservationReport[];
  readonly exchanges: readonly ExchangeReport[];
}
