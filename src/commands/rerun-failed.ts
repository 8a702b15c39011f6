/** `--rerun-failed`: the cases of an older report that are worth asking again. */
import type { Report } from '../report/report.ts';
import { UsageError } from '../usage-error.ts';
import { loadReport } from './files/load-report.ts';

/** Ids of the cases that kept the older run from passing: failed or inconclusive, and where it was strict, warned. */
export function failedCases(file: string, cwd: string): readonly string[] {
  const report = loadReport(file, cwd);
  const ids = report.cases.filter((one) => isWorthAsking(one.verdict, report)).map(({ id }) => id);
  if (ids.length > 0) return ids;
  throw new UsageError(`No case of ${file} failed or was inconclusive: there is nothing to run again.`);
}

function isWorthAsking(verdict: Report['cases'][number]['verdict'], { strict }: Report): boolean {
  return verdict === 'fail' || verdict === 'inconclusive' || (strict && verdict === 'warn');
}
