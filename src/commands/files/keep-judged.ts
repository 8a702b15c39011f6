/**
 * A run that judged next to nothing, such as one whose target was down, does not cost the report before it: that is kept
 * in a folder beside the new one, where `open` and `--last-failed` find it.
 */
import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isBarelyBegun } from '../../exchange/ending.ts';
import type { Report } from '../../report/report.ts';
import { loadReport } from './load-report.ts';
import type { Outputs } from './outputs.ts';
import { KEPT_FOLDER, REPORT_FILE, REPORT_PAGE } from './written-names.ts';

/** Before the files of the report are written. Returns the folder that the report before it was moved to. */
export function keepJudged({ ending }: Report, { files }: Outputs): string | undefined {
  const own = files.find(({ format, path }) => format === 'json' && basename(path) === REPORT_FILE);
  if (!own) return undefined;
  const folder = dirname(own.path);
  const kept = join(folder, KEPT_FOLDER);
  if (!isBarelyBegun(ending)) dropKept(kept);
  else if (hasJudged(own.path)) {
    mkdirSync(kept, { recursive: true });
    for (const name of [REPORT_FILE, REPORT_PAGE]) {
      if (existsSync(join(folder, name))) renameSync(join(folder, name), join(kept, name));
    }
    return kept;
  }
  return undefined;
}

/** Only what is ours: somebody may have put files beside it. */
function dropKept(kept: string): void {
  if (!existsSync(kept)) return;
  for (const name of [REPORT_FILE, REPORT_PAGE]) rmSync(join(kept, name), { force: true });
  try {
    rmdirSync(kept);
  } catch {
    // Not empty.
  }
}

function hasJudged(file: string): boolean {
  try {
    return !isBarelyBegun(loadReport(file, dirname(file)).ending);
  } catch {
    // Not there, or no report that this version reads.
    return false;
  }
}
