/** `wirecheck explain NAME` */
import { type Clause, USUAL_LEVEL } from '../contract/contract.ts';
import { loadExplanation } from '../contract/explanations.ts';
import { loadContract } from '../contract/load-contract.ts';
import { type Fault, FAULTS } from '../gateway/index.ts';
import { didYouMean } from '../text/suggestion.ts';
import { inert } from '../text/inert.ts';
import { clampWidth, listFirst, spread } from '../text/layout.ts';
import { formatEdit } from '../render/request-text.ts';
import { settingFor } from '../verdict/reason.ts';
import type { Case } from '../suite/case.ts';
import { loadSuites } from '../suite/load-suites.ts';
import { UsageError } from '../usage-error.ts';
import { affectedLines } from './explain-affected.ts';
import { type Explained, EXPLAINED_KINDS, labelled } from './explain-names.ts';
import { explainRelayCase } from './explain-relay.ts';
import { explainScenario } from './explain-scenario.ts';
import { loadAllClauses, loadOtherCases, type NamedCase } from '../subjects/subjects.ts';
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
    ...explainScenario(id, from.width),
    ...explainRelayCase(id, from.width),
    ...cases
      .filter((testCase) => testCase.id === id || testCase.id.startsWith(`${id}[`))
      .map((testCase) => explainCase(testCase, from)),
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

function explainClause(clause: Clause, cases: readonly NamedCase[], width: number): string[] {
  const { reading, passes, fails } = loadExplanation(clause.id) ?? {};
  const judging = cases.filter((testCase) => testCase.expect.some((expectation) => expectation.clause === clause.id));
  const faults = faultsOf(clause.id);
  const part = clause.part === '-' ? 'not in the contract' : `part ${clause.part}`;
  return [
    ...spread(clause.id, `${clause.level === 'none' ? 'not judged' : clause.level} · ${clause.kind} · ${part}`, width),
    '',
    ...labelled('Says', clause.summary, width),
    ...labelled('Level', formatLevel(clause), width),
    ...(reading === undefined ? [] : labelled('Reading', reading, width)),
    ...example('Passes', passes, width),
    ...example('Fails', fails, width),
    ...labelled(
      'Cases',
      judging.length === 0
        ? noCase(clause)
        : listFirst(
            judging.map(({ id }) => id),
            MAX_CASES,
          ),
      width,
    ),
    ...affectedLines(clause.id, width),
    ...faults.flatMap(([id, { title }], index) => labelled(index === 0 ? 'Faults' : '', `${id}: ${title}`, width)),
    ...faults
      .flatMap(([, { source }]) => source ?? [])
      .flatMap((source, index) => labelled(index === 0 ? 'Seen at' : '', source, width)),
    ...(faults[0] === undefined ? [] : labelled('See it', `wirecheck demo --fault ${faults[0][0]}`, width)),
    ...(clause.part === '-' ? [] : labelled('Contract', formatAnchors(clause.part), width)),
  ];
}

/** `2, 5.4` as the anchors of parts 2 and 5 of the contract page. */
function formatAnchors(part: string): string {
  return [...new Set(part.split(', ').map((each) => `docs/contract.md#part-${each.charAt(0)}`))].join(', ');
}

function faultsOf(clause: string): readonly [id: string, fault: Fault][] {
  return Object.entries<Fault>(FAULTS).filter(([, { breaks }]) => breaks.includes(clause));
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

/** An example may have several lines, which are kept. */
function example(label: string, text: string | undefined, width: number): string[] {
  if (text === undefined) return [];
  return text
    .trimEnd()
    .split('\n')
    .flatMap((line, index) => labelled(index === 0 ? label : '', line, width));
}

function explainCase(testCase: Case, { contract, width }: Explained): string[] {
  const { ask } = testCase;
  const request =
    ask && [`${ask.base.method} ${ask.base.path} (${ask.base.name})`, ...ask.edits.map(formatEdit)].join(', ');
  return [
    ...spread(testCase.id, `${testCase.source.file}:${testCase.source.line}`, width),
    '',
    ...labelled('Title', testCase.title, width),
    ...(request === undefined
      ? labelled('Looks at', testCase.over.join(', '), width)
      : labelled('Sends', request, width)),
    ...(ask?.control === undefined
      ? []
      : labelled(
          'Control',
          `${ask.control} must have been answered in the same run, or a refusal proves nothing`,
          width,
        )),
    ...(testCase.needs.length === 0 ? [] : labelled('Needs', testCase.needs.map(settingFor).join(' and '), width)),
    ...testCase.expect.flatMap(({ clause, check }) => {
      const known = contract.clause(clause);
      const part = known === undefined || known.part === '-' ? '' : `, part ${known.part}`;
      return labelled(
        'Judges',
        `${clause} (${known?.level ?? 'unknown'}${part}) by ${check}: ${known?.summary ?? ''}`,
        width,
      );
    }),
    ...whyOf(testCase, width),
    ...labelled('Run', `wirecheck run "$WIRECHECK_BASE_URL" --only '${testCase.id}'`, width),
  ];
}

/** The first clause is the one the case is made for: those of the error body come with every refusal. */
function whyOf({ expect }: Case, width: number): string[] {
  const clause = expect[0]?.clause;
  if (clause === undefined) return [];
  const { reading, passes, fails } = loadExplanation(clause) ?? {};
  const [fault] = faultsOf(clause);
  return [
    ...(reading === undefined ? [] : labelled('Reading', reading, width)),
    ...example('Passes', passes, width),
    ...example('Fails', fails, width),
    ...(fault === undefined ? [] : labelled('See it', `wirecheck demo --fault ${fault[0]}: ${fault[1].title}`, width)),
    ...labelled('More', `wirecheck explain ${clause}`, width),
  ];
}
