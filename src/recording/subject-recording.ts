/** Recordings of clients and relays: written whole at the end of a run, and read whole. */
import { packageVersion } from '../contract/package-files.ts';
import type { CheckedClient } from '../exchange/client-traffic.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { CheckedRelay } from '../exchange/relay-traffic.ts';
import { toLine } from './exchange-line.ts';
import {
  type ClientRecordingEnd,
  type ClientRecordingStart,
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type RelayRecordingEnd,
  type RelayRecordingStart,
  restoreSettings,
  stripSecrets,
} from './recording.ts';
import type { RecordingFile } from './recording-file.ts';
import type { ClientEndLine, ClientStartLine, RelayEndLine, RelayStartLine } from './recording-line.ts';

/** `contractHash`: of the clauses and scenarios that the client is judged by. */
export function recordClient(file: RecordingFile, checked: CheckedClient, contractHash: string): void {
  const { client, settings, traffic } = checked;
  const { played, startedAt, ...rest } = traffic;
  const start: ClientRecordingStart = { ...headOf(contractHash, startedAt), client, settings };
  const end: ClientRecordingEnd = {
    ...rest,
    played: played.map((scenario) => ({ ...scenario, exchanges: scenario.exchanges.map(({ id }) => id) })),
  };
  const exchanges = played.flatMap((scenario) => scenario.exchanges);
  writeAll(file, exchanges, { kind: 'client-start', ...FORMAT, ...start }, { kind: 'client-end', ...end });
}

export function recordRelay(file: RecordingFile, checked: CheckedRelay, contractHash: string): void {
  const { settings, hasSecondKey, upstreamUrl, traffic } = checked;
  const { front, upstream, startedAt, ...rest } = traffic;
  const start: RelayRecordingStart = {
    ...headOf(contractHash, startedAt),
    settings: stripSecrets(settings),
    hasSecondKey,
    upstreamUrl,
  };
  writeAll(file, [...front, ...upstream], { kind: 'relay-start', ...FORMAT, ...start }, { kind: 'relay-end', ...rest });
}

function headOf(contractHash: string, startedAt: number) {
  return { tool: { name: 'wirecheck', version: packageVersion() }, contractHash, startedAt } as const;
}

const FORMAT = { format: RECORDING_FORMAT, version: RECORDING_VERSION } as const;

function writeAll(
  file: RecordingFile,
  exchanges: readonly Exchange[],
  start: ClientStartLine | RelayStartLine,
  end: ClientEndLine | RelayEndLine,
): void {
  file.open();
  file.write(start);
  for (const exchange of exchanges) file.write(toLine(exchange, undefined, false));
  file.write(end);
  file.close();
}

export function restoreClient(
  { client, settings, startedAt }: ClientRecordingStart,
  exchanges: readonly Exchange[],
  { played, ...rest }: ClientRecordingEnd,
): CheckedClient {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const whole = played.map((scenario) => ({
    ...scenario,
    exchanges: scenario.exchanges.flatMap((id) => byId.get(id) ?? []),
  }));
  return { client, settings, traffic: { ...rest, startedAt, played: whole } };
}

export function restoreRelay(
  { settings, hasSecondKey, upstreamUrl, startedAt }: RelayRecordingStart,
  exchanges: readonly Exchange[],
  end: RelayRecordingEnd,
): CheckedRelay {
  const [front, upstream] = [undefined, 'upstream'].map((side) =>
    exchanges.filter((exchange) => exchange.side === side),
  );
  return {
    settings: restoreSettings({ settings }),
    hasSecondKey,
    upstreamUrl,
    traffic: { ...end, startedAt, front: front ?? [], upstream: upstream ?? [] },
  };
}
