/** Tests the suites on gateways with known faults, and on unusual but conforming ones. */
import { FAULTS, type FaultId, VARIANTS, type VariantId, type Fault } from '../gateway/index.ts';
import { judge } from '../run/run.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import { compareSubject, type Subject, type TrialResult } from './compare.ts';
import { gatherFrom } from './gather-from.ts';
import { judgeAgain } from './judge-again.ts';
import { trySubjects } from './try-subjects.ts';

export interface SelftestOptions {
  /** Faults and variants; all by default. */
  readonly names?: readonly string[];
  /** Number of gateways at a time. */
  readonly parallel?: number;
  readonly onResult?: (result: TrialResult) => void;
  /** A result that is not accepted is tried again, alone and with longer timeouts, since a busy machine causes timeouts. */
  readonly accepts?: (result: TrialResult) => boolean;
  /** Sockets only where an answer needs one. Several times as fast, and the same verdicts. */
  readonly inMemory?: boolean;
  /** Subjects that are also judged with --strict, and once more from their recording; all by default. */
  readonly judgesTwice?: (subject: Subject) => boolean;
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
    // Beyond the context of the faults and variants that have one.
    contextTokens: 4_500,
    largestBody: 4 * 1024 * 1024,
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

/** A pause takes time, so that only gateways pause where it may matter. */
function withPauses(settings: Settings, subject: Subject): Settings {
  const isAsked =
    subject.kind === 'variant' || subject.breaks.some((clause) => clause.startsWith('errors.after-pause'));
  return isAsked ? { ...settings, patient: true, pauses: [100, 300, 900] } : settings;
}

async function tryOut(subject: Subject, options: SelftestOptions, patience: number): Promise<TrialResult> {
  const { inMemory = false, judgesTwice = () => true } = options;
  const second = judgesTwice(subject) ? judgeAgain() : undefined;
  try {
    const { settings, gathered } = await gatherFrom({
      gateway: subject.kind === 'fault' ? { fault: subject.id } : { variant: subject.id },
      inMemory: inMemory && !needsQuiet(subject),
      settingsFor: (baseUrl, forbiddenModel) => withPauses(settingsFor(baseUrl, forbiddenModel, patience), subject),
      record: second?.record,
    });
    const plain = judge(gathered, settings);
    // The same exchanges, judged with --strict.
    const strict = second && judge(gathered, { ...settings, strict: true });
    const result = compareSubject(subject, { plain, strict });
    return { ...result, problems: [...result.problems, ...((await second?.problems(plain)) ?? [])] };
  } finally {
    second?.close();
  }
}
