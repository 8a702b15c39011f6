/** Turns a recording into what a run gathered. */

import { inOrderOfSending } from '../exchange/channel/channel.ts';
import { Ledger } from '../exchange/channel/ledger.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { explainEnding } from '../exchange/explain-ending.ts';
import type { LoadEnd, LoadEvent } from '../exchange/load-traffic.ts';
import { measureClockSkew, wasAnswered } from '../exchange/reading/answered.ts';
import { UPSTREAM_KEY } from '../exchange/secrets/vault.ts';
import type { CheckedClient, CheckedRelay, Traffic } from '../exchange/traffic.ts';
import { memberOf, parseJson } from '../json.ts';
import { initialBindings } from '../plan/bind-request.ts';
import type { Bindings } from '../plan/plan.ts';
import { STEPS } from '../plan/known-steps.ts';
import type { Settings } from '../settings.ts';
import { usageError } from '../usage-error.ts';
import { fromLine } from './exchange-line.ts';
import type { AskedLine, PlayedLine } from './recording-line.ts';
import { type EndOf, type Recording, type RecordingEnd, type RecordingStart, restoreSettings } from './recording.ts';

const CUT = { kind: 'recording-cut' } as const;

/** If there is no end line, the facts about the run are derived from its exchanges. */
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
    const ending = explainEnding(end.ending, exchanges, settings);
    return { ...end, ending, used, keys, startedAt, exchanges: inOrder };
  }
  const skew = measureClockSkew(inOrder, startedAt);
  return {
    exchanges: inOrder,
    bindings: restoreBindings(inOrder, settings),
    keys,
    ending: CUT,
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
  const controls = exchanges.filter(({ step }) => step === STEPS.control || step === STEPS.bareControl);
  const control = controls.find((exchange) => wasAnswered(exchange)) ?? controls[0];
  const model = settings.model ?? modelOf(control);
  return {
    ...initialBindings(settings),
    ...(model !== undefined && { model }),
    withoutMaxTokens: control?.step === STEPS.bareControl && wasAnswered(control),
  };
}

function modelOf(exchange: Exchange | undefined): string | undefined {
  const model = memberOf(parseJson(exchange?.request.body), 'model');
  return typeof model === 'string' ? model : undefined;
}

function costOf(exchanges: readonly Exchange[], settings: Settings): Traffic['used'] {
  const ledger = new Ledger(settings);
  for (const { request, attempts } of exchanges) for (const attempt of attempts) ledger.add(request, attempt);
  return ledger.used;
}

/** Milliseconds since the run began. */
function findEnd(exchanges: readonly Exchange[]): number {
  const ends = exchanges.flatMap(({ attempts }) =>
    attempts.map(({ sentAt, outcome }) => sentAt + (outcome.kind === 'answer' ? outcome.answer.endAt : 0)),
  );
  return Math.round(ends.reduce((latest, end) => Math.max(latest, end), 0));
}

export async function restoreClient(recorded: Recording<'client'>): Promise<CheckedClient> {
  const { client, settings, startedAt } = recorded.start;
  const { exchanges, played } = await readWhole(recorded);
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const whole = played.map(({ kind: _kind, exchanges: ids, ...scenario }) => ({
    ...scenario,
    exchanges: ids.flatMap((id) => byId.get(id) ?? []),
  }));
  const facts = recorded.end() ?? { ending: CUT, endedAt: startedAt + findEnd(exchanges) };
  return { client, settings, traffic: { ...facts, startedAt, played: whole } };
}

export async function restoreRelay(recorded: Recording<'relay'>): Promise<CheckedRelay> {
  const { start } = recorded;
  const { hasSecondKey, upstreamUrl, fallbackUrl, startedAt } = start;
  const settings = restoreSettings(start);
  const lines = await readWhole(recorded);
  const end = recorded.end();
  const exchanges = end ? lines.exchanges : withoutUnfinished(lines);
  const front = exchanges.filter(({ side }) => side === undefined);
  // In order of arrival; the recording has them in that of the calls that caused them.
  const upstream = inOrderOfSending(exchanges.filter(({ side }) => side === 'upstream'));
  const facts = end ?? endOfCut(front, settings, startedAt);
  const cases = lines.asked.map(({ kind: _kind, ...asked }) => asked);
  const urls = { upstreamUrl, ...(fallbackUrl !== undefined && { fallbackUrl }) };
  return { settings, hasSecondKey, ...urls, traffic: { ...facts, cases, startedAt, front, upstream } };
}

/** A run under load, which is read as it is judged: it may have many calls. */
export function restoreLoad(recorded: Recording<'load'>) {
  const { salt, startedAt, upstreamUrl } = recorded.start;
  const settings = restoreSettings(recorded.start);
  return {
    start: { settings, salt, startedAt, ...(upstreamUrl !== undefined && { upstreamUrl }) },
    events: eventsOf(recorded),
    /** Throws if the recording is truncated. To be called when all events were read. */
    end: (): LoadEnd => {
      const { unrecovered, ...end } = recorded.end() ?? refuseCut(recorded.file);
      return { ...end, ...(unrecovered && { unrecovered: fromLine(unrecovered, settings.limits.depth) }) };
    },
  };
}

async function* eventsOf(recorded: Recording<'load'>): AsyncGenerator<LoadEvent> {
  for await (const item of recorded.items()) if (item.kind === 'load-event') yield item.event;
}

function refuseCut(file: string): never {
  throw usageError.FILE_INVALID(`${file} has no last line, so it cannot be judged. Record again.`);
}

/** What a recording has between its first and its last line. */
async function readWhole(recorded: Recording<'client'> | Recording<'relay'>) {
  const exchanges: Exchange[] = [];
  const played: PlayedLine[] = [];
  const asked: AskedLine[] = [];
  for await (const item of recorded.items()) {
    if (item.kind === 'exchange') exchanges.push(item.exchange);
    else if (item.kind === 'played') played.push(item);
    else if (item.kind === 'asked') asked.push(item);
  }
  return { exchanges, played, asked };
}

/** Calls at the upstream may be missing for the last call of the client, unless its case is complete. */
function withoutUnfinished({ exchanges, asked }: Awaited<ReturnType<typeof readWhole>>): readonly Exchange[] {
  const last = exchanges.findLastIndex(({ side }) => side === undefined);
  const id = exchanges[last]?.id;
  const isDone = id !== undefined && asked.some((testCase) => testCase.asked.includes(id));
  return isDone ? exchanges : exchanges.slice(0, Math.max(0, last));
}

/** The facts about a run whose recording is truncated, as far as its exchanges show them. */
function endOfCut(front: readonly Exchange[], settings: Settings, startedAt: number): EndOf<'relay'> {
  const model = settings.model ?? modelOf(front.find((call) => call.request.endpoint === 'chat' && wasAnswered(call)));
  return {
    otherRequests: { count: 0, first: [] },
    overflow: 0,
    ending: CUT,
    ...(model !== undefined && { model }),
    used: costOf(front, settings),
    notices: [],
    // Unless it was seen, nobody can tell whether it was looked for.
    knowsUpstreamKey: front.some(({ attempts }) =>
      attempts.some(({ secretsSeen }) => secretsSeen.some(({ role }) => role === UPSTREAM_KEY)),
    ),
    endedAt: startedAt + findEnd(front),
  };
}
