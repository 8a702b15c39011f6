/** Tries the suites on a reference gateway with a fault, or on an unusual one. */
import type { FaultId, GatewayOptions, VariantId } from '../src/gateway/index.ts';
import { judge } from '../src/run/run.ts';
import { DEFAULT_SETTINGS, type Settings } from '../src/settings.ts';
import { gatherFrom } from './gather-from.ts';
import { judgeAgain } from './judge-again.ts';
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
export function withPauses(settings: Settings, { breaks }: TestSubject): Settings {
  const isAsked = breaks?.some((clause) => clause.startsWith('errors.after-pause')) ?? true;
  return isAsked ? { ...settings, patient: true, pauses: [100, 300, 900] } : settings;
}

/** Only a model that the user names can be missing from the list. */
function withModel(settings: Settings, { breaks }: TestSubject): Settings {
  return breaks?.includes('endpoint.models-complete') ? { ...settings, model: 'sea-large' } : settings;
}

async function tryGateway(subject: TestSubject, patience: number, options: TrialOptions): Promise<Judged> {
  const { inMemory = false, judgesTwice = () => true } = options;
  const second = judgesTwice(subject) ? judgeAgain() : undefined;
  try {
    const { settings, gathered } = await gatherFrom({
      gateway: modifierOf(subject),
      inMemory: inMemory && !needsQuiet(subject),
      settingsFor: (baseUrl, forbiddenModel) =>
        withModel(withPauses(settingsFor(baseUrl, forbiddenModel, patience), subject), subject),
      record: second?.record,
    });
    const plain = judge(gathered, settings);
    if (!second) return { plain };
    return { plain, strict: judge(gathered, { ...settings, strict: true }), problems: await second.problems(plain) };
  } finally {
    second?.close();
  }
}
