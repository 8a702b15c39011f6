/** `wirecheck list [WHAT]` */
import { formatKind } from '../render/profile-text.ts';
import { requireName } from '../text/suggestion.ts';
import { count, hang, padEnd } from '../text/layout.ts';
import type { ChosenContract } from '../contract/profile/apply-profile.ts';
import { builtInProfiles, loadProfile } from '../contract/profile/read-profile.ts';
import type { Fault } from '../gateway/index.ts';
import type { AnyCase, Suite } from '../suite/case.ts';
import { type LabelledLine, linesOf } from './explanation.ts';
import { formatJson } from '../json.ts';
import { locateSuites } from './settings/read-settings.ts';
import type { Call } from './command-row.ts';

export interface ListedItem {
  readonly id: string;
  /** What people read. */
  readonly words: string;
  /** What `--json` prints. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** What people read below it. */
  readonly lines?: readonly LabelledLine[];
}

/** Each loads only what it shows. */
const LISTS = {
  cases: async (chosen) =>
    (await suitesOf(chosen)).flatMap(({ cases }) =>
      cases.map(({ id, title, source, needs, expect }) => ({
        id,
        words: needs.length === 0 ? title : `${title} (needs ${needs.join(', ')})`,
        facts: { id, title, source, needs, expect },
      })),
    ),
  suites: async (chosen) =>
    (await suitesOf(chosen)).map(({ name, title, cases }) => ({
      id: name,
      words: `${title} (${count(cases.length, 'case')})`,
      facts: { name, title, cases: cases.map(({ id }) => id) },
    })),
  scenarios: () => casesOf('client'),
  'relay-cases': () => casesOf('relay'),
  'load-cases': () => casesOf('load'),
  'explore-cases': async (chosen) => (await import('../subjects/subjects.ts')).loadExploreCases(chosen).map(caseItem),
  clauses: async (chosen) => {
    const { loadAllClauses } = await import('../subjects/subjects.ts');
    return loadAllClauses(chosen).map((clause) => ({
      id: clause.id,
      words: `${clause.summary} (${formatKind(clause)}, ${clause.level === 'none' ? 'not judged' : clause.level}${clause.part === '-' ? '' : `, part ${clause.part}`})`,
      facts: { ...clause },
    }));
  },
  checks: async () => {
    const { ALL_CHECKS } = await import('../subjects/all-checks.ts');
    return ALL_CHECKS.map(({ name: id, subject, summary, options = {} }) => ({
      id,
      words: subject === 'gateway' ? summary : `${summary} (of a ${subject})`,
      facts: { id, subject, summary, options },
    }));
  },
  faults: async () => modifierItems((await import('../gateway/index.ts')).FAULTS),
  variants: async () => modifierItems((await import('../gateway/index.ts')).VARIANTS),
  settings: async () => {
    const names = await import('../settings/setting-names.ts');
    return names.SHOWN_SETTINGS.map((name) => {
      const { type, summary, group, short } = names.settingOf(name);
      const flag = names.flagWithValue(name);
      const notes = names.formatNotes(name);
      return {
        id: `${names.shortBefore(name)}${flag}`,
        words: notes === undefined ? summary : `${summary} (${notes})`,
        facts: {
          group,
          flag,
          ...(short !== undefined && { short: `-${short}` }),
          variable: names.variableOf(name),
          inFile: names.inFileOf(name)?.key ?? null,
          summary,
          default: names.formatDefault(name) ?? null,
          range: type.range ?? null,
        },
      };
    });
  },
  profiles: async () => {
    const { showProfile } = await import('./explain-profile.ts');
    return builtInProfiles().map((name) => {
      const profile = showProfile(name, '');
      return { id: name, words: profile.about ?? '', facts: { ...profile } };
    });
  },
  editions: async () => (await import('./editions.ts')).listEditions(),
} satisfies Record<string, (chosen: ChosenContract) => Promise<readonly ListedItem[]>>;

export const LIST_NAMES = Object.keys(LISTS) as readonly (keyof typeof LISTS)[];

async function suitesOf(chosen: ChosenContract): Promise<readonly Suite[]> {
  const { contractOfSuites, loadSuites } = await import('../suite/read-suites.ts');
  return loadSuites(chosen.suites ?? [], contractOfSuites(chosen));
}

async function casesOf(subject: 'client' | 'relay' | 'load'): Promise<readonly ListedItem[]> {
  const { SUBJECTS } = await import('../subjects/subjects.ts');
  return SUBJECTS[subject].cases().map(caseItem);
}

function caseItem({ id, title, source, expect }: AnyCase): ListedItem {
  return { id, words: title, facts: { id, title, source, expect } };
}

function modifierItems(rows: Readonly<Record<string, Pick<Fault, 'title'> & Partial<Fault>>>): readonly ListedItem[] {
  return Object.entries(rows).map(([id, { title, breaks = [] }]) => ({
    id,
    words: `${title} (breaks ${breaks.length === 0 ? 'nothing' : breaks.join(', ')})`,
    facts: { id, title, breaks },
  }));
}

/** Prints a list. Without its name, it prints the number of entries in each, or all lists as JSON. */
export async function listCommand({ args: [what], options, io: { stdout, cwd } }: Call): Promise<void> {
  const { json = false, suite = [], profile } = options;
  const suites = locateSuites(suite, cwd);
  const chosen = { levels: {}, suites, ...(profile !== undefined && { profile: loadProfile(profile, cwd) }) };
  if (what !== undefined) {
    const items = await LISTS[requireName('Unknown list', what, LIST_NAMES)](chosen);
    stdout.write(json ? formatJson(items.map(({ facts }) => facts)) : formatColumns(items, stdout.columns));
    return;
  }
  const all = await Promise.all(LIST_NAMES.map(async (name) => [name, await LISTS[name](chosen)] as const));
  const facts = Object.fromEntries(all.map(([name, items]) => [name, items.map((item) => item.facts)]));
  const counts = all.map(([name, items]) => `${padEnd(`wirecheck list ${name}`, 30)}${items.length}\n`);
  stdout.write(json ? formatJson(facts) : counts.join(''));
}

const MAX_ID_WIDTH = 44;
const MIN_WIDTH = 60;

/** A line each in a pipe, for grep. */
function formatColumns(items: readonly ListedItem[], columns = Infinity): string {
  const width = Math.max(columns, MIN_WIDTH);
  const column = Math.min(MAX_ID_WIDTH, Math.max(0, ...items.map(({ id }) => id.length))) + 2;
  const layOut = ({ id, words, lines }: ListedItem): readonly string[] => {
    if (lines) return [`${id}  ${words}`, ...linesOf(lines, width), ''];
    const isLong = id.length + 2 > column && Number.isFinite(width);
    return [...(isLong ? [id] : []), ...hang(`${padEnd(isLong ? '' : id, column - 2)}  `, words, width)];
  };
  return `${items.flatMap(layOut).join('\n').trimEnd()}\n`;
}
