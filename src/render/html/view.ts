/** The report with the lookups that every section needs. */
import type { CaseReport, ClauseReport, Report } from '../../report/report.ts';
import type { ExchangeReport } from '../../report/exchange-report.ts';
import { inert } from '../../text/inert.ts';
import { type Shade } from '../looks.ts';
import { pathUnder } from '../request-text.ts';
import { statesOf } from '../clause-states.ts';
import { makeAnchors } from './anchors.ts';
import { looksLikeClauseId, listEntries, type PageEntry } from './entries.ts';

export interface View {
  readonly report: Report;
  /** Path of the base URL, such as `/v1`. */
  readonly root: string;
  readonly clause: (id: string) => ClauseReport | undefined;
  readonly shadeOf: (clause: ClauseReport) => Shade;
  readonly exchange: (id: string) => ExchangeReport | undefined;
  /** The case whose request it was. */
  readonly sender: (exchange: string) => CaseReport | undefined;
  readonly entries: readonly PageEntry[];
  /** The row of the coverage list: the id of the clause, or `clause-` and the id if an entry has it. */
  readonly clauseAnchor: (id: string) => string | undefined;
  /** Made of the id of the case. */
  readonly caseAnchor: (id: string) => string | undefined;
}

export function makeView(report: Report): View {
  const clauses = new Map(report.clauses.map((clause) => [clause.id, clause]));
  const exchanges = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]));
  const entries = listEntries(report);
  const taken = new Set(entries.map(({ anchor }) => anchor));
  const clauseAnchors = new Map(report.clauses.map(({ id }, at) => [id, anchorOfRow(id, at, taken)]));
  const named = makeAnchors(
    'case',
    report.cases.map(({ id }) => [id]),
  );
  const caseAnchors = new Map(report.cases.map(({ id }, at) => [id, named[at]]));
  const senders = new Map<string, CaseReport>();
  for (const testCase of report.cases) {
    // Cases may share an exchange, which then has the id of the case that sent it.
    const isOwn = testCase.exchange === testCase.id;
    if (testCase.exchange !== undefined && (isOwn || !senders.has(testCase.exchange)))
      senders.set(testCase.exchange, testCase);
  }
  const states = statesOf(report);
  return {
    report,
    root: pathUnder(report.target.baseUrl),
    clause: (id) => clauses.get(id),
    shadeOf: ({ id }) => states.get(id)?.shade ?? 'none',
    exchange: (id) => exchanges.get(id),
    sender: (exchange) => senders.get(exchange),
    entries,
    clauseAnchor: (id) => clauseAnchors.get(id),
    caseAnchor: (id) => caseAnchors.get(id),
  };
}

/** A foreign report may have any text for an id: then the place in the list is the anchor. */
function anchorOfRow(id: string, at: number, taken: ReadonlySet<string>): string {
  if (!looksLikeClauseId(id)) return `clause-${at + 1}`;
  return taken.has(id) ? `clause-${id}` : id;
}

/** `errors` of `errors.code`: one word that is safe in a URL fragment. */
export function findArea(clause: string): string {
  return inert(clause.split('.')[0] ?? '', 60).replaceAll(' ', '-');
}
