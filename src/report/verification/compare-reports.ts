/** A report beside the one that its recording gives now: every member is compared but those that may differ. */
import { isObject, memberOf, pointerOf, valueAt, withoutUndefined } from '../../json.ts';
import { count } from '../../text/layout.ts';
import { shortJson } from '../../text/quote.ts';
import type { CaseReport, ExpectationReport, Report } from '../report.ts';
import type { ReportDifference, Verification } from './verification.ts';

export interface Compared {
  readonly compared: Verification['compared'];
  /** The report does not follow from the recording. */
  readonly certain: readonly ReportDifference[];
  /** Another version, or a suite file that has changed since the run, may be the reason. */
  readonly judgement: readonly ReportDifference[];
}

/**
 * Members that no recording can show: words of whoever made the report, and the machine that judged. Digests are compared
 * with the files.
 */
const NEVER_RECORDED: readonly string[] = [
  '/title',
  '/note',
  '/product',
  '/target/name',
  '/profile/levelPlaces',
  '/provenance/node',
  '/provenance/platform',
];
const MAY_DIFFER = [...NEVER_RECORDED, '/reportDigest', '/recordingDigest'];
/** The recording has no login of a proxy, so a report of it does not say that there was one. */
const PROXY = '/provenance/settings/proxy';
/** The path of the file that was judged. */
const FILE_OF_NOTICE = /^\/notices\/\d+\/file$/;

/** Words and places that a suite file has, the digest of it, and the notice that it has changed. */
const OF_SUITE_FILE =
  /^\/(?:notices|provenance\/contractHash|clauses\/\d+\/(?:summary|why)|cases\/\d+\/(?:title|source))(?:\/|$)/;

/** Facts of the run, whatever its suites ask for. */
const OF_THE_RUN =
  /^\/(?:strict|edition|editionDigest|ending\/kind|target|provenance\/(?:seed|startedAt|endedAt))(?:\/|$)/;

/**
 * The version of wirecheck decides everything in a report, so both are of the same. `judged`: the report that the recording
 * gives now, and the same with `--no-bodies`.
 */
export function compareReports(reported: Report, judged: Readonly<Record<'whole' | 'bare', Report>>): Compared {
  const { whole, bare } = judged;
  const all = compareWhole(reported, whole);
  // Nothing in a report says that it was made with --no-bodies.
  const others = all.length === 0 ? all : compareWhole(reported, bare);
  const differences = others.length < all.length ? others : all;
  const hasChangedSuite = whole.notices.some(({ kind }) => kind === 'suite-changed');
  if (!hasChangedSuite || differences.length === 0)
    return { compared: 'everything', certain: differences, judgement: [] };
  const isAt = (difference: ReportDifference, place: RegExp): boolean =>
    difference.kind === 'member' && place.test(difference.pointer);
  const judgement = differences.filter((each) => !isAt(each, OF_SUITE_FILE));
  return {
    compared: 'verdicts',
    certain: judgement.filter((each) => isAt(each, OF_THE_RUN)),
    judgement: judgement.filter((each) => !isAt(each, OF_THE_RUN)),
  };
}

/** A report of something else differs everywhere. */
const MAX_MEMBERS = 10_000;

/** Verdicts first; a member of an expectation that is already listed says nothing more. */
function compareWhole(reported: Report, judged: Report): readonly ReportDifference[] {
  const verdicts = compareVerdicts(reported.cases, judged.cases);
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

type VerdictDifference = Extract<ReportDifference, { readonly kind: 'verdict' | 'findings' }>;

function compareVerdicts(reported: readonly CaseReport[], judged: readonly CaseReport[]): readonly VerdictDifference[] {
  const [theirs, ours] = [expectationsOf(reported), expectationsOf(judged)];
  return [...new Set([...theirs.keys(), ...ours.keys()])].flatMap((key): readonly VerdictDifference[] => {
    const [own, other] = [theirs.get(key), ours.get(key)];
    const place = own ?? other;
    if (!place) return [];
    const { case: id, clause } = place;
    if (own?.verdict === other?.verdict)
      return fingerprintsOf(own) === fingerprintsOf(other) ? [] : [{ kind: 'findings', case: id, clause }];
    const verdicts = { ...(own && { reported: own.verdict }), ...(other && { judged: other.verdict }) };
    return [{ kind: 'verdict', case: id, clause, ...verdicts }];
  });
}

type OwnExpectation = ExpectationReport & { readonly case: string };

/** A case may judge one clause more than once. */
function expectationsOf(cases: readonly CaseReport[]): ReadonlyMap<string, OwnExpectation> {
  const all = new Map<string, OwnExpectation>();
  for (const { id, expectations } of cases) {
    for (const [index, expectation] of expectations.entries()) {
      const number = expectations.slice(0, index).filter(({ clause }) => clause === expectation.clause).length;
      all.set(JSON.stringify([id, expectation.clause, number]), { ...expectation, case: id });
    }
  }
  return all;
}

function fingerprintsOf(expectation: OwnExpectation | undefined): string | undefined {
  return expectation?.findings.map(({ fingerprint }) => fingerprint).join(' ');
}

type MemberDifference = Extract<ReportDifference, { readonly kind: 'member' }>;

/** Characters of a value. */
const SHOWN = 80;

/** Both values come from JSON that is not nested deeply. */
export function* compareMembers(
  reported: unknown,
  judged: unknown,
  path: readonly (string | number)[] = [],
): Generator<MemberDifference> {
  const pointer = pointerOf(path);
  if (reported === judged || MAY_DIFFER.includes(pointer) || FILE_OF_NOTICE.test(pointer)) return;
  if (Array.isArray(reported) && Array.isArray(judged)) {
    if (reported.length !== judged.length)
      yield { kind: 'member', pointer, reported: count(reported.length, 'item'), judged: count(judged.length, 'item') };
    const both = Math.min(reported.length, judged.length);
    for (let index = 0; index < both; index++) {
      yield* compareMembers(reported[index], judged[index], [...path, index]);
    }
  } else if (isObject(reported) && isObject(judged)) {
    for (const name of new Set([...Object.keys(reported), ...Object.keys(judged)])) {
      yield* compareMembers(memberOf(reported, name), memberOf(judged, name), [...path, name]);
    }
  } else if (pointer !== PROXY || memberOf(reported, 'shown') !== judged) {
    const [was, is] = [reported, judged].map((value) => (value === undefined ? undefined : shortJson(value, SHOWN)));
    yield { kind: 'member', pointer, ...withoutUndefined({ reported: was, judged: is }) };
  }
}

/** Excuses come from files of the user: the report has waivers, and the older report was given again. */
const EXCUSES: readonly string[] = ['/waivers', '/baseline'];

/** The members that the report has although no recording can show them. */
export function listNotRecorded(report: Report): readonly string[] {
  return [...NEVER_RECORDED, ...EXCUSES].filter((pointer) => {
    const value = valueAt(report, pointer);
    return typeof value === 'string' || isObject(value);
  });
}
