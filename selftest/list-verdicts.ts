/** The verdicts of a run in one line, short enough to commit. Any changed verdict changes the line. */
import { createHash } from 'node:crypto';
import type { Report } from '../src/report/report.ts';
import type { VerdictName } from '../src/verdict/verdict.ts';

/** Listed by name; the many others are covered by the hash. */
const LISTED: ReadonlySet<VerdictName> = new Set(['fail', 'warn', 'inconclusive']);

export function listVerdicts(name: string, { outcome, cases }: Report): string {
  const hash = createHash('sha256');
  const listed = new Map<string, string[]>();
  for (const { id, expectations } of cases) {
    for (const { clause, verdict } of expectations) {
      hash.update(`${id} ${clause} ${verdict}\n`);
      if (!LISTED.has(verdict)) continue;
      const group = `${verdict} ${clause}`;
      listed.set(group, [...(listed.get(group) ?? []), id]);
    }
  }
  const groups = [...listed].map(([group, ids]) => `${group}: ${ids.join(' ')}`);
  return [`${name}: exit ${outcome.exit}`, `sha256 ${hash.digest('hex').slice(0, 16)}`, ...groups].join(' | ');
}
