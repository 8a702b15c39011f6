/** Reads a recording line by line. A truncated last line gives a notice; any other mistake is an error with its line. */
import { checkFile } from '../contract/file-schema.ts';
import { isObject } from '../json.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { UsageError } from '../usage-error.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { type ExchangeLine, fromLine } from './exchange-line.ts';
import { type Line, readLines } from './read-lines.ts';
import {
  restoreSettings,
  type Amendment,
  type AnyRecording,
  type ClientRecordingEnd,
  type ClientRecordingStart,
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type RecordedItem,
  type RecordedRun,
  type RecordingEnd,
  type RecordingStart,
  type RelayRecordingEnd,
  type RelayRecordingStart,
} from './recording.ts';
import { restoreClient, restoreRelay } from './subject-recording.ts';
import { upgradeLine } from './upgrade-version-1.ts';

type StartLine = RecordingStart | ClientRecordingStart | RelayRecordingStart;
type EndLine = RecordingEnd | ClientRecordingEnd | RelayRecordingEnd;

/** Shape: `schemas/files/recording.schema.json`. */
export type RecordingLine =
  | (StartLine & { readonly kind: 'start' })
  | ExchangeLine
  | (Amendment & { readonly kind: 'amendment' })
  | (EndLine & { readonly kind: 'end' });

/** Reads the first line of a gateway's recording; `items` reads the rest. `shown` is the path as the user wrote it. */
export async function openRecording(path: string, shown = path): Promise<RecordedRun> {
  const recorded = await openAnyRecording(path, shown);
  if (recorded.subject === 'gateway') return recorded.run;
  throw new UsageError(`${shown} is the recording of a ${recorded.subject}. This takes the recording of a gateway.`);
}

export async function openAnyRecording(path: string, shown = path): Promise<AnyRecording> {
  const reader = new Reader(path, shown);
  const start = await reader.open();
  if (start.subject === 'gateway') {
    const end = (): RecordingEnd | undefined => reader.end as RecordingEnd | undefined;
    return { subject: 'gateway', run: { start, items: () => reader.items(), end, notices: () => reader.notices } };
  }
  const { exchanges, end } = await reader.readWhole();
  return start.subject === 'client'
    ? { subject: 'client', start, checked: restoreClient(start, exchanges, end as ClientRecordingEnd) }
    : { subject: 'relay', start, checked: restoreRelay(start, exchanges, end as RelayRecordingEnd) };
}

class Reader {
  readonly #lines: AsyncGenerator<Line>;
  readonly #shown: string;
  readonly notices: string[] = [];
  end: EndLine | undefined;
  #isGzipComplete = true;
  /** The last complete line, and the truncated one. */
  #lastLine = 0;
  #cutLine: number | undefined;
  #maxDepth = DEFAULT_SETTINGS.limits.depth;
  #isVersion1 = false;

  constructor(path: string, shown: string) {
    this.#shown = shown;
    this.#lines = readLines(path, () => (this.#isGzipComplete = false));
  }

  async open(): Promise<StartLine> {
    const first = await this.#lines.next();
    if (first.done) throw new UsageError(`${this.#shown} is empty. Pass a file written by --record.`);
    const value = await this.#parse(first.value);
    if (this.#cutLine !== undefined && first.value.text.includes(RECORDING_FORMAT)) {
      throw new UsageError(
        `${this.#shown} is cut off in its first line, so nothing in it can be judged. Record again.`,
      );
    }
    if (!isObject(value) || value['format'] !== RECORDING_FORMAT) {
      throw new UsageError(
        `${this.#shown} is not a wirecheck recording. Pass a file written by --record, or a HAR file.`,
      );
    }
    if (value['version'] !== RECORDING_VERSION && value['version'] !== 1) {
      const version = JSON.stringify(value['version']);
      throw new UsageError(
        `${this.#shown} has version ${version} of the recording format. Use a wirecheck that reads it; this one reads versions 1 and ${RECORDING_VERSION}.`,
      );
    }
    this.#isVersion1 = value['version'] === 1;
    const { kind: _kind, ...start } = this.#validate(value, first.value.number) as StartLine & { kind: 'start' };
    if (start.subject !== 'client') this.#maxDepth = restoreSettings(start).limits.depth;
    return start;
  }

  /** A recording that was written at the end of a run has an end. */
  async readWhole(): Promise<{ readonly exchanges: readonly Exchange[]; readonly end: EndLine }> {
    const exchanges: Exchange[] = [];
    for await (const item of this.items()) if (item.kind === 'exchange') exchanges.push(item.exchange);
    if (!this.end) throw new UsageError(`${this.#shown} has no last line, so it cannot be judged. Record again.`);
    return { exchanges, end: this.end };
  }

  async *items(): AsyncGenerator<RecordedItem> {
    for await (const line of this.#lines) {
      if (line.text.trim() === '') continue;
      const value = await this.#parse(line);
      if (value === undefined) break;
      if (this.end) throw this.#error(line.number, 'there is more after the end of the recording. Remove it.');
      const item = this.#validate(value, line.number);
      switch (item.kind) {
        case 'start':
          throw this.#error(line.number, 'a second recording starts here. Put each recording in a file of its own.');
        case 'exchange':
          yield { kind: 'exchange', exchange: fromLine(item, this.#maxDepth), again: item.again === true };
          break;
        case 'amendment':
          yield { kind: 'amendment', amendment: { id: item.id, controlAfter: item.controlAfter } };
          break;
        case 'end': {
          const { kind: _kind, ...end } = item;
          this.end = end;
        }
      }
    }
    this.#addNotice();
  }

  async #parse(line: Line): Promise<unknown> {
    try {
      const value: unknown = JSON.parse(line.text);
      this.#lastLine = line.number;
      return value;
    } catch {
      // Editors add a line end to a truncated last line, so having one proves nothing.
      if (line.isComplete && (this.end || (await this.#hasMore())))
        throw this.#error(line.number, 'this line is not valid JSON. Record again.');
      this.#cutLine = line.number;
      return undefined;
    }
  }

  async #hasMore(): Promise<boolean> {
    for (let next = await this.#lines.next(); !next.done; next = await this.#lines.next())
      if (next.value.text.trim() !== '') return true;
    return false;
  }

  #validate(written: unknown, line: number): RecordingLine {
    const value = this.#isVersion1 ? upgradeLine(written) : written;
    checkFile('recording', { file: this.#shown, value, lineOf: () => line });
    return value as RecordingLine;
  }

  /** Says where a truncated file ends, and what is missing. */
  #addNotice(): void {
    const packed = this.#isGzipComplete ? '' : 'the gzip data is truncated, ';
    if (this.end) {
      if (packed) this.notices.push(`${this.#shown}: ${packed}but nothing is missing.`);
      return;
    }
    const where =
      this.#cutLine === undefined
        ? `the file ends after line ${this.#lastLine}`
        : `line ${this.#cutLine} is cut off and was ignored`;
    this.notices.push(`${this.#shown}: ${packed}${where}. The rest of the run is missing.`);
  }

  #error(line: number, message: string): UsageError {
    return new UsageError(message, { file: this.#shown, line });
  }
}
