/** Drafts a profile from the failures of a run. People have to give the reasons: with `why: TODO`, it is refused. */
import { loadContract } from '../contract/load-contract.ts';
import { FIELDS, limitClauses, typeOfField, TYPES } from '../contract/profile/change-contract.ts';
import type { ChangeEntry } from '../contract/profile/profile.ts';
import { writeYaml } from '../contract/yaml/yaml-document.ts';
import { formatProfile } from '../render/profile-text.ts';
import type { ClauseReport, FindingReport, Report } from '../report/report.ts';
import { inert } from '../text/inert.ts';
import { count } from '../text/layout.ts';
import { UsageError } from '../usage-error.ts';

const WHY = 'TODO';

export function suggestProfile(report: Report): string {
  if (report.subject !== undefined) {
    throw new UsageError('A profile is drafted from a report on a gateway: give the report.json of `wirecheck run`.', {
      code: 'FILE_INVALID',
    });
  }
  if (report.profile) {
    throw new UsageError(
      `The report was judged by ${inert(formatProfile(report.profile), 200)}. Give the report of a run without a profile, or change that one by hand.`,
      { code: 'FILE_INVALID' },
    );
  }
  const contract = loadContract();
  const failed = report.clauses.filter(({ verdict }) => verdict === 'fail');
  const isSafety = ({ id }: ClauseReport): boolean => contract.clause(id)?.safety === true;
  const changes = failed.filter((clause) => !isSafety(clause)).map((clause) => suggestChange(clause, report));
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

function suggestChange(clause: ClauseReport, report: Report): ChangeEntry {
  return suggestTypes(clause, report) ?? suggestLimit(clause, report) ?? observe(clause);
}

function observe({ id }: ClauseReport): ChangeEntry {
  return { clause: id, level: 'observe', why: WHY };
}

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
  const known = types.filter((type) => (TYPES as readonly string[]).includes(type));
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
  const edits = cases.find((testCase) => testCase.id === id)?.edits ?? [];
  for (const edit of edits) {
    if ('pointer' in edit && edit.pointer === `/${field}`) {
      return edit.kind === 'rawNumber' ? Number(edit.text) : edit.kind === 'set' ? Number(edit.value) : Number.NaN;
    }
  }
  return Number.NaN;
}
