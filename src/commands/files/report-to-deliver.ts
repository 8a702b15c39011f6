/** The report as it is delivered: with the words for its reader, and without bodies if the user wants none. */
import type { Report } from '../../report/report.ts';
import { withoutBodies } from '../../report/without-bodies.ts';
import type { Merged } from '../settings/merge-settings.ts';

export function reportToDeliver(report: Report, merged: Merged): Report {
  const kept = merged.get('no-bodies') ? withoutBodies(report) : report;
  const [title, note] = [merged.get('title'), merged.get('note')];
  return { ...kept, ...(title !== undefined && { title }), ...(note !== undefined && { note }) };
}
