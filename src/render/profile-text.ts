/**
 * The contract of a run in words, the same in every format: its profile, and where a clause comes from. Text of a profile is
 * raw: each format makes it inert.
 */
import type { ProfileChange } from '../contract/profile/profile.ts';
import type { ChangeReport, ProfileReport } from '../report/profile-report.ts';
import type { ClauseReport, Report } from '../report/report.ts';
import { count, inert } from '../text/layout.ts';
import { shorten, shortJson } from '../text/quote.ts';
import { asCode, type MarkedText } from './document/document.ts';

/** `acme-gateway 3 (v1 with 6 changes, 1 of them a safety clause)`, or `v1 with 1 change` for changed levels alone. `most`: characters of its name. */
export function formatProfile(profile: ProfileReport, most = Infinity): string {
  const { name, version = '', basedOn, changes, safetyChanges } = profile;
  const kind = safetyChanges === 1 ? 'a safety clause' : 'safety clauses';
  const safety = safetyChanges === 0 ? '' : `, ${safetyChanges} of them ${kind}`;
  const words = `${basedOn} with ${count(changes.length, 'change')}${safety}`;
  return name === undefined ? words : `${shorten(`${name} ${version}`, most)} (${words})`;
}

/** `2026.1 (a2f87a27e13c)`, such as a badge and a board show. Absent in reports of older versions. */
export function formatEdition({ edition, editionDigest: digest = '' }: Report): string | undefined {
  return edition === undefined ? undefined : inert(`${edition} (${shortDigest({ digest })})`, 60);
}

/** Enough to tell contracts apart; the whole digest stands in the report. */
export function shortDigest({ digest }: Pick<ProfileReport, 'digest'>): string {
  return digest.slice(0, 12);
}

const MAX_VALUE = 200;

/** What is changed, beside what v1 says. */
function formatChange({ change, levelWas, limitWas = {}, typeWas, safety }: ChangeReport): string {
  switch (change.kind) {
    case 'level':
      return `${change.clause} is ${change.level} (v1: ${levelWas ?? 'unknown'})${safety ? ', a safety clause' : ''}`;
    case 'clause':
      return `${change.clause} is new, ${change.level}: ${change.summary}`;
    case 'limit':
      return [
        ...formatBound(`the minimum of ${change.field}`, change.min, limitWas.minimum),
        ...formatBound(`the maximum of ${change.field}`, change.max, limitWas.maximum),
      ].join(', ');
    case 'required':
      return `${change.field} is required (v1: optional)`;
    case 'field':
      return `${change.field} is ${change.types.join(' or ')} (v1: ${typeWas ?? 'unknown'})`;
    case 'add':
      return `every chat request has ${Object.entries(change.fields)
        .map(([pointer, value]) => `${pointer}: ${shortJson(value, MAX_VALUE)}`)
        .join(', ')}`;
  }
}

function formatBound(name: string, bound: number | null | undefined, before: number | undefined): readonly string[] {
  if (bound === undefined) return [];
  return [`${name} is ${bound === null ? 'lifted' : bound} (v1: ${before ?? 'none'})`];
}

/** Each change with its reason. */
export function listChanges(profile: ProfileReport): readonly { readonly what: string; readonly why: string }[] {
  return profile.changes.map((each) => ({
    what: formatChange(each).replace(/\.$/, ''),
    why: each.change.why ?? whyUnnamed(profile, each.change),
  }));
}

/** Only changes of a profile file have a reason of their own. */
function whyUnnamed({ levelPlaces }: ProfileReport, change: ProfileChange): string {
  if (change.kind === 'clause') return 'Brought by a suite.';
  const place = change.kind === 'level' ? levelPlaces?.[change.clause] : undefined;
  return place ? `Set in ${place.file}:${place.line}.` : `Set by ${BY_SETTING}.`;
}

/** Where the file is not known: of a recording, or of a program that uses the library. */
const BY_SETTING = 'the setting levels';

/** What changes the level of a clause: `targets.yaml:10`, `the profile acme-gateway`. */
export function formatLevelSource({ profile }: Pick<Report, 'profile'>, clause: string): string {
  const place = profile?.levelPlaces?.[clause];
  if (place) return `${place.file}:${place.line}`;
  return profile?.name === undefined ? BY_SETTING : `the profile ${profile.name}`;
}

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

/** Dashes stand between the cells of a row. */
export function quoteSentence({ part, table, text }: Sentence): Required<Quotation> {
  const where = `part ${inert(part, 20)}${table === undefined ? '' : `, table ${inert(table, 120)}`}`;
  return { where, words: inert(text, 400).replaceAll(' | ', ' – ') };
}

/** `part 7, table Error: "error.code – string – …"` */
export function formatSentence(sentence: Sentence): string {
  const { where, words } = quoteSentence(sentence);
  return `${where}: "${words.replaceAll('`', '')}"`;
}

/** The words of a quotation, with what is between back-ticks as code. */
export function spansOfWords(words: string): MarkedText {
  return words.split(/`([^`]*)`/).map((piece, at) => (at % 2 === 0 ? piece : asCode(piece)));
}

function listParts(part: string): string {
  return `${part.includes(',') ? 'parts' : 'part'} ${inert(part, 40)}`;
}
