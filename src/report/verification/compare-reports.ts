/** A report beside the one that its recording gives now: what differs, and whether another version may be the reason. */
import { isObject, valueAt } from '../../json.ts';
import type { Report } from '../report.ts';
import { withoutBodies } from '../without-bodies.ts';
import { compareMembers, type MemberDifference, NEVER_RECORDED } from './compare-members.ts';
import { compareVerdicts } from './compare-verdicts.ts';
import type { Difference, Verification } from './verification.ts';

export interface Compared {
  readonly compared: Verification['compared'];
  /** Facts of the run that no version of wirecheck changes. */
  readonly certain: readonly Difference[];
  /** Verdicts and what follows from them. */
  readonly judgement: readonly Difference[];
}

/** What every version of wirecheck reports alike. */
const FACTS: readonly string[] = [
  '/strict',
  '/target/baseUrl',
  '/target/model',
  '/target/client',
  '/target/upstream',
  '/provenance/seed',
  '/provenance/startedAt',
  '/provenance/endedAt',
];
const OUTCOMES: readonly string[] = ['/outcome/name', '/outcome/exit'];

export function compareReports(reported: Report, judged: Report): Compared {
  if (hasSameTests(reported, judged)) {
    const [whole, bare] = [judged, withoutBodies(judged)].map((own) => compareWhole(reported, own));
    // Nothing in a report says that it was made with --no-bodies.
    return { compared: 'everything', certain: fewerOf(whole ?? [], bare ?? []), judgement: [] };
  }
  const at = (pointers: readonly string[]): readonly Difference[] =>
    pointers.flatMap((pointer) => [
      ...compareMembers(valueAt(reported, pointer), valueAt(judged, pointer), pointer.slice(1).split('/')),
    ]);
  return {
    compared: 'verdicts',
    certain: at(FACTS),
    judgement: [...compareVerdicts(reported.cases, judged.cases, true), ...at(OUTCOMES)],
  };
}

function hasSameTests(reported: Report, judged: Report): boolean {
  const hasChangedSuite = ({ notices }: Report): boolean => notices.some(({ kind }) => kind === 'suite-changed');
  return (
    reported.tool.version === judged.tool.version &&
    reported.editionDigest === judged.editionDigest &&
    reported.provenance.contractHash === judged.provenance.contractHash &&
    hasChangedSuite(reported) === hasChangedSuite(judged)
  );
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

function fewerOf<Item>(some: readonly Item[], others: readonly Item[]): readonly Item[] {
  return others.length < some.length ? others : some;
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
