/** Reads the waiver file: known violations that are accepted for a time. Applied by `apply-excuses.ts`. */
import type { Contract } from '../../contract/contract.ts';
import { checkFile } from '../../contract/file-schema.ts';
import { parseYaml } from '../../contract/yaml/yaml-document.ts';
import { didYouMean } from '../../text/suggestion.ts';
import { matchesGlob } from '../../plan/select.ts';
import { UsageError } from '../../usage-error.ts';
import type { Expected } from './expected.ts';

export interface WaiverEntry {
  /** Globs. If several are given, all must match. */
  readonly case?: string;
  readonly clause?: string;
  readonly fingerprint?: string;
  readonly reason: string;
  readonly owner?: string;
  readonly link?: string;
  /** The last day on which it applies, as `2030-12-31`. */
  readonly until?: string;
  /** A removal under part 9.5: applies from that day on. */
  readonly announced?: { readonly date: string; readonly link: string };
}

export interface Waiver {
  readonly entry: WaiverEntry;
  readonly line: number;
  /** Every expectation of the known suites that matches, whether or not a run selects it. */
  readonly names: readonly Expected[];
}

export interface Waivers {
  readonly file: string;
  readonly waivers: readonly Waiver[];
}

export interface Known {
  readonly contract: Pick<Contract, 'clauses'>;
  readonly cases: readonly KnownCase[];
}

interface KnownCase {
  readonly id: string;
  readonly expect: readonly { readonly clause: string }[];
}

/** Throws a UsageError for any mistake in the file: a waiver that matches nothing would otherwise go unnoticed. */
export function readWaivers(text: string, file: string, known: Known): Waivers {
  const document = parseYaml(text, file);
  // All entries were removed or commented out.
  if (document.value === null) return { file, waivers: [] };
  checkFile('waivers', document);
  const { waivers } = document.value as { readonly waivers: readonly WaiverEntry[] | null };
  const all = known.cases.flatMap(({ id, expect }) => expect.map(({ clause }) => ({ case: id, clause })));
  return {
    file,
    waivers: (waivers ?? []).map((entry, index) => {
      const lineOf = (key?: string): number => document.lineOf(['waivers', index, ...(key === undefined ? [] : [key])]);
      checkIds(entry, known, (key) => ({ file, line: lineOf(key) }));
      return { entry, line: lineOf(), names: all.filter((expected) => isNamed(entry, expected)) };
    }),
  };
}

export function isNamed({ case: caseGlob, clause }: WaiverEntry, expected: Expected): boolean {
  return (
    (caseGlob === undefined || matchesCase(caseGlob, expected.case)) &&
    (clause === undefined || matchesGlob(clause, expected.clause))
  );
}

/** `auth/unknown-key` matches all cases that it expands to. */
export function matchesCase(glob: string, id: string): boolean {
  return matchesGlob(glob, id) || matchesGlob(`${glob}[*]`, id);
}

/** With and without the label of an expanded case. */
export function caseNames(cases: readonly { readonly id: string }[]): readonly string[] {
  return [...new Set(cases.flatMap(({ id }) => [id.replace(/\[.*$/, ''), id]))];
}

type At = (key: 'case' | 'clause') => { readonly file: string; readonly line: number };

function checkIds({ case: caseGlob, clause }: WaiverEntry, { contract, cases }: Known, at: At): void {
  if (caseGlob !== undefined && !cases.some(({ id }) => matchesCase(caseGlob, id))) {
    const guess = didYouMean(caseGlob, caseNames(cases)) || ' `wirecheck list cases` shows the ids.';
    throw new UsageError(`there is no case "${caseGlob}".${guess}`, at('case'));
  }
  if (clause === undefined) return;
  const matched = contract.clauses.filter(({ id }) => matchesGlob(clause, id));
  if (matched.length === 0) {
    const ids = contract.clauses.map(({ id }) => id);
    const guess = didYouMean(clause, ids) || ' `wirecheck list clauses` shows the ids.';
    throw new UsageError(`there is no clause "${clause}".${guess}`, at('clause'));
  }
  if (matched.every(({ level }) => level === 'none')) {
    throw new UsageError(`${clause} cannot be observed over the wire, so there is nothing to waive.`, at('clause'));
  }
}
