/** The report with the lookups that every section needs, its entries, and the anchors of the page. */
import { createHash } from 'node:crypto';
import { groupBy } from '../../report/counts.ts';
import type { ClauseReport, Report } from '../../report/report.ts';
import { inert } from '../../text/layout.ts';
import { statesOf } from '../clause-states.ts';
import { type RootCause, foldFindings, GROUP_NAMES, groupOf } from '../fold.ts';
import type { Shade } from '../looks.ts';
import { type Lookup, lookUp } from '../lookup.ts';

export interface LiveRound {
  /** What was known after it. */
  readonly report: Report;
  /** What the round changed, in a line. */
  readonly line: string;
  /** Clauses that broke in it. */
  readonly fresh: readonly string[];
}

/** What the page of a watch has beside a report. */
export interface Live {
  readonly rounds: readonly LiveRound[];
  /** What is left of `--max-completions`. */
  readonly completions?: number | undefined;
  /** The round before. */
  readonly before?: View | undefined;
}

export interface View extends Lookup {
  readonly report: Report;
  /** Only the page of a watch has rounds. */
  readonly live?: Live;
  readonly shadeOf: (clause: ClauseReport) => Shade;
  readonly entries: readonly PageEntry[];
  /** The row of the coverage list: the id of the clause, or `clause-` and the id if an entry has it. */
  readonly clauseAnchor: (id: string) => string | undefined;
  /** Made of the id of the case. */
  readonly caseAnchor: (id: string) => string | undefined;
}

export function makeView(report: Report): View {
  const entries = listEntries(report);
  const taken = new Set(entries.map(({ anchor }) => anchor));
  const clauseAnchors = new Map(report.clauses.map(({ id }, at) => [id, anchorOfRow(id, at, taken)]));
  const caseAnchors = anchorsById('case', report.cases);
  const states = statesOf(report);
  return {
    ...lookUp(report),
    report,
    shadeOf: ({ id }) => states.get(id)?.shade ?? 'none',
    entries,
    clauseAnchor: (id) => clauseAnchors.get(id),
    caseAnchor: (id) => caseAnchors.get(id),
  };
}

/** A foreign report may have any text for an id: then the place in the list is the anchor. */
function anchorOfRow(id: string, at: number, taken: ReadonlySet<string>): string {
  if (!CLAUSE_ID.test(id)) return `clause-${at + 1}`;
  return taken.has(id) ? `clause-${id}` : id;
}

/** `errors` of `errors.code`: one word that is safe in a URL fragment. */
export function findArea(clause: string): string {
  return inert(clause.split('.')[0] ?? '', 60).replaceAll(' ', '-');
}

export interface PageEntry extends RootCause {
  readonly anchor: string;
}

/** A foreign report may hold anything. The dot keeps the id apart from every other anchor of the page. */
const CLAUSE_ID = /^[a-z][a-z0-9-]{0,59}\.[a-z0-9-]{1,60}$/;

/** `errors.code`, `errors.code.2` for the second cause; no clause id has two dots. */
export function listEntries(report: Report): readonly PageEntry[] {
  const entries = foldFindings(report);
  const sorted = GROUP_NAMES.flatMap((group) => entries.filter((entry) => groupOf(entry) === group));
  const seen = new Map<string, number>();
  return sorted.map((entry, at) => {
    const { clause } = entry.expectation;
    const number = (seen.get(clause) ?? 0) + 1;
    seen.set(clause, number);
    const name = number === 1 ? clause : `${clause}.${number}`;
    return { ...entry, anchor: CLAUSE_ID.test(clause) ? name : `entry-${at + 1}` };
  });
}

/** The anchor of each id. */
export function anchorsById(prefix: string, all: readonly { readonly id: string }[]): ReadonlyMap<string, string> {
  const names = all.map(({ id }) => [id] as const);
  const anchors = makeAnchors(prefix, names);
  return new Map(all.map(({ id }, at) => [id, anchors[at] ?? '']));
}

/** A name, and what else tells it apart from others with the same name. */
type Named = readonly [name: string, ...more: readonly string[]];

const MAX_LENGTH = 80;
const HASH_LENGTH = 8;

/**
 * Anchors made of names, so that a link leads to the same place in the page of the next run. They have letters, digits and
 * dashes only, whatever a name holds, and a prefix that keeps them apart from the page's own. All are different. A place in the list is part of an anchor only if nothing else tells two apart.
 */
export function makeAnchors(prefix: string, all: readonly Named[]): readonly string[] {
  const slugs = groupBy(all, ([name]) => slugOf(name));
  const identities = groupBy(all, (named) => JSON.stringify(named));
  const seen = new Map<string, number>();
  return all.map((named) => {
    const slug = slugOf(named[0]);
    if (slug !== '' && slugs.get(slug)?.length === 1) return `${prefix}-${slug}`;
    const identity = JSON.stringify(named);
    const number = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, number);
    const hash = createHash('sha256').update(identity).digest('hex').slice(0, HASH_LENGTH);
    const parts = [prefix, slug, hash, identities.get(identity)?.length === 1 ? '' : String(number)];
    return parts.filter((part) => part !== '').join('-');
  });
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, MAX_LENGTH);
}
