/** What every format looks up in a report, made once. */
import type { CaseReport, ClauseReport, ExchangeReport, Report } from '../report/report.ts';
import { inert } from '../text/layout.ts';

export interface Lookup {
  /** Path of the base URL, such as `/v1`. */
  readonly root: string;
  readonly clause: (id: string) => ClauseReport | undefined;
  readonly exchange: (id: string | undefined) => ExchangeReport | undefined;
  /** The case whose request it was. */
  readonly sender: (exchange: string) => CaseReport | undefined;
}

const known = new WeakMap<Report, Lookup>();

export function lookUp(report: Report): Lookup {
  const lookup = known.get(report) ?? makeLookup(report);
  known.set(report, lookup);
  return lookup;
}

function makeLookup({ target: { baseUrl }, clauses, exchanges, cases }: Report): Lookup {
  const clauseById = new Map(clauses.map((clause) => [clause.id, clause]));
  const exchangeById = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const senders = new Map<string, CaseReport>();
  for (const testCase of cases) {
    const { exchange, id } = testCase;
    // Cases may share an exchange, which then has the id of the case that sent it.
    if (exchange !== undefined && (exchange === id || !senders.has(exchange))) senders.set(exchange, testCase);
  }
  return {
    root: URL.canParse(baseUrl) ? inert(new URL(baseUrl).pathname.replace(/\/+$/, '')) : '',
    clause: (id) => clauseById.get(id),
    exchange: (id) => (id === undefined ? undefined : exchangeById.get(id)),
    sender: (exchange) => senders.get(exchange),
  };
}
