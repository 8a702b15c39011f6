/** SARIF 2.1.0, for code scanning and its viewers: a rule is a clause, a result is a cause. */

import { adviseOnEnding } from '../../exchange/ending.ts';
import { formatNotice } from '../../exchange/notice.ts';
import { commandToExplain } from '../../report/repeat/repeat-command.ts';
import type { ClauseReport, Report } from '../../report/report.ts';
import { count, inert, inertJson } from '../../text/layout.ts';
import { coverageOf } from '../clause-states.ts';
import { inconclusiveFacts } from '../unjudged.ts';
import { factLine, plainText } from '../document/document.ts';
import { excuseOf, formatExcuse, listOlder, olderTexts } from '../excused.ts';
import { findingSentence, formatFinding, ownSource, type FindingPlace } from '../finding-text.ts';
import { type RootCause, foldFindings } from '../fold.ts';
import type { Format } from '../format.ts';
import { lookUp } from '../lookup.ts';
import { formatLevelSource, formatProfile, KIND_WORDS, ownerOf } from '../profile-text.ts';

import { formatTarget, listChangeTexts, listRunFlags } from '../run-text.ts';
import { verdictLine } from '../verdict-line.ts';

const MAX_CASES = 20;
export const sarif: Format = (report) => sarifLog(runOf(report));

function runOf(report: Report) {
  const { tool, target, outcome, counts, strict, profile, provenance } = report;
  const { judged, all } = coverageOf(report);
  const rules = rulesOf(report);
  const ruleIndex = new Map(rules.map(({ id }, index) => [id, index]));
  const entries = foldFindings(report);
  // Those that findings are located at, each once.
  const located = entries.filter((place) => !ownSource(report, place.case));
  const endpoints = [...new Set(located.map((place) => endpointOf(report, place)))];
  return {
    tool: { driver: { name: tool.name, version: inert(tool.version), rules } },
    invocations: [
      {
        executionSuccessful: outcome.name !== 'not-judged',
        exitCode: outcome.exit,
        startTimeUtc: provenance.startedAt,
        endTimeUtc: provenance.endedAt,
        toolExecutionNotifications: notificationsOf(report),
      },
    ],
    results: entries.map((entry) => resultOf(report, entry, ruleIndex, endpoints)),
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
        changes: listChangeTexts(report).map((text) => inert(text)),
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

function resultOf(
  report: Report,
  entry: RootCause,
  ruleIndex: ReadonlyMap<string, number>,
  endpoints: readonly string[],
) {
  const { case: testCase, cases, expectation, seen, places } = entry;
  // That of the first case in the order of the suites, whichever request is shown: an alert stays the same alert.
  const [fingerprint] = entry.fingerprints;
  const ruleId = inert(expectation.clause);
  const excuse = formatExcuse(report, entry);
  const isWaived = excuseOf(entry) === 'waived';
  const since = entry.finding ? entry.finding.since : expectation.excused;
  // Of one case, the location names it.
  const spread = cases.length === 1 ? '' : ` In ${count(cases.length, 'case')}.`;
  const { request } = formatFinding(report, entry);
  const asked = request === undefined ? '' : ` Request: ${request}.`;
  const index = ruleIndex.get(ruleId);
  return {
    ruleId,
    ...(index !== undefined && { ruleIndex: index }),
    level: expectation.verdict === 'fail' ? 'error' : 'warning',
    message: { text: sarifMessage(`${findingSentence(report, entry)}${spread}${asked}`) },
    locations: [locationOf(report, entry, endpoints)],
    ...(fingerprint !== undefined && {
      partialFingerprints: { 'wirecheckFinding/v1': inert(fingerprint) },
      occurrenceCount: Math.max(seen, places),
    }),
    // By section 3.27.23 all results of a run have the list or none has; an empty one says that nothing is suppressed.
    ...(report.waivers && { suppressions: isWaived ? [{ kind: 'external', justification: excuse }] : [] }),
    // Required of every result if there is a baseline (section 3.27.24).
    ...(report.baseline && { baselineState: since === 'known' || since === 'waiver-expired' ? 'unchanged' : 'new' }),
    properties: {
      case: inert(testCase.id),
      cases: cases.map((id) => inert(id)),
      verdict: expectation.verdict,
      // SARIF has no more than `new`; this says why it is new.
      ...(excuse !== undefined && !isWaived && { baseline: excuse }),
    },
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
    ...inconclusiveFacts(report).map((each) => say('warning', factLine(each))),
    ...listOlder(report).flatMap(({ title, findings }) =>
      olderTexts(findings, MAX_CASES).map((text) => say('note', `${title}: ${plainText(text)}`)),
    ),
    ...report.notices.map((notice) => say('note', inert(formatNotice(notice), 600))),
  ];
}

const RULE_LEVEL: Partial<Record<ClauseReport['level'], 'error' | 'warning'>> = { must: 'error', should: 'warning' };

function rulesOf(report: Report) {
  return report.clauses.flatMap((clause) => {
    const { id, kind, part, summary } = clause;
    const level = RULE_LEVEL[clause.level];
    if (level === undefined) return [];
    return {
      id: inert(id),
      shortDescription: { text: sarifMessage(inert(summary, 400)) },
      help: { text: sarifMessage(helpOf(report, clause)) },
      defaultConfiguration: { level: report.strict ? 'error' : level },
      properties: { tags: [clause.level, kind], part: inert(part) },
    };
  });
}

function helpOf(report: Report, { id, part, kind, level, levelWas, why, summary }: ClauseReport): string {
  const changed =
    levelWas === undefined ? '' : ` (${levelWas} in v1; changed by ${inert(formatLevelSource(report, id), 300)})`;
  const place = part === '-' ? '' : `, part ${inert(part)} of the contract`;
  return [
    inert(summary, 400),
    `Level ${level}${changed}, ${ownerOf(report, id) ?? KIND_WORDS[kind]}${place}.`,
    ...(why === undefined ? [] : [inert(why, 600)]),
    `More: ${inert(commandToExplain(report, [id]))}`,
  ].join('\n');
}

/** A file with one run. */
export function sarifLog(run: object): string {
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${inertJson(JSON.stringify(log, null, 2))}\n`;
}

/** RFC 3986, segment by segment: a name may contain any character, and Windows has another separator. */
export function sarifUri(file: string): string {
  return inert(file.replaceAll('\\', '/'), 1000).split('/').map(encodeURIComponent).join('/');
}

/**
 * The text of a SARIF message. By sections 3.11.5 and 3.11.6 of the standard even a plain one has placeholders in
 * braces and links in brackets, so text that is neither writes the braces twice and the brackets with a backslash.
 */
export function sarifMessage(text: string): string {
  return text.replaceAll(/[{}]/g, '$&$&').replaceAll(/[[\]]/g, String.raw`\$&`);
}

/** The base has no address (section 3.14.14), since code scanning takes a scheme for a mistake. */
const TARGET_BASE = 'TARGET';

/**
 * Where a finding is. Code scanning refuses a result without a location, and any URI with a scheme. A case of the user's own
 * suite is in a file. Any other finding is at an endpoint: its path below a base that no viewer takes for a folder, with a
 * text of ours as its contents, so that it can be opened.
 */
function locationOf(report: Report, place: FindingPlace, endpoints: readonly string[]) {
  const source = ownSource(report, place.case);
  const endpoint = endpointOf(report, place);
  return {
    physicalLocation: {
      artifactLocation: source
        ? { uri: sarifUri(source.file) }
        : { uri: sarifUri(endpoint), uriBaseId: TARGET_BASE, index: endpoints.indexOf(endpoint) },
      region: { startLine: Math.max(1, source?.line ?? 1) },
    },
    logicalLocations: [{ fullyQualifiedName: inert(place.case.id) }],
  };
}

/** The artifact has its contents (section 3.24.8): viewers show them in place of a file. */
function artifactOf({ target }: Report, endpoint: string) {
  const origin = URL.canParse(target.baseUrl) ? new URL(target.baseUrl).origin : inert(target.baseUrl, 200);
  return {
    location: { uri: sarifUri(endpoint), uriBaseId: TARGET_BASE },
    mimeType: 'text/plain',
    contents: {
      text: `${origin}/${inert(endpoint, 500)} is an endpoint of the target, not a file. The report has its answers.\n`,
    },
  };
}

/** `v1/chat/completions` */
function endpointOf(report: Report, { case: testCase, finding }: FindingPlace): string {
  const shown = finding?.exchange ?? testCase.exchange;
  const path = lookUp(report).exchange(shown)?.path.split('?')[0] ?? '';
  return `${lookUp(report).root}${path}`.replaceAll(/^\/+|\/+$/g, '') || 'v1';
}
