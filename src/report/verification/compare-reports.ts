/** A report beside the one that its recording gives now: what differs, and whether another version may be the reason. */
import { loadEditions, nameOfEdition } from '../../contract/editions.ts';
import { isObject, valueAt } from '../../json.ts';
import type { Report } from '../report.ts';
import { compareJudgement } from './compare-judgement.ts';
import { compareMembers, type MemberDifference, NEVER_RECORDED } from './compare-members.ts';
import { compareVerdicts } from './compare-verdicts.ts';
import { recount } from './recount.ts';
import type { Difference, Verification } from './verification.ts';

export interface Compared {
  readonly compared: Verification['compared'];
  /** Facts of the run that no version of wirecheck changes. */
  readonly certain: readonly Difference[];
  /** Verdicts and what follows from them. */
  readonly judgement: readonly Difference[];
}

/** The report that the recording gives now, and the same with `--no-bodies`. */
export interface JudgedAgain {
  readonly whole: Report;
  readonly bare: Report;
}

/** What every version of wirecheck reports alike. */
const FACTS: readonly string[] = [
  '/strict',
  '/ending/kind',
  '/target/baseUrl',
  '/target/model',
  '/target/client',
  '/target/upstream',
  '/provenance/seed',
  '/provenance/startedAt',
  '/provenance/endedAt',
];

/**
 * The version of wirecheck decides everything in a report, editions and their digests included. Only a suite file of the
 * user that is no longer the one of the run may be the reason for a difference.
 */
export function compareReports(reported: Report, { whole: judged, bare }: JudgedAgain): Compared {
  const isSameVersion = reported.tool.version === judged.tool.version;
  if (isSameVersion) {
    const certain = compareEverything(reported, judged, bare);
    if (certain.length === 0 || !hasChangedSuite(judged)) return { compared: 'everything', certain, judgement: [] };
  }
  return {
    compared: 'verdicts',
    certain: [
      ...compareAt(FACTS, reported, judged),
      ...(isSameVersion ? compareAt(['/edition', '/editionDigest'], reported, judged) : compareEdition(reported)),
      ...compareMembers(reported.counts, recount(reported), ['counts']),
    ],
    judgement: [...compareVerdicts(reported.cases, judged.cases, true), ...compareJudgement(reported, judged)],
  };
}

function compareAt(pointers: readonly string[], reported: Report, judged: Report): readonly Difference[] {
  return pointers.flatMap((pointer) => [
    ...compareMembers(valueAt(reported, pointer), valueAt(judged, pointer), pointer.slice(1).split('/')),
  ]);
}

/** An edition that was cut never changes. A draft may be that of any day. */
function compareEdition({ edition, editionDigest }: Report): readonly Difference[] {
  const known = loadEditions().find((each) => each.cut !== undefined && nameOfEdition(each) === edition);
  return known ? [...compareMembers(editionDigest, known.cut?.digest, ['editionDigest'])] : [];
}

function hasChangedSuite({ notices }: Report): boolean {
  return notices.some(({ kind }) => kind === 'suite-changed');
}

/** Nothing in a report says that it was made with --no-bodies. */
function compareEverything(reported: Report, whole: Report, bare: Report): readonly Difference[] {
  const differences = compareWhole(reported, whole);
  if (differences.length === 0) return differences;
  const others = compareWhole(reported, bare);
  return others.length < differences.length ? others : differences;
}

/** A report of something else differs everywhere. */
const MAX_MEMBERS = 10_000;

/** Verdicts first; a member of an expectation that is already listed says nothing more. */
function compareWhole(reported: Report, judged: Report): readonly Difference[] {
  const verdicts = compareVerdicts(reported.cases, judged.cases, false);
  const named = new Set(verdicts.map((each) => JSON.stringify([each.case, each.clause])));
  const isNamed = ({ pointer }: MemberDifference): boolean => {
    const [, place, item] = /^\/cases\/(\d+)\/expectations\/(\d+)(?:\/|$)/.exec(pointer) ?? [];
    const testCase = place === undefined ? undefined : reported.cases[Number(place)];
    const expectation = testCase?.expectations[Number(item)];
    return expectation !== undefined && named.has(JSON.stringify([testCase?.id, expectation.clause]));
  };
  const members: MemberDifference[] = [];
  for (const difference of compareMembers(reported, judged)) {
    if (!isNamed(difference)) members.push(difference);
    if (members.length === MAX_MEMBERS) break;
  }
  return [...verdicts, ...members];
}

/** Excuses come from files of the user: the report has waivers, and the older report was given again. */
const EXCUSES: readonly string[] = ['/waivers', '/baseline'];

/** The members that the report has although no recording can show them. */
export function listNotRecorded(report: Report): readonly string[] {
  return [...NEVER_RECORDED, ...EXCUSES].filter((pointer) => isPresent(valueAt(report, pointer)));
}

function isPresent(value: unknown): boolean {
  return typeof value === 'string' || isObject(value);
}
