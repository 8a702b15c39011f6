/** How verdicts and outcomes look in every format: never by colour alone, always with a sign or a word. */
import { EXIT, type SummaryExit } from '../exit-codes.ts';
import type { CaseReport, ClauseReport, OutcomeName, Report } from '../report/report.ts';
import { inert } from '../text/layout.ts';
import type { Tone } from './document/document.ts';
import type { VerdictName } from './fold.ts';

/**
 * Of a clause, `idle` if nothing in the run gave an occasion to judge it, `outside` if no test can reach it, and `none` for
 * any other that no case of the run tests.
 */
export type Shade = VerdictName | 'idle' | 'none' | 'outside';

interface Look {
  readonly sign: string;
  readonly word: string;
  /** The legend says it. */
  readonly meaning: string;
  /** The colour of the icon on the browser's tab. */
  readonly fill: string;
  readonly tone: Tone;
}

const GREY = { fill: '#5d6673', tone: 'quiet' } as const;

/** Shades are in display order: what needs attention comes first. */
export const LOOKS: Readonly<Record<Shade, Look>> = {
  fail: {
    sign: '✗',
    word: 'fail',
    meaning: 'a broken must clause, or a should with --strict',
    fill: '#c9352b',
    tone: 'bad',
  },
  warn: { sign: '!', word: 'warn', meaning: 'a broken should clause', fill: '#b87400', tone: 'warn' },
  inconclusive: {
    sign: '?',
    word: 'inconclusive',
    meaning: 'a case had no answer to judge it by',
    fill: '#7a4db3',
    tone: 'unsure',
  },
  pass: { sign: '✓', word: 'pass', meaning: 'every case passed', fill: '#238553', tone: 'good' },
  observed: { sign: '·', word: 'observed', meaning: 'recorded, not judged', fill: '#3f5f7d', tone: 'quiet' },
  skipped: { sign: '–', word: 'skipped', meaning: 'its cases were skipped', ...GREY },
  idle: { sign: '∅', word: 'no occasion', meaning: 'nothing in this run gave an occasion to judge it', ...GREY },
  none: { sign: '□', word: 'not in this run', meaning: 'no case of this run tests it', ...GREY },
  outside: { sign: '○', word: 'outside', meaning: 'no test can reach it', ...GREY },
};

export function shadeOfClause({ verdict, kind }: Pick<ClauseReport, 'verdict' | 'kind'>): Shade {
  return verdict ?? (kind === 'outside' ? 'outside' : 'none');
}

/** A case is skipped; a clause was not tested. */
export function wordOfClause(shade: Shade): string {
  return shade === 'skipped' ? 'not tested' : LOOKS[shade].word;
}

export const SHADES = Object.keys(LOOKS) as readonly Shade[];

interface OutcomeLook {
  /** The verdict closest to it. */
  readonly shade: Shade;
  readonly word: string;
  /** The sign in Markdown. */
  readonly mark: string;
  readonly badge: string;
}

export const OUTCOME_LOOKS: Readonly<Record<OutcomeName, OutcomeLook>> = {
  conforms: { shade: 'pass', word: 'conforms', mark: '✅', badge: 'brightgreen' },
  'conforms-in-part': { shade: 'warn', word: 'conforms in part', mark: '🟡', badge: 'yellowgreen' },
  'conforms-but-waived': { shade: 'warn', word: 'conforms except for waivers', mark: '🟡', badge: 'yellow' },
  'no-new-violations': { shade: 'warn', word: 'no new violations', mark: '🟡', badge: 'yellow' },
  'unused-waivers': { shade: 'fail', word: 'unused waivers', mark: '❌', badge: 'orange' },
  'does-not-conform': { shade: 'fail', word: 'does not conform', mark: '❌', badge: 'red' },
  'not-judged': { shade: 'inconclusive', word: 'not judged', mark: '⚪', badge: 'lightgrey' },
};

/** A load that held to the end has no need for attention, though some clauses need an upstream or a second key. */
export function lookOf({ outcome: { name }, load }: Pick<Report, 'outcome' | 'load'>): OutcomeLook {
  const hasHeld = load?.verdict.kind === 'held' && !load.verdict.tooFew;
  return OUTCOME_LOOKS[name === 'conforms-in-part' && hasHeld ? 'conforms' : name];
}

export const SHADE_OF_EXIT: Readonly<Record<SummaryExit, Shade>> = {
  [EXIT.passed]: 'pass',
  [EXIT.failed]: 'fail',
  [EXIT.notJudged]: 'inconclusive',
};

/**
 * A case counts as passed if any of its clauses held, even if its own was only observed, or skipped. The remark says so:
 * `observed, not judged; counts as pass by errors.no-server-error`.
 */
export function ownVerdict({
  verdict,
  expectations,
}: Pick<CaseReport, 'verdict' | 'expectations'>): Pick<CaseReport, 'verdict'> & { readonly remark?: string } {
  const [own] = expectations;
  const held = expectations.find((each) => each.verdict === 'pass');
  if (verdict !== 'pass' || !own || !held || own === held) return { verdict };
  const remark = `${own.verdict}, not judged; counts as pass by ${inert(held.clause, 120)}`;
  return { verdict: own.verdict, remark };
}
