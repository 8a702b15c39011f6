/** Where a clause comes from, in words. */
import type { ClauseReport, Report } from '../report/report.ts';
import { inert } from '../text/inert.ts';

/** The kind of a clause as people read it. The ids are promises to programs. */
export const KIND_WORDS: Readonly<Record<ClauseReport['kind'], string>> = {
  stated: 'stated',
  implied: 'implied',
  prudent: 'security',
  silent: 'silent',
  outside: 'outside',
};

/** How the contract was read to arrive at a clause. */
export const READINGS: Readonly<Record<ClauseReport['kind'], string>> = {
  stated: 'stated',
  implied: 'implied',
  prudent: 'good security practice',
  silent: 'not specified',
  outside: 'outside: not observable over the wire',
};

/** Whose clause it is, if v1 does not have it: `suite house` or `profile acme`. */
export function ownerOf({ profile, cases }: Report, clause: string): string | undefined {
  const isOwn = profile?.changes.some(({ change }) => change.kind === 'clause' && change.clause === clause) ?? false;
  if (!isOwn) return undefined;
  if (profile?.name !== undefined) return `profile ${inert(profile.name, 60)}`;
  const judging = cases.find(({ expectations }) => expectations.some((each) => each.clause === clause));
  return judging ? `suite ${inert(judging.suite, 60)}` : 'a suite of the run';
}

/** `part 2, 8`, or whose clause it is; undefined for a clause of ours that belongs to no part. */
export function partOrOwner(report: Report, clause: ClauseReport | undefined): string | undefined {
  if (clause === undefined) return undefined;
  return clause.part === '-' ? ownerOf(report, clause.id) : `part ${inert(clause.part, 40)}`;
}

/** The kind of a clause, for readers without a report: a stated one that has no part is not of v1. */
export function formatKind({ kind, part }: Pick<ClauseReport, 'kind' | 'part'>): string {
  return kind === 'stated' && part === '-' ? 'added to v1' : KIND_WORDS[kind];
}

/** `part 7`, or how a clause came about that belongs to no part. */
export function formatPart(report: Report, clause: ClauseReport | undefined, kind: ClauseReport['kind']): string {
  if (clause === undefined || clause.part === '-') return ownerOf(report, clause?.id ?? '') ?? READINGS[kind];
  return listParts(clause.part);
}

/** Where the contract has a sentence, and its words; without words if it only implies the clause. */
export interface Quotation {
  /** `part 7, table Error` */
  readonly where: string;
  /** Code is between back-ticks, as in the contract. */
  readonly words?: string;
}

/** The contract's own words for a clause, or which part implies it. */
export function quoteContract(clause: ClauseReport | undefined): readonly Quotation[] {
  if (!clause) return [];
  const { kind, part, explanation } = clause;
  const sentences = explanation?.sentences ?? [];
  const by = kind === 'implied' ? 'implied by ' : '';
  if (sentences.length === 0 && kind === 'implied' && /^[\d., ]+$/.test(part))
    return [{ where: `implied by ${listParts(part)}, without a sentence of its own` }];
  return sentences.map(quoteSentence).map(({ where, words }) => ({ where: `${by}${where}`, words }));
}

type Sentence = NonNullable<NonNullable<ClauseReport['explanation']>['sentences']>[number];

/** Of a row, the cells are apart by dashes. */
function quoteSentence({ part, table, text }: Sentence): Required<Quotation> {
  const where = `part ${inert(part, 20)}${table === undefined ? '' : `, table ${inert(table, 120)}`}`;
  return { where, words: inert(text, 400).replaceAll(' | ', ' – ') };
}

/** `part 7, table Error: "error.code – string – …"` */
export function formatSentence(sentence: Sentence): string {
  const { where, words } = quoteSentence(sentence);
  return `${where}: "${words.replaceAll('`', '')}"`;
}

function listParts(part: string): string {
  return `${part.includes(',') ? 'parts' : 'part'} ${inert(part, 40)}`;
}
