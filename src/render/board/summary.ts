/** The part of a report that a board keeps, so that hundreds fit in memory: verdicts, and the evidence of failures. */

import type { Level, Subject } from '../../contract/contract.ts';
import { withoutUndefined } from '../../json.ts';
import type { Excuse } from '../../report/excuses/excuse-report.ts';
import { firstTextTime, type NoFirstText } from '../../report/first-text-time.ts';
import type { CauseReport, OutcomeName, Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import type { Duration, Integer } from '../../scalars.ts';
import { inert } from '../../text/layout.ts';
import { renderBadgeJson } from '../badge.ts';
import { brokenLevel, statesOf } from '../clause-states.ts';
import { formatFinding, formatSeenIn } from '../finding-text.ts';
import { type RootCause, foldFindings, type VerdictName } from '../fold.ts';
import { causeReportOf } from '../json.ts';
import { formatProfile, shortDigest } from '../profile-text.ts';
import { formatTarget } from '../run-text.ts';
import { verdictLine } from '../verdict-line.ts';

/** What a board has of a cause. */
const CAUSE_FIELDS = ['clause', 'level', 'verdict', 'excused', 'requirement', 'expected', 'actual', 'repeat'] as const;

/** A cause of failure, with as much evidence as fits in a few lines. */
export interface BoardEntry extends Pick<CauseReport, (typeof CAUSE_FIELDS)[number]> {
  readonly case: string;
  readonly cases: Integer;
  /** `2 cases, 45 answers`, `3 scenarios` */
  readonly seenIn: string;
  readonly request?: string;
  /** The beginning of the answer. */
  readonly answer?: { readonly status: Integer; readonly body: string };
}

export interface BoardClause {
  readonly id: string;
  /** If it is broken, the one at which it is. */
  readonly level: Level | 'none';
  readonly part: string;
  readonly summary: string;
}

/** A broken clause of which nothing counts. */
export interface ExcusedClause {
  readonly clause: string;
  /** At which it is broken. */
  readonly level: Level | 'none';
  /** One that needs a waiver as well as the baseline is waived. */
  readonly excuse: Excuse;
}

/** Where a report was read from, and the page beside it, as paths from the board. */
export interface ReportPlace {
  readonly report: string;
  readonly page?: string;
}

export interface ReportSummary extends ReportPlace {
  /** Reports with the same key are on the same target. */
  readonly key: string;
  readonly subject: Subject | 'gateway';
  readonly name: string;
  readonly target: string;
  readonly model?: string;
  readonly startedAt: string;
  readonly tool: string;
  readonly contract: string;
  /** Name, version, changes and digest of the profile; absent for v1 as it is. */
  readonly profile?: string;
  readonly outcome: OutcomeName;
  readonly exit: Report['outcome']['exit'];
  readonly verdict: string;
  /** Milliseconds to the first text of a stream; absent if that is not known. */
  readonly firstText?: Duration;
  /** Why it is not known. */
  readonly noFirstText?: NoFirstText;
  readonly clauses: readonly BoardClause[];
  /** By clause; those that no case tests are left out. */
  readonly verdicts: Readonly<Record<string, VerdictName>>;
  /** Clauses that were skipped because nothing in the run gave an occasion to judge them. */
  readonly idle: readonly string[];
  readonly entries: readonly BoardEntry[];
  readonly excused: readonly ExcusedClause[];
  /** In the format of a badge. */
  readonly badge: string;
}

/** Characters of an answer: enough to recognise it. */
const MAX_BODY = 400;
const MAX_NAME = 120;

export function summarizeReport(report: Report, place: ReportPlace): ReportSummary {
  const { provenance, target, outcome, profile } = report;
  const model = provenance.settings['model'];
  const firstText = firstTextTime(report);
  const entries = foldFindings(report);
  return {
    ...place,
    subject: traitsOf(report).name,
    key: keyOf(report),
    name: inert(target.name ?? target.client?.name ?? nameByAddress(report), MAX_NAME),
    target: inert(formatTarget(report), 300),
    ...(typeof model === 'string' && { model: inert(model, MAX_NAME) }),
    startedAt: provenance.startedAt,
    tool: report.tool.version,
    contract: provenance.contractHash,
    ...(profile && { profile: inert(`${formatProfile(profile)} [${shortDigest(profile)}]`, 300) }),
    outcome: outcome.name,
    exit: outcome.exit,
    verdict: inert(verdictLine(report), 600),
    ...(typeof firstText === 'number' ? { firstText } : { noFirstText: firstText }),
    clauses: report.clauses.map((clause) => {
      const { id, part, summary } = clause;
      return { id, level: brokenLevel(report, clause), part, summary: inert(summary, 300) };
    }),
    verdicts: Object.fromEntries(report.clauses.flatMap(({ id, verdict }) => (verdict ? [[id, verdict]] : []))),
    idle: [...statesOf(report)].flatMap(([id, { shade }]) => (shade === 'idle' ? [id] : [])),
    entries: entries.map((entry) => describeEntry(report, entry)),
    excused: report.clauses.flatMap((clause) => {
      const excuse = excuseOfAll(entries.filter(({ expectation }) => expectation.clause === clause.id));
      return excuse ? [{ clause: clause.id, level: brokenLevel(report, clause), excuse }] : [];
    }),
    badge: renderBadgeJson(report),
  };
}

/** Undefined if the clause counts, or is not broken. */
export function excuseIn({ excused }: Pick<ReportSummary, 'excused'>, clause: string): Excuse | undefined {
  return excused.find((each) => each.clause === clause)?.excuse;
}

/** Undefined if one of the causes counts, and without causes. */
function excuseOfAll(causes: readonly RootCause[]): Excuse | undefined {
  const excuses = causes.map(({ excused }) => excused);
  if (excuses.length === 0 || excuses.includes(undefined)) return undefined;
  return excuses.includes('waived') ? 'waived' : 'known';
}

/** A name stands for one target, wherever it moves; an address, for the model that was asked for there. */
function keyOf({ subject, target: { name, baseUrl, client, upstream }, provenance }: Report): string {
  const given = name ?? client?.name;
  return JSON.stringify([
    subject,
    ...(given === undefined ? [baseUrl, upstream?.url, provenance.settings['model']] : [given]),
  ]);
}

/** An address can be checked in several ways, with a row each. */
function nameByAddress({ subject, target: { baseUrl } }: Report): string {
  return subject === undefined ? baseUrl : `${baseUrl} (${subject})`;
}

function describeEntry(report: Report, entry: RootCause): BoardEntry {
  const { request } = formatFinding(report, entry);
  const answer = answerOf(report, entry);
  return {
    ...pick(causeReportOf(report, entry), CAUSE_FIELDS),
    case: entry.case.id,
    cases: entry.cases.length,
    seenIn: formatSeenIn(report, entry),
    ...withoutUndefined({ request, answer }),
  };
}

function answerOf({ exchanges }: Report, { finding }: RootCause): BoardEntry['answer'] {
  const exchange = finding && exchanges.find(({ id }) => id === finding.exchange);
  const answer = exchange?.attempts[finding?.attempt ?? 0]?.answer;
  return answer && { status: answer.status, body: inert(answer.body.text.slice(0, MAX_BODY), MAX_BODY) };
}

/** Fields that it lacks stay absent. */
export function pick<Value extends object, Name extends keyof Value>(
  value: Value,
  names: readonly Name[],
): Pick<Value, Name> {
  const picked = names.filter((name) => name in value).map((name) => [name, value[name]]);
  return Object.fromEntries(picked) as Pick<Value, Name>;
}
