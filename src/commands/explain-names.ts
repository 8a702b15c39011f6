/** `wirecheck explain` of suites, checks, faults, variants, test clients, relays and targets under load, keys, and settings. */
import { hang, padEnd, listFirst, spread } from '../text/layout.ts';
import type { AnyCase } from '../suite/case.ts';
import { listSubjects, type TestKind, type TestSubject } from '../selftest/test-subjects.ts';
import { ALL_CHECKS, loadAllClauses, type RegisteredCheck, SUBJECTS } from '../subjects/subjects.ts';
import {
  formatNotes,
  inFileOf,
  SETTING_NAMES,
  type SettingName,
  settingOf,
  variableOf,
} from '../settings/setting-names.ts';
import { KEY_SUMMARIES, KEY_VARIABLES } from '../settings/settings-without-flag.ts';
import { type Explained, labelled, linesOf } from './explained.ts';

/** Explains names of one kind; undefined for other names. */
interface Kind {
  readonly names: (from: Explained) => readonly string[];
  readonly explain: (name: string, from: Explained) => readonly string[] | undefined;
}

const MAX_NAMES = 12;

const KEY_ROLES = Object.keys(KEY_VARIABLES) as readonly (keyof typeof KEY_VARIABLES)[];

export const EXPLAINED_KINDS: Readonly<
  Record<
    'suite' | 'check' | 'fault' | 'variant' | 'test client' | 'test relay' | 'test under load' | 'key' | 'setting',
    Kind
  >
> = {
  suite: { names: ({ suites }) => suites.map(({ name }) => name), explain: explainSuite },
  check: { names: () => ALL_CHECKS.map(({ name }) => name), explain: explainCheck },
  fault: testSubjects('fault'),
  variant: testSubjects('variant'),
  'test client': testSubjects('faulty client', 'odd client'),
  'test relay': testSubjects('faulty relay', 'legal relay'),
  'test under load': testSubjects('faulty under load', 'honest under load'),
  key: { names: () => Object.values(KEY_VARIABLES), explain: explainKey },
  setting: { names: () => SETTING_NAMES, explain: explainSetting },
};

function explainSuite(name: string, { suites, width }: Explained): readonly string[] | undefined {
  const suite = suites.find((candidate) =>
    [candidate.name, `${candidate.name}/`, `${candidate.name}/*`].includes(name),
  );
  if (suite === undefined) return undefined;
  const column = Math.min(44, Math.max(...suite.cases.map(({ id }) => id.length))) + 4;
  return [
    ...spread(suite.name, `suite · ${suite.cases.length} cases`, width),
    '',
    ...labelled('Title', suite.title, width),
    ...labelled('Run', `wirecheck run "$WIRECHECK_BASE_URL" --only '${suite.name}/*'`, width),
    ...labelled('More', 'wirecheck explain CASE explains one of these:', width),
    '',
    ...suite.cases.flatMap(({ id, title }) => hang(padEnd(`  ${id}  `, column), title, width)),
  ];
}

function explainCheck(name: string, { cases, width }: Explained): readonly string[] | undefined {
  const found = ALL_CHECKS.filter((check) => check.name === name).map((check) =>
    explainCheckOf(check, check.subject === 'gateway' ? cases : SUBJECTS[check.subject].cases(), width),
  );
  return found.length === 0 ? undefined : found.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

/** `cases`: those of its subject. */
function explainCheckOf(
  { name, subject, summary, options = {} }: RegisteredCheck,
  cases: readonly AnyCase[],
  width: number,
): readonly string[] {
  const using = cases.filter(({ expect }) => expect.some(({ check }) => check === name));
  const clauses = new Set(
    using.flatMap(({ expect }) =>
      expect.flatMap((expectation) => (expectation.check === name ? expectation.clause : [])),
    ),
  );
  const known = SUBJECTS[subject]
    .contract()
    .clauses.filter(({ id }) => clauses.has(id))
    .map(({ id }) => id);
  const named = using.map(({ id }) => id);
  const inSuite = `expect: [{ clause: ${known[0] ?? 'CLAUSE'}, check: ${name} }]`;
  return [
    ...spread(name, subject === 'gateway' ? 'check' : `check of a ${subject}`, width),
    '',
    ...linesOf(
      [
        ['Says', summary],
        ['Options', Object.keys(options).join(', ')],
        ['Clauses', listFirst(known, MAX_NAMES)],
        ['Cases', named.length === 0 ? 'none' : listFirst(named, MAX_NAMES)],
        ['In a suite', subject === 'gateway' ? inSuite : undefined],
      ],
      width,
    ),
  ];
}

function testSubjects(...kinds: readonly TestKind[]): Kind {
  const list = () => listSubjects().filter(({ kind }) => kinds.includes(kind));
  return {
    names: () => list().map(({ id }) => id),
    explain(name, { width }) {
      const subject = list().find(({ id }) => id === name);
      return subject && explainTestSubject(subject, width);
    },
  };
}

function explainTestSubject({ id, kind, side, title, source, breaks }: TestSubject, width: number): readonly string[] {
  // Under load, clauses of a gateway's own contract are broken too.
  const clauses = loadAllClauses();
  const summaryOf = (clause: string): string => clauses.find((each) => each.id === clause)?.summary ?? '';
  const broken = breaks?.map((clause) => `${clause}: ${summaryOf(clause)}`) ?? [
    'nothing: it is unusual but legal, so no run may fail because of it',
  ];
  return [
    ...spread(id, kind, width),
    '',
    ...labelled('Does', title, width),
    ...broken.flatMap((text, index) => labelled(index === 0 ? 'Breaks' : '', text, width)),
    ...(source === undefined ? [] : labelled('Seen at', source, width)),
    ...labelled('See it', side === 'gateway' ? `wirecheck demo --${kind} ${id}` : `wirecheck selftest ${id}`, width),
  ];
}

/** A key has no flag, so it is explained by its variable. */
function explainKey(name: string, { cases, width }: Explained): readonly string[] | undefined {
  const role = KEY_ROLES.find((each) => KEY_VARIABLES[each] === name);
  if (role === undefined) return undefined;
  const using = cases.filter(({ needs }) => needs.some((need) => need === `${role}-key`));
  return [
    ...spread(name, 'key', width),
    '',
    ...labelled('Means', KEY_SUMMARIES[role], width),
    ...labelled('Set it', 'in the environment; a flag or the config file could be read by others', width),
    ...(using.length === 0
      ? []
      : labelled(
          'Cases',
          listFirst(
            using.map(({ id }) => id),
            MAX_NAMES,
          ),
          width,
        )),
  ];
}

/** Takes the flag, the variable or the key in the config file. Dashes would make the name a flag of this command. */
function explainSetting(name: string, { width }: Explained): readonly string[] | undefined {
  const found = SETTING_NAMES.find((setting) => namesOf(setting).includes(name.replace(/^--/, '')));
  if (found === undefined) return undefined;
  const { type, summary, group } = settingOf(found);
  const notes = formatNotes(found);
  const key = inFileOf(found)?.key;
  return [
    ...spread(`--${found}`, `setting · ${group.toLowerCase()}`, width),
    '',
    ...labelled('Means', summary, width),
    ...labelled('Takes', type.placeholder === '' ? 'no value: it is a switch' : type.allowed, width),
    ...(notes === undefined ? [] : labelled('Notes', notes, width)),
    ...labelled('Variable', variableOf(found), width),
    ...labelled('Config file', key === undefined ? 'cannot be set there' : `${key}:`, width),
  ];
}

function namesOf(name: SettingName): readonly string[] {
  return [name, variableOf(name), ...(inFileOf(name) ? [inFileOf(name)?.key ?? ''] : [])];
}
