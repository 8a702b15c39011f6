/** The report, and the ways into it that every section needs. */
import type { CaseReport, ClauseReport, ExchangeReport, Report } from '../../report/report.ts';
import { inert } from '../../text/inert.ts';
import { pathUnder } from '../request-in-words.ts';
import type { VerdictName } from '../fold.ts';

export interface View {
  readonly report: Report;
  /** Path of the base URL, such as `/v1`. */
  readonly root: string;
  readonly clause: (id: string) => ClauseReport | undefined;
  readonly exchange: (id: string) => ExchangeReport | undefined;
  /** The case that an exchange was sent for. */
  readonly asker: (exchange: string) => CaseReport | undefined;
  /** Anchors are numbers, never text of the report: nothing that a target says can name a place in the page. */
  readonly clauseAnchor: (id: string) => string | undefined;
  readonly caseAnchor: (id: string) => string | undefined;
}

export function viewOf(report: Report): View {
  const clauses = new Map(report.clauses.map((clause) => [clause.id, clause]));
  const exchanges = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]));
  const clauseAnchors = new Map(report.clauses.map(({ id }, at) => [id, `clause-${at + 1}`]));
  const caseAnchors = new Map(report.cases.map(({ id }, at) => [id, `case-${at + 1}`]));
  const askers = new Map<string, CaseReport>();
  for (const one of report.cases) {
    // A case may be answered by the exchange of another; the one that gave the exchange its id is the one that asked.
    const isOwn = one.exchange === one.id;
    if (one.exchange !== undefined && (isOwn || !askers.has(one.exchange))) askers.set(one.exchange, one);
  }
  return {
    report,
    root: pathUnder(report.target.baseUrl),
    clause: (id) => clauses.get(id),
    exchange: (id) => exchanges.get(id),
    asker: (exchange) => askers.get(exchange),
    clauseAnchor: (id) => clauseAnchors.get(id),
    caseAnchor: (id) => caseAnchors.get(id),
  };
}

/** `errors` of `errors.code`: what the picture and the filter go by. One word, fit for an address. */
export function areaOf(clause: string): string {
  return inert(clause.split('.')[0] ?? '', 60).replaceAll(' ', '-');
}

/** A clause that no case of the run speaks of has no verdict. */
export type Shade = VerdictName | 'none';

/** In the order in which they are shown: what needs attention first. */
export const SHADES = [
  'fail',
  'warn',
  'inconclusive',
  'pass',
  'observed',
  'skipped',
  'none',
] as const satisfies readonly Shade[];
