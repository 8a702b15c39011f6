/** What every format looks up in a report, made once. */
import type { CaseReport, Report } from '../report/report.ts';
import { inert } from '../text/layout.ts';

/** Makes something of a report once, however many formats ask for it. */
export function onceFor<Made>(make: (report: Report) => Made): (report: Report) => Made {
  const known = new WeakMap<Report, Made>();
  return (report) => {
    const made = known.get(report) ?? make(report);
    known.set(report, made);
    return made;
  };
}

export type Lookup = ReturnType<typeof makeLookup>;

export const lookUp = onceFor(makeLookup);

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
