/** Reads a recording line by line. A truncated last line gives a notice; any other mistake is an error with its line. */
import { checkFile } from '../contract/file-schema.ts';
import { isObject, parseJson } from '../json.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { quoteText } from '../text/quote.ts';
import { UsageError } from '../usage-error.ts';
import { type ExchangeLine, fromLine } from './exchange-line.ts';
import { type Line, readLines } from './read-lines.ts';
import {
  restoreSettings,
  type Amendment,
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type RecordedItem,
  type RecordedRun,
  type RecordingEnd,
  type RecordingStart,
} from './recording.ts';

type AnyLine =
  | (RecordingStart & { readonly kind: 'start' })
  | ExchangeLine
  | (Amendment & { readonly kind: 'amendment' })
  | (RecordingEnd & { readonly kind: 'end' });

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
    if (value['version'] !== RECORDING_VERSION) {
      const version = JSON.stringify(value['version']);
      throw new UsageError(
        `${this.#shown} has version ${version} of the recording format. Use a wirecheck that reads it; this one reads version ${RECORDING_VERSION}.`,
      );
    }
    const { kind: _kind, ...start } = this.#validate(value, first.value.number) as RecordingStart & { kind: 'start' };
    this.#maxDepth = restoreSettings(start).limits.depth;
    return { start };
  }

  async *items(): AsyncGenerator<RecordedItem> {
    for await (const line of this.#lines) {
      if (line.text.trim() === '') continue;
      const value = this.#parse(line);
      if (value === undefined) {
        await this.#noteCut(line);
        break;
      }
      if (this.end) throw this.#error(line.number, 'there is more after the end of the recording. Remove it.');
      const item = this.#validate(migrateSuspect(value), line.number);
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
          this.end = migrateEnd(end);
        }
      }
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
    if (line.isComplete && (this.end || (await this.#hasMore())))
      throw this.#error(line.number, 'this line is not valid JSON. Record again.');
    this.#cutLine = line.number;
  }

  async #hasMore(): Promise<boolean> {
    for (let next = await this.#lines.next(); !next.done; next = await this.#lines.next())
      if (next.value.text.trim() !== '') return true;
    return false;
  }

  #validate(value: unknown, line: number): AnyLine {
    checkFile('recording', { file: this.#shown, value, lineOf: () => line });
    return value as AnyLine;
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

/** wirecheck 0.1.0 named one suspect if the target stopped answering. */
function migrateSuspect(line: unknown): unknown {
  const ending = isObject(line) ? line['ending'] : undefined;
  if (!isObject(line) || !isObject(ending) || typeof ending['suspect'] !== 'string') return line;
  const { suspect, ...rest } = ending;
  return { ...line, ending: { ...rest, suspects: [suspect] } };
}

/** wirecheck 0.1.0 recorded the sentence that says why there is no description. */
function migrateEnd(end: RecordingEnd): RecordingEnd {
  const { description } = end;
  if (description?.kind !== 'unavailable' || !('reason' in description)) return end;
  const sentence = quoteText(String(description.reason));
  return {
    ...end,
    description: { kind: 'unavailable', source: description.source, problem: { kind: 'recorded', sentence } },
  };
}
