/** How long each case took. An answer that several cases share is counted once, so that the times can be added up. */
import type { Report } from '../../report/report.ts';
import type { ExchangeReport } from '../../report/exchange-report.ts';

/** Milliseconds by case id; a case that only looks at the answers of others has none. */
export type Times = ReadonlyMap<string, number>;

export function caseTimes(report: Report): Times {
  const ids = new Set(report.cases.map(({ id }) => id));
  const askedBy = new Map<string, string>();
  for (const { id, exchange } of report.cases) {
    if (exchange !== undefined && !askedBy.has(exchange)) askedBy.set(exchange, id);
  }
  const times = new Map<string, number>();
  for (const exchange of report.exchanges) {
    // The call of the client that led to it took at least as long.
    if (exchange.side === 'upstream') continue;
    const { step, name = step } = exchange;
    const owner = ids.has(name) ? name : askedBy.get(exchange.id);
    if (owner !== undefined) times.set(owner, (times.get(owner) ?? 0) + duration(exchange));
  }
  return times;
}

/** From the first attempt to the end of the last, the pauses between them included. */
function duration({ attempts }: ExchangeReport): number {
  const [first, last] = [attempts[0], attempts.at(-1)];
  return first && last ? last.sentAt - first.sentAt + (last.answer?.endAt ?? 0) : 0;
}

export function junitSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
