/** Where a case is written, if the reader has that file: the built-in suites are part of wirecheck. */
import type { CaseReport, Report } from '../report/report.ts';

/** Undefined for a case of a built-in suite. */
export function ownSource({ provenance }: Report, { source }: CaseReport): CaseReport['source'] | undefined {
  const suites = provenance.settings['suites'];
  return Array.isArray(suites) && suites.includes(source.file) ? source : undefined;
}
