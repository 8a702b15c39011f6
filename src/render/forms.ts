/** The forms that one fault takes: a key that is not looked at gives away a completion, a list, or an error on the body. */
import type { ExchangeReport } from '../report/exchange-report.ts';
import type { CaseReport, ExpectationReport } from '../report/report.ts';
import type { Finding } from '../verdict/verdict.ts';

/** Findings of one fault with the same form differ in nothing that a reader would want to know. */
export function formOfActual({ actual }: Pick<Finding, 'actual'>): string {
  if (actual.kind === 'answer') return `${actual.status} ${actual.content?.kind ?? ''}`;
  return actual.kind === 'status' ? String(actual.status) : '';
}

/**
 * Why requests with an invalid key do not get the status that is due: the key is not looked at (`open`), or the rest of
 * the request is looked at first (`late`). Either shows in several statuses. Undefined if it may be anything else.
 */
export type KeyFault = 'open' | 'late';

type Judged = Pick<ExpectationReport, 'clause' | 'verdict' | 'findings'>;

/** By clause and use of the key: whether it was accepted, or refused as it should be, by any answer of the report. */
export class KeyFaults {
  private readonly opened = new Set<string>();
  private readonly refused = new Set<string>();
  private readonly exchanges: ReadonlyMap<string, ExchangeReport>;

  constructor(cases: readonly CaseReport[], exchanges: ReadonlyMap<string, ExchangeReport>) {
    this.exchanges = exchanges;
    for (const { exchange, expectations } of cases) for (const each of expectations) this.read(each, exchange);
  }

  private read({ clause, verdict, findings }: Judged, exchange: string | undefined): void {
    const own = verdict === 'pass' ? this.keyIn(clause, exchange) : undefined;
    if (own !== undefined) this.refused.add(own);
    for (const finding of findings) {
      const key = this.keyIn(clause, finding.exchange);
      if (key !== undefined && isStatusOf(finding, 200)) this.opened.add(key);
    }
  }

  private keyIn(clause: string, exchange: string | undefined): string | undefined {
    const asked = this.exchanges.get(exchange ?? '');
    return asked && `${clause} ${asked.key}`;
  }

  /** A 403 is about the key. */
  faultOf(clause: string, finding: Finding): KeyFault | undefined {
    const key = this.keyIn(clause, finding.exchange);
    const isOther = isStatusOf(finding, 200) || (isStatusOf(finding, 400) && formOfActual(finding) !== '403');
    if (key === undefined || !isOther) return undefined;
    if (this.opened.has(key)) return 'open';
    return this.refused.has(key) ? 'late' : undefined;
  }
}

/** Whether a 401 was due, and a status of this hundred came. */
function isStatusOf({ mismatch, expected, actual }: Finding, hundred: number): boolean {
  if (mismatch !== 'status' || expected.kind !== 'status' || expected.status !== 401) return false;
  return 'status' in actual && typeof actual.status === 'number' && Math.floor(actual.status / 100) * 100 === hundred;
}
