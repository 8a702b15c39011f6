/** What `explain` says of a profile and of the whole contract, and the draft of a profile. */
import { type Clause, type Contract, formatInside } from '../contract/contract.ts';
import { loadContract } from '../contract/read-contract.ts';
import { COMMAND } from '../contract/package-files.ts';
import { type ChosenContract, contractOf, UNCHANGED } from '../contract/profile/apply-profile.ts';
import { FIELDS, limitClauses, typeOfField, TYPES } from '../contract/profile/change-contract.ts';
import type { ChangeEntry } from '../contract/profile/profile.ts';
import { loadProfile } from '../contract/profile/read-profile.ts';
import { writeYaml } from '../contract/yaml/yaml-document.ts';
import { prose } from '../render/markdown/markdown-text.ts';
import { formatProfile, listChanges } from '../render/profile-text.ts';
import { groupBy } from '../report/counts.ts';
import { type ProfileReport, reportProfile } from '../report/profile-report.ts';
import type { ClauseReport, FindingReport, Report } from '../report/report.ts';
import { loadSuites } from '../suite/read-suites.ts';
import { count, inert } from '../text/layout.ts';
import { argument } from '../text/shell-text.ts';
import { UsageError, usageError } from '../usage-error.ts';
import { formatReason } from '../verdict/reason.ts';
import { type ExplanationPage, listLine } from './explanation.ts';

/** A profile, and what follows from it: must clauses as verdicts count them, and cases. `--json` prints it. */
export function showProfile(name: string, cwd: string) {
  const profile = loadProfile(name, cwd);
  const chosen = { levels: {}, profile };
  const report = reportProfile(chosen);
  if (!report) throw new Error('A profile has changes.');
  const contract = contractOf(chosen);
  const cases = loadSuites([], contract).flatMap((suite) => suite.cases);
  const known = new Set(loadSuites([], contractOf(UNCHANGED)).flatMap((suite) => suite.cases.map(({ id }) => id)));
  return {
    ...report,
    musts: countMusts(contract),
    mustsOfV1: countMusts(contractOf(UNCHANGED)),
    newCases: cases.flatMap(({ id }) => (known.has(id) ? [] : [id])),
    leftOut: cases.flatMap(({ id, pointless }) => (pointless ? [{ case: id, reason: formatReason(pointless) }] : [])),
  };
}

/** `name`: of a profile of wirecheck, or of a file. */
export function explainProfile(name: string, cwd: string): ExplanationPage {
  const profile = showProfile(name, cwd);
  const { about = '', digest, musts, mustsOfV1, newCases, leftOut } = profile;
  const omitted = leftOut.map(({ case: id, reason }) => `${id}: ${reason}`);
  const changes = listChanges(profile).map(({ what, why }) => inert(`${what}. ${why}`, 1000));
  return {
    name: formatProfile(profile),
    about: 'profile',
    data: profile,
    lines: [
      ['About', about],
      ['Digest', digest],
      ['Musts', `${musts} (v1: ${mustsOfV1})`],
      listLine('New cases', newCases),
      listLine('Left out', omitted),
      ['Use', `${COMMAND} run "$WIRECHECK_BASE_URL" --profile ${argument(name)}`],
      listLine('Changes to v1', changes),
    ],
  };
}

/** Counts must clauses as verdicts do: with those that need an extra key or a setting, without those that need two runs. */
function countMusts({ clauses }: Contract): number {
  return clauses.filter(({ level, scope }) => level === 'must' && scope !== 'comparison').length;
}

/** The contract as Markdown, clause by clause. */
export function formatContract(chosen: ChosenContract): string {
  const contract = contractOf(chosen);
  const profile = reportProfile(chosen);
  const parts = [...(profile ? introduce(profile) : ['# v1']), ...listRules(contract), ...listClauses(contract)];
  return `${parts.join('\n\n')}\n`;
}

function introduce(profile: ProfileReport): readonly string[] {
  const changes = listChanges(profile).map(({ what, why }) => `- ${prose(what)}. ${prose(why)}`);
  return [
    `# ${prose(formatProfile(profile))}`,
    ...(profile.about === undefined ? [] : [prose(profile.about)]),
    `Digest: \`${profile.digest}\``,
    '## Changes to v1',
    changes.join('\n'),
  ];
}

function listRules({ rules: { limits, required, added } }: Contract): readonly string[] {
  const sent = Object.entries(added).map(([pointer, value]) => `- ${prose(`${pointer}: ${JSON.stringify(value)}`)}`);
  return [
    '## Requests',
    [
      `- Required: ${required.map((field) => `\`${field}\``).join(', ')}`,
      ...Object.entries(limits).map(([field, range]) => `- \`${field}\` ${formatInside(range)}`),
    ].join('\n'),
    ...(sent.length === 0 ? [] : ['Every chat request also has:', sent.join('\n')]),
  ];
}

function listClauses({ clauses }: Contract): readonly string[] {
  return [...groupBy(clauses, ({ id }) => id.split('.')[0] ?? id)].flatMap(([area, own]) => [
    `## ${area}`,
    ['| clause | level | part | statement |', '|---|---|---|---|', ...own.map(formatRow)].join('\n'),
  ]);
}

function formatRow({ id, level, part, summary }: Clause): string {
  return `| \`${id}\` | ${level === 'none' ? 'not judged' : level} | ${part} | ${prose(summary).replaceAll('|', String.raw`\|`)} |`;
}

/** What people have to replace: with it, a profile is refused. */
const WHY = 'TODO';

/** Drafts a profile from the failures of a run. People have to give the reasons. */
export function suggestProfile(report: Report): string {
  if (report.subject !== undefined)
    throw usageError.FILE_INVALID(
      'A profile is drafted from a report on a gateway: give the report.json of `wirecheck run`.',
    );
  if (report.profile)
    throw usageError.FILE_INVALID(
      `The report was judged by ${inert(formatProfile(report.profile), 200)}, and a draft starts from v1. Give the report of a run without --profile, or add changes to that profile by hand.`,
    );
  const contract = loadContract();
  const failed = report.clauses.filter(({ verdict }) => verdict === 'fail');
  const isSafety = ({ id }: ClauseReport): boolean => contract.clause(id)?.safety === true;
  const changes = failed
    .filter((clause) => !isSafety(clause))
    .map((clause) => suggestTypes(clause, report) ?? suggestLimit(clause, report) ?? observe(clause.id));
  const left = failed.filter(isSafety).map(({ id, summary }) => `#   ${id}: ${summary}`);
  if (changes.length === 0) {
    throw new UsageError(
      failed.length === 0
        ? 'No must clause failed in this report, so there is nothing to change.'
        : 'Only safety clauses failed in this report. Fix the gateway, or change them by hand.',
    );
  }
  const head = [
    `# A draft from ${count(changes.length, 'failed clause')}. Give every change a reason in place of ${WHY}, and remove`,
    '# those that the gateway should fix instead.',
    ...(left.length === 0 ? [] : ['# Safety clauses failed as well. They are never suggested:', ...left]),
  ];
  const draft = {
    profile: 'my-gateway',
    version: '1',
    basedOn: 'v1',
    about: 'What this gateway promises its clients.',
    changes,
  };
  return `${head.join('\n')}\n${writeYaml(draft)}`;
}

const observe = (clause: string): ChangeEntry => ({ clause, level: 'observe', why: WHY });

function findingsOn(id: string, { cases }: Report): readonly (FindingReport & { readonly case: string })[] {
  return cases.flatMap((testCase) =>
    testCase.expectations
      .filter(({ clause, verdict }) => clause === id && verdict === 'fail')
      .flatMap(({ findings }) => findings.map((finding) => ({ ...finding, case: testCase.id }))),
  );
}

/** A field that came with other types gets these, if that explains all findings. */
function suggestTypes({ id }: ClauseReport, report: Report): ChangeEntry | undefined {
  const [field] = Object.entries(FIELDS).find(([, { clause }]) => clause === id) ?? [];
  if (field === undefined) return undefined;
  const findings = findingsOn(id, report);
  const types = [...new Set(findings.map(({ actualType }) => actualType))];
  const isExplained = findings.every(({ mismatch }) => mismatch === 'type');
  const known = types.filter((type) => TYPES.includes(type));
  if (!isExplained || known.length === 0 || known.length < types.length) return undefined;
  return { field, types: [typeOfField(field, loadContract().schemas) ?? 'string', ...known], why: WHY };
}

/** Values beyond a limit that were answered show that it is not kept on that side. */
function suggestLimit({ id }: ClauseReport, report: Report): ChangeEntry | undefined {
  const { limits } = loadContract().rules;
  const field = Object.keys(limits).find((name) => limitClauses(name).outside === id);
  if (field === undefined) return undefined;
  const values = findingsOn(id, report).map((finding) => sentValue(finding.case, field, report));
  const { minimum = -Infinity, maximum = Infinity } = limits[field] ?? {};
  const isBelow = values.some((value) => value < minimum);
  const isAbove = values.some((value) => value > maximum);
  if (!isBelow && !isAbove) return undefined;
  return { limit: field, ...(isBelow && { min: 'none' }), ...(isAbove && { max: 'none' }), why: WHY };
}

function sentValue(id: string, field: string, { cases }: Report): number {
  const { edits = [] } = cases.find((testCase) => testCase.id === id) ?? {};
  const edit = edits.find((each) => 'pointer' in each && each.pointer === `/${field}`);
  if (edit?.kind === 'rawNumber') return Number(edit.text);
  return edit?.kind === 'set' ? Number(edit.value) : Number.NaN;
}
