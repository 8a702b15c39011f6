/** A digest of the report itself finds damage: an edited or truncated file. It proves no origin, since anybody can make one. */
import { digestOf } from '../contract/digest.ts';
import type { Report } from './report.ts';

export function sealReport(report: Report): Report {
  return { ...report, reportDigest: digestReport(report) };
}

/** The digest leaves out its own member. */
export function digestReport({ reportDigest: _stated, ...rest }: Report): string {
  return digestOf(rest);
}

/** False too for a report without a digest. */
export function isSealed(report: Report): boolean {
  return report.reportDigest === digestReport(report);
}
