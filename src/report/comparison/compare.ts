/** Compares two runs by observed behaviour, not only by verdicts. Changes are breaking, warnings, additive or drift. */
import { EXIT } from '../../exit-codes.ts';
import { packageVersion } from '../../contract/package-files.ts';
import { formatEnding } from '../../exchange/ending.ts';
import type { Waivers } from '../excuses/waivers.ts';
import { compareCases, pairCases, compareClauses, fixedClauses, isOutweighed } from './compare-cases.ts';
import { compareTimes } from './compare-times.ts';
import { compareEndMarkers, compareModels, isOfListedModels } from './compare-totals.ts';
import { compareShapes, compareWords, MIN_ANSWERS } from './compare-shapes.ts';
import {
  type Change,
  CHANGE_KINDS,
  type ChangeKind,
  type ComparedRun,
  type Comparison,
  FAIL_ON,
  type FailOn,
} from './comparison.ts';
import { excuseChanges } from './excuse-changes.ts';
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
  const seen = [
    ...compareCases(pairs, older, newer),
    // The answers to a client are our own.
    ...(traitsOf(older.report).isCaller
      ? []
      : [
          ...compareShapes(before, now).filter((change) => isOfListedModels(change, older, newer)),
          ...compareEndMarkers(older, newer),
          ...models.changes,
          ...compareWords(before, now),
          ...compareTimes(older, newer),
        ]),
  ];
  const broken = compareClauses(both, older, newer, seen);
  const found = [...seen.filter((change) => !isOutweighed(change, broken)), ...broken];
  const excused = excuseChanges(withoutEchoes(found), waivers, newer.report.provenance.startedAt.slice(0, 10));
  const changes = excused.changes.toSorted((a, b) => CHANGE_KINDS.indexOf(a.kind) - CHANGE_KINDS.indexOf(b.kind));
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
    notices: [...noticesOn(older, newer, models.retired, fixedClauses(both, newer.report)), ...excused.notices],
    compared: {
      cases: pairs.length,
      casesLeftOut: leftOut,
      shapes: shapes.length,
      scantShapes: shapes.filter(([, shape]) => shape.answers < MIN_ANSWERS).length,
      answers,
    },
    counts: countKinds(changes),
    changes,
  };
}

function refuseMixedSubjects(...runs: readonly [ObservedRun, ObservedRun]): void {
  const [first, second] = runs.map(({ report }) => traitsOf(report).name);
  if (first === second) return;
  const said = runs.map(({ report, source }) => `${source} is about a ${traitsOf(report).name}`);
  throw new UsageError(`${said.join(', and ')}: compare two reports of the same kind.`);
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

function countKinds(changes: readonly Change[]): Comparison['counts'] {
  const count = (kind: ChangeKind): number => changes.filter((change) => change.kind === kind).length;
  return { breaking: count('breaking'), warning: count('warning'), additive: count('additive'), drift: count('drift') };
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
): readonly string[] {
  const unfinished = [older, newer].flatMap(({ report: { ending }, source, withheld }) => {
    const incomplete = `Not everything can be compared: ${source} is incomplete (${formatEnding(ending)}).`;
    const bare = `The report ${source} was made with --no-bodies, so its answers cannot be compared. Compare recordings, or reports with bodies.`;
    return [...(ending.kind === 'complete' ? [] : [incomplete]), ...(withheld ? [bare] : [])];
  });
  if (unfinished.length === 0 && undecided.length > 0) {
    const [first = '', ...others] = undecided;
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return [
      `${first}${more} passed in ${older.source} and could not be judged in ${newer.source}. Look up the reason there, and run it again.`,
    ];
  }
  if (compared > 0) return unfinished;
  return [...unfinished, 'The two runs have no case and no kind of answer in common.'];
}

/** In the wrong order, breaking changes would look additive. */
function orderNotices({ report: before, source: older }: ObservedRun, { report: now, source }: ObservedRun): string[] {
  const [first, second] = [before.provenance.startedAt, now.provenance.startedAt];
  if (first > second) return [`${source} is older than ${older}. If it is the older version, name it first.`];
  const isSame = first === second && before.target.baseUrl === now.target.baseUrl;
  return isSame ? ['Both files contain the same run.'] : [];
}

function noticesOn(
  older: ObservedRun,
  newer: ObservedRun,
  retired: readonly string[],
  fixed: readonly string[],
): readonly string[] {
  const [before, now] = [older.report, newer.report];
  const cut = [older, newer].filter(({ withoutBody, withheld }) => withoutBody > 0 && !withheld);
  const models = [before, now].map(({ target }) => target.model ?? 'none');
  return [
    ...orderNotices(older, newer),
    ...(before.provenance.contractHash === now.provenance.contractHash
      ? []
      : ['The runs used different clauses or suites. Only cases in both are compared.']),
    ...(models[0] === models[1] ? [] : [`The runs used different models: ${models.join(', then ')}.`]),
    ...cut.map(
      ({ source, withoutBody }) =>
        `${source} lacks ${withoutBody === 1 ? 'one complete body' : `${withoutBody} complete bodies`}, so their fields are not compared. A recording has all bodies.`,
    ),
    ...(fixed.length > 0 ? [`Fixed since the older run: ${fixed.slice(0, 10).join(', ')}.`] : []),
    ...(retired.length > 0 ? [`Removed after deprecation: ${retired.slice(0, 10).join(', ')}.`] : []),
  ];
}
