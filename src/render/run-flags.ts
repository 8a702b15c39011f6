/** What a reader has to know about how a run was made, before anything else. */
import type { Report } from '../report/report.ts';

/** In the header of every format. */
export function listRunFlags({ strict, provenance }: Report): readonly string[] {
  return [
    ...(strict ? ['strict'] : []),
    ...(provenance.settings['tls.insecure'] === true ? ['certificate not verified (--insecure)'] : []),
  ];
}
