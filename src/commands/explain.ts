/** `wirecheck explain NAME` */
import { type Clause, USUAL_LEVEL } from '../contract/contract.ts';
import { loadExplanation } from '../contract/explanations.ts';
import { loadContract } from '../contract/load-contract.ts';
import { didYouMean } from '../text/suggestion.ts';
import { inert } from '../text/inert.ts';
import { clampWidth, listFirst, spread } from '../text/layout.ts';
import type { AnyCase } from '../suite/case.ts';
import { loadSuites } from '../suite/load-suites.ts';
import { UsageError } from '../usage-error.ts';
import { affectedLines } from './explain-affected.ts';
import { explainCases } from './explain-case.ts';
import { EXPLAINED_KINDS } from './explain-names.ts';
import { faultsOf, linesOf } from './explained.ts';
import { loadAllClauses, loadOtherCases } from '../subjects/subjects.ts';
import type { CommandIo } from './command-io.ts';
import { locateSuites } from './settings/locate-suites.ts';

const MAX_CASES = 12;

/** Everything with this name, clauses and cases first. */
export function explainCommand(id: string, names: readonly string[], { stdout, cwd }: CommandIo): number {
  const contract = loadContract();
  const suites = loadSuites(locateSuites(names, cwd), contract);
  const cases = suites.flatMap((suite) => suite.cases);
  const from = { contract, suites, cases, width: clampWidth(stdout.columns) };
  const clauses = loadAllClauses();
  const others = loadOtherCases();
  const found = [
    ...clauses
      .filter((clause) => clause.id === id)
      .map((clause) => explainClause(clause, [...cases, ...others], from.width)),
    ...explainCases(id, from),
    ...Object.values(EXPLAINED_KINDS).flatMap(({ explain }) => {
      const lines = explain(id, from);
      return lines === undefined ? [] : [lines];
    }),
  ];
  if (found.length === 0) {
    const kinds = Object.keys(EXPLAINED_KINDS);
    const known = [
      ...[...clauses, ...cases, ...others].map((each) => each.id),
      ...Object.values(EXPLAINED_KINDS).flatMap((kind) => kind.names(from)),
    ];
    const guess = didYouMean(id, known) || ' `wirecheck list` shows what can be explained.';
    throw new UsageError(
      `No clause, case, scenario, ${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)} is named "${inert(id, 100)}".${guess}`,
    );
  }
  stdout.write(`${found.map((lines) => lines.join('\n')).join('\n\n')}\n`);
  return 0;
}

function explainClause(clause: Clause, cases: readonly AnyCase[], width: number): string[] {
  const { reading, passes, fails } = loadExplanation(clause.id) ?? {};
  const judging = cases
    .filter(({ expect }) => expect.some((expectation) => expectation.clause === clause.id))
    .map(({ id }) => id);
  const faults = faultsOf(clause.id);
  const part = clause.part === '-' ? 'not in the contract' : `part ${clause.part}`;
  return [
    ...spread(clause.id, `${clause.level === 'none' ? 'not judged' : clause.level} · ${clause.kind} · ${part}`, width),
    '',
    ...linesOf(
      [
        ['Says', clause.summary],
        ['Level', formatLevel(clause)],
        ['Reading', reading],
        ['Passes', passes],
        ['Fails', fails],
        ['Cases', judging.length === 0 ? noCase(clause) : listFirst(judging, MAX_CASES)],
      ],
      width,
    ),
    ...affectedLines(clause.id, width),
    ...linesOf(
      [
        ['Faults', faults.map(([id, { title }]) => `${id}: ${title}`).join('\n')],
        ['Seen at', faults.flatMap(([, { source }]) => source ?? []).join('\n')],
        ['See it', faults[0] && `wirecheck demo --fault ${faults[0][0]}`],
        ['Contract', clause.part === '-' ? undefined : formatAnchors(clause.part)],
      ],
      width,
    ),
  ];
}

/** `2, 5.4` as the anchors of parts 2 and 5 of the contract page. */
function formatAnchors(part: string): string {
  return [...new Set(part.split(', ').map((each) => `docs/contract.md#part-${each.charAt(0)}`))].join(', ');
}

function formatLevel({ kind, level, why = '' }: Clause): string {
  if (level === 'none') return `not judged. ${why}`;
  const usual = USUAL_LEVEL[kind];
  const sentence =
    level === usual ? `${level}, as usual for ${kind} clauses.` : `${level}; ${kind} clauses are usually ${usual}.`;
  return `${sentence} ${why}`.trimEnd();
}

const WITHOUT_CASE: Record<Clause['scope'], string> = {
  run: 'none in the loaded suites',
  'extra-key': 'none in the loaded suites',
  patience: 'none in the loaded suites',
  comparison: 'none: it takes two runs to see it',
  description: 'none: it is read from the published OpenAPI description',
};

function noCase({ level, scope }: Clause): string {
  return level === 'none' ? 'none: it cannot be seen over the wire' : WITHOUT_CASE[scope];
}
