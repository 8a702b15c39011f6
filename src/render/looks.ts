/** How verdicts and outcomes look in every format: never by colour alone, always with a sign or a word. Nobody else spells the words. */
import { EXIT, type SummaryExit } from '../exit-codes.ts';
import { groupBy } from '../report/counts.ts';
import type { CaseReport, OutcomeName, Report } from '../report/report.ts';
import { inert } from '../text/layout.ts';
import { countWarnings } from './excused.ts';
import type { Tone } from './document/document.ts';
import type { VerdictName } from '../verdict/verdict.ts';

/**
 * Of a clause, `idle` if it never came up in the run, `outside` if no test can reach it, and `none` for
 * any other that no case of the run tests.
 */
export type Shade = VerdictName | 'idle' | 'none' | 'outside';

/** Characters of the line with a verdict, whatever it is about. */
export const MAX_LINE = 100;

/** The words for a verdict, in the order in which people look for them. Data has finer ones. */
export const WORDS = ['pass', 'broken', 'warning', 'not judged', 'recorded'] as const;

interface Look {
  readonly sign: string;
  readonly word: (typeof WORDS)[number];
  /** Why it was not judged. */
  readonly reason?: string;
  /** The legend says it. */
  readonly meaning: string;
  /** The colour of a badge, and of the icon on the browser's tab. */
  readonly fill: string;
  readonly tone: Tone;
}

const NOT_JUDGED = { word: 'not judged', fill: '#5d6673', tone: 'quiet' } as const;

/** Shades are in display order: what needs attention comes first. */
export const LOOKS: Readonly<Record<Shade, Look>> = {
  fail: {
    sign: '✗',
    word: 'broken',
    meaning: 'a must clause that is not kept, or a should clause with --strict',
    fill: '#c9352b',
    tone: 'bad',
  },
  warn: { sign: '!', word: 'warning', meaning: 'a should clause that is not kept', fill: '#a06500', tone: 'warn' },
  inconclusive: {
    sign: '?',
    word: 'not judged',
    reason: 'no clear answer',
    meaning: 'a case had no answer to judge it by',
    fill: '#7a4db3',
    tone: 'unsure',
  },
  pass: { sign: '✓', word: 'pass', meaning: 'every case passed', fill: '#238553', tone: 'good' },
  observed: { sign: '·', word: 'recorded', meaning: 'what the contract leaves open', fill: '#3f5f7d', tone: 'quiet' },
  skipped: { sign: '–', ...NOT_JUDGED, reason: 'not tested', meaning: 'its cases were not asked' },
  idle: { sign: '∅', ...NOT_JUDGED, reason: 'never came up', meaning: 'nothing in this run tested it' },
  none: { sign: '□', ...NOT_JUDGED, reason: 'not in this run', meaning: 'no case of this run tests it' },
  outside: { sign: '○', ...NOT_JUDGED, reason: 'not testable', meaning: 'cannot be seen over the wire' },
};

/** `broken`, or with its reason `not judged: never came up`. */
export function wordWithReason(shade: Shade): string {
  const { word, reason } = LOOKS[shade];
  return reason === undefined ? word : `${word}: ${reason}`;
}

/** Shades by their word: what was not judged is one thing, with several reasons. */
export function groupByWord(shades: readonly Shade[]): readonly (readonly [word: string, shades: readonly Shade[]])[] {
  return [...groupBy(shades, (shade) => LOOKS[shade].word)];
}

type ShadeCounts = Readonly<Partial<Record<Shade, number>>>;

/** The number of each word. */
export function countWords(counts: ShadeCounts): readonly (readonly [word: string, number: number])[] {
  const numberOf = (word: string) =>
    SHADES.reduce((sum, shade) => sum + (LOOKS[shade].word === word ? (counts[shade] ?? 0) : 0), 0);
  return WORDS.map((word) => [word, numberOf(word)]);
}

/** `12 pass, 1 broken` */
export function formatWords(counts: ShadeCounts): string {
  return countWords(counts)
    .flatMap(([word, number]) => (number > 0 ? [`${number} ${word}`] : []))
    .join(', ');
}

export const SHADES = Object.keys(LOOKS) as readonly Shade[];

interface OutcomeLook {
  /** The verdict closest to it. */
  readonly shade: Shade;
  readonly word: string;
  /** The sign in Markdown. */
  readonly mark: string;
}

const OUTCOME_LOOKS: Readonly<Record<OutcomeName, OutcomeLook>> = {
  conforms: { shade: 'pass', word: 'conforms', mark: '✅' },
  'conforms-in-part': { shade: 'warn', word: 'conforms in part', mark: '🟡' },
  'conforms-but-waived': { shade: 'warn', word: 'conforms except for waivers', mark: '🟡' },
  'no-new-violations': { shade: 'warn', word: 'no new violations', mark: '🟡' },
  'unused-waivers': { shade: 'fail', word: 'unused waivers', mark: '❌' },
  'does-not-conform': { shade: 'fail', word: 'does not conform', mark: '❌' },
  'not-judged': { shade: 'inconclusive', word: 'not judged', mark: '⚪' },
};

/** A load that held to the end has no need for attention, though some clauses need an upstream or a second key. */
export function lookOf(report: Report): OutcomeLook {
  const { outcome, load } = report;
  const hasHeld = load?.verdict.kind === 'held' && !load.verdict.tooFew;
  const name = outcome.name === 'conforms-in-part' && hasHeld ? 'conforms' : outcome.name;
  return lookOfOutcome(name, countWarnings(report).counting);
}

/** `warnings`: those that are not excused. */
export function lookOfOutcome(name: OutcomeName, warnings: number): OutcomeLook {
  return name === 'conforms' && warnings > 0 ? WITH_WARNINGS : OUTCOME_LOOKS[name];
}

const WITH_WARNINGS: OutcomeLook = { shade: 'warn', word: 'conforms, with warnings', mark: '🟡' };

export const SHADE_OF_EXIT: Readonly<Record<SummaryExit, Shade>> = {
  [EXIT.passed]: 'pass',
  [EXIT.failed]: 'fail',
  [EXIT.notJudged]: 'inconclusive',
};

/**
 * A case counts as passed if any of its clauses held, even if its own was only observed, or skipped. The remark says so:
 * `recorded; counts as pass by errors.no-server-error`.
 */
export function ownVerdict({
  verdict,
  expectations,
}: Pick<CaseReport, 'verdict' | 'expectations'>): Pick<CaseReport, 'verdict'> & { readonly remark?: string } {
  const [own] = expectations;
  const held = expectations.find((each) => each.verdict === 'pass');
  if (verdict !== 'pass' || !own || !held || own === held) return { verdict };
  const remark = `${LOOKS[own.verdict].word}; counts as pass by ${inert(held.clause, 120)}`;
  return { verdict: own.verdict, remark };
}
