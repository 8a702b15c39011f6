/** Judges a run once more from its recording: the report has to be the same. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRecording } from '../src/recording/read-recording.ts';
import { createRecorder, type Recorder } from '../src/recording/write-recording.ts';
import type { Report } from '../src/report/report.ts';
import { judgeRecording } from '../src/run/judge-recording.ts';

export interface SecondJudgement {
  /** A new recording, in place of an earlier one. */
  readonly record: () => Recorder;
  /** How the report of the recording differs from the live one; empty if it does not. */
  readonly problems: (live: Report) => Promise<readonly string[]>;
  readonly close: () => void;
}

export function judgeAgain(): SecondJudgement {
  const folder = mkdtempSync(join(tmpdir(), 'wirecheck-selftest-'));
  const file = join(folder, 'run.ndjson');
  return {
    record: () => createRecorder(file, true),
    problems: async (live) => {
      const recorded = await judgeRecording(await openRecording(file, file));
      const isSame = JSON.stringify(recorded) === JSON.stringify(live);
      return isSame ? [] : [`its recording gives a different report: ${differingMembers(recorded, live)}`];
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The members of a report that differ, by name. */
function differingMembers(recorded: Report, live: Report): string {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(live)])] as (keyof Report)[];
  return names.filter((name) => JSON.stringify(recorded[name]) !== JSON.stringify(live[name])).join(', ');
}
