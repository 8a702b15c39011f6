/** Reads a recording line by line. A truncated last line gives a notice; any other mistake is an error with its line. */
import { checkFile } from '../contract/file-schema.ts';
import type { Notice } from '../exchange/notice.ts';
import { isObject } from '../json.ts';
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
  readonly notices: Notice[] = [];
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
    const { kind: _kind, ...start } = this.#validate(value, first.value.number) as RecordingStart & { kind: 'start' };
    this.#maxDepth = restoreSettings(start).limits.depth;
    return { start };
  }

  async *items(): AsyncGenerator<RecordedItem> {
    for await (const line of this.#lines) {
      if (line.text.trim() === '') continue;
      const value = await this.#parse(line);
      if (value === undefined) break;
      if (this.end) throw this.#error(line.number, 'there is more after the end of the recording. Remove it.');
      const item = this.#validate(migrateNotices(migrateSuspect(value)), line.number);
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

  #validate(value: unknown, line: number): AnyLine {
    checkFile('recording', { file: this.#shown, value, lineOf: () => line });
    return value as AnyLine;
  }

  /** Says where a truncated file ends, and what is missing. */
  #addNotice(): void {
    const [file, isGzipCut] = [this.#shown, !this.#isGzipComplete];
    if (this.end) {
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

/** wirecheck 0.1.0 named one suspect if the target stopped answering. */
function migrateSuspect(line: unknown): unknown {
  const ending = isObject(line) ? line['ending'] : undefined;
  if (!isObject(line) || !isObject(ending) || typeof ending['suspect'] !== 'string') return line;
  const { suspect, ...rest } = ending;
  return { ...line, ending: { ...rest, suspects: [suspect] } };
}

/** wirecheck 0.2.0 recorded notices as sentences. */
function migrateNotices(line: unknown): unknown {
  const notices = isObject(line) ? line['notices'] : undefined;
  if (!isObject(line) || !Array.isArray(notices)) return line;
  const migrated = notices.map((notice) =>
    typeof notice === 'string' ? { kind: 'recorded', sentence: notice } : notice,
  );
  return { ...line, notices: migrated };
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
