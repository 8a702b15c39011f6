/** What `wirecheck explain` says of everything that has a name but is neither a clause nor a case. */
import type { Contract } from '../contract/contract.ts';
import { FAULTS, type Fault, type Modifier, VARIANTS } from '../gateway/index.ts';
import { hang, padEnd, listFirst, spread } from '../text/layout.ts';
import type { Case, Suite } from '../suite/case.ts';
import type { Check } from '../verdict/check.ts';
import { CHECKS } from '../verdict/checks/index.ts';
import { say } from './explain-layout.ts';
import {
  formatNotes,
  inFileOf,
  SETTING_NAMES,
  type SettingName,
  settingOf,
  variableOf,
} from '../settings/setting-names.ts';

export interface Explained {
  readonly contract: Contract;
  readonly suites: readonly Suite[];
  readonly cases: readonly Case[];
  readonly width: number;
}

/** A way to explain a name: undefined where it is not one of its kind. */
interface Kind {
  readonly names: (from: Explained) => readonly string[];
  readonly explain: (name: string, from: Explained) => readonly string[] | undefined;
}

const MOST_NAMES = 12;

export const KINDS: Readonly<Record<'suite' | 'check' | 'fault' | 'variant' | 'setting', Kind>> = {
  suite: { names: ({ suites }) => suites.map(({ name }) => name), explain: explainSuite },
  check: { names: () => Object.keys(CHECKS), explain: explainCheck },
  fault: { names: () => Object.keys(FAULTS), explain: explainFault },
  variant: { names: () => Object.keys(VARIANTS), explain: explainVariant },
  setting: { names: () => SETTING_NAMES, explain: explainSetting },
};

function explainSuite(name: string, { suites, width }: Explained): readonly string[] | undefined {
  const suite = suites.find((one) => [one.name, `${one.name}/`, `${one.name}/*`].includes(name));
  if (suite === undefined) return undefined;
  const column = Math.min(44, Math.max(...suite.cases.map(({ id }) => id.length))) + 4;
  return [
    ...spread(suite.name, `suite · ${suite.cases.length} cases`, width),
    '',
    ...say('Title', suite.title, width),
    ...say('Run', `wirecheck run "$WIRECHECK_BASE_URL" --only '${suite.name}/*'`, width),
    ...say('More', 'wirecheck explain CASE, such as one of these:', width),
    '',
    ...suite.cases.flatMap(({ id, title }) => hang(padEnd(`  ${id}  `, column), title, width)),
  ];
}

function explainCheck(name: string, { cases, contract, width }: Explained): readonly string[] | undefined {
  if (!Object.hasOwn(CHECKS, name)) return undefined;
  const { summary, options = {} }: Check = CHECKS[name as keyof typeof CHECKS];
  const using = cases.filter(({ expect }) => expect.some(({ check }) => check === name));
  const clauses = new Set(
    using.flatMap(({ expect }) => expect.flatMap((one) => (one.check === name ? one.clause : []))),
  );
  const known = contract.clauses.filter(({ id }) => clauses.has(id)).map(({ id }) => id);
  return [
    ...spread(name, 'check', width),
    '',
    ...say('Says', summary, width),
    ...(Object.keys(options).length === 0 ? [] : say('Options', Object.keys(options).join(', '), width)),
    ...(known.length === 0 ? [] : say('Clauses', listFirst(known, MOST_NAMES), width)),
    ...say(
      'Cases',
      using.length === 0
        ? 'none'
        : listFirst(
            using.map(({ id }) => id),
            MOST_NAMES,
          ),
      width,
    ),
    ...say('In a suite', `expect: [{ clause: ${known[0] ?? 'CLAUSE'}, check: ${name} }]`, width),
  ];
}

function explainFault(name: string, { contract, width }: Explained): readonly string[] | undefined {
  if (!Object.hasOwn(FAULTS, name)) return undefined;
  const { title, breaks, source }: Fault = FAULTS[name as keyof typeof FAULTS];
  return [
    ...spread(name, 'fault', width),
    '',
    ...say('Does', title, width),
    ...breaks.flatMap((id, index) =>
      say(index === 0 ? 'Breaks' : '', `${id}: ${contract.clause(id)?.summary ?? ''}`, width),
    ),
    ...(source === undefined ? [] : say('Seen at', source, width)),
    ...say('See it', `wirecheck demo --fault ${name}`, width),
  ];
}

function explainVariant(name: string, { width }: Explained): readonly string[] | undefined {
  if (!Object.hasOwn(VARIANTS, name)) return undefined;
  const { title, source }: Modifier = VARIANTS[name as keyof typeof VARIANTS];
  return [
    ...spread(name, 'variant', width),
    '',
    ...say('Does', title, width),
    ...say('Breaks', 'nothing: it is odd but legal, and no run may hold it against a gateway', width),
    ...(source === undefined ? [] : say('Seen at', source, width)),
    ...say('See it', `wirecheck demo --variant ${name}`, width),
  ];
}

/** By its flag, its variable or its key in the file; without the dashes, which would make it a flag of this command. */
function explainSetting(name: string, { width }: Explained): readonly string[] | undefined {
  const found = SETTING_NAMES.find((one) => namesOf(one).includes(name.replace(/^--/, '')));
  if (found === undefined) return undefined;
  const { type, summary, group } = settingOf(found);
  const notes = formatNotes(found);
  const key = inFileOf(found)?.key;
  return [
    ...spread(`--${found}`, `setting · ${group.toLowerCase()}`, width),
    '',
    ...say('Means', summary, width),
    ...say('Takes', type.placeholder === '' ? 'nothing: it is a switch' : type.allowed, width),
    ...(notes === undefined ? [] : say('Notes', notes, width)),
    ...say('Variable', variableOf(found), width),
    ...say('In file', key === undefined ? 'not in the configuration file' : `${key}: in wirecheck.config.yaml`, width),
  ];
}

function namesOf(name: SettingName): readonly string[] {
  return [name, variableOf(name), ...(inFileOf(name) ? [inFileOf(name)?.key ?? ''] : [])];
}
