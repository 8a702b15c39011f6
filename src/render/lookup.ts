/** What every format looks up in a report, made once. */
import { oncePer } from '../once-per.ts';
import type { CaseReport, Report } from '../report/report.ts';
import { inert } from '../text/layout.ts';

export type Lookup = ReturnType<typeof makeLookup>;

export const lookUp = oncePer(makeLookup);

function makeLookup({ target: { baseUrl }, clauses, exchanges, cases }: Report) {
  const clauseById = new Map(clauses.map((clause) => [clause.id, clause]));
  const exchangeById = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const senders = new Map<string, CaseReport>();
  for (const testCase of cases) {
    const { exchange, id } = testCase;
    // Cases may share an exchange, which then has the id of the case that sent it.
    if (exchange !== undefined && (exchange === id || !senders.has(exchange))) senders.set(exchange, testCase);
  }
  return {
    /** Path of the base URL, such as `/v1`. */
    root: URL.canParse(baseUrl) ? inert(new URL(baseUrl).pathname.replace(/\/+$/, '')) : '',
    clause: (id: string) => clauseById.get(id),
    exchange: (id: string | undefined) => (id === undefined ? undefined : exchangeById.get(id)),
    /** The case whose request it was. */
    sender: (exchange: string) => senders.get(exchange),
  };
}
