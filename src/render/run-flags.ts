/** Facts about a run that its reader has to know before anything else. */
import type { Report } from '../report/report.ts';

/** In the header of every format. */
export function listRunFlags({ strict, provenance }: Report): readonly string[] {
  return [
    ...(strict ? ['strict'] : []),
    ...(provenance.settings['tls.insecure'] === true ? ['certificate not verified (--insecure)'] : []),
  ];
}
