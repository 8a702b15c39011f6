/** `${COMMAND} explain` of suites, checks, faults, variants, readings, keys, settings and error codes. */
import type { Contract } from '../contract/contract.ts';
import { type Reading, anchorOfReading, loadReadings } from '../contract/explanations.ts';
import { COMMAND, pathOfFile, pathOfPage } from '../contract/package-files.ts';
import { EXIT } from '../exit-codes.ts';
import type { ChosenContract } from '../contract/profile/apply-profile.ts';
import { builtInProfiles } from '../contract/profile/read-profile.ts';
import { FAULTS, VARIANTS } from '../gateway/catalogue.ts';
import type { Fault } from '../gateway/modifier.ts';
import { type ExpectedResult, type Scenario, loadScenarios } from '../gather/client/scenario.ts';
import { loadLoadCases } from '../gather/load/plan-load.ts';
import { type Calls, loadRelayCases } from '../gather/relay/read-relay-suite.ts';
import { formatEdit } from '../render/edit-text.ts';
import { SUBJECT_TRAITS } from '../report/subject-traits.ts';
import {
  SETTING_NAMES,
  type SettingName,
  formatNotes,
  inFileOf,
  settingOf,
  variableOf,
} from '../settings/setting-names.ts';
import { KEY_SUMMARIES, KEY_VARIABLES } from '../settings/settings-without-flag.ts';
import { ALL_CHECKS, type RegisteredCheck } from '../subjects/all-checks.ts';
import { SUBJECTS, type SubjectName, loadAllClauses, loadExploreCases } from '../subjects/subjects.ts';
import type { AnyCase, Case, Suite } from '../suite/case.ts';
import { isBuiltInSuite } from '../suite/suite-names.ts';
import { count } from '../text/layout.ts';
import { argument } from '../text/shell-text.ts';
import { affectedByClause } from '../report/affected.ts';
import { tellHurt } from '../render/finding-text.ts';
import { USAGE_CODES } from '../usage-error.ts';
import { settingFor } from '../verdict/reason.ts';
import { explainProfile } from './explain-profile.ts';
import { type ExplanationPage, type LabelledLine, namesLine } from './explanation.ts';

/** Where names are looked up. */
interface Explained {
  readonly chosen: ChosenContract;
  readonly suites: readonly Suite[];
  readonly cases: readonly Case[];
  /** The folder that profile files are named from. */
  readonly cwd: string;
}

/** The faults that break a clause, each with its id. */
export function faultsOf(clause: string): readonly (readonly [id: string, fault: Fault])[] {
  return Object.entries<Fault>(FAULTS).filter(([, { breaks }]) => breaks.includes(clause));
}

/** Something that can be explained. The first of its names is offered where a name is mistyped. */
export interface Explainable {
  readonly names: readonly string[];
  readonly explain: () => ExplanationPage;
}

export const topic = (names: readonly string[], explain: () => ExplanationPage): Explainable => ({ names, explain });

const KEY_ROLES = Object.keys(KEY_VARIABLES) as readonly (keyof typeof KEY_VARIABLES)[];

/** What can be explained besides clauses and cases, by its kind. */
export const TOPICS: Readonly<Record<string, (from: Explained) => readonly Explainable[]>> = {
  suite: ({ suites }) =>
    suites.map((suite) => topic([suite.name, `${suite.name}/`, `${suite.name}/*`], () => explainSuite(suite))),
  check: ({ cases }) => ALL_CHECKS.map((check) => topic([check.name], () => explainCheck(check, cases))),
  fault: () => modifierTopics('fault', FAULTS),
  variant: () => modifierTopics('variant', VARIANTS),
  reading: () =>
    loadReadings().map((reading) =>
      topic([anchorOfReading(reading), String(reading.number)], () => explainReading(reading)),
    ),
  key: ({ cases }) => KEY_ROLES.map((role) => topic([KEY_VARIABLES[role]], () => explainKey(role, cases))),
  setting: () => SETTING_NAMES.map((name) => topic(namesOf(name), () => explainSetting(name))),
  'error code': () =>
    Object.entries(USAGE_CODES).map(([code, meaning]) =>
      topic([`WIRECHECK_E_${code}`, code], () => ({
        name: `WIRECHECK_E_${code}`,
        about: `error code · exit ${EXIT.usage}`,
        lines: [['Means', meaning]],
      })),
    ),
  profile: ({ cwd }) => builtInProfiles().map((name) => topic([name], () => explainProfile(name, cwd))),
};

function explainSuite({ name, title, cases }: Suite): ExplanationPage {
  return {
    name,
    about: `suite · ${count(cases.length, 'case')}`,
    lines: [
      ['Title', title],
      ['Run', `${COMMAND} run "$WIRECHECK_BASE_URL" --only '${name}/*'`],
      ['More', `\`${COMMAND} explain CASE\` explains one of these:`],
    ],
    items: cases.map((testCase) => [testCase.id, testCase.title]),
  };
}

/** `given`: the chosen cases of gateways. */
function explainCheck(check: RegisteredCheck, given: readonly AnyCase[]): ExplanationPage {
  const { name, subject, summary, options = {} } = check;
  const cases = subject === 'gateway' ? given : SUBJECTS[subject].cases();
  const isUsed = (expectation: AnyCase['expect'][number]): boolean => expectation.check === name;
  const named = cases.filter(({ expect }) => expect.some(isUsed)).map(({ id }) => id);
  const clauses = new Set(cases.flatMap(({ expect }) => expect.filter(isUsed).map(({ clause }) => clause)));
  const known = SUBJECTS[subject].contract().clauses.flatMap(({ id }) => (clauses.has(id) ? [id] : []));
  const inSuite = `expect: [{ clause: ${known[0] ?? 'CLAUSE'}, check: ${name} }]`;
  return {
    name,
    about: subject === 'gateway' ? 'check' : `check of a ${subject}`,
    lines: [
      ['Says', summary],
      namesLine('Options', Object.keys(options)),
      namesLine('Clauses', known),
      named.length === 0 ? ['Cases', 'none', []] : namesLine('Cases', named),
      ['In a suite', subject === 'gateway' ? inSuite : undefined],
    ],
  };
}

type Modified = Pick<Fault, 'title'> & Partial<Fault>;

function modifierTopics(kind: 'fault' | 'variant', rows: Readonly<Record<string, Modified>>): readonly Explainable[] {
  return Object.entries(rows).map(([id, row]) => topic([id], () => explainModifier(kind, id, row)));
}

function explainModifier(kind: 'fault' | 'variant', id: string, { title, source, breaks }: Modified): ExplanationPage {
  const clauses = loadAllClauses();
  const summaryOf = (clause: string): string => clauses.find((each) => each.id === clause)?.summary ?? '';
  const broken = breaks?.map((clause) => `${clause}: ${summaryOf(clause)}`) ?? [
    'nothing: it is unusual but legal, so no run may fail because of it',
  ];
  return {
    name: id,
    about: kind,
    lines: [
      ['Does', title],
      ...broken.map((text, index): LabelledLine => [index === 0 ? 'Breaks' : '', text]),
      ['Seen at', source],
      ['See it', `${COMMAND} demo --${kind} ${id}`],
    ],
  };
}

function explainReading(reading: Reading): ExplanationPage {
  return {
    name: anchorOfReading(reading),
    about: `reading · since ${reading.date}`,
    lines: [
      ['Title', reading.title],
      ['Says', reading.text],
      ['Reason', reading.reason],
      ['Considered', reading.considered],
      namesLine('Clauses', reading.clauses),
      ['Page', pathOfPage(`readings.md#${anchorOfReading(reading)}`)],
    ],
  };
}

/** A key has no flag, so it is explained by its variable. */
function explainKey(role: keyof typeof KEY_VARIABLES, cases: readonly Case[]): ExplanationPage {
  const using = cases.filter(({ needs }) => needs.some((need) => need === `${role}-key`)).map(({ id }) => id);
  return {
    name: KEY_VARIABLES[role],
    about: 'key',
    lines: [
      ['Means', KEY_SUMMARIES[role]],
      ['Set it', 'in the environment; a flag or the config file could be read by others'],
      namesLine('Cases', using),
    ],
  };
}

function explainSetting(name: SettingName): ExplanationPage {
  const { type, summary, group, short } = settingOf(name);
  const key = inFileOf(name)?.key;
  return {
    name: `--${name}`,
    about: `setting · ${group.toLowerCase()}`,
    lines: [
      ['Means', summary],
      ['Takes', type.placeholder === '' ? 'no value: it is a switch' : type.allowed],
      ['Notes', formatNotes(name)],
      ['Short', short === undefined ? undefined : `-${short}`],
      ['Variable', variableOf(name)],
      ['Config file', key === undefined ? 'cannot be set there' : `${key}:`],
    ],
  };
}

/** The flag, the variable and the key in the config file. Dashes would make the name a flag of this command. */
function namesOf(name: SettingName): readonly string[] {
  return [name, `--${name}`, variableOf(name), inFileOf(name)?.key ?? ''];
}

/** The cases of every subject. Those that were expanded from an entry have its name too. */
export function caseTopics({ cases, chosen }: Explained): readonly Explainable[] {
  const exploreCases = loadExploreCases(chosen);
  const ofSubject = <Of extends AnyCase>(all: readonly Of[], subject: SubjectName, own: (testCase: Of) => OwnPart) =>
    all.map((testCase) =>
      topic([testCase.id, testCase.id.replace(/\[.*$/s, '')], () =>
        explainCase(testCase, subject, own(testCase), SUBJECTS[subject].contract(chosen)),
      ),
    );
  const exploreCasesOf = (whose?: 'relay') => exploreCases.filter(({ subject }) => subject === whose);
  return [
    ...ofSubject(loadScenarios(), 'client', ofScenario),
    ...ofSubject(loadRelayCases(), 'relay', ({ id, mode, calls }) =>
      sends(
        `${CALL_WORDS[calls]}${mode === 'stream' ? ', streamed' : ''}`,
        `relay ${TARGET} --upstream-port 5055 --only ${id}`,
      ),
    ),
    ...ofSubject(loadLoadCases(), 'load', ({ id }) =>
      sends('no call of its own: it looks at all calls under load', `load ${TARGET} --upstream-port 5055 --only ${id}`),
    ),
    ...ofSubject(cases, 'gateway', (each) => ofCase(each, chosen)),
    // A case cannot be drawn alone.
    ...ofSubject(exploreCasesOf(), 'gateway', () =>
      sends(
        `no request of its own: it looks at the drawn requests of its kind; see ${pathOfPage('explore.md')}`,
        `explore ${TARGET}`,
      ),
    ),
    ...ofSubject(exploreCasesOf('relay'), 'relay', () =>
      sends(
        'no request of its own: it compares drawn requests with what reaches the upstream',
        `relay ${TARGET} --upstream-port 5055 --explore`,
      ),
    ),
  ];
}

const TARGET = '"$WIRECHECK_BASE_URL"';

const sends = (text: string, command: string): OwnPart => ({ lines: [['Sends', text]], run: `${COMMAND} ${command}` });

/** What only cases of this subject have. */
interface OwnPart {
  readonly lines: readonly LabelledLine[];
  /** The command that runs it. */
  readonly run: string;
}

function explainCase(
  { id, suite, title, source, expect }: AnyCase,
  subject: SubjectName,
  { lines, run }: OwnPart,
  contract: Contract,
): ExplanationPage {
  const { caseWord } = SUBJECT_TRAITS[subject];
  const line = `${source.file}:${source.line}`;
  const place = subject === 'gateway' && suite !== 'explore' && !isBuiltInSuite(suite) ? line : pathOfFile(line);
  return {
    name: id,
    about: caseWord === 'case' ? place : `${caseWord} · ${place}`,
    lines: [
      [subject === 'client' ? 'Meets' : 'Title', title],
      ...lines,
      ...expect.map(({ clause, check, level }): LabelledLine => {
        const known = contract.clause(clause);
        const part = known === undefined || known.part === '-' ? '' : `, part ${known.part}`;
        const judged = `${clause} (${level ?? known?.level ?? 'unknown'}${part})`;
        return ['Judges', `${judged} by ${check}: ${known?.summary ?? ''}`];
      }),
      ...whyOf(expect[0]?.clause, contract),
      ['Run', run],
    ],
  };
}

/** The first clause is the one the case is made for: those of the error body come with every refusal. */
function whyOf(clause: string | undefined, contract: Contract): readonly LabelledLine[] {
  if (clause === undefined) return [];
  const { reading, hurts, passes, fails } = contract.explain(clause) ?? {};
  const [fault] = faultsOf(clause);
  return [
    ['How it is judged', reading],
    ['Who is hurt', tellHurt(hurts, affectedByClause(clause)).hurts],
    ['Passes', passes],
    ['Fails', fails],
    ['Fault', fault && `${fault[0]}: ${fault[1].title}`],
    ['See it', fault && `${COMMAND} demo --fault ${fault[0]}`],
    ['More', `${COMMAND} explain ${clause}`],
  ];
}

function ofCase({ id, ask, over, needs, source }: Case, { suites = [] }: ChosenContract): OwnPart {
  const sent = ask && [
    `${ask.base.method} ${ask.base.path} (${ask.base.name})`,
    ...ask.edits.map((edit) => formatEdit(edit)),
  ];
  const control = ask?.control;
  return {
    lines: [
      sent ? ['Sends', sent.join(', '), sent] : ['Looks at', over.join(', '), over],
      ['Control', control && `${control} must have been answered in the same run, or a refusal proves nothing`],
      ['Needs', needs.map(settingFor).join(' and '), needs.map(settingFor)],
    ],
    run: `${COMMAND} run ${TARGET}${suites.includes(source.file) ? ` --suite ${argument(source.file)}` : ''} --only '${id}'`,
  };
}

const EXPECTS: Readonly<Record<ExpectedResult, string>> = {
  text: 'the exact text of the reply, or one model id per line',
  failure: 'a failed call: an exit code other than 0, or ok false from a driver',
  either: 'nothing: the result is recorded',
  calls: 'requests that keep the clause, in every scenario that was played',
};

function ofScenario({ id, mode, expectedResult, gateway, behaviours, status, tokens }: Scenario): OwnPart {
  const server = [...gateway, ...behaviours, ...(status === undefined ? [] : [`status ${status}`])];
  return {
    lines: [
      ['Call', mode],
      ['Server', server.join(', '), server],
      ['Text', tokens && JSON.stringify(tokens.join(''))],
      ['Expects', EXPECTS[expectedResult]],
    ],
    run: `${COMMAND} client --only ${id} -- COMMAND`,
  };
}

const CALL_WORDS: Readonly<Record<Calls, string>> = {
  // oxlint-disable-next-line id-denylist -- the word of the suite
  one: 'one call',
  parallel: '24 calls at once, each with its own word',
  'same-key': 'the same call twice, with the same key',
  'two-keys': 'the same call with WIRECHECK_API_KEY and with WIRECHECK_SECOND_KEY',
  leave: 'one call that the client leaves before its end',
  stall: 'one call, watched for ten seconds',
  models: 'one call with each model of --upstream-model',
  silence: 'one call whose upstream is silent in mid-stream, with --patient',
  idle: 'a call after 6 s and one after 16 s in which nothing else is sent, with --patient',
  refused: 'one call after the upstream has closed its port',
  outage: '20 calls while one of two upstreams is down',
  'bad-request': '5 calls that no upstream takes, among 11 others',
  surge: '16 calls at once, while one of two upstreams fails',
  none: 'no call of its own: it looks at all calls of the run',
};
