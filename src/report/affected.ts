/** Which stock clients the findings of a report affect. Only what was measured for the same kind of mismatch is said. */
import {
  loadStockClients,
  type MeasuredMismatch,
  type MismatchKind,
  type StockClients,
} from '../contract/stock-clients.ts';
import type { Endpoint, Mode } from '../plan/plan.ts';
import { maskIndices } from '../verdict/finding.ts';
import type { Finding } from '../verdict/verdict.ts';
import type { AffectedClients, AffectedReport, CaseReport, ExchangeReport } from './report.ts';

export function mismatchKindOf(
  clause: string,
  { mismatch, actualType, pointer }: Finding,
  asked: { readonly endpoint: Endpoint; readonly mode: Mode },
): MismatchKind | undefined {
  if (asked.endpoint === 'other') return undefined;
  return {
    clause,
    call: asked.endpoint === 'models' ? 'models' : asked.mode,
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
  const found = new Set(
    cases.flatMap(({ expectations }) =>
      expectations.flatMap(({ clause, findings }) =>
        findings.flatMap((finding) => {
          const asked = byExchange.get(finding.exchange);
          const kind = asked && mismatchKindOf(clause, finding, asked);
          return kind === undefined ? [] : [keyOf(kind)];
        }),
      ),
    ),
  );
  return found.size === 0 ? undefined : reportMeasured((each) => found.has(keyOf(each)));
}

/** For one clause, whatever a report found. */
export function affectedByClause(clause: string): AffectedReport | undefined {
  return reportMeasured((each) => each.clause === clause);
}

/** The same finding may show in several calls of a report. */
export function affectedOf(
  affected: AffectedReport | undefined,
  clause: string,
  { mismatch, actualType, pointer }: Finding,
): AffectedReport | undefined {
  const place = pointer === undefined ? undefined : maskIndices(pointer);
  const own = affected?.mismatches.filter(
    (each) =>
      each.clause === clause && each.mismatch === mismatch && each.actual === actualType && each.pointer === place,
  );
  return affected && own && own.length > 0 ? { measured: affected.measured, mismatches: own } : undefined;
}

function reportMeasured(isMeant: (measured: MeasuredMismatch) => boolean): AffectedReport | undefined {
  const stock = loadStockClients();
  const mismatches = stock.mismatches.filter(isMeant).map((each) => nameClients(each, stock));
  return mismatches.length === 0 ? undefined : { measured: stock.measured, mismatches };
}

function nameClients(measured: MeasuredMismatch, { clients }: StockClients): AffectedClients {
  const { clause, call, mismatch, actual, pointer, affected, unaffected } = measured;
  return {
    clause,
    call,
    mismatch,
    actual,
    ...(pointer !== undefined && { pointer }),
    affected: Object.entries(affected).map(([id, effect]) => ({ client: clients[id]?.label ?? id, effect })),
    unaffected: unaffected.map((id) => clients[id]?.name ?? id),
  };
}

function keyOf({ clause, call, mismatch, actual, pointer = '' }: MismatchKind): string {
  return JSON.stringify([clause, call, mismatch, actual, pointer]);
}
