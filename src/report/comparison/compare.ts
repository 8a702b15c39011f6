/** Compares two runs by observed behaviour, not only by verdicts. Changes are breaking, warnings, additive or drift. */
import { EXIT } from '../../exit-codes.ts';
import { packageVersion } from '../../contract/package-files.ts';
import type { Waivers } from '../excuses/waivers.ts';
import { compareCases, pairCases, compareClauses, fixedClauses, isOutweighed } from './compare-cases.ts';
import { markMended } from './compare-mended.ts';
import { compareTimes } from './compare-times.ts';
import { compareEndMarkers, compareModels, isOfListedModels } from './compare-totals.ts';
import { compareShapes, compareWords, MIN_ANSWERS } from './compare-shapes.ts';
import { type Change, type ChangeKind, type ComparedRun, type Comparison, FAIL_ON, type FailOn } from './comparison.ts';
import type { ProfileReport } from '../profile-report.ts';
import { count } from '../../text/layout.ts';
import type { ComparisonNotice, Obstacle } from './comparison-notice.ts';
import { excuseChanges } from './excuse-changes.ts';
import { countEntries } from './fold-changes.ts';
import { orderChanges } from './order-changes.ts';
import { showBodies } from './show-bodies.ts';
import type { Report } from '../report.ts';
import { UsageError } from '../../usage-error.ts';
import { traitsOf } from '../subject-traits.ts';
import type { ObservedRun } from './observed-run.ts';

export interface CompareOptions {
  readonly failOn?: FailOn;
  readonly waivers?: Waivers;
}

export function compareRuns(older: ObservedRun, newer: ObservedRun, options: CompareOptions = {}): Comparison {
  refuseMixedSubjects(older, newer);
  const { failOn = 'breaking', waivers } = options;
  const failing: readonly ChangeKind[] = FAIL_ON.slice(0, FAIL_ON.indexOf(failOn) + 1);
  const { both, pairs, leftOut, undecided } = pairCases(older.report, newer.report);
  const [before, now] = [older.shapes, newer.shapes];
  const models = compareModels(older, newer);
  // The answers to a client are our own.
  const isCaller = traitsOf(older.report).isCaller;
  const times = isCaller ? { changes: [], notices: [] } : compareTimes(older, newer);
  const changed = [
    ...compareCases(pairs, older, newer),
    ...(isCaller
      ? []
      : [
          ...compareShapes(before, now).filter((change) => isOfListedModels(change, older, newer)),
          ...compareEndMarkers(older, newer),
          ...models.changes,
          ...compareWords(before, now),
          ...times.changes,
        ]),
  ];
  const seen = markMended(changed, both, older, newer);
  const broken = compareClauses(both, older, newer, seen);
  const found = [...seen.filter((change) => !isOutweighed(change, broken)), ...broken];
  const excused = excuseChanges(withoutEchoes(found), waivers, newer.report.provenance.startedAt.slice(0, 10));
  const changes = showBodies(orderChanges(excused.changes, newer.report), older, newer);
  const shapes = [...before].filter(([name]) => now.has(name));
  const answers = shapes.reduce((sum, [, shape]) => sum + shape.answers, 0);
  const broke = new Set(changes.filter(({ kind }) => kind === 'breaking').map(({ place }) => place.case));
  // A case that is already reported as broken does not need another run.
  const open = undecided.filter((id) => !broke.has(id));
  const obstacles = obstaclesTo(older, newer, pairs.length + shapes.length, open);
  return {
    format: 'wirecheck-comparison',
    version: 2,
    tool: { name: 'wirecheck', version: packageVersion() },
    old: describe(older),
    new: describe(newer),
    failOn,
    exit: changes.some(({ kind, excused }) => !excused && failing.includes(kind))
      ? EXIT.failed
      : obstacles.length > 0
        ? EXIT.notJudged
        : EXIT.passed,
    obstacles,
    notices: [
      ...noticesOn(older, newer, models.retired, fixedClauses(both, newer.report)),
      ...times.notices,
      ...excused.notices,
    ],
    compared: {
      cases: pairs.length,
      casesLeftOut: leftOut,
      shapes: shapes.length,
      scantShapes: shapes.filter(([, shape]) => shape.answers < MIN_ANSWERS).length,
      answers,
    },
    counts: countEntries(changes),
    changes,
  };
}

function refuseMixedSubjects(...runs: readonly [ObservedRun, ObservedRun]): void {
  const [first, second] = runs.map(({ report }) => traitsOf(report).name);
  if (first === second) return;
  const said = runs.map(({ report, source }) => `${source} is about a ${traitsOf(report).name}`);
  throw new UsageError(`${said.join(', and ')}: compare two reports of the same kind.`, { code: 'CONFLICT' });
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

function obstaclesTo(
  older: ObservedRun,
  newer: ObservedRun,
  compared: number,
  undecided: readonly string[],
): readonly Obstacle[] {
  const unfinished = [older, newer].flatMap(({ report: { ending }, source, withheld }): readonly Obstacle[] => [
    ...(ending.kind === 'complete' ? [] : [{ kind: 'incomplete', source, ending } as const]),
    ...(withheld ? [{ kind: 'without-bodies', source } as const] : []),
  ]);
  if (unfinished.length === 0 && undecided.length > 0) {
    return [{ kind: 'undecided', cases: undecided, older: older.source, newer: newer.source }];
  }
  return compared > 0 ? unfinished : [...unfinished, { kind: 'nothing-in-common' }];
}

/** In the wrong order, breaking changes would look additive. */
function orderNotices(older: ObservedRun, newer: ObservedRun): readonly ComparisonNotice[] {
  const [before, now] = [older.report, newer.report];
  const [first, second] = [before.provenance.startedAt, now.provenance.startedAt];
  if (first > second) return [{ kind: 'wrong-order', older: newer.source, newer: older.source }];
  const isSame = first === second && before.target.baseUrl === now.target.baseUrl;
  return isSame ? [{ kind: 'same-run' }] : [];
}

function onlyIn({ report, source }: ObservedRun, other: ObservedRun): readonly ComparisonNotice[] {
  const known = new Set(other.report.cases.map(({ id }) => id));
  const cases = report.cases.map(({ id }) => id).filter((id) => !known.has(id));
  return cases.length === 0 ? [] : [{ kind: 'only-here', source, cases }];
}

function modelNotices({ target: { model: older } }: Report, { target: { model: newer } }: Report) {
  if (older === newer) return [];
  const models = { ...(older !== undefined && { older }), ...(newer !== undefined && { newer }) };
  return [{ kind: 'different-models', ...models } as const];
}

/** First of all: the same verdict means something else under another profile. */
function profileNotices({ profile: before }: Report, { profile: now }: Report): readonly ComparisonNotice[] {
  if (before?.digest === now?.digest) return now ? [{ kind: 'same-profile', profile: nameProfile(now) }] : [];
  return [
    {
      kind: 'different-profiles',
      ...(before && { older: nameProfile(before) }),
      ...(now && { newer: nameProfile(now) }),
    },
  ];
}

/** `acme-gateway 3 (v1 with 6 changes, digest b6e5b6230619)` */
function nameProfile({ name, version = '', basedOn, changes, digest }: ProfileReport): string {
  const words = `${basedOn} with ${count(changes.length, 'change')}, digest ${digest.slice(0, 12)}`;
  return name === undefined ? words : `${name} ${version} (${words})`;
}

function noticesOn(
  older: ObservedRun,
  newer: ObservedRun,
  retired: readonly string[],
  fixed: readonly string[],
): readonly ComparisonNotice[] {
  const [before, now] = [older.report, newer.report];
  const isSameContract = before.provenance.contractHash === now.provenance.contractHash;
  const cut = [older, newer].filter(({ withoutBody, withheld }) => withoutBody > 0 && !withheld);
  return [
    ...profileNotices(before, now),
    ...orderNotices(older, newer),
    ...(isSameContract ? [] : [{ kind: 'different-contracts' } as const]),
    ...modelNotices(before, now),
    ...onlyIn(older, newer),
    ...onlyIn(newer, older),
    ...cut.map(({ source, withoutBody }) => ({ kind: 'bodies-missing', source, count: withoutBody }) as const),
    ...(fixed.length > 0 ? [{ kind: 'fixed', clauses: fixed } as const] : []),
    ...(retired.length > 0 ? [{ kind: 'retired', models: retired } as const] : []),
  ];
}
