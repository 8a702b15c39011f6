/** Reads a recording line by line. A truncated last line gives a notice; any other mistake is an error with its line. */
import { checkFile } from '../contract/file-schema.ts';
import type { Notice } from '../exchange/notice.ts';
import { isObject, parseJson } from '../json.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { UsageError } from '../usage-error.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { LoadEvent } from '../exchange/load-traffic.ts';
import { fromLine } from './exchange-line.ts';
import { type Line, readLines } from './read-lines.ts';
import {
  restoreSettings,
  type AnyRecording,
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type RecordedItem,
  type RecordedRun,
} from './recording.ts';
import type {
  ClientEndLine,
  ClientStartLine,
  EndLine,
  LoadEndLine,
  LoadStartLine,
  RecordingLine,
  RelayEndLine,
  RelayStartLine,
  StartLine,
} from './recording-line.ts';
import { restoreEvent, restoreLoadEnd, restoreLoadStart } from './load-recording.ts';
import { restoreClient, restoreRelay } from './subject-recording.ts';
import { upgradeLine } from './upgrade-version-1.ts';

type FirstLine = StartLine | ClientStartLine | RelayStartLine | LoadStartLine;
type LastLine = EndLine | ClientEndLine | RelayEndLine | LoadEndLine;

/** Reads the first line of a gateway's recording; `items` reads the rest. `shown` is the path as the user wrote it. */
export async function openRecording(path: string, shown = path): Promise<RecordedRun> {
  const recorded = await openAnyRecording(path, shown);
  if (recorded.subject === 'gateway') return recorded.run;
  throw new UsageError(`${shown} is the recording of a ${recorded.subject}. This takes the recording of a gateway.`);
}

export async function openAnyRecording(path: string, shown = path): Promise<AnyRecording> {
  const reader = new Reader(path, shown);
  const { format: _format, version: _version, ...first } = await reader.open();
  switch (first.kind) {
    case 'start': {
      const { kind: _kind, ...start } = first;
      const end = () => endOf(reader.last, 'end');
      return { subject: 'gateway', run: { start, items: () => reader.items(), end, notices: () => reader.notices } };
    }
    case 'client-start': {
      const { kind: _kind, ...start } = first;
      const exchanges = await reader.readWhole();
      return { subject: 'client', start, checked: restoreClient(start, exchanges, reader.requireEnd('client-end')) };
    }
    case 'relay-start': {
      const { kind: _kind, ...start } = first;
      const exchanges = await reader.readWhole();
      return { subject: 'relay', start, checked: restoreRelay(start, exchanges, reader.requireEnd('relay-end')) };
    }
    case 'load-start': {
      const { kind: _kind, ...start } = first;
      const restored = restoreLoadStart(start);
      const { depth } = restored.settings.limits;
      const end = () => restoreLoadEnd(reader.requireEnd('load-end'), depth);
      return { subject: 'load', start, run: { start: restored, events: reader.events(), end } };
    }
  }
}

/** The last line without its kind; undefined if there is none of this kind. */
function endOf<Kind extends LastLine['kind']>(
  last: LastLine | undefined,
  wanted: Kind,
): Omit<Extract<LastLine, { kind: Kind }>, 'kind'> | undefined {
  if (last?.kind !== wanted) return undefined;
  const { kind: _kind, ...end } = last as Extract<LastLine, { kind: Kind }>;
  return end;
}

function isFirst(line: RecordingLine): line is FirstLine {
  return 'format' in line;
}

function isLast(line: RecordingLine): line is LastLine {
  return line.kind === 'end' || line.kind.endsWith('-end');
}

class Reader {
  readonly #lines: AsyncGenerator<Line>;
  readonly #shown: string;
  readonly notices: Notice[] = [];
  last: LastLine | undefined;
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

  async open(): Promise<FirstLine> {
    const first = await this.#lines.next();
    if (first.done) throw new UsageError(`${this.#shown} is empty. Pass a file written by --record.`);
    const value = this.#parse(first.value);
    if (value === undefined) await this.#noteCut(first.value);
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
    const line = this.#validate(value, first.value.number) as FirstLine;
    if (line.kind !== 'client-start') this.#maxDepth = restoreSettings(line).limits.depth;
    return line;
  }

  async readWhole(): Promise<readonly Exchange[]> {
    const exchanges: Exchange[] = [];
    for await (const item of this.items()) if (item.kind === 'exchange') exchanges.push(item.exchange);
    return exchanges;
  }

  /** Of a run under load. */
  async *events(): AsyncGenerator<LoadEvent> {
    for await (const line of this.#read()) if (line.kind === 'load-event') yield restoreEvent(line, this.#maxDepth);
  }

  /** A recording that was written at the end of a run has an end. */
  requireEnd<Kind extends LastLine['kind']>(kind: Kind): Omit<Extract<LastLine, { kind: Kind }>, 'kind'> {
    const end = endOf(this.last, kind);
    if (!end) throw new UsageError(`${this.#shown} has no last line, so it cannot be judged. Record again.`);
    return end;
  }

  async *items(): AsyncGenerator<RecordedItem> {
    for await (const line of this.#read()) {
      if (line.kind === 'amendment') {
        yield { kind: 'amendment', amendment: { id: line.id, controlAfter: line.controlAfter } };
      } else if (line.kind === 'exchange') {
        yield { kind: 'exchange', exchange: fromLine(line, this.#maxDepth), again: line.again === true };
      }
    }
  }

  /** All between the first line and the last. */
  async *#read(): AsyncGenerator<Exclude<RecordingLine, FirstLine | LastLine>> {
    for await (const line of this.#lines) {
      if (line.text.trim() === '') continue;
      const value = this.#parse(line);
      if (value === undefined) {
        await this.#noteCut(line);
        break;
      }
      if (this.last) throw this.#error(line.number, 'there is more after the end of the recording. Remove it.');
      const item = this.#validate(value, line.number);
      if (isFirst(item)) {
        throw this.#error(line.number, 'a second recording starts here. Put each recording in a file of its own.');
      }
      if (isLast(item)) this.last = item;
      else yield item;
    }
    this.#addNotice();
  }

  /** Undefined for a line that is not JSON. Not asynchronous, since there may be 100,000 lines. */
  #parse(line: Line): unknown {
    const value = parseJson(line.text);
    if (value !== undefined) this.#lastLine = line.number;
    return value;
  }

  /** A line that is not JSON is the truncated last one, or a mistake. */
  async #noteCut(line: Line): Promise<void> {
    // Editors add a line end to a truncated last line, so having one proves nothing.
    if (line.isComplete && (this.last || (await this.#hasMore())))
      throw this.#error(line.number, 'this line is not valid JSON. Record again.');
    this.#cutLine = line.number;
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
    const [file, isGzipCut] = [this.#shown, !this.#isGzipComplete];
    if (this.last) {
      if (isGzipCut) this.notices.push({ kind: 'gzip-cut', file });
      return;
    }
    const [isLineCut, line] = [this.#cutLine !== undefined, this.#cutLine ?? this.#lastLine];
    this.notices.push({ kind: 'recording-cut', file, line, isLineCut, isGzipCut });
  }

  #error(line: number, message: string): UsageError {
    return new UsageError(message, { file: this.#shown, line });
  }
}
