/** Reads a recording line by line. A truncated last line gives a notice; any other mistake is an error with its line. */
import { checkFile } from '../contract/file-schema.ts';
import { isObject, type JsonObject } from '../json.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { quoteText } from '../text/quote.ts';
import { UsageError } from '../usage-error.ts';
import { fromLine } from './exchange-line.ts';
import { type Line, readLines } from './read-lines.ts';
import {
  restoreSettings,
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type RecordedItem,
  type RecordedRun,
  type RecordingEnd,
} from './recording.ts';
import type { RecordingLine, StartLine } from './recording-line.ts';

/** Reads the first line; `items` reads the rest. `shown` is the path as the user wrote it. */
export async function openRecording(path: string, shown = path): Promise<RecordedRun> {
  const reader = new Reader(path, shown);
  return {
    ...(await reader.open()),
    items: () => reader.items(),
    end: () => reader.end,
    notices: () => reader.notices,
  };
}

class Reader {
  readonly #lines: AsyncGenerator<Line>;
  readonly #shown: string;
  readonly notices: string[] = [];
  end: RecordingEnd | undefined;
  #isGzipComplete = true;
  /** The last complete line, and the truncated one. */
  #lastLine = 0;
  #cutLine: number | undefined;
  #maxDepth = DEFAULT_SETTINGS.limits.depth;

  constructor(path: string, shown: string) {
    this.#shown = shown;
    this.#lines = readLines(path, () => (this.#isGzipComplete = false));
  }

  async open(): Promise<Pick<RecordedRun, 'start'>> {
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
    if (value['version'] !== RECORDING_VERSION) {
      const version = JSON.stringify(value['version']);
      throw new UsageError(
        `${this.#shown} has version ${version} of the recording format. Use a wirecheck that reads it; this one reads version ${RECORDING_VERSION}.`,
      );
    }
    const line = this.#validate(value, first.value.number) as StartLine;
    const { kind: _kind, format: _format, version: _version, ...start } = line;
    this.#maxDepth = restoreSettings(start).limits.depth;
    return { start };
  }

  async *items(): AsyncGenerator<RecordedItem> {
    for await (const line of this.#lines) {
      if (line.text.trim() === '') continue;
      const value = await this.#parse(line);
      if (value === undefined) break;
      if (this.end) throw this.#error(line.number, 'there is more after the end of the recording. Remove it.');
      const item = this.#validate(migrateLine(value), line.number);
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

  #validate(value: unknown, line: number): RecordingLine {
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

/**
 * wirecheck 0.1.0 named one suspect if the target stopped answering, and recorded the sentence that says why there is no
 * description.
 */
function migrateLine(line: unknown): unknown {
  if (!isObject(line)) return line;
  const { ending, description } = line;
  return {
    ...line,
    ...(isObject(ending) && { ending: migrateSuspect(ending) }),
    ...(isObject(description) && { description: migrateReason(description) }),
  };
}

function migrateSuspect(ending: JsonObject): object {
  const { suspect, ...rest } = ending;
  return typeof suspect === 'string' ? { ...rest, suspects: [suspect] } : ending;
}

function migrateReason(description: JsonObject): object {
  const { reason, ...rest } = description;
  if (typeof reason !== 'string') return description;
  return { ...rest, problem: { kind: 'recorded', sentence: quoteText(reason) } };
}
