/** Constructors for what checks say, so that every check says it in the same form. */
import type { Exchange } from '../exchange/exchange.ts';
import { copyString } from '../text/copy-string.ts';
import { pointerOf, pointerTokens } from '../json.ts';
import type { CheckResult, Finding, Observation } from './verdict.ts';

/** Characters of a value that a finding shows. Enough to recognise it; the whole body is in the evidence. */
export const MOST_SHOWN = 120;

export interface FindingParts {
  readonly mismatch: string;
  readonly pointer?: string;
  readonly expected: string;
  readonly actualType: string;
  readonly actual: string;
  /** Index of the attempt that shows it; the last one where it is not given. */
  readonly attempt?: number;
  readonly more?: number;
}

export function finding(exchange: Exchange, parts: FindingParts): Finding {
  return {
    mismatch: parts.mismatch,
    exchange: exchange.id,
    attempt: parts.attempt ?? exchange.attempts.length - 1,
    ...(parts.pointer === undefined ? {} : { pointer: parts.pointer }),
    expected: parts.expected,
    actualType: parts.actualType,
    actual: parts.actual,
    more: parts.more ?? 0,
  };
}

export const HOLDS: CheckResult = { kind: 'holds' };
/** It held, but only after trying again. */
export const HOLDS_FLAKY: CheckResult = { kind: 'holds', flaky: true };

export function broken(findings: readonly Finding[]): CheckResult {
  return { kind: 'broken', findings };
}

/** Broken where there are findings, holds where there are none. */
export function judged(findings: readonly Finding[]): CheckResult {
  return findings.length === 0 ? HOLDS : broken(findings);
}

export function inconclusive(reason: string): CheckResult {
  return { kind: 'inconclusive', reason };
}

export function skipped(reason: string): CheckResult {
  return { kind: 'skipped', reason };
}

export function observed(observations: readonly Observation[]): CheckResult {
  return { kind: 'observed', observations };
}

/** Cuts a text of the target to a sensible length, and says how long it was; `size` is for a text that is itself a part. */
export function cutText(text: string, most = MOST_SHOWN, size = `${text.length} characters`): string {
  if (text.length <= most) return text;
  // A surrogate pair is not cut in two: a lone half would turn into U+FFFD in every report.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return `${copyString(text.slice(0, end), text)}… (${size})`;
}

/** A value as JSON text, cut. `undefined` stands for what is not there. */
export function shown(value: unknown): string {
  return value === undefined ? 'nothing' : cutText(JSON.stringify(value));
}

// `/choices/3/index` is written `/choices/*/index`: the same fault in another place is the same fault.
export function starred(pointer: string): string {
  return pointerOf(pointerTokens(pointer).map((token) => (/^\d+$/.test(token) ? '*' : token)));
}

/**
 * One finding for each kind of mismatch at each place of each endpoint and mode, the first one seen, with the
 * others counted in `more`. These are the parts that a fingerprint is made of, so no fingerprint is lost.
 */
export function fold(findings: Iterable<Finding>, exchanges: readonly Exchange[]): readonly Finding[] {
  const folded = new Map<string, Finding>();
  let askedOf: ReadonlyMap<string, string> | undefined;
  for (const one of findings) {
    // Only now: mostly there is no finding.
    askedOf ??= new Map(exchanges.map(({ id, request }) => [id, `${request.endpoint} ${request.mode}`]));
    const key = JSON.stringify([
      askedOf.get(one.exchange),
      one.pointer === undefined ? null : starred(one.pointer),
      one.mismatch,
      one.mismatch === 'type' ? one.expected : '',
      one.actualType,
    ]);
    const first = folded.get(key);
    folded.set(key, first ? { ...first, more: first.more + one.more + 1 } : one);
  }
  return [...folded.values()];
}
