/** What was recorded, as the traffic that a live run hands to the judge. */
import { answered } from '../exchange/reading/answered.ts';
import { inOrderOfSending } from '../exchange/attempts/asker.ts';
import { clockSkew } from '../exchange/reading/clock-skew.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { Ledger } from '../exchange/attempts/ledger.ts';
import type { Traffic } from '../exchange/traffic.ts';
import { firstBindings } from '../exchange/walking/bindings.ts';
import { isObject } from '../json.ts';
import { type Bindings, BARE_CONTROL_STEP, CONTROL_STEP } from '../plan/plan.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import type { RecordingEnd, RecordingStart } from './recording.ts';

/** A later version may have settings that the recorded run did not know. */
export function settingsOf({ settings }: Pick<RecordingStart, 'settings'>): Settings {
  const { timeouts, limits, ...rest } = settings;
  return {
    ...DEFAULT_SETTINGS,
    ...rest,
    timeouts: { ...DEFAULT_SETTINGS.timeouts, ...timeouts },
    limits: { ...DEFAULT_SETTINGS.limits, ...limits },
  };
}

/** Without an end, what the run would have said of itself is read off its exchanges. */
export function trafficOf(
  { keys, startedAt }: Pick<RecordingStart, 'keys' | 'startedAt'>,
  end: RecordingEnd | undefined,
  exchanges: readonly Exchange[],
  settings: Settings,
): Traffic {
  const inOrder = inOrderOfSending(exchanges);
  if (end) return { ...end, keys, exchanges: inOrder };
  const skew = clockSkew(inOrder, startedAt);
  return {
    exchanges: inOrder,
    bindings: bindingsFrom(inOrder, settings),
    keys,
    ending: { kind: 'recording-cut' },
    used: costOf(inOrder, settings),
    notices: [],
    startedAt,
    endedAt: startedAt + lastMoment(inOrder),
    ...(skew !== undefined && { clockSkew: skew }),
  };
}

/** How two parts of an unfinished run went, one after the other. Their exchanges are left out. */
export function joinTraffic(earlier: Traffic, later: Traffic): Traffic {
  const sum = (name: keyof Traffic['used']): number => earlier.used[name] + later.used[name];
  return {
    ...later,
    ...earlier,
    exchanges: [],
    used: { requests: sum('requests'), completions: sum('completions'), tokens: sum('tokens') },
    endedAt: Math.max(earlier.endedAt, later.endedAt),
  };
}

function bindingsFrom(exchanges: readonly Exchange[], settings: Settings): Bindings {
  const controls = exchanges.filter(({ step }) => step === CONTROL_STEP || step === BARE_CONTROL_STEP);
  const control = controls.find((exchange) => answered(exchange)) ?? controls[0];
  const model = settings.model ?? modelOf(control);
  return {
    ...firstBindings(settings),
    ...(model !== undefined && { model }),
    withoutMaxTokens: control?.step === BARE_CONTROL_STEP && answered(control),
  };
}

function modelOf(exchange: Exchange | undefined): string | undefined {
  try {
    const body: unknown = JSON.parse(exchange?.request.body ?? 'null');
    const model = isObject(body) ? body['model'] : undefined;
    return typeof model === 'string' ? model : undefined;
  } catch {
    return undefined;
  }
}

function costOf(exchanges: readonly Exchange[], settings: Settings): Traffic['used'] {
  const ledger = new Ledger(settings);
  for (const { request, attempts } of exchanges) for (const attempt of attempts) ledger.add(request, attempt);
  return ledger.used;
}

/** Milliseconds since the run began. */
function lastMoment(exchanges: readonly Exchange[]): number {
  const ends = exchanges.flatMap(({ attempts }) =>
    attempts.map(({ sentAt, outcome }) => sentAt + (outcome.kind === 'answer' ? outcome.answer.endAt : 0)),
  );
  return Math.round(ends.reduce((latest, end) => Math.max(latest, end), 0));
}
