/** Reports on answers that broke a clause, to be folded. */
import { broken, exchange, expectation, finding, oneCase } from './sample-reports.ts';
import type { ExchangeReport, Report } from '../../src/report/report.ts';

export interface Sent {
  readonly id: string;
  readonly status?: number;
  readonly error?: Readonly<Record<string, unknown>>;
  readonly request?: Partial<ExchangeReport>;
}

export function exchangeOf({ id, status = 400, error, request }: Sent): ExchangeReport {
  const plain = exchange(id, request);
  const text = JSON.stringify({ error });
  const body = { text, bytes: text.length, shown: text.length, end: { kind: 'complete' } } as const;
  return {
    ...plain,
    attempts: plain.attempts.map((attempt) => ({
      ...attempt,
      ...(attempt.answer && { answer: { ...attempt.answer, status, body } }),
    })),
  };
}

export const statusFinding = (id: string, more: Parameters<typeof finding>[0] = {}) =>
  finding({
    mismatch: 'status',
    exchange: id,
    expected: { kind: 'no-server-error' },
    actualType: '5xx',
    actual: { kind: 'status', status: 500 },
    fingerprint: id,
    ...more,
  });

/** A case for each exchange, broken by it. */
export function reportOf(...sent: readonly Sent[]): Report {
  const cases = sent.map(({ id }) =>
    oneCase(id, [expectation('errors.no-server-error', { verdict: 'fail', findings: [statusFinding(id)] })], {
      exchange: id,
      repeat: `curl ${id}`,
    }),
  );
  return broken({ cases, exchanges: sent.map(exchangeOf) });
}
