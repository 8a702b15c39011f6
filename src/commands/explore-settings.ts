/** What `wirecheck explore` and `wirecheck relay --explore` share: the seed, the progress, and the file of cases. */
import { resolve } from 'node:path';
import { packageVersion } from '../contract/package-files.ts';
import type { Cause } from '../explore/cause.ts';
import type { ExploreProgress } from '../explore/run-explore.ts';
import { formatSuite } from '../explore/save-cases.ts';
import { toBytes } from '../plan/request-word.ts';
import type { Settings } from '../settings.ts';
import { inert } from '../text/inert.ts';
import type { CommandIo } from './command-io.ts';
import { requireWritable, writeWhole } from './files/write-files.ts';
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
  advance: ({ requests, requestsExpected, looking }: ExploreProgress) => ({
    done: requests,
    total: requestsExpected,
    ...(looking && { doing: `looking into draw ${looking.draw}, ${looking.place} of ${looking.all} that failed` }),
  }),
};

/** Writes what was found as cases of a suite, if a file is named. */
export function saveTo(
  file: string | undefined,
  io: CommandIo,
): (causes: readonly Cause[], settings: Settings) => void {
  if (file === undefined) return () => undefined;
  const path = resolve(io.cwd, file);
  requireWritable(path, 'choose another file with --save.', file);
  return (causes, settings) => {
    const text = formatSuite(causes, settings);
    if (text !== undefined) writeWhole(path, text);
    else io.stderr.write(`Nothing was found that a case can show, so ${inert(file, 200)} was not written.\n`);
  };
}
