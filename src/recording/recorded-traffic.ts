/** Turns a recording into the traffic of a run. */
import { wasAnswered, measureClockSkew } from '../exchange/reading/answered.ts';
import { explainEnding } from '../exchange/explain-ending.ts';
import { inOrderOfSending } from '../exchange/channel/channel.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { Ledger } from '../exchange/channel/ledger.ts';
import type { Traffic } from '../exchange/traffic.ts';
import { memberOf, parseJson } from '../json.ts';
import { initialBindings } from '../plan/bind-request.ts';
import { type Bindings, BARE_CONTROL_STEP, CONTROL_STEP } from '../plan/plan.ts';
import type { Settings } from '../settings.ts';
import type { RecordingEnd, RecordingStart } from './recording.ts';

/** Without an end line, the facts about the run are derived from its exchanges. */
export function restoreTraffic(
  { keys, startedAt }: Pick<RecordingStart, 'keys' | 'startedAt'>,
  end: RecordingEnd | undefined,
  exchanges: readonly Exchange[],
  settings: Settings,
): Traffic {
  const inOrder = inOrderOfSending(exchanges);
  if (end) {
    // Requests to other base URLs are counted, but not recorded.
    const used = inOrder.length === 0 ? end.used : { ...costOf(inOrder, settings), requests: end.used.requests };
    return { ...end, ending: explainEnding(end.ending, exchanges, settings), used, keys, exchanges: inOrder };
  }
  const skew = measureClockSkew(inOrder, startedAt);
  return {
    exchanges: inOrder,
    bindings: restoreBindings(inOrder, settings),
    keys,
    ending: { kind: 'recording-cut' },
    used: costOf(inOrder, settings),
    notices: [],
    startedAt,
    endedAt: startedAt + findEnd(inOrder),
    ...(skew !== undefined && { clockSkew: skew }),
  };
}

/** Joins the facts about two parts of an unfinished run, without the exchanges. */
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

function restoreBindings(exchanges: readonly Exchange[], settings: Settings): Bindings {
  const controls = exchanges.filter(({ step }) => step === CONTROL_STEP || step === BARE_CONTROL_STEP);
  const control = controls.find((exchange) => wasAnswered(exchange)) ?? controls[0];
  const model = settings.model ?? modelOf(control);
  return {
    ...initialBindings(settings),
    ...(model !== undefined && { model }),
    withoutMaxTokens: control?.step === BARE_CONTROL_STEP && wasAnswered(control),
  };
}

export function modelOf(exchange: Exchange | undefined): string | undefined {
  const model = memberOf(parseJson(exchange?.request.body), 'model');
  return typeof model === 'string' ? model : undefined;
}

export function costOf(exchanges: readonly Exchange[], settings: Settings): Traffic['used'] {
  const ledger = new Ledger(settings);
  for (const { request, attempts } of exchanges) for (const attempt of attempts) ledger.add(request, attempt);
  return ledger.used;
}

/** Milliseconds since the run began. */
export function findEnd(exchanges: readonly Exchange[]): number {
  const ends = exchanges.flatMap(({ attempts }) =>
    attempts.map(({ sentAt, outcome }) => sentAt + (outcome.kind === 'answer' ? outcome.answer.endAt : 0)),
  );
  return Math.round(ends.reduce((latest, end) => Math.max(latest, end), 0));
}
