/** Which stock clients the findings of a report affect. Only what was measured for the same kind of mismatch is said. */
import { loadStockClients, type MeasuredMismatch, type MismatchKind } from '../contract/stock-clients.ts';
import { maskIndices } from '../verdict/finding.ts';
import type { Finding } from '../verdict/verdict.ts';
import type { AffectedReport, CaseReport, ExchangeReport, Report } from './report.ts';

/** Undefined for an answer that no ordinary call gets: another path, or an error whose status is not what is wrong. */
export function mismatchKindOf(clause: string, finding: Finding, asked: ExchangeReport): MismatchKind | undefined {
  const { mismatch, actualType, pointer } = finding;
  const { endpoint, mode } = asked;
  const tried = asked.attempts[finding.attempt];
  const isError = (tried?.answer?.status ?? 0) >= 400;
  if (!tried || endpoint === 'other' || (isError && mismatch !== 'status')) return undefined;
  return {
    clause,
    call: endpoint === 'models' ? 'models' : mode,
    mismatch,
    actual: actualType,
    ...(pointer !== undefined && { pointer: maskIndices(pointer) }),
  };
}

/** Undefined if nothing was measured for any finding. */
export function affectedBy(
  cases: readonly Pick<CaseReport, 'expectations'>[],
  exchanges: readonly ExchangeReport[],
): AffectedReport | undefined {
  const byExchange = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const found = new Set<string>();
  for (const { clause, findings } of cases.flatMap(({ expectations }) => expectations)) {
    for (const finding of findings) {
      const asked = byExchange.get(finding.exchange);
      const kind = asked && mismatchKindOf(clause, finding, asked);
      if (kind) found.add(keyOf(kind));
    }
  }
  return found.size === 0 ? undefined : reportMeasured((each) => found.has(keyOf(each)));
}

/** What a clause breaks, whatever a report found. */
export function affectedByClause(clause: string): AffectedReport | undefined {
  return reportMeasured((each) => each.clause === clause);
}

/** What a finding breaks, in all calls in which the report has such a one. Undefined if nothing was measured for it. */
export function affectedOf(report: Report, clause: string, finding: Finding): AffectedReport | undefined {
  const { affected, exchanges } = report;
  const asked = affected && exchanges.find(({ id }) => id === finding.exchange);
  const own = asked && mismatchKindOf(clause, finding, asked);
  if (!own || !affected.mismatches.some((each) => keyOf(each) === keyOf(own))) return undefined;
  const alike = affected.mismatches.filter((each) => keyOf({ ...each, call: own.call }) === keyOf(own));
  return { measured: affected.measured, mismatches: alike };
}

function reportMeasured(isMeant: (measured: MeasuredMismatch) => boolean): AffectedReport | undefined {
  const { measured, clients, mismatches } = loadStockClients();
  const labelOf = (id: string): string => clients[id]?.label ?? id;
  const meant = mismatches.filter(isMeant).map(({ faults: _faults, affected, unaffected, depending, ...kind }) => ({
    ...kind,
    affected: Object.entries(affected).map(([id, effect]) => ({ client: labelOf(id), effect })),
    unaffected: unaffected.map(labelOf),
    ...(depending && { depending: depending.map(labelOf) }),
  }));
  return meant.length === 0 ? undefined : { measured, mismatches: meant };
}

function keyOf({ clause, call, mismatch, actual, pointer = '' }: MismatchKind): string {
  return JSON.stringify([clause, call, mismatch, actual, pointer]);
}
