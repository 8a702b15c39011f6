/** Whether a verified result may stand in a table beside others, and every reason why not. */
import type { Edition } from '../../contract/editions.ts';
import { withoutUndefined } from '../../json.ts';
import { traitsOf } from '../subject-traits.ts';
import type { Report } from '../report.ts';
import type { Submission, SubmissionReason, SubmissionRow, Verification } from './verification.ts';

/** Settings that leave requests out, by their path in `Settings`. */
const SMALLER = ['only', 'skip', 'fedBy', 'bail', 'maxRequests', 'maxCompletions', 'parallel', 'detect'];

const PRODUCT = { name: '--product', version: '--product-version', contact: '--contact' } as const;

/** `editions`: newest first. */
export function judgeSubmission(
  report: Report,
  verified: Pick<Verification, 'result' | 'tool'>,
  editions: readonly Edition[],
): Submission {
  const { settings } = report.provenance;
  const product = report.product ?? {};
  const smaller = SMALLER.filter((name) => name in settings);
  const unnamed = (['name', 'version', 'contact'] as const).filter((member) => product[member] === undefined);
  const all: readonly (SubmissionReason | false)[] = [
    verified.result !== 'verified' && { kind: 'not-verified' },
    report.tool.version !== verified.tool.version && { kind: 'other-wirecheck' },
    (report.reportDigest === undefined || report.recordingDigest === undefined) && { kind: 'no-digests' },
    findEditionReason(report, editions) ?? false,
    report.explore !== undefined && { kind: 'explored' },
    report.profile !== undefined && { kind: 'profile' },
    'suites' in settings && { kind: 'suites' },
    smaller.length > 0 && { kind: 'smaller', names: smaller },
    report.ending.kind !== 'complete' && { kind: 'interrupted' },
    report.waivers !== undefined && { kind: 'waivers' },
    report.baseline !== undefined && { kind: 'baseline' },
    unnamed.length > 0 && { kind: 'unnamed', names: unnamed.map((member) => PRODUCT[member]) },
  ];
  const reasons = all.filter((reason) => reason !== false);
  return { reasons, ...(reasons.length === 0 && { row: rowOf(report) }) };
}

/** A draft changes freely, and an older edition stands in a table of its own. */
function findEditionReason(report: Report, editions: readonly Edition[]): SubmissionReason | undefined {
  const newest = editions.find(({ cut }) => cut);
  const own = editions.find(({ edition }) => edition === report.edition)?.cut;
  if (own === undefined) return { kind: 'draft' };
  if (own.digest !== report.editionDigest) return { kind: 'changed-tests' };
  return report.edition === newest?.edition ? undefined : { kind: 'old-edition' };
}

function rowOf(report: Report): SubmissionRow {
  const { product, edition = '', clauses, outcome, provenance, note } = report;
  const { name = '', version = '', contact = '' } = product ?? {};
  const broken = clauses.filter(({ level, verdict }) => level === 'must' && verdict === 'fail');
  return {
    ...{ name, version, contact, edition },
    subject: traitsOf(report).name,
    broken: broken.map(({ id }) => id),
    judged: outcome.mustJudged,
    of: outcome.mustClauses,
    date: provenance.startedAt.slice(0, 10),
    ...withoutUndefined({ note }),
  };
}
