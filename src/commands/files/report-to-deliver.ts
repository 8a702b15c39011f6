/** The report as it is delivered: with the words of the user, without bodies if the user wants none, with its causes, and sealed. */
import { tellCauses } from '../../render/json.ts';
import type { Product, Report } from '../../report/report.ts';
import { isSealed, sealReport } from '../../report/seal-report.ts';
import { withoutBodies } from '../../report/without-bodies.ts';
import { changesOf } from '../../contract/profile/profile.ts';
import { placeOfLevel } from '../settings/config-file.ts';
import type { Inputs } from '../settings/read-settings.ts';
import type { Merged } from '../settings/merge-settings.ts';

/** `config`: of the run. That of a recording is not known. */
export function reportToDeliver(
  report: Report,
  { merged, config }: Pick<Inputs, 'merged'> & Partial<Inputs>,
  recordingDigest?: string,
): Report {
  const kept = merged.get('no-bodies') ? withoutBodies(report) : report;
  const told = tellCauses({
    ...withWords(kept, merged),
    ...productOf(merged),
    ...placeLevels(report, config),
    ...(recordingDigest !== undefined && { recordingDigest }),
  });
  return sealReport(told);
}

/** A stored report with other words. One that is damaged, or has no digest, gets no new one. */
export function reportToShow(report: Report, merged: Merged): Report {
  const shown = withWords(report, merged);
  return isSealed(report) ? sealReport(shown) : shown;
}

function withWords(report: Report, merged: Merged): Report {
  const [title, note] = [merged.get('title'), merged.get('note')];
  return { ...report, ...(title !== undefined && { title }), ...(note !== undefined && { note }) };
}

/** Where each changed level is set, for every format and for whoever renders the report later. */
function placeLevels({ profile }: Report, config: Inputs['config']): Pick<Report, 'profile'> {
  if (!profile) return {};
  const places = changesOf({ changes: profile.changes.map(({ change }) => change) }, 'level').flatMap(
    ({ clause, why }) => {
      const place = why === undefined ? placeOfLevel(config, clause) : undefined;
      return place ? [[clause, place] as const] : [];
    },
  );
  return places.length === 0 ? {} : { profile: { ...profile, levelPlaces: Object.fromEntries(places) } };
}

function productOf(merged: Merged): Pick<Report, 'product'> {
  const [name, version, contact] = [merged.get('product'), merged.get('product-version'), merged.get('contact')];
  const product: Product = {
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
    ...(contact !== undefined && { contact }),
  };
  return Object.keys(product).length === 0 ? {} : { product };
}
