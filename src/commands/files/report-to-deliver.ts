/** The report as it is delivered: with the words for its reader, and without bodies if the user wants none. */
import type { Report } from '../../report/report.ts';
import { withoutBodies } from '../../report/without-bodies.ts';
import { NO_BODIES } from '../../settings/setting-names.ts';
import type { Merged } from '../settings/merge-settings.ts';

export function reportToDeliver(report: Report, merged: Merged): Report {
  const kept = merged.get('no-bodies') ? sayWithoutBodies(withoutBodies(report)) : report;
  const [title, note] = [merged.get('title'), merged.get('note')];
  return { ...kept, ...(title !== undefined && { title }), ...(note !== undefined && { note }) };
}

/** The reader should know why texts are missing, also from a stored report that lost them later. */
function sayWithoutBodies(report: Report): Report {
  const { provenance } = report;
  return { ...report, provenance: { ...provenance, settings: { ...provenance.settings, [NO_BODIES]: true } } };
}
