/** Reads a recording line by line. A last line that was cut off is noted; anything else that is wrong is an error at its line. */
import { checkFile } from '../contract/file-schema.ts';
import { isObject } from '../json.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { UsageError } from '../usage-error.ts';
import { type ExchangeLine, fromLine } from './exchange-line.ts';
import { type Line, readLines } from './read-lines.ts';
import { settingsOf } from './recorded-traffic.ts';
import {
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

/** Reads the first line; the rest is read as it is asked for. `shown` is the file as the user wrote it. */
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
  #isPackedWhole = true;
  /** The last line that was read to its end, and the one that was not. */
  #lastLine = 0;
  #cutLine: number | undefined;
  #maxDepth = DEFAULT_SETTINGS.limits.depth;

  constructor(path: string, shown: string) {
    this.#shown = shown;
    this.#lines = readLines(path, () => (this.#isPackedWhole = false));
  }

  async open(): Promise<Pick<RecordedRun, 'start'>> {
    const first = await this.#lines.next();
    if (first.done) throw new UsageError(`${this.#shown} is empty: give a file that --record wrote.`);
    const value = await this.#parse(first.value);
    if (this.#cutLine !== undefined && first.value.text.includes(RECORDING_FORMAT)) {
      throw new UsageError(
        `${this.#shown} breaks off in its first line, so that nothing of it can be judged: record again.`,
      );
    }
    if (!isObject(value) || value['format'] !== RECORDING_FORMAT) {
      throw new UsageError(
        `${this.#shown} is not a recording of wirecheck: give a file that --record wrote, or a HAR.`,
      );
    }
    if (value['version'] !== RECORDING_VERSION) {
      const version = JSON.stringify(value['version']);
      throw new UsageError(
        `${this.#shown} has version ${version} of the recording format; this wirecheck reads version ${RECORDING_VERSION}.`,
      );
    }
    const { kind: _kind, ...start } = this.#checked(value, first.value.number) as RecordingStart & { kind: 'start' };
    this.#maxDepth = settingsOf(start).limits.depth;
    return { start };
  }

  async *items(): AsyncGenerator<RecordedItem> {
    for await (const line of this.#lines) {
      if (line.text.trim() === '') continue;
      const value = await this.#parse(line);
      if (value === undefined) break;
      if (this.end) throw this.#wrong(line.number, 'something follows the last line of the recording.');
      const item = this.#checked(value, line.number);
      switch (item.kind) {
        case 'start':
          throw this.#wrong(line.number, 'a second recording begins here: judge each recording in a file of its own.');
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
    this.#noteEnd();
  }

  async #parse(line: Line): Promise<unknown> {
    try {
      const value: unknown = JSON.parse(line.text);
      this.#lastLine = line.number;
      return value;
    } catch {
      // Editors end a last line that was cut off, so that its line end says nothing.
      if (line.isWhole && (this.end || (await this.#hasMore())))
        throw this.#wrong(line.number, 'this line is not JSON.');
      this.#cutLine = line.number;
      return undefined;
    }
  }

  async #hasMore(): Promise<boolean> {
    for (let next = await this.#lines.next(); !next.done; next = await this.#lines.next())
      if (next.value.text.trim() !== '') return true;
    return false;
  }

  #checked(value: unknown, line: number): AnyLine {
    checkFile('recording', { file: this.#shown, value, lineOf: () => line });
    return value as AnyLine;
  }

  /** Where the file breaks off, and what is lost by that. */
  #noteEnd(): void {
    const packed = this.#isPackedWhole ? '' : 'the packed data breaks off, ';
    if (this.end) {
      if (packed) this.notices.push(`${this.#shown}: ${packed}but nothing is lost by that.`);
      return;
    }
    const where =
      this.#cutLine === undefined
        ? `there is nothing after line ${this.#lastLine}`
        : `line ${this.#cutLine} is cut off and was left out`;
    this.notices.push(
      `${this.#shown}: ${packed}${where}. What its run sent after that, and how it ended, is not in this recording.`,
    );
  }

  #wrong(line: number, message: string): UsageError {
    return new UsageError(message, { file: this.#shown, line });
  }
}
