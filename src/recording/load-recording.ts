/** The recording of a run under load: written as it happens, and read as it is judged. */
import { packageVersion } from '../contract/package-files.ts';
import type { LoadEnd, LoadEvent, LoadStart } from '../exchange/load-traffic.ts';
import { fromLine, toLine } from './exchange-line.ts';
import {
  type LoadRecordingStart,
  RECORDING_FORMAT,
  RECORDING_VERSION,
  restoreSettings,
  stripSecrets,
} from './recording.ts';
import type { RecordingFile } from './recording-file.ts';
import type { LoadEndLine, LoadEventLine, LoadStartLine } from './recording-line.ts';

/** Writes each line when it is told. `contractHash`: of the clauses that the target is judged by. */
export function recordLoad(file: RecordingFile, contractHash: string) {
  return {
    onStart: ({ settings, ...start }: LoadStart): void => {
      const line: LoadStartLine = {
        kind: 'load-start',
        format: RECORDING_FORMAT,
        version: RECORDING_VERSION,
        tool: { name: 'wirecheck', version: packageVersion() },
        contractHash,
        ...start,
        settings: stripSecrets(settings),
      };
      file.open();
      file.write(line);
    },
    onEvent: (event: LoadEvent): void => {
      const line: LoadEventLine = {
        kind: 'load-event',
        event: 'exchange' in event ? { ...event, exchange: toLine(event.exchange, undefined, false) } : event,
      };
      file.write(line);
    },
    onEnd: ({ unrecovered, ...end }: LoadEnd): void => {
      const line: LoadEndLine = {
        kind: 'load-end',
        ...end,
        ...(unrecovered && { unrecovered: toLine(unrecovered, undefined, false) }),
      };
      file.write(line);
      file.close();
    },
  };
}

export function restoreLoadStart({ settings, salt, startedAt, upstreamUrl }: LoadRecordingStart): LoadStart {
  return {
    settings: restoreSettings({ settings }),
    salt,
    startedAt,
    ...(upstreamUrl !== undefined && { upstreamUrl }),
  };
}

export function restoreEvent({ event }: LoadEventLine, maxDepth: number): LoadEvent {
  return 'exchange' in event ? { ...event, exchange: fromLine(event.exchange, maxDepth) } : event;
}

export function restoreLoadEnd({ unrecovered, ...end }: Omit<LoadEndLine, 'kind'>, maxDepth: number): LoadEnd {
  return { ...end, ...(unrecovered && { unrecovered: fromLine(unrecovered, maxDepth) }) };
}
