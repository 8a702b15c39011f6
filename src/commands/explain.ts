/** `wirecheck explain NAME` */
import { KIND_WORDS, formatKind, formatSentence } from '../render/profile-text.ts';
import { type Clause, type Contract, USUAL_LEVEL } from '../contract/contract.ts';
import { COMMAND, pathOfPage } from '../contract/package-files.ts';
import { contractOf } from '../contract/profile/apply-profile.ts';
import { loadProfile } from '../contract/profile/read-profile.ts';
import { anchorOfReading, readingsOf } from '../contract/explanations.ts';
import { argument } from '../text/shell-text.ts';
import { didYouMean } from '../text/suggestion.ts';
import { clampWidth, inert, listAlternatives } from '../text/layout.ts';
import type { AnyCase } from '../suite/case.ts';
import { loadSuites } from '../suite/read-suites.ts';
import { usageError } from '../usage-error.ts';
import { explainProfile, formatContract } from './explain-profile.ts';
import { caseTopics, faultsOf, topic, TOPICS } from './explain-kinds.ts';
import {
  type ExplanationPage,
  joinLabelled,
  layOut,
  type LabelledLine,
  listLine,
  namesLine,
  toFacts,
} from './explanation.ts';
import { loadAllClauses, loadExploreCases, loadOtherCases } from '../subjects/subjects.ts';
import { formatJson } from '../json.ts';
import { locateSuites } from './settings/read-settings.ts';
import { affectedByClause } from '../report/affected.ts';
import { CALL_WORDS, formatAffected, tellHurt } from '../render/finding-text.ts';
import type { AffectedClients } from '../report/report.ts';
import type { Call } from './command-row.ts';

/** What stands for the whole contract. */
const CONTRACT = ['contract', 'v1'];

/** Everything with this name, clauses and cases first. */
export function explainCommand({ args: [id = ''], options, io: { stdout, cwd } }: Call): void {
  const { json = false, suite = [], profile } = options;
  const files = locateSuites(suite, cwd);
  const chosen = { levels: {}, suites: files, ...(profile !== undefined && { profile: loadProfile(profile, cwd) }) };
  if (CONTRACT.includes(id)) {
    const remedy = `remove --json. \`${COMMAND} list clauses --json\` has its clauses.`;
    if (json) throw usageError.CONFLICT(`The contract is Markdown: ${remedy}`);
    stdout.write(formatContract(chosen));
    return;
  }
  const contract = contractOf(chosen);
  const suites = loadSuites(files, contract);
  const cases = suites.flatMap((suite) => suite.cases);
  const from = { chosen, suites, cases, cwd };
  const clauses = loadAllClauses(chosen);
  const others = [...loadOtherCases(), ...loadExploreCases(chosen)];
  const topics = [
    ...clauses.map((clause) => topic([clause.id], () => explainClause(clause, contract, [...cases, ...others]))),
    ...caseTopics(from),
    ...Object.values(TOPICS).flatMap((topicsOf) => topicsOf(from)),
    ...(/\.ya?ml$/.test(id) ? [topic([id], () => explainProfile(id, cwd))] : []),
  ];
  const pages = topics.filter(({ names }) => names.includes(id)).map(({ explain }) => explain());
  const flags = {
    suites: suite.map((each) => ` --suite ${argument(each)}`).join(''),
    profile: profile === undefined ? '' : ` --profile ${argument(profile)}`,
  };
  const found = pages.map((page) => withFlags(page, flags));
  if (found.length === 0) {
    const known = topics.map(({ names }) => names[0] ?? '');
    const guess = didYouMean(id, known) || ` \`${COMMAND} list\` shows what can be explained.`;
    throw usageError.UNKNOWN_NAME(
      `No ${listAlternatives(['clause', 'case', 'scenario', ...Object.keys(TOPICS)])} is named "${inert(id, 100)}".${guess}`,
    );
  }
  const shown = joinLabelled(id, found).map((each) => layOut(each, clampWidth(stdout.columns)).join('\n'));
  stdout.write(json ? formatJson(found.map(toFacts)) : `${shown.join('\n\n')}\n`);
}

const START = `${COMMAND} `;
/** What follows it. */
const JUDGING = /^(?:(?:run|demo|relay|load|explore) [^`]*|explain \S+$)/;

/** Commands that judge or explain do so by the same profile. Faults are those of v1, and a profile may allow some. */
function withFlags(
  { lines, ...rest }: ExplanationPage,
  { suites, profile }: Record<'suites' | 'profile', string>,
): ExplanationPage {
  const flagsOf = (command: string): string => `${command.startsWith('explain') ? suites : ''}${profile}`;
  return {
    ...rest,
    lines: lines.map(([label, text, ...list]) => [
      label === 'Faults' && profile !== '' ? 'Faults of v1' : label,
      text?.startsWith(START)
        ? `${START}${text.slice(START.length).replace(JUDGING, (command) => `${command}${flagsOf(command)}`)}`
        : text,
      ...list,
    ]),
  };
}

function explainClause(clause: Clause, contract: Contract, cases: readonly AnyCase[]): ExplanationPage {
  const { reading, hurts, passes, fails, sentences = [] } = contract.explain(clause.id) ?? {};
  const judges = ({ expect }: AnyCase): boolean => expect.some((expectation) => expectation.clause === clause.id);
  const judging = cases.filter(judges).map(({ id }) => id);
  const faults = faultsOf(clause.id);
  const titles = faults.map(([id, { title }]) => `${id}: ${title}`);
  const sources = faults.flatMap(([, { source }]) => source ?? []);
  const part = clause.part === '-' ? 'not in the contract' : `part ${clause.part}`;
  const readings = readingsOf(clause.id).map(
    (reading) => `${reading.number}. ${reading.title}: ${pathOfPage(`readings.md#${anchorOfReading(reading)}`)}`,
  );
  const told = tellHurt(hurts, affectedByClause(clause.id));
  return {
    name: clause.id,
    about: `${clause.level === 'none' ? 'not judged' : clause.level} · ${formatKind(clause)} · ${part}`,
    lines: [
      ['Says', clause.summary],
      listLine('Contract says', sentences.map(formatSentence)),
      ['Level', formatLevel(clause)],
      ['How it is judged', reading],
      ['Who is hurt', told.hurts],
      listLine('Reading', readings),
      ['Passes', passes],
      ['Fails', fails],
      judging.length === 0 ? ['Cases', noCase(clause), []] : namesLine('Cases', judging),
      ...(told.affected === undefined ? [] : affectedLines(clause.id)),
      listLine('Faults', titles),
      listLine('Seen at', sources),
      ['See it', faults[0] && `${COMMAND} demo --fault ${faults[0][0]}`],
      clause.part === '-' ? ['Contract', undefined] : anchorsLine(clause.part),
    ],
  };
}

/** `2, 5.4` as the anchors of parts 2 and 5 of the contract page. */
function anchorsLine(part: string): LabelledLine {
  const anchors = [...new Set(part.split(', ').map((each) => pathOfPage(`contract.md#part-${each.charAt(0)}`)))];
  return ['Contract', anchors.join(', '), anchors];
}

function formatLevel({ kind, part, level, why = '' }: Clause): string {
  if (level === 'none') return `not judged. ${why}`;
  if (kind === 'stated' && part === '-') return `${level}. ${why}`.trimEnd();
  const usual = USUAL_LEVEL[kind];
  const sentence =
    level === usual
      ? `${level}, as usual for ${KIND_WORDS[kind]} clauses.`
      : `${level}; ${KIND_WORDS[kind]} clauses are usually ${usual}.`;
  return `${sentence} ${why}`.trimEnd();
}

const WITHOUT_CASE: Partial<Record<Clause['scope'], string>> = {
  comparison: 'none: it takes two runs to see it',
  description: 'none: it is read from the published OpenAPI description',
};

function noCase({ level, scope }: Clause): string {
  return level === 'none'
    ? 'none: it cannot be seen over the wire'
    : (WITHOUT_CASE[scope] ?? 'none in the loaded suites');
}

function affectedLines(clause: string): readonly LabelledLine[] {
  const { measured = '', mismatches = [] } = affectedByClause(clause) ?? {};
  // The kind of mismatch is worth a word only if a clause can be broken in several ways.
  const isOneKind = new Set(mismatches.map(formatMismatch)).size === 1;
  return mismatches.map((each, index): LabelledLine => {
    const text = formatAffected({ measured, mismatches: [each] });
    const kind = isOneKind ? '' : `, ${formatMismatch(each)}`;
    const colon = each.affected.length === 0 ? ':' : '';
    return [index === 0 ? 'Affected' : '', `${CALL_WORDS[each.call]}${kind}${colon} ${text}`];
  });
}

/** `integer at /created`, `no data: retry` */
function formatMismatch({ mismatch, actual, pointer = '' }: AffectedClients): string {
  // `/*` is any event.
  const place = pointer === '' || pointer === '/*' ? '' : ` at ${pointer}`;
  const isType = /^(?:absent|string|integer|number|boolean|object|array|null)$/.test(actual);
  const told = mismatch === 'value' ? 'a different value' : isType ? mismatch : `${mismatch}: ${actual}`;
  return `${mismatch === 'type' || mismatch === actual ? actual : told}${place}`.replaceAll('-', ' ');
}
