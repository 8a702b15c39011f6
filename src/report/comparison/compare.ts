/** Compares two runs by what was observed, not only by verdicts: what broke, what is to be looked at, what was added, what drifted. */
import { packageVersion } from '../../contract/package-root.ts';
import { formatEnding } from '../../exchange/ending.ts';
import { WITHHELD } from '../own-words.ts';
import type { Waivers } from '../exemptions/waivers.ts';
import { compareCases, pairCases } from './compare-cases.ts';
import { compareClauses, fixedClauses, isOutdone } from './compare-clauses.ts';
import { compareEndMarkers, compareModels, isOfListedModels } from './compare-lists.ts';
import { compareShapes, compareWords, LEAST_ANSWERS } from './compare-shapes.ts';
import { compareTimes } from './compare-times.ts';
import {
  type Change,
  CHANGE_KINDS,
  type ChangeKind,
  type ComparedRun,
  type Comparison,
  type FailOn,
} from './comparison.ts';
import { excuseChanges } from './excuse-changes.ts';
import type { ObservedRun } from './observed-run.ts';

export interface CompareOptions {
  readonly failOn?: FailOn;
  readonly waivers?: Waivers;
}

export function compareRuns(older: ObservedRun, newer: ObservedRun, options: CompareOptions = {}): Comparison {
  const { failOn = 'breaking', waivers } = options;
  const { both, pairs, leftOut, undecided } = pairCases(older.report, newer.report);
  const [before, now] = [older.shapes.all, newer.shapes.all];
  const models = compareModels(older, newer);
  const seen = [
    ...compareCases(pairs, older, newer),
    ...compareShapes(before, now).filter((change) => isOfListedModels(change, older, newer)),
    ...compareEndMarkers(older, newer),
    ...models.changes,
    ...compareWords(before, now),
    ...compareTimes(older.times, newer.times),
  ];
  const broken = compareClauses(both, older, newer, seen);
  const found = [...seen.filter((change) => !isOutdone(change, broken)), ...broken];
  const excused = excuseChanges(withoutEchoes(found), waivers, newer.report.provenance.startedAt.slice(0, 10));
  const changes = excused.changes.toSorted((a, b) => CHANGE_KINDS.indexOf(a.kind) - CHANGE_KINDS.indexOf(b.kind));
  const shapes = [...before].filter(([name]) => now.has(name));
  const answers = shapes.reduce((sum, [, shape]) => sum + shape.answers, 0);
  const broke = new Set(changes.filter(({ kind }) => kind === 'breaking').map(({ place }) => place.case));
  // Another run would not tell more of a case that is told as broken.
  const open = undecided.filter((id) => !broke.has(id));
  const obstacles = obstaclesTo(older, newer, pairs.length + shapes.length, open);
  return {
    format: 'wirecheck-comparison',
    version: 1,
    tool: { name: 'wirecheck', version: packageVersion() },
    old: describe(older),
    new: describe(newer),
    failOn,
    exit: changes.some((change) => fails(change, failOn)) ? 1 : obstacles.length > 0 ? 3 : 0,
    obstacles,
    notices: [...noticesOn(older, newer, models.retired, fixedClauses(both, newer.report)), ...excused.notices],
    compared: {
      cases: pairs.length,
      casesLeftOut: leftOut,
      shapes: shapes.length,
      scantShapes: shapes.filter(([, shape]) => shape.answers < LEAST_ANSWERS).length,
      answers,
    },
    counts: countKinds(changes),
    changes,
  };
}

/** A stream that is none any more has lost its marker, its chunks and their fields; and a new code is told with what it came with. */
function withoutEchoes(changes: readonly Change[]): readonly Change[] {
  const hasLostStream = changes.some(({ what }) => what === 'stream-lost');
  const codes = new Set(changes.map((change) => change.new.code));
  return changes.filter(({ what, place, new: now }) => {
    if (what === 'value-new' && place.pointer === '/error/code' && codes.has(now.value)) return false;
    const isOfStream = place.mode === 'stream' && place.status === 200;
    return !(hasLostStream && isOfStream);
  });
}

/** Drift is the least of what can fail a comparison; what is additive never does. */
function fails({ kind, excused }: Change, failOn: FailOn): boolean {
  const failing: Record<FailOn, readonly ChangeKind[]> = {
    breaking: ['breaking'],
    warning: ['breaking', 'warning'],
    drift: ['breaking', 'warning', 'drift'],
  };
  return !excused && failing[failOn].includes(kind);
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
    baseUrl: target.baseUrl,
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
  const unfinished = [older, newer].flatMap(({ report, source, withheld }) => {
    return [
      ...(report.ending.kind === 'complete'
        ? []
        : [`Not everything can be compared: ${source} is incomplete (${formatEnding(report.ending)}).`]),
      ...(withheld
        ? [
            `The report ${source} was made with --no-bodies, so that what its answers hold cannot be compared. Compare recordings, or reports with bodies.`,
          ]
        : []),
    ];
  });
  if (unfinished.length === 0 && undecided.length > 0) {
    const [first = '', ...others] = undecided;
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return [
      `What ${first}${more} showed in ${older.source} could not be told in ${newer.source}: see there why, and run it again.`,
    ];
  }
  if (compared > 0) return unfinished;
  return [...unfinished, 'The two runs have nothing in common that could be compared.'];
}

/** A comparison the wrong way round calls what broke additive. */
function orderNotices({ report: before, source: older }: ObservedRun, { report: now, source }: ObservedRun): string[] {
  const [first, second] = [before.provenance.startedAt, now.provenance.startedAt];
  if (first > second) return [`${source} was made before ${older}: if it is the older version, name it first.`];
  const isSame = first === second && before.target.baseUrl === now.target.baseUrl;
  return isSame ? ['Both files hold the same run, so that there is nothing to compare.'] : [];
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
      : ['The runs were judged by different clauses or suites: only cases of both are compared.']),
    ...(models[0] === models[1] || models.includes(WITHHELD)
      ? []
      : [`The runs called different models (${models.join(', then ')}).`]),
    ...cut.map(
      ({ source, withoutBody }) =>
        `${source} does not hold ${withoutBody === 1 ? 'one body' : `${withoutBody} bodies`} whole: their fields are not compared. A recording holds all of them.`,
    ),
    ...(fixed.length > 0 ? [`Broken then, and kept now: ${fixed.slice(0, 10).join(', ')}.`] : []),
    ...(retired.length > 0 ? [`Gone after they were marked deprecated: ${retired.slice(0, 10).join(', ')}.`] : []),
  ];
}
