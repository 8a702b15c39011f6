/** Compares two runs by observed behaviour, not only by verdicts. Changes are breaking, warnings, additive or drift. */
import { packageVersion } from '../../contract/package-files.ts';
import type { NamedWaiver } from '../../exchange/notice.ts';
import { EXIT } from '../../exit-codes.ts';
import { withoutUndefined } from '../../json.ts';
import { matchesCase, matchesGlob } from '../../plan/select.ts';
import { count, formatDay } from '../../text/layout.ts';
import { cutText } from '../../text/quote.ts';
import { usageError } from '../../usage-error.ts';
import { isCompletion } from '../../verdict/actual.ts';
import { groupBy } from '../counts.ts';
import { excuses, nameWaiver } from '../excuses/apply-excuses.ts';
import type { WaiverEntry, Waivers } from '../excuses/waivers.ts';
import type { ProfileReport } from '../profile-report.ts';
import { commandToExplain } from '../repeat/repeat-command.ts';
import type { CaseReport, Report } from '../report.ts';
import { traitsOf } from '../subject-traits.ts';
import { MIN_ANSWERS, compareAnswers } from './compare-answers.ts';
import {
  compareAttempts,
  compareCases,
  compareClauses,
  fixedClauses,
  joinClauses,
  markMended,
} from './compare-cases.ts';
import {
  CHANGES,
  CHANGE_KINDS,
  type Change,
  type ChangeSide,
  type ComparedRun,
  type Comparison,
  type ComparisonNotice,
  type Excused,
  type FailOn,
  type Obstacle,
  countEntries,
  failsAt,
} from './comparison.ts';
import { compareCounts } from './compare-counts.ts';
import { type ObservedRun, isComparable } from './observed-run.ts';
import { type CasePairs, pairCases } from './pair-cases.ts';

export interface CompareOptions {
  readonly failOn?: FailOn;
  readonly waivers?: Waivers;
}

export function compareRuns(older: ObservedRun, newer: ObservedRun, options: CompareOptions = {}): Comparison {
  refuseMixedSubjects(older, newer);
  const { failOn = 'breaking', waivers } = options;
  const cases = pairCases(older.report, newer.report);
  const { both, alike, pairs, leftOut, undecided, changed: others, onlyIn } = cases;
  const steps = [...older.steps.keys()].filter((step) => newer.steps.has(step) && !others.includes(step));
  const answers = compareAnswers(older, newer, steps);
  // The answers to a client are our own.
  const inAnswers = traitsOf(older.report).isCaller ? [] : answers.changes;
  const inCalls = compareAttempts(pairs, older, newer);
  const inCounts = compareCounts(older.report, newer.report);
  const changed = [...compareCases(pairs, older, newer), ...inAnswers, ...inCalls, ...inCounts];
  const seen = raiseTypes(markMended(changed, { both, older, newer }));
  const found = joinClauses(seen, compareClauses(alike, older, newer));
  const excused = excuseChanges(withoutEchoes(found), waivers, formatDay(newer.report.provenance.startedAt));
  const shown = showBodies(orderChanges(excused.changes, newer.report), older, newer);
  const changes = shown.map((change) => withExplanation(change, newer.report));
  const { shapes, retired } = answers;
  const broke = new Set(changes.filter(({ kind }) => kind === 'breaking').map(({ place }) => place.case));
  // A case that is already reported as broken does not need another run.
  const open = { ...cases, undecided: undecided.filter((id) => !broke.has(id)) };
  const obstacles = obstaclesTo(older, newer, open, shapes.length);
  const exit = obstacles.length > 0 ? EXIT.notJudged : EXIT.passed;
  return {
    format: 'wirecheck-comparison',
    version: 2,
    tool: { name: 'wirecheck', version: packageVersion() },
    old: describe(older),
    new: describe(newer),
    failOn,
    exit: changes.some((change) => failsAt(change, failOn)) ? EXIT.failed : exit,
    obstacles,
    notices: [
      ...noticesOn(older, newer, { ...cases, retired, fixed: fixedClauses(alike, newer.report) }),
      ...excused.notices,
    ],
    compared: {
      cases: pairs.length,
      casesLeftOut: leftOut,
      casesChanged: others.length,
      casesOnlyIn: { old: onlyIn.old.length, new: onlyIn.new.length },
      shapes: shapes.length,
      scantShapes: shapes.filter((shape) => shape.answers < MIN_ANSWERS).length,
      answers: shapes.reduce((sum, shape) => sum + shape.answers, 0),
    },
    counts: countEntries(changes),
    changes,
  };
}

/** A type that is new in some answers, and in all of another kind, is one cause. */
function raiseTypes(changes: readonly Change[]): readonly Change[] {
  const types = changes.filter(({ what }) => what === 'field-type');
  const breaking = new Set(types.filter(({ kind }) => kind === 'breaking').map(({ cause }) => cause));
  return changes.map((change) => (breaking.has(change.cause) ? { ...change, kind: 'breaking' } : change));
}

function refuseMixedSubjects(...runs: readonly [ObservedRun, ObservedRun]): void {
  const [first, second] = runs.map(({ report }) => traitsOf(report).name);
  if (first === second) return;
  const said = runs.map(({ report, source }) => `${source} is about a ${traitsOf(report).name}`);
  throw usageError.CONFLICT(`${said.join(', and ')}: compare two reports of the same kind.`);
}

/** A lost stream explains its lost marker, chunks and fields; a changed refusal already shows its new code. */
function withoutEchoes(changes: readonly Change[]): readonly Change[] {
  const hasLostStream = changes.some(({ what }) => what === 'stream-lost');
  const codes = new Set(changes.map((change) => change.new.code));
  return changes.filter(({ what, place, new: now }) => {
    if (what === 'value-new' && place.pointer === '/error/code' && codes.has(now.value)) return false;
    const isOfStream = place.mode === 'stream' && place.status === 200;
    return !(hasLostStream && isOfStream);
  });
}

function withExplanation(change: Change, report: Report): Change {
  const { clause, breaks = [] } = change;
  if (clause === undefined) return change;
  return { ...change, explain: commandToExplain(report, [clause, ...breaks.map((each) => each.clause)], clause) };
}

function describe({ report, source, withheld }: ObservedRun): ComparedRun {
  const { tool, target, provenance, outcome, ending } = report;
  return {
    source,
    tool: tool.version,
    baseUrl: target.client ? [target.client.name, target.client.version ?? ''].join(' ').trim() : target.baseUrl,
    ...(target.model !== undefined && { model: target.model }),
    startedAt: provenance.startedAt,
    contractHash: provenance.contractHash,
    outcome: outcome.name,
    ending: ending.kind,
    ...(withheld && { withoutBodies: true }),
  };
}

/** What keeps two runs from being compared. */
function obstaclesTo(older: ObservedRun, newer: ObservedRun, cases: CasePairs, shapes: number): readonly Obstacle[] {
  const { pairs, undecided, onlyIn } = cases;
  const unfinished = [older, newer].flatMap(({ report: { ending }, source, withheld }): readonly Obstacle[] => [
    ...(ending.kind === 'complete' ? [] : [{ kind: 'incomplete', source, ending } as const]),
    ...(withheld ? [{ kind: 'without-bodies', source } as const] : []),
  ]);
  const sources = { older: older.source, newer: newer.source };
  if (unfinished.length === 0 && undecided.length > 0) return [{ kind: 'undecided', cases: undecided, ...sources }];
  if (pairs.length + shapes === 0) return [...unfinished, { kind: 'nothing-in-common' }];
  const lacking = onlyIn.old.filter(isComparable).map(({ id }) => id);
  if (lacking.length > 0) return [...unfinished, { kind: 'lacking', cases: lacking, ...sources }];
  return pairs.length > 0 ? unfinished : [...unfinished, { kind: 'no-case-in-common' }];
}

/** Runs in the wrong order would make breaking changes look additive. */
function orderNotices(older: ObservedRun, newer: ObservedRun): readonly ComparisonNotice[] {
  const [before, now] = [older.report, newer.report];
  const [first, second] = [before.provenance.startedAt, now.provenance.startedAt];
  if (first > second) return [{ kind: 'wrong-order', older: newer.source, newer: older.source }];
  const isSame = first === second && before.target.baseUrl === now.target.baseUrl;
  return isSame ? [{ kind: 'same-run' }] : [];
}

/** First of all: the same verdict means something else under another profile. */
function profileNotices({ profile: before }: Report, { profile: now }: Report): readonly ComparisonNotice[] {
  if (before?.digest === now?.digest) return now ? [{ kind: 'same-profile', profile: nameProfile(now) }] : [];
  const names = { ...(before && { older: nameProfile(before) }), ...(now && { newer: nameProfile(now) }) };
  return [{ kind: 'different-profiles', ...names }];
}

/** `acme-gateway 3 (v1 with 6 changes, digest b6e5b6230619)` */
function nameProfile({ name, version = '', basedOn, changes, digest }: ProfileReport): string {
  const words = `${basedOn} with ${count(changes.length, 'change')}, digest ${digest.slice(0, 12)}`;
  return name === undefined ? words : `${name} ${version} (${words})`;
}

type Noticed = Pick<CasePairs, 'onlyIn' | 'redefined' | 'otherLimits'> & Record<'retired' | 'fixed', readonly string[]>;

function noticesOn(older: ObservedRun, newer: ObservedRun, noticed: Noticed): readonly ComparisonNotice[] {
  const { onlyIn: only, redefined, otherLimits, retired, fixed } = noticed;
  const [before, now] = [older.report, newer.report];
  const models = withoutUndefined({ older: before.target.model, newer: now.target.model });
  const isSameContract = before.provenance.contractHash === now.provenance.contractHash;
  const cut = [older, newer].filter(({ withoutBody, withheld }) => withoutBody > 0 && !withheld);
  // Others that the older run judged are an obstacle.
  const incomparable = only.old.filter((each) => !isComparable(each));
  const onlyIn = (source: string, cases: readonly CaseReport[]) =>
    listIf(cases.length > 0, { kind: 'only-here', source, cases: cases.map(({ id }) => id) });
  return [
    ...profileNotices(before, now),
    ...orderNotices(older, newer),
    ...listIf(!isSameContract, { kind: 'different-contracts' }),
    ...listIf(models.older !== models.newer, { kind: 'different-models', ...models }),
    ...onlyIn(older.source, incomparable),
    ...onlyIn(newer.source, only.new),
    ...cut.map(({ source, withoutBody }) => ({ kind: 'bodies-missing', source, count: withoutBody }) as const),
    ...listIf(redefined.length > 0, { kind: 'redefined', clauses: redefined }),
    ...listIf(otherLimits.length > 0, { kind: 'other-limits', clauses: otherLimits }),
    ...listIf(fixed.length > 0, { kind: 'fixed', clauses: fixed }),
    ...listIf(retired.length > 0, { kind: 'retired', models: retired }),
  ];
}

function listIf(isSo: boolean, notice: ComparisonNotice): readonly ComparisonNotice[] {
  return isSo ? [notice] : [];
}

/** Characters of a body. The reports have the rest. */
const MAX_BODY_LENGTH = 4_000;

/**
 * Adds to each cause what a reader wants to see of it: an answer of each run, and the command that repeats the request. Only
 * to the first change of a cause: those that are folded into it show the same.
 */
function showBodies(changes: readonly Change[], older: ObservedRun, newer: ObservedRun): readonly Change[] {
  const shown = new Set<string>();
  return changes.map((change) => {
    const { what, cause, old, new: now } = change;
    if (CHANGES[what].isBodiless || shown.has(cause)) return change;
    shown.add(cause);
    // The same request in both runs, where there is one.
    const same = old.exchanges.find((id) => now.exchanges.includes(id)) ?? askedBefore(change, older.report);
    const [before, after] = [same ?? old.exchanges[0], same ?? now.exchanges[0]];
    const repeat = repeatOf(newer.report, change, after);
    return {
      ...change,
      old: withBody(old, older.report, before),
      new: withBody(now, newer.report, after),
      ...(repeat !== undefined && { repeat }),
    };
  });
}

/** A type that is new in some answers shows in these only: the older answers to the same requests are others. */
function askedBefore({ what, new: now }: Change, { exchanges }: Report): string | undefined {
  if (what !== 'field-type') return undefined;
  const known = new Set(exchanges.map(({ id }) => id));
  return now.exchanges.find((id) => known.has(id));
}

/** Answers to a client, and those of an upstream, are our own. Bodies that were withheld stay so. */
function withBody(side: ChangeSide, { exchanges }: Report, id: string | undefined): ChangeSide {
  const exchange = exchanges.find((each) => each.id === id && each.side === undefined);
  const answer = exchange?.attempts.at(-1)?.answer;
  if (id === undefined || !answer || answer.body.shown === 0) return side;
  const text = cutText(answer.body.text, MAX_BODY_LENGTH);
  const isCut = answer.body.shown < answer.body.bytes || text.length < answer.body.text.length;
  return { ...side, answer: { exchange: id, status: answer.status, body: text, ...(isCut && { isCut }) } };
}

function repeatOf({ cases, exchanges }: Report, { place }: Change, id: string | undefined): string | undefined {
  const own = cases.find((testCase) => testCase.id === place.case) ?? cases.find(({ exchange }) => exchange === id);
  return own?.repeat ?? exchanges.find((exchange) => exchange.id === id)?.repeat;
}

/**
 * The worst kind first, and in it what harms users, then what was given and should have been refused. Of one cause, the kind
 * with the most answers, then completions, then what is no stream.
 */
export function orderChanges(changes: readonly Change[], { clauses }: Report): readonly Change[] {
  const harmful = new Set(clauses.flatMap(({ id, safety }) => (safety ? [id] : [])));
  const ordered = changes.toSorted(
    (a, b) => CHANGE_KINDS.indexOf(a.kind) - CHANGE_KINDS.indexOf(b.kind) || rankOf(a, harmful) - rankOf(b, harmful),
  );
  const causes = groupBy(ordered, ({ kind, cause }) => `${kind} ${cause}`);
  return [...causes.values()].flatMap((places) => places.toSorted(compareShown));
}

function compareShown(a: Change, b: Change): number {
  const answersOf = ({ old, new: now }: Change): number => (old.answers ?? 0) + (now.answers ?? 0);
  // A completion that was given away is worse than a list of models.
  const isOther = ({ new: { finding } }: Change): number => Number(!finding || !isCompletion(finding.actual));
  const isStream = ({ place: { mode } }: Change): number => Number(mode === 'stream');
  return answersOf(b) - answersOf(a) || isOther(a) - isOther(b) || isStream(a) - isStream(b);
}

function rankOf({ what, clause = '', new: { finding } }: Change, harmful: ReadonlySet<string>): number {
  if (what !== 'clause-broken') return 2;
  if (harmful.has(clause)) return 0;
  return finding?.expected.kind === 'refusal' && finding.actualType === '2xx' ? 1 : 2;
}

// Changes that a waiver accepts, and announced removals (part 9.5), which are allowed from their date on.

const ANNOUNCED_CLAUSE = 'versioning.works-until-removal';

/** `today` as `2030-12-31`. The notices are about waivers that expired or match nothing. */
function excuseChanges(changes: readonly Change[], waivers: Waivers | undefined, today: string) {
  if (!waivers) return { changes, notices: [] };
  const entries = waivers.waivers.map(({ entry }) => entry);
  return {
    changes: changes.map((change) => {
      const named = entries.filter((entry) => matchesChange(entry, change));
      return excuseChange(change, [...named, ...waiversOfClauses(change, entries, today)], today);
    }),
    notices: waivers.waivers.flatMap(({ entry, line }) =>
      noticeOn(entry, nameWaiver(waivers.file, { ...entry, line }), changes, today),
    ),
  };
}

type Notices = readonly ComparisonNotice[];

/** An unused waiver is not a problem: the same file may serve a run. */
function noticeOn(entry: WaiverEntry, named: NamedWaiver, changes: readonly Change[], today: string): Notices {
  const { until, announced } = entry;
  const matched = changes.filter(
    (change) => matchesChange(entry, change) || change.breaks?.some((broken) => excuses({ entry }, broken)),
  );
  const isUsed = announced
    ? matched.some((change) => matchesChange(entry, change) && CHANGES[change.what].isRemoval)
    : matched.length > 0;
  const expired = until !== undefined && until < today ? until : undefined;
  if (isUsed) return expired === undefined ? [] : [{ kind: 'waiver-expired', until: expired, ...named }];
  // What was announced is still there.
  if (announced && announced.date > today && !matched.some(isLoss)) return [];
  const over = expired !== undefined && { expired };
  const apart = changes.some((change) => isApart(change, entry)) && ({ isOfNoCase: true } as const);
  return [{ kind: 'waiver-idle', ...over, isAnnounced: announced !== undefined, ...apart, ...named }];
}

function isLoss({ kind }: Change): boolean {
  return kind !== 'additive';
}

/** Only the case keeps the waiver from it, and the change has none. */
function isApart(change: Change, { case: id, ...entry }: WaiverEntry): boolean {
  if (id === undefined || change.place.case !== undefined || !isLoss(change)) return false;
  return matchesChange(entry, change) && (!entry.announced || CHANGES[change.what].isRemoval === true);
}

function excuseChange(change: Change, named: readonly WaiverEntry[], today: string): Change {
  const announcements = CHANGES[change.what].isRemoval
    ? named.flatMap(({ announced, reason, owner }) => (announced ? [{ announced, reason, owner }] : []))
    : [];
  const due = announcements.find(({ announced }) => announced.date <= today);
  if (due) {
    const { reason, owner, announced } = due;
    const excused: Excused = {
      by: 'announcement',
      reason,
      ...withoutUndefined({ owner, link: announced.link, date: announced.date }),
    };
    return { ...change, clause: ANNOUNCED_CLAUSE, excused };
  }
  const [early] = announcements;
  // Before its date, an announced removal breaks the announcement.
  const dated: Change = early
    ? { ...change, kind: 'breaking', clause: ANNOUNCED_CLAUSE, announcedFor: early.announced.date }
    : change;
  const waiver = named.find(({ until }) => until !== undefined && today <= until);
  if (!waiver) return dated;
  const { reason, owner, link, until: date } = waiver;
  return { ...dated, excused: { by: 'waiver', reason, ...withoutUndefined({ owner, link, date }) } };
}

/** A change that breaks clauses is accepted as well if each of them is waived in each case, as a run accepts it. */
function waiversOfClauses(change: Change, entries: readonly WaiverEntry[], today: string): readonly WaiverEntry[] {
  const valid = entries.filter(({ until }) => until !== undefined && today <= until);
  const found = (change.breaks ?? []).map((broken) => valid.find((entry) => excuses({ entry }, broken)));
  const named = found.filter((entry) => entry !== undefined);
  return named.length === found.length ? named : [];
}

function matchesChange({ fingerprint, clause, case: id }: WaiverEntry, change: Change): boolean {
  return (
    (fingerprint === undefined || [change.fingerprint, change.cause].some((own) => matchesGlob(fingerprint, own))) &&
    (clause === undefined || (change.clause !== undefined && matchesGlob(clause, change.clause))) &&
    (id === undefined || (change.place.case !== undefined && matchesCase(id, change.place.case)))
  );
}
