/** Verdicts and waivers, to be excused. */
import type { Verdict } from '../../src/verdict/verdict.ts';
import { applyExcuses, type Excuses, type RunScope } from '../../src/report/excuses/apply-excuses.ts';
import { isNamed, type NamedExpectation, type WaiverEntry, type Waivers } from '../../src/report/excuses/waivers.ts';

export const TODAY = '2030-06-15';

export const HASH = 'a'.repeat(64);

export const finding = (fingerprint: string): Verdict['findings'][number] => ({
  mismatch: 'type',
  exchange: 'e',
  attempt: 0,
  expected: { kind: 'type', types: ['string'] },
  actualType: 'integer',
  actual: { kind: 'value', value: 5 },
  more: 0,
  fingerprint,
});

export function verdict(id: string, clause: string, name: Verdict['verdict'], more: Partial<Verdict> = {}): Verdict {
  const findings = name === 'fail' || name === 'warn' ? [finding(`${clause}-1`)] : [];
  const frame = { kind: 'stated', level: 'must', check: 'k', flaky: false, observations: [], exchanges: [] } as const;
  return { case: id, clause, verdict: name, findings, ...frame, ...more };
}

/** The waivers as they would come from a file, over the expectations that the suites have. */
export function waivers(known: readonly NamedExpectation[], ...entries: Partial<WaiverEntry>[]): Waivers {
  return {
    file: 'w.yaml',
    waivers: entries.map((more, index) => {
      const entry = { reason: 'known', ...(more.announced ? {} : { until: '2030-12-31' }), ...more };
      return { entry, line: 2 + index, names: known.filter((expected) => isNamed(entry, expected)) };
    }),
  };
}

export const apply = (verdicts: readonly Verdict[], excuses: Excuses, scope?: RunScope) =>
  applyExcuses(verdicts, excuses, { today: TODAY, contractHash: HASH }, scope);
