/** Whether a verified result may stand in a table beside others, and every reason why not. */
import type { Edition } from '../../contract/editions.ts';
import { withoutUndefined } from '../../json.ts';
import { traitsOf } from '../subject-traits.ts';
import type { Report } from '../report.ts';
import type { Submission, SubmissionReason, SubmissionRow, Verification } from './verification.ts';

/** Settings that decide which requests are sent, by their path in `Settings`. */
const SMALLER = ['only', 'skip', 'fedBy', 'bail', 'maxRequests', 'maxCompletions', 'parallel'];

/** `recordedBy`: the version of wirecheck; undefined for a HAR file. `editions`: newest first. */
export function judgeSubmission(
  report: Report,
  verified: Pick<Verification, 'result' | 'tool'> & { readonly recordedBy: string | undefined },
  editions: readonly Edition[],
): Submission {
  const { settings } = report.provenance;
  const { name, version = '', contact } = report.product ?? {};
  const smaller = SMALLER.filter((setting) => setting in settings);
  const release = /\d/.test(version) ? version : undefined;
  const said = { '--product': name, '--product-version': release, '--contact': contact, '--note': report.note };
  const unnamed = Object.entries(said)
    .filter(([, value]) => value === undefined)
    .map(([flag]) => flag);
  const found: Readonly<Record<SubmissionReason['kind'], boolean>> = {
    'not-verified': verified.result !== 'verified',
    'other-wirecheck': [report.tool.version, verified.recordedBy].some((each) => each !== verified.tool.version),
    'no-digests': !('reportDigest' in report && 'recordingDigest' in report),
    ...findEditionReasons(report, editions),
    'other-check': traitsOf(report).name !== 'gateway' || 'explore' in report,
    profile: 'profile' in report,
    suites: 'suites' in settings,
    smaller: smaller.length > 0,
    interrupted: report.ending.kind !== 'complete',
    'not-judged': report.outcome.name === 'not-judged',
    waivers: 'waivers' in report,
    baseline: 'baseline' in report,
    unnamed: unnamed.length > 0,
  };
  const names: SubmissionNames = { smaller, unnamed };
  const kinds = Object.entries(found).flatMap(([kind, isSo]) => (isSo ? [kind as SubmissionReason['kind']] : []));
  const reasons = kinds.map((kind) => ({ kind, ...withoutUndefined({ names: names[kind] }) }));
  return { reasons, ...(reasons.length === 0 && { row: rowOf(report) }) };
}

type SubmissionNames = Partial<Record<SubmissionReason['kind'], readonly string[]>>;

/** A draft changes freely, and an older edition stands in a table of its own. */
function findEditionReasons({ edition, editionDigest }: Report, editions: readonly Edition[]) {
  const own = editions.find((each) => each.edition === edition)?.cut;
  const newest = editions.find(({ cut }) => cut)?.edition;
  const isChanged = own !== undefined && own.digest !== editionDigest;
  return {
    draft: own === undefined,
    'changed-tests': isChanged,
    'old-edition': own !== undefined && !isChanged && edition !== newest,
  };
}

function rowOf(report: Report): SubmissionRow {
  const { product, edition = '', clauses, outcome, provenance, note = '' } = report;
  const { name = '', version = '', contact = '' } = product ?? {};
  const broken = clauses.filter(({ level, verdict }) => level === 'must' && verdict === 'fail');
  return {
    ...{ name, version, contact, edition },
    broken: broken.map(({ id }) => id),
    challenged: clauses.flatMap(({ id, challenged }) => (challenged === undefined ? [] : [id])),
    judged: outcome.mustJudgedInLine ?? outcome.mustJudged,
    of: outcome.mustClausesInLine ?? outcome.mustClauses,
    date: provenance.startedAt.slice(0, 10),
    note,
  };
}
