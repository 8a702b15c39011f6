/** Tests the suites on gateways with known faults, and on unusual but conforming ones. */
import { FAULTS, type FaultId, startGateway, VARIANTS, type VariantId, type Fault } from '../gateway/index.ts';
import type { Recorder } from '../recording/write-recording.ts';
import type { Report } from '../report/report.ts';
import { gather, judge } from '../run/run.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import { type Subject, type TrialResult, compareFault, compareVariant } from './compare.ts';
import { trySubjects } from './try-subjects.ts';

export interface SelftestOptions {
  /** Faults and variants; all by default. */
  readonly names?: readonly string[];
  /** Number of gateways at a time. */
  readonly parallel?: number;
  readonly onResult?: (result: TrialResult) => void;
  /** A result that is not accepted is tried again, alone and with longer timeouts, since a busy machine causes timeouts. */
  readonly accepts?: (result: TrialResult) => boolean;
  /** Records each trial; `onRecorded` is then called with the live report. */
  readonly record?: (subject: Subject) => Recorder;
  readonly onRecorded?: (subject: Subject, live: Report) => Promise<void>;
}

export async function runSelftest(options: SelftestOptions = {}): Promise<readonly TrialResult[]> {
  const { names, parallel = 8, onResult, accepts = ({ problems }) => problems.length === 0 } = options;
  const subjects = listSubjects().filter(({ id }) => names?.includes(id) ?? true);
  return trySubjects(subjects, {
    parallel,
    tryOut: (subject, patience) => tryOut(subject, options, patience),
    accepts,
    needsQuiet,
    onResult,
  });
}

/** Arrival times are judged, which a busy event loop would distort. */
function needsQuiet(subject: Subject): boolean {
  return subject.kind === 'fault' && subject.breaks.includes('stream.in-pieces');
}

export function listSubjects(): readonly Subject[] {
  const faults = Object.entries(FAULTS as Readonly<Record<string, Fault>>);
  return [
    ...faults.map(([id, { breaks }]): Subject => ({ kind: 'fault', id: id as FaultId, breaks })),
    ...Object.keys(VARIANTS).map((id): Subject => ({ kind: 'variant', id: id as VariantId })),
  ];
}

/** Like a user's run, but with short waits, since the gateway is in the same process. */
export function settingsFor(baseUrl: string, forbiddenModel: string, patience: number): Settings {
  const [connect, silence] = [5_000 * patience, 1_500 * patience];
  return {
    ...DEFAULT_SETTINGS,
    baseUrl,
    forbiddenModel,
    retryPauses: [2, 5],
    maxRetryWait: 2_000,
    timeouts: {
      attempt: 20_000 * patience,
      edit: silence,
      connect,
      firstByte: silence,
      idle: silence,
      run: 120_000 * patience,
    },
  };
}

async function tryOut(
  subject: Subject,
  { record, onRecorded }: SelftestOptions,
  patience: number,
): Promise<TrialResult> {
  const gateway = await startGateway(subject.kind === 'fault' ? { fault: subject.id } : { variant: subject.id });
  try {
    const settings = settingsFor(gateway.baseUrl, gateway.forbiddenModel, patience);
    const gathered = await gather(settings, gateway.keys, record ? { recorder: record(subject) } : {});
    // The same exchanges, judged with and without --strict.
    const judged = (strict: boolean): Report => judge(gathered, { ...settings, strict });
    const both = { plain: judged(false), strict: judged(true) };
    await onRecorded?.(subject, both.plain);
    return subject.kind === 'fault' ? compareFault(subject, both) : compareVariant(subject, both);
  } finally {
    await gateway.close();
  }
}
