/** Compares two runs by observed behaviour, not only by verdicts. Changes are breaking, warnings, additive or drift. */
import { EXIT } from '../../exit-codes.ts';
import { packageVersion } from '../../contract/package-files.ts';
import type { Waivers } from '../excuses/waivers.ts';
import { compareCases } from './compare-cases.ts';
import { compareClauses, fixedClauses, joinClauses } from './compare-clauses.ts';
import { markMended } from './compare-mended.ts';
import { compareTimes } from './compare-times.ts';
import { compareEndMarkers, compareModels, isOfListedModels } from './compare-totals.ts';
import { compareShapes, MIN_ANSWERS } from './compare-shapes.ts';
import { compareWords } from './compare-words.ts';
import { type Change, type ChangeKind, type ComparedRun, type Comparison, FAIL_ON, type FailOn } from './comparison.ts';
import { excuseChanges } from './excuse-changes.ts';
import { countEntries } from './fold-changes.ts';
import { noticesOn, obstaclesTo } from './notices-on-runs.ts';
import { pairCases } from './pair-cases.ts';
import { orderChanges } from './order-changes.ts';
import { showBodies } from './show-bodies.ts';
import { commandToExplain } from '../repeat/repeat-command.ts';
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
  const cases = pairCases(older.report, newer.report);
  const { both, alike, pairs, leftOut, undecided, changed: others, onlyIn } = cases;
  // A request that only one run sent shows no change.
  const steps = [...older.steps.keys()].filter((step) => newer.steps.has(step) && !others.includes(step));
  const [before, now] = [older.observationsOf(steps), newer.observationsOf(steps)];
  const models = compareModels(older, newer);
  // The answers to a client are our own.
  const isCaller = traitsOf(older.report).isCaller;
  const changed = [
    ...compareCases(pairs, older, newer),
    ...(isCaller
      ? []
      : [
          ...compareShapes(before.shapes, now.shapes).filter((change) => isOfListedModels(change, older, newer)),
          ...compareEndMarkers(before, now),
          ...models.changes,
          ...compareWords(older, newer, steps),
          ...compareTimes(before, now),
        ]),
  ];
  const seen = raiseTypes(markMended(changed, both, older, newer));
  const found = joinClauses(seen, compareClauses(alike, older, newer));
  const excused = excuseChanges(withoutEchoes(found), waivers, newer.report.provenance.startedAt.slice(0, 10));
  const shown = showBodies(orderChanges(excused.changes, newer.report), older, newer);
  const changes = shown.map((change) => withExplanation(change, newer.report));
  const shapes = [...before.shapes].filter(([name]) => now.shapes.has(name));
  const answers = shapes.reduce((sum, [, shape]) => sum + shape.answers, 0);
  const broke = new Set(changes.filter(({ kind }) => kind === 'breaking').map(({ place }) => place.case));
  // A case that is already reported as broken does not need another run.
  const open = { ...cases, undecided: undecided.filter((id) => !broke.has(id)) };
  const obstacles = obstaclesTo(older, newer, open, shapes.length);
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
      ...noticesOn(older, newer, cases, { retired: models.retired, fixed: fixedClauses(alike, newer.report) }),
      ...excused.notices,
    ],
    compared: {
      cases: pairs.length,
      casesLeftOut: leftOut,
      casesChanged: others.length,
      casesOnlyIn: { old: onlyIn.old.length, new: onlyIn.new.length },
      shapes: shapes.length,
      scantShapes: shapes.filter(([, shape]) => shape.answers < MIN_ANSWERS).length,
      answers,
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
