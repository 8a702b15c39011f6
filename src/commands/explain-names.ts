/** `wirecheck explain` of suites, checks, faults, variants, test clients and relays, and settings. */
import { FAULTS, type Fault, type Modifier, VARIANTS } from '../gateway/index.ts';
import { hang, padEnd, listFirst, spread } from '../text/layout.ts';
import type { AnyCase } from '../suite/case.ts';
import { findClient } from '../selftest/clients/catalogue.ts';
import { listClientSubjects } from '../selftest/clients/try-clients.ts';
import { FAULTY_RELAYS, RIGHT_RELAYS } from '../selftest/relays/catalogue.ts';
import { listRelaySubjects } from '../selftest/relays/try-relays.ts';
import { ALL_CHECKS, type RegisteredCheck, type SubjectName, SUBJECTS } from '../subjects/subjects.ts';
import {
  formatNotes,
  inFileOf,
  SETTING_NAMES,
  type SettingName,
  settingOf,
  variableOf,
} from '../settings/setting-names.ts';
import { type Explained, labelled, linesOf } from './explained.ts';

/** Explains names of one kind; undefined for other names. */
interface Kind {
  readonly names: (from: Explained) => readonly string[];
  readonly explain: (name: string, from: Explained) => readonly string[] | undefined;
}

const MAX_NAMES = 12;

export const EXPLAINED_KINDS: Readonly<
  Record<'suite' | 'check' | 'fault' | 'variant' | 'test client' | 'test relay' | 'setting', Kind>
> = {
  suite: { names: ({ suites }) => suites.map(({ name }) => name), explain: explainSuite },
  check: { names: () => ALL_CHECKS.map(({ name }) => name), explain: explainCheck },
  fault: { names: () => Object.keys(FAULTS), explain: explainFault },
  variant: { names: () => Object.keys(VARIANTS), explain: explainVariant },
  'test client': { names: () => listClientSubjects().map(({ id }) => id), explain: explainTestClient },
  'test relay': { names: () => listRelaySubjects().map(({ id }) => id), explain: explainTestRelay },
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

function explainFault(name: string, { contract, width }: Explained): readonly string[] | undefined {
  if (!Object.hasOwn(FAULTS, name)) return undefined;
  const { title, breaks, source }: Fault = FAULTS[name as keyof typeof FAULTS];
  return [
    ...spread(name, 'fault', width),
    '',
    ...labelled('Does', title, width),
    ...breaks.flatMap((id, index) =>
      labelled(index === 0 ? 'Breaks' : '', `${id}: ${contract.clause(id)?.summary ?? ''}`, width),
    ),
    ...(source === undefined ? [] : labelled('Seen at', source, width)),
    ...labelled('See it', `wirecheck demo --fault ${name}`, width),
  ];
}

function explainVariant(name: string, { width }: Explained): readonly string[] | undefined {
  if (!Object.hasOwn(VARIANTS, name)) return undefined;
  const { title, source }: Modifier = VARIANTS[name as keyof typeof VARIANTS];
  return [
    ...spread(name, 'variant', width),
    '',
    ...labelled('Does', title, width),
    ...labelled('Breaks', 'nothing: it is unusual but legal, so no run may fail because of it', width),
    ...(source === undefined ? [] : labelled('Seen at', source, width)),
    ...labelled('See it', `wirecheck demo --variant ${name}`, width),
  ];
}

function explainTestClient(name: string, { width }: Explained): readonly string[] | undefined {
  const subject = listClientSubjects().find(({ id }) => id === name);
  return subject && explainTestSubject('client', subject, findClient(name).title, width);
}

function explainTestRelay(name: string, { width }: Explained): readonly string[] | undefined {
  const subject = listRelaySubjects().find(({ id }) => id === name);
  const title = (FAULTY_RELAYS[name] ?? RIGHT_RELAYS[name])?.title ?? '';
  return subject && explainTestSubject('relay', subject, title, width);
}

function explainTestSubject(
  side: SubjectName,
  subject: { readonly id: string; readonly kind: string; readonly breaks?: readonly string[] },
  title: string,
  width: number,
): readonly string[] {
  const contract = SUBJECTS[side].contract();
  const breaks = subject.breaks?.map((id) => `${id}: ${contract.clause(id)?.summary ?? ''}`) ?? [
    'nothing: it is unusual and keeps the contract',
  ];
  return [
    ...spread(subject.id, subject.kind, width),
    '',
    ...labelled('Does', title, width),
    ...breaks.flatMap((text, index) => labelled(index === 0 ? 'Breaks' : '', text, width)),
    ...labelled('See it', `wirecheck selftest ${subject.id}`, width),
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
