/**
 * Recordings of clients and relays: written whole at the end of a run, and read whole. Each scenario or case follows its
 * exchanges, so that the beginning of a truncated recording can be judged.
 */
import { packageVersion } from '../contract/package-files.ts';
import type { CheckedClient } from '../exchange/client-traffic.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { wasAnswered } from '../exchange/reading/answered.ts';
import type { AskedCase, CheckedRelay } from '../exchange/relay-traffic.ts';
import { UPSTREAM_KEY } from '../exchange/secrets/vault.ts';
import type { Settings } from '../settings.ts';
import { toLine } from './exchange-line.ts';
import { costOf, findEnd, modelOf } from './recorded-traffic.ts';
import {
  type ClientRecordingEnd,
  type ClientRecordingStart,
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type RecordedScenario,
  type RelayRecordingEnd,
  type RelayRecordingStart,
  restoreSettings,
  stripSecrets,
} from './recording.ts';
import type { RecordingFile } from './recording-file.ts';
import type {
  AskedLine,
  ClientEndLine,
  ClientStartLine,
  ExchangeLine,
  PlayedLine,
  RelayEndLine,
  RelayStartLine,
} from './recording-line.ts';

/** `contractHash`: of the clauses and scenarios that the client is judged by. */
export function recordClient(file: RecordingFile, checked: CheckedClient, contractHash: string): void {
  const { client, settings, traffic } = checked;
  const { played, startedAt, ...rest } = traffic;
  const start: ClientRecordingStart = { ...headOf(contractHash, startedAt), client, settings };
  const lines = played.flatMap(({ exchanges, ...scenario }) => [
    ...exchanges.map(lineOf),
    { kind: 'played', ...scenario, exchanges: exchanges.map(({ id }) => id) } as const,
  ]);
  writeAll(file, { kind: 'client-start', ...FORMAT, ...start }, lines, { kind: 'client-end', ...rest });
}

export function recordRelay(file: RecordingFile, checked: CheckedRelay, contractHash: string): void {
  const { settings, hasSecondKey, upstreamUrl, traffic } = checked;
  const { front, upstream, cases, startedAt, ...rest } = traffic;
  const start: RelayRecordingStart = {
    ...headOf(contractHash, startedAt),
    settings: stripSecrets(settings),
    hasSecondKey,
    upstreamUrl,
  };
  const lines = front.flatMap((exchange) => [
    ...[exchange, ...upstream.filter(({ cause }) => cause === exchange.id)].map(lineOf),
    ...cases.filter(({ asked }) => asked.at(-1) === exchange.id).map(toAskedLine),
  ]);
  const sent = new Set(front.map(({ id }) => id));
  const others = upstream.filter(({ cause }) => cause === undefined || !sent.has(cause)).map(lineOf);
  const unasked = cases.filter(({ asked: [first] }) => first === undefined).map(toAskedLine);
  const all = [...lines, ...others, ...unasked];
  writeAll(file, { kind: 'relay-start', ...FORMAT, ...start }, all, { kind: 'relay-end', ...rest });
}

function toAskedLine(testCase: AskedCase): AskedLine {
  return { kind: 'asked', ...testCase };
}

function lineOf(exchange: Exchange): ExchangeLine {
  return toLine(exchange, undefined, false);
}

function headOf(contractHash: string, startedAt: number) {
  return { tool: { name: 'wirecheck', version: packageVersion() }, contractHash, startedAt } as const;
}

const FORMAT = { format: RECORDING_FORMAT, version: RECORDING_VERSION } as const;

function writeAll(
  file: RecordingFile,
  start: ClientStartLine | RelayStartLine,
  lines: readonly (ExchangeLine | PlayedLine | AskedLine)[],
  end: ClientEndLine | RelayEndLine,
): void {
  file.open();
  for (const line of [start, ...lines, end]) file.write(line);
  file.close();
}

/** What a recording has between its first and its last line. */
export interface RecordedLines {
  readonly exchanges: readonly Exchange[];
  readonly played: readonly RecordedScenario[];
  readonly asked: readonly AskedCase[];
}

/** Without `end`, the recording is truncated. */
export function restoreClient(
  { client, settings, startedAt }: ClientRecordingStart,
  { exchanges, played }: RecordedLines,
  end: ClientRecordingEnd = { ending: CUT, endedAt: startedAt + findEnd(exchanges) },
): CheckedClient {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const whole = (end.played ?? played).map((scenario) => ({
    ...scenario,
    exchanges: scenario.exchanges.flatMap((id) => byId.get(id) ?? []),
  }));
  return { client, settings, traffic: { ...end, startedAt, played: whole } };
}

export function restoreRelay(
  start: RelayRecordingStart,
  lines: RecordedLines,
  end: RelayRecordingEnd | undefined,
): CheckedRelay {
  const { hasSecondKey, upstreamUrl, startedAt } = start;
  const settings = restoreSettings(start);
  const exchanges = end ? lines.exchanges : withoutUnfinished(lines);
  const front = exchanges.filter(({ side }) => side === undefined);
  // In order of arrival; the recording has them in that of the calls that caused them.
  const upstream = exchanges.filter(({ side }) => side === 'upstream').toSorted((a, b) => arrivalOf(a) - arrivalOf(b));
  const { cases = lines.asked, ...rest } = end ?? endOfCut(front, settings, startedAt);
  return { settings, hasSecondKey, upstreamUrl, traffic: { ...rest, cases, startedAt, front, upstream } };
}

function arrivalOf({ attempts: [first] }: Exchange): number {
  return first?.sentAt ?? 0;
}

const CUT = { kind: 'recording-cut' } as const;

/** Calls at the upstream may be missing for the last call of the client, unless its case is complete. */
function withoutUnfinished({ exchanges, asked }: RecordedLines): readonly Exchange[] {
  const last = exchanges.findLastIndex(({ side }) => side === undefined);
  const id = exchanges[last]?.id;
  const isDone = id !== undefined && asked.some((testCase) => testCase.asked.includes(id));
  return isDone ? exchanges : exchanges.slice(0, Math.max(0, last));
}

/** The facts about a run whose recording is truncated, as far as its exchanges show them. */
function endOfCut(front: readonly Exchange[], settings: Settings, startedAt: number): RelayRecordingEnd {
  const model = settings.model ?? modelOf(front.find((exchange) => isChat(exchange) && wasAnswered(exchange)));
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

function isChat({ request }: Exchange): boolean {
  return request.endpoint === 'chat';
}
