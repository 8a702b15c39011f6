/** `${COMMAND} explain` of suites, checks, faults, variants, readings, keys, and settings. */
import { count } from '../text/layout.ts';
import { COMMAND } from '../contract/package-files.ts';
import { anchorOfReading, loadReadings } from '../contract/explanations.ts';
import type { AnyCase } from '../suite/case.ts';
import { type Fault, FAULTS, VARIANTS } from '../gateway/index.ts';
import { ALL_CHECKS, type RegisteredCheck } from '../subjects/all-checks.ts';
import { loadAllClauses, SUBJECTS } from '../subjects/subjects.ts';
import {
  formatNotes,
  inFileOf,
  SETTING_NAMES,
  type SettingName,
  settingOf,
  variableOf,
} from '../settings/setting-names.ts';
import { KEY_SUMMARIES, KEY_VARIABLES } from '../settings/settings-without-flag.ts';
import { type Explained, type Explanation, type Line, namesLine } from './explained.ts';

/** Explains names of one kind; nothing for other names. */
interface Kind {
  readonly names: (from: Explained) => readonly string[];
  readonly explain: (name: string, from: Explained) => readonly Explanation[];
}

const KEY_ROLES = Object.keys(KEY_VARIABLES) as readonly (keyof typeof KEY_VARIABLES)[];

export const EXPLAINED_KINDS: Readonly<
  Record<'suite' | 'check' | 'fault' | 'variant' | 'reading' | 'key' | 'setting', Kind>
> = {
  suite: { names: ({ suites }) => suites.map(({ name }) => name), explain: explainSuite },
  check: { names: () => ALL_CHECKS.map(({ name }) => name), explain: explainCheck },
  fault: modifiers('fault', FAULTS),
  variant: modifiers('variant', VARIANTS),
  reading: { names: () => loadReadings().map(anchorOfReading), explain: explainReading },
  key: { names: () => Object.values(KEY_VARIABLES), explain: explainKey },
  setting: { names: () => SETTING_NAMES, explain: explainSetting },
};

function explainSuite(name: string, { suites }: Explained): readonly Explanation[] {
  return suites
    .filter((suite) => [suite.name, `${suite.name}/`, `${suite.name}/*`].includes(name))
    .map(({ name: id, title, cases }) => ({
      name: id,
      about: `suite · ${count(cases.length, 'case')}`,
      lines: [
        ['Title', title],
        ['Run', `${COMMAND} run "$WIRECHECK_BASE_URL" --only '${id}/*'`],
        ['More', `${COMMAND} explain CASE explains one of these:`],
      ],
      items: cases.map((testCase) => [testCase.id, testCase.title]),
    }));
}

function explainCheck(name: string, { cases }: Explained): readonly Explanation[] {
  return ALL_CHECKS.filter((check) => check.name === name).map((check) =>
    explainCheckOf(check, check.subject === 'gateway' ? cases : SUBJECTS[check.subject].cases()),
  );
}

/** `cases`: those of its subject. */
function explainCheckOf(
  { name, subject, summary, options = {} }: RegisteredCheck,
  cases: readonly AnyCase[],
): Explanation {
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

function modifiers(kind: 'fault' | 'variant', rows: Readonly<Record<string, Modified>>): Kind {
  return {
    names: () => Object.keys(rows),
    explain(name) {
      const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
      return row ? [explainModifier(kind, name, row)] : [];
    },
  };
}

function explainModifier(kind: 'fault' | 'variant', id: string, { title, source, breaks }: Modified): Explanation {
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
      ...broken.map((text, index): Line => [index === 0 ? 'Breaks' : '', text]),
      ['Seen at', source],
      ['See it', `${COMMAND} demo --${kind} ${id}`],
    ],
  };
}

/** By its number, or by its anchor on the page of readings. */
function explainReading(name: string): readonly Explanation[] {
  return loadReadings()
    .filter((reading) => [String(reading.number), anchorOfReading(reading)].includes(name))
    .map((reading) => ({
      name: anchorOfReading(reading),
      about: `reading · since ${reading.date}`,
      lines: [
        ['Title', reading.title],
        ['Says', reading.text],
        ['Reason', reading.reason],
        ['Considered', reading.considered],
        namesLine('Clauses', reading.clauses),
        ['Page', `docs/readings.md#${anchorOfReading(reading)}`],
      ],
    }));
}

/** A key has no flag, so it is explained by its variable. */
function explainKey(name: string, { cases }: Explained): readonly Explanation[] {
  return KEY_ROLES.filter((role) => KEY_VARIABLES[role] === name).map((role) => {
    const using = cases.filter(({ needs }) => needs.some((need) => need === `${role}-key`)).map(({ id }) => id);
    return {
      name,
      about: 'key',
      lines: [
        ['Means', KEY_SUMMARIES[role]],
        ['Set it', 'in the environment; a flag or the config file could be read by others'],
        namesLine('Cases', using),
      ],
    };
  });
}

/** Takes the flag, the variable or the key in the config file. Dashes would make the name a flag of this command. */
function explainSetting(name: string): readonly Explanation[] {
  const found = SETTING_NAMES.find((setting) => namesOf(setting).includes(name.replace(/^--/, '')));
  if (found === undefined) return [];
  const { type, summary, group, short } = settingOf(found);
  const key = inFileOf(found)?.key;
  return [
    {
      name: `--${found}`,
      about: `setting · ${group.toLowerCase()}`,
      lines: [
        ['Means', summary],
        ['Takes', type.placeholder === '' ? 'no value: it is a switch' : type.allowed],
        ['Notes', formatNotes(found)],
        ['Short', short === undefined ? undefined : `-${short}`],
        ['Variable', variableOf(found)],
        ['Config file', key === undefined ? 'cannot be set there' : `${key}:`],
      ],
    },
  ];
}

function namesOf(name: SettingName): readonly string[] {
  return [name, variableOf(name), ...(inFileOf(name) ? [inFileOf(name)?.key ?? ''] : [])];
}
