/** What `wirecheck explore` and `wirecheck relay --explore` share: the seed and the progress. */
import { packageVersion } from '../contract/package-files.ts';
import type { ExploreProgress } from '../explore/run-explore.ts';
import { toBytes } from '../plan/request-word.ts';
import type { Settings } from '../settings.ts';
import type { Inputs } from './settings/read-settings.ts';

/** Unless one is given, the same for everybody who has this version, so that runs can be compared. */
export function seedOf({ seed }: Settings, { merged }: Inputs): number {
  return merged.origin('seed') === undefined ? toBytes(0, packageVersion()).readUInt16BE(0) : seed;
}

export function formatSeed({ seed }: Settings): string {
  return `Seed ${seed}.\n`;
}

export const DRAWN_REQUESTS = {
  unit: 'requests',
  advance: ({ requests, requestsExpected = requests, looking }: ExploreProgress) => ({
    done: requests,
    total: requestsExpected,
    ...(looking && { doing: `looking into draw ${looking.draw}, ${looking.place} of ${looking.all} that failed` }),
  }),
};
