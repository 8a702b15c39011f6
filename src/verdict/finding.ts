/** Constructors for findings, and their identities. */

import { createHash } from 'node:crypto';
import type { SchemaIssue } from '../contract/contract.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { pointerOf, pointerTokens, typeOf } from '../json.ts';
import type { RequestTemplate } from '../plan/plan.ts';
import { quoteValue } from '../text/quote.ts';
import { type Actual, type ActualPhrase, nameField } from './actual.ts';
import { HOLDS } from './check-result.ts';
import { type Expected, type ExpectedPhrase, nameExpectedType } from './expected.ts';
import type { CheckResult, Finding } from './verdict.ts';

export interface FindingParts extends Pick<Finding, 'mismatch' | 'pointer' | 'expected' | 'actualType' | 'actual'> {
  /** Index of the attempt that shows it. Default: the last. */
  readonly attempt?: number | undefined;
  readonly more?: number;
}

/** As checks write it: a phrase that needs no data stands for itself. */
export interface BriefParts extends Omit<FindingParts, 'expected' | 'actual'> {
  readonly expected: Expected | ExpectedPhrase;
  readonly actual: Actual | ActualPhrase;
}

export function finding(exchange: Exchange, parts: BriefParts): Finding {
  const { mismatch, attempt = exchange.attempts.length - 1, pointer, expected, actualType, actual, more = 0 } = parts;
  return {
    mismatch,
    exchange: exchange.id,
    attempt,
    ...(pointer !== undefined && { pointer }),
    expected: typeof expected === 'string' ? { kind: expected } : expected,
    actualType,
    actual: typeof actual === 'string' ? { kind: actual } : actual,
    more,
  };
}

/** `exchanges`: those of the findings, of which similar ones are merged. */
export function broken(
  findings: Iterable<Finding>,
  exchanges?: readonly Exchange[],
): Extract<CheckResult, { readonly kind: 'broken' }> {
  return { kind: 'broken', findings: exchanges ? mergeFindings(findings, exchanges) : [...findings] };
}

/** Broken by one finding. */
export function brokenWith(exchange: Exchange, parts: BriefParts): CheckResult {
  return broken([finding(exchange, parts)]);
}

/** Broken where there are findings, holds where there are none. */
export function brokenIfAny(findings: readonly Finding[], exchanges?: readonly Exchange[]): CheckResult {
  return findings.length === 0 ? HOLDS : broken(findings, exchanges);
}

/** `undefined`: nothing is there. */
export function valueFound(value: unknown): Actual {
  return value === undefined ? { kind: 'absent' } : { kind: 'value', value: quoteValue(value) };
}

/** A value that came, with its type. */
export function typedValue(value: unknown): Pick<FindingParts, 'actualType' | 'actual'> {
  return { actualType: typeOf(value), actual: valueFound(value) };
}

export function issueFound(exchange: Exchange, { value, ...issue }: SchemaIssue, attempt?: number): Finding {
  return finding(exchange, { ...issue, actual: value === undefined ? 'absent' : { kind: 'value', value }, attempt });
}

// `/choices/3/index` becomes `/choices/*/index`, so the same fault in another item is the same finding.
export function maskIndices(pointer: string): string {
  return pointerOf(pointerTokens(pointer).map((token) => (/^\d+$/.test(token) ? '*' : token)));
}

/**
 * Keeps the first finding per endpoint, mode, status, place and kind of mismatch, and counts the others in `more`.
 * Fingerprints are made of the same parts, so none is lost.
 */
export function mergeFindings(findings: Iterable<Finding>, exchanges: readonly Exchange[]): readonly Finding[] {
  // Both are built late: most checks have no finding.
  let merged: Map<string, { readonly first: Finding; readonly answers: Set<string>; more: number }> | undefined;
  let askedOf: ReadonlyMap<string, string> | undefined;
  for (const next of findings) {
    merged ??= new Map();
    askedOf ??= new Map(exchanges.map(({ id, request }) => [id, `${request.endpoint} ${request.mode}`]));
    const key = JSON.stringify([
      askedOf.get(next.exchange),
      next.pointer === undefined ? null : maskIndices(next.pointer),
      next.mismatch,
      next.mismatch === 'type' ? nameExpectedType(next.expected) : '',
      next.actualType,
      next.status ?? null,
    ]);
    const answer = `${next.exchange}#${next.attempt}`;
    const group = merged.get(key);
    if (!group) {
      merged.set(key, { first: next, answers: new Set([answer]), more: next.more });
      continue;
    }
    group.answers.add(answer);
    group.more += next.more + 1;
  }
  if (!merged) return [];
  return [...merged.values()].map(({ first, answers, more }) => ({
    ...first,
    more,
    ...(answers.size > 1 && { moreAnswers: answers.size - 1 }),
  }));
}

// The identity of a finding: stable while the same thing is wrong in the same place, whatever the value.

/** The part of a request that identifies a finding. */
export type AskedFor = Pick<RequestTemplate, 'endpoint' | 'mode'>;

/** Several findings may be at one place of a description, such as its list of required fields. */
function namesIn({ expected, actual }: Finding): readonly string[] {
  if (expected.kind === 'all-values') return expected.missing.map(String);
  const field = nameField(actual);
  return field === undefined ? [] : [field];
}

/** `request`: of the exchange that shows the finding, if any does. */
export function fingerprintOf(clause: string, caseId: string, finding: Finding, request: AskedFor | undefined): string {
  const parts = [
    clause,
    caseId,
    request?.endpoint ?? '',
    request?.mode ?? '',
    finding.pointer === undefined ? '' : maskIndices(finding.pointer),
    finding.mismatch,
    // Only types are stable between runs; other expectations may contain numbers of this run.
    finding.mismatch === 'type' ? nameExpectedType(finding.expected) : '',
    finding.actualType,
    // A cause such as a proxy often shows in one status only.
    ...(finding.status === undefined ? [] : [finding.status]),
    ...namesIn(finding),
    ...(finding.trigger ?? []),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
