/** Proves the suite on gateways that are known to be broken, and on gateways that are odd but legal. */
import { FAULTS, type FaultId, startGateway, VARIANTS, type VariantId, type Fault } from '../gateway/index.ts';
import type { Report } from '../report/report.ts';
import { gather, judge } from '../run/run.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import { type Subject, type TrialResult, compareFault, compareVariant } from './compare.ts';

export interface SelftestOptions {
  /** Names of faults and variants; none: all. */
  readonly names?: readonly string[];
  /** Gateways at once. */
  readonly parallel?: number;
  readonly onResult?: (result: TrialResult) => void;
}

export async function runSelftest({ names = [], parallel = 8, onResult }: SelftestOptions = {}): Promise<
  readonly TrialResult[]
> {
  const subjects = listSubjects().filter(({ id }) => names.length === 0 || names.includes(id));
  const results: TrialResult[] = [];
  const entries = [...subjects.entries()];
  const work = async (queue: [number, Subject][]): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [place, subject] = next;
      const result = await tryOut(subject);
      results[place] = result;
      onResult?.(result);
    }
  };
  const crowd = entries.filter(([, subject]) => !needsQuiet(subject));
  await Promise.all(Array.from({ length: parallel }, () => work(crowd)));
  await work(entries.filter(([, subject]) => needsQuiet(subject)));
  return results;
}

/** Where arrival times are judged, a crowded event loop would be to blame for what it sees. */
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

/** As a user would run it, but with short waits: the gateway is in the same process and never far away. */
function settingsFor(baseUrl: string, forbiddenModel: string): Settings {
  return {
    ...DEFAULT_SETTINGS,
    baseUrl,
    forbiddenModel,
    retryPauses: [2, 5],
    maxRetryWait: 2_000,
    timeouts: { attempt: 20_000, connect: 5_000, firstByte: 1_500, idle: 1_500, run: 120_000 },
  };
}

async function tryOut(subject: Subject): Promise<TrialResult> {
  const gateway = await startGateway(subject.kind === 'fault' ? { fault: subject.id } : { variant: subject.id });
  try {
    const settings = settingsFor(gateway.baseUrl, gateway.forbiddenModel);
    const gathered = await gather(settings, gateway.keys);
    // One set of exchanges, judged both ways.
    const judged = (strict: boolean): Report => judge(gathered, { ...settings, strict });
    const both = { plain: judged(false), strict: judged(true) };
    return subject.kind === 'fault' ? compareFault(subject, both) : compareVariant(subject, both);
  } finally {
    await gateway.close();
  }
}
