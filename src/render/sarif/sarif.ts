/** SARIF 2.1.0, for code scanning and its viewers: a rule is a clause, a result is a cause. */
import type { Report } from '../../report/report.ts';
import type { OlderFinding } from '../../report/excuses/excuse-report.ts';
import { adviseOnEnding } from '../../exchange/ending.ts';
import { formatNotice } from '../../exchange/notice.ts';
import { baselineDay, formatExcuse, excuseOf, olderByClause } from '../excused.ts';
import { findingSentence, type Place } from '../finding-text.ts';
import { type Entry, foldFindings } from '../fold.ts';
import type { Format } from '../format.ts';
import { formatProfile, listChanges } from '../profile-text.ts';
import { formatTarget, listRunFlags } from '../run-text.ts';
import { inert } from '../../text/inert.ts';
import { count, listFirst } from '../../text/layout.ts';
import { leftOutByReason } from '../not-judged.ts';
import { coverageOf } from '../clause-states.ts';
import { artifactOf, listEndpoints, locationOf, TARGET_BASE } from './sarif-locations.ts';
import { rulesOf, sarifLog, sarifMessage } from './sarif-rules.ts';
import { verdictLine } from '../verdict-line.ts';

const MAX_CASES = 20;
export const sarif: Format = {
  summary: 'SARIF 2.1.0, for code scanning',
  render: (report) => sarifLog(runOf(report)),
};

function runOf(report: Report) {
  const { tool, target, outcome, counts, strict, profile } = report;
  const { judged, all } = coverageOf(report);
  const rules = rulesOf(report);
  const ruleIndex = new Map(rules.map(({ id }, index) => [id, index]));
  const entries = foldFindings(report);
  const endpoints = listEndpoints(report, entries);
  return {
    tool: { driver: { name: tool.name, version: inert(tool.version), rules } },
    invocations: [invocationOf(report)],
    results: entries.map((entry) => resultOf(report, entry, { ruleIndex, endpoints })),
    originalUriBaseIds: {
      [TARGET_BASE]: { description: { text: 'The origin of the target. Paths below it are endpoints, not files.' } },
    },
    artifacts: endpoints.map((uri) => artifactOf(report, uri)),
    columnKind: 'utf16CodeUnits',
    properties: {
      verdict: inert(verdictLine(report)),
      outcome: outcome.name,
      strict,
      flags: listRunFlags(report),
      ...(profile && {
        profile: inert(formatProfile(profile)),
        changes: listChanges(profile).map(({ what, why }) => inert(`${what}. ${why}`)),
      }),
      target: inert(formatTarget(report)),
      ...(target.model !== undefined && { model: inert(target.model) }),
      mustClausesInLine: all,
      mustJudgedInLine: judged,
      mustClauses: outcome.mustClauses,
      mustJudged: outcome.mustJudged,
      cases: counts.cases,
    },
  };
}

interface Indexes {
  readonly ruleIndex: ReadonlyMap<string, number>;
  readonly endpoints: readonly string[];
}

function resultOf(report: Report, entry: Entry, { ruleIndex, endpoints }: Indexes) {
  const { case: testCase, cases, expectation, places } = entry;
  // That of the first case in the order of the suites, whichever request is shown: an alert stays the same alert.
  const [fingerprint] = entry.fingerprints;
  const ruleId = inert(expectation.clause);
  const index = ruleIndex.get(ruleId);
  return {
    ruleId,
    ...(index !== undefined && { ruleIndex: index }),
    level: expectation.verdict === 'fail' ? 'error' : 'warning',
    message: { text: sarifMessage(`${findingSentence(report, entry)}${formatCases(cases)}`) },
    locations: [locationOf(report, entry, endpoints)],
    ...(fingerprint !== undefined && {
      partialFingerprints: { 'wirecheckFinding/v1': inert(fingerprint) },
      occurrenceCount: places,
    }),
    ...(report.waivers && { suppressions: suppressionsOf(report, entry) }),
    ...(report.baseline && { baselineState: baselineStateOf(entry) }),
    properties: {
      case: inert(testCase.id),
      cases: cases.map((id) => inert(id)),
      verdict: expectation.verdict,
      ...baselineProperty(report, entry),
    },
  };
}

/** Empty for one case, which the location names. */
function formatCases(cases: readonly string[]): string {
  return cases.length === 1 ? '' : ` In ${count(cases.length, 'case')}.`;
}

/** By section 3.27.23 all results of a run have the list or none has; an empty one says that nothing is suppressed. */
function suppressionsOf(report: Report, place: Place) {
  if (excuseOf(place) !== 'waived') return [];
  const justification = formatExcuse(report, place);
  return [{ kind: 'external', ...(justification !== undefined && { justification }) }];
}

/** Required of every result if there is a baseline (section 3.27.24). */
function baselineStateOf({ expectation, finding }: Place): 'unchanged' | 'new' {
  const { since } = finding ?? {};
  const isKnown = finding ? since === 'known' || since === 'waiver-expired' : expectation.excused === 'known';
  return isKnown ? 'unchanged' : 'new';
}

/** SARIF has no more than `new`; this says why it is new. */
function baselineProperty(report: Report, place: Place) {
  const words = excuseOf(place) === 'waived' ? undefined : formatExcuse(report, place);
  return words === undefined ? {} : { baseline: words };
}

function invocationOf(report: Report) {
  const { outcome, provenance } = report;
  return {
    executionSuccessful: outcome.name !== 'not-judged',
    exitCode: outcome.exit,
    startTimeUtc: provenance.startedAt,
    endTimeUtc: provenance.endedAt,
    toolExecutionNotifications: notificationsOf(report),
  };
}

/**
 * Facts that belong to no result: an early end, inconclusive cases, fixed findings, notices. SARIF would make a fixed
 * finding a result with the baselineState `absent`, but code scanning opens an alert for every result.
 */
function notificationsOf(report: Report) {
  const say = (level: 'error' | 'warning' | 'note', text: string) => ({ level, message: { text: sarifMessage(text) } });
  const ending = adviseOnEnding(report);
  return [
    ...(ending === undefined ? [] : [say('error', ending)]),
    ...leftOutByReason(report, 'inconclusive').map(({ reason, cases }) =>
      say('warning', `Inconclusive in ${count(cases.length, 'case')}: ${reason}`),
    ),
    ...olderFindings(report).map((sentence) => say('note', sentence)),
    ...report.notices.map((notice) => say('note', inert(formatNotice(notice), 600))),
  ];
}

function olderFindings(report: Report): readonly string[] {
  const { fixed = [], notJudged = [] } = report.baseline ?? {};
  const each = (start: string, findings: readonly OlderFinding[]) =>
    olderByClause(findings).map(({ clause, cases }) => `${start}: ${clause} in ${listFirst(cases, MAX_CASES)}`);
  return [
    ...each(`Fixed since ${baselineDay(report)}`, fixed),
    ...each('In the baseline, but not judged in this run', notJudged),
  ];
}
