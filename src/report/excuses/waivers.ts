/** Reads the waiver file: known violations that are accepted for a time. Applied by `apply-excuses.ts`. */
import { COMMAND } from '../../contract/package-files.ts';
import type { Contract, Subject } from '../../contract/contract.ts';
import { checkForm } from '../../contract/file-schema.ts';
import { type FilePlace, parseYaml, placeOf } from '../../contract/yaml/yaml-document.ts';
import { memberOf } from '../../json.ts';
import { Mistakes } from '../../mistakes.ts';
import { didYouMean } from '../../text/suggestion.ts';
import { matchesCase, matchesGlob } from '../../plan/select.ts';
import type { Day } from '../../scalars.ts';
import { UsageError } from '../../usage-error.ts';
import { listWithCase } from '../subject-traits.ts';

/**
 * Known failures that are accepted for a time. A waived failure stays in every report but does not fail the run.
 *
 * @title the waiver file
 */
export interface WaiverFile {
  readonly waivers: readonly WaiverEntry[] | null;
}

/**
 * If a waiver names several of case, clause and fingerprint, all must match.
 *
 * @title a waiver
 */
export interface WaiverEntry {
  /**
   * Id of a case. * matches any characters; an id without its [label] matches all labels.
   *
   * @minLength 1
   */
  readonly case?: string;
  /**
   * Id of a clause. * matches any characters.
   *
   * @minLength 1
   */
  readonly clause?: string;
  /**
   * Fingerprint of a finding, from report.json. * matches any characters.
   *
   * @pattern ^[0-9a-f*]+$
   * @x-message a fingerprint from a report, of the characters 0 to 9 and a to f, or * for any of them
   */
  readonly fingerprint?: string;
  /**
   * Why the failure is accepted for now.
   *
   * @minLength 1
   */
  readonly reason: string;
  /**
   * Who is responsible for the fix.
   *
   * @minLength 1
   */
  readonly owner?: string;
  /**
   * Link to the issue that tracks it.
   *
   * @format uri
   * @pattern ^https?://
   * @x-message an address such as https://tracker.example/123
   */
  readonly link?: string;
  /**
   * Last day on which the waiver applies (UTC).
   *
   * @x-message a date such as 2030-12-31
   */
  readonly until?: Day;
  /** An announced removal (part 9.5 of the contract): legal from that date on, a failure before. */
  readonly announced?: Announcement;
}

/** @title an announcement */
export interface Announcement {
  /**
   * Day of the removal (UTC).
   *
   * @x-message a date such as 2030-12-31
   */
  readonly date: Day;
  /**
   * Link to the announcement.
   *
   * @format uri
   * @pattern ^https?://
   * @x-message an address such as https://gateway.example/changelog
   */
  readonly link: string;
}

export interface Waiver {
  readonly entry: WaiverEntry;
  readonly line: number;
  /** Every expectation of the known suites that matches, whether or not a run selects it. */
  readonly names: readonly NamedExpectation[];
  /** No case of that name judges the clause. */
  readonly matchesNothing?: true;
}

/** One expectation: one case, one clause. */
export interface CaseClause {
  readonly case: string;
  readonly clause: string;
}

export function keyOf(expected: CaseClause): string {
  return `${expected.case} ${expected.clause}`;
}

export interface NamedExpectation extends CaseClause {
  /** Whose case it is. Absent: a gateway's. */
  readonly subject?: Subject;
}

export interface Waivers {
  readonly file: string;
  readonly waivers: readonly Waiver[];
}

export interface KnownNames {
  readonly contract: Pick<Contract, 'clauses'>;
  readonly cases: readonly KnownCase[];
}

interface KnownCase {
  readonly id: string;
  /** Absent: a gateway's. */
  readonly subject?: Subject;
  readonly expect: readonly { readonly clause: string }[];
}

/** Throws a UsageError for any mistake in the file: a waiver that matches nothing would otherwise go unnoticed. */
export function readWaivers(text: string, file: string, known: KnownNames): Waivers {
  const document = parseYaml(text, file);
  // All entries were removed or commented out.
  if (document.value === null) return { file, waivers: [] };
  const mistakes = new Mistakes();
  const isSound = checkForm('waivers', document, mistakes);
  const { waivers } = document.value as Partial<WaiverFile>;
  const all = expectationsOf(known);
  const read = (Array.isArray(waivers) ? waivers : []).flatMap((entry, index) => {
    const at = (...key: readonly string[]) => placeOf(document, 'waivers', index, ...key);
    // The ids are looked up whatever else is wrong with the entry.
    for (const key of ['case', 'clause'] as const) {
      const id: unknown = memberOf(entry, key);
      if (typeof id !== 'string' || !isSound('waivers', index, key)) continue;
      mistakes.attempt(() => CHECK_ID[key](id, known, at(key)));
    }
    if (!isSound('waivers', index)) return [];
    mistakes.attempt(() => checkParts(entry, at()));
    return toWaiver(entry, at().line, all, known);
  });
  mistakes.throwAny();
  return { file, waivers: read };
}

/** The waivers that a report has, with the lines of their file. */
export function restoreWaivers(file: string, entries: readonly LocatedWaiver[], known: KnownNames): Waivers {
  const all = expectationsOf(known);
  return { file, waivers: entries.map((entry) => toWaiver(entry, entry.line, all, known)) };
}

type LocatedWaiver = WaiverEntry & Pick<Waiver, 'line'>;

function toWaiver(entry: WaiverEntry, line: number, all: readonly NamedExpectation[], known: KnownNames): Waiver {
  const names = all.filter((expected) => isNamed(entry, expected));
  return { entry, line, names, ...(names.length === 0 && isVain(entry, known) && { matchesNothing: true }) };
}

/** Its case and its clause may both exist while no such case judges such a clause. */
function isVain({ case: caseGlob, clause }: WaiverEntry, { contract }: KnownNames): boolean {
  if (caseGlob === undefined || clause === undefined) return false;
  // A change between two runs may show in any case.
  return !contract.clauses.some(({ id, scope }) => scope === 'comparison' && matchesGlob(clause, id));
}

function expectationsOf({ cases }: KnownNames): readonly NamedExpectation[] {
  return cases.flatMap(({ id, subject, expect }) =>
    expect.map(({ clause }): NamedExpectation => ({ case: id, clause, ...(subject && { subject }) })),
  );
}

export function isNamed({ case: caseGlob, clause }: WaiverEntry, expected: CaseClause): boolean {
  return (
    (caseGlob === undefined || matchesCase(caseGlob, expected.case)) &&
    (clause === undefined || matchesGlob(clause, expected.clause))
  );
}

/** The name of an expanded case, with and without its label. */
export function caseNames(cases: readonly { readonly id: string }[]): readonly string[] {
  return [...new Set(cases.flatMap(({ id }) => [id.replace(/\[.*$/, ''), id]))];
}

function checkParts(entry: WaiverEntry, at: FilePlace): void {
  if (entry.case === undefined && entry.clause === undefined && entry.fingerprint === undefined) {
    throw new UsageError('a waiver needs a case, a clause or a fingerprint.', at);
  }
  if ((entry.until === undefined) === (entry.announced === undefined)) {
    throw new UsageError('a waiver needs either until (its last day) or announced (the day of a removal).', at);
  }
}

/** Told where a name is like no other: it may be somebody's own. */
export const OWN_NAMES = 'A name of your own suite or profile needs --suite or --profile.';

const CHECK_ID = { case: checkCase, clause: checkClause } as const;

function checkCase(glob: string, { cases }: KnownNames, at: FilePlace): void {
  if (cases.some(({ id }) => matchesCase(glob, id))) return;
  const guess = didYouMean(glob, caseNames(cases)) || ` ${listWithCase(glob)} lists the ids. ${OWN_NAMES}`;
  throw new UsageError(`there is no case "${glob}".${guess}`, at);
}

function checkClause(glob: string, { contract }: KnownNames, at: FilePlace): void {
  const matched = contract.clauses.filter(({ id }) => matchesGlob(glob, id));
  if (matched.length === 0) {
    const ids = contract.clauses.map(({ id }) => id);
    const guess = didYouMean(glob, ids) || ` \`${COMMAND} list clauses\` lists the ids. ${OWN_NAMES}`;
    throw new UsageError(`there is no clause "${glob}".${guess}`, at);
  }
  if (matched.every(({ level }) => level === 'none')) {
    throw new UsageError(`${glob} cannot be observed over the wire, so there is nothing to waive.`, at);
  }
}
