/** Tries the suites on a reference gateway with a fault, or on an unusual one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultId, GatewayOptions, VariantId } from '../src/gateway/index.ts';
import { openRecording } from '../src/recording/read-recording.ts';
import { createRecorder, type Recorder } from '../src/recording/write-recording.ts';
import type { Report } from '../src/report/report.ts';
import { judgeRecording } from '../src/run/judge-recording.ts';
import { judge } from '../src/run/run.ts';
import { DEFAULT_SETTINGS, type Settings } from '../src/settings.ts';
import { gatherFrom } from './in-memory.ts';
import type { TestSubject } from './test-subjects.ts';
import type { Judged, TestSide, TrialOptions } from './trial.ts';

export const GATEWAY_TRIALS: TestSide = { parallel: 8, needsQuiet, tryOut: tryGateway };

/** Arrival times are judged, which a busy event loop would distort. */
function needsQuiet({ breaks }: TestSubject): boolean {
  return breaks?.includes('stream.in-pieces') ?? false;
}

export function modifierOf({ kind, id }: TestSubject): Pick<GatewayOptions, 'fault' | 'variant'> {
  return kind === 'fault' ? { fault: id as FaultId } : { variant: id as VariantId };
}

/** Milliseconds that fit a target on the same machine. */
export function timeoutsFor(silence: number, run: number, patience: number): Settings['timeouts'] {
  const most = silence * patience;
  // In the order in which a recording has them.
  return {
    attempt: 20_000 * patience,
    edit: most,
    connect: 5_000 * patience,
    firstByte: most,
    idle: most,
    run: run * patience,
  };
}

/** Like a user's run, but with short waits, since the gateway is in the same process. */
export function settingsFor(baseUrl: string, forbiddenModel: string, patience: number): Settings {
  return {
    ...DEFAULT_SETTINGS,
    baseUrl,
    forbiddenModel,
    // Beyond the context of the faults and variants that have one.
    contextTokens: 4_500,
    largestBody: 4 * 1024 * 1024,
    retryPauses: [2, 5],
    maxRetryWait: 2_000,
    timeouts: timeoutsFor(1_500, 120_000, patience),
  };
}

/** A pause takes time, so that only gateways pause where it may matter. */
export function withPauses(settings: Settings, { breaks }: TestSubject): Settings {
  const isAsked = breaks?.some((clause) => clause.startsWith('errors.after-pause')) ?? true;
  // Token counts may be odd in any legal way, and few faults are about them.
  const counts = breaks?.some((clause) => clause.startsWith('usage.counts-')) ?? true;
  return { ...settings, counts, ...(isAsked && { patient: true, pauses: [200, 500, 1_100] }) };
}

async function tryGateway(subject: TestSubject, patience: number, options: TrialOptions): Promise<Judged> {
  const { inMemory = false, judgesTwice = () => true } = options;
  const second = judgesTwice(subject) ? judgeAgain() : undefined;
  // Only a model that the user names can be missing from the list.
  const named = subject.breaks?.includes('endpoint.models-complete') ? { model: 'sea-large' } : {};
  try {
    const { settings, gathered } = await gatherFrom({
      gateway: modifierOf(subject),
      inMemory: inMemory && !needsQuiet(subject),
      settingsFor: (baseUrl, forbiddenModel) =>
        withPauses({ ...settingsFor(baseUrl, forbiddenModel, patience), ...named }, subject),
      record: second?.record,
    });
    const plain = judge(gathered, settings);
    if (!second) return { plain };
    return { plain, strict: judge(gathered, { ...settings, strict: true }), problems: await second.problems(plain) };
  } finally {
    second?.close();
  }
}

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
