/** Reads a recording line by line. A truncated last line gives a notice; any other mistake is an error with its line. */
import { checkFile } from '../contract/file-schema.ts';
import type { Notice } from '../exchange/notice.ts';
import { parseJson } from '../json.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { UsageError, usageError } from '../usage-error.ts';
import { fromLine, restoreEvent } from './exchange-line.ts';
import { isBeyondLimits, type UntrustedFileLimits } from './line-limits.ts';
import { type FileLine, readLines } from './read-lines.ts';
import { type AnyRecording, type RecordedItem, type RecordedRun, restoreSettings } from './recording.ts';
import { type EndLine, type ItemLine, RECORDING_FORMAT, type RecordingLine, type StartLine } from './recording-line.ts';
import { findUpgrade, type UpgradeLine } from './upgrade-recording.ts';

/** Reads the first line of a gateway's recording; `items` reads the rest. `shown` is the path as the user wrote it. */
export async function openRecording(path: string, shown = path): Promise<RecordedRun> {
  const recorded = await openAnyRecording(path, shown);
  if (recorded.subject === 'gateway') return recorded;
  throw usageError.FILE_INVALID(
    `${shown} is the recording of a ${recorded.subject}. This takes the recording of a gateway.`,
  );
}

/** Opens any recording. With `limits`, it is that of a stranger. */
export async function openAnyRecording(
  path: string,
  shown = path,
  limits?: UntrustedFileLimits,
): Promise<AnyRecording> {
  const reader = new Reader(path, shown, limits);
  const { subject, kind: _kind, format: _format, version: _version, ...facts } = await reader.open();
  const { kind, ...ofSubject } = subject;
  return {
    subject: kind,
    file: shown,
    start: { ...facts, ...ofSubject },
    items: () => reader.items(),
    end: () => reader.endOf(kind),
    notices: () => reader.notices,
  } as AnyRecording;
}

/** Characters of the recording of a client or a relay. Theirs have a few megabytes. */
const MAX_WHOLE = 128 * 1024 ** 2;

class Reader {
  readonly #lines: AsyncGenerator<FileLine>;
  readonly #shown: string;
  readonly notices: Notice[] = [];
  #end: EndLine | undefined;
  #isGzipComplete = true;
  /** The last complete line, and the truncated one. */
  #lastLine = 0;
  #cutLine: number | undefined;
  /** Characters so far. */
  #size = 0;
  #maxDepth = DEFAULT_SETTINGS.limits.depth;
  #maxSize = Infinity;
  #upgrade: UpgradeLine = (line) => [line];
  readonly #limits: UntrustedFileLimits | undefined;

  constructor(path: string, shown: string, limits: UntrustedFileLimits | undefined) {
    this.#shown = shown;
    this.#limits = limits;
    this.#lines = readLines(path, () => (this.#isGzipComplete = false));
  }

  async open(): Promise<StartLine> {
    const first = await this.#lines.next();
    if (first.done) throw usageError.FILE_INVALID(`${this.#shown} is empty. Pass a file written by --record.`);
    const value = this.#parse(first.value);
    if (value === undefined) await this.#noteCut(first.value);
    if (this.#cutLine !== undefined && first.value.text.includes(RECORDING_FORMAT)) {
      throw usageError.FILE_INVALID(
        `${this.#shown} is cut off in its first line, so nothing in it can be judged. Record again.`,
      );
    }
    this.#upgrade = findUpgrade(value, this.#shown);
    const [line] = this.#linesOf(value, first.value.number);
    if (line?.kind !== 'start') throw this.#error(first.value.number, 'the first line is missing. Record again.');
    const { subject } = line;
    if (subject.kind !== 'client') this.#maxDepth = restoreSettings(subject).limits.depth;
    if (subject.kind === 'client' || subject.kind === 'relay') this.#maxSize = MAX_WHOLE;
    return line;
  }

  /** All between the first line and the last. */
  async *items(): AsyncGenerator<RecordedItem> {
    for await (const line of this.#lines) {
      if (line.text.trim() === '') continue;
      const value = this.#parse(line);
      if (value === undefined) {
        await this.#noteCut(line);
        break;
      }
      if (this.#size > this.#maxSize) throw this.#error(line.number, 'the recording is too large to be read whole.');
      if (this.#end) throw this.#error(line.number, 'there is more after the end of the recording. Remove it.');
      for (const item of this.#linesOf(value, line.number)) {
        if (item.kind === 'start') {
          throw this.#error(line.number, 'a second recording starts here. Put each recording in a file of its own.');
        }
        if (item.kind === 'end') this.#end = item;
        else yield this.#restore(item);
      }
    }
    this.#addNotice();
  }

  /** Undefined if there is no last line, or that of another subject. */
  endOf(subject: AnyRecording['subject']): ReturnType<AnyRecording['end']> {
    if (this.#end?.subject.kind !== subject) return undefined;
    const { kind: _kind, subject: ofSubject, ...facts } = this.#end;
    return { ...facts, ...ofSubject };
  }

  #restore(line: ItemLine): RecordedItem {
    if (line.kind === 'exchange') {
      this.#refuse(this.#limits?.findWrongExchange(line.id, line.again === true));
      return { kind: 'exchange', exchange: fromLine(line, this.#maxDepth), again: line.again === true };
    }
    if (line.kind === 'load-event') return { kind: 'load-event', event: restoreEvent(line.event, this.#maxDepth) };
    return line;
  }

  /** Undefined for a line that is not JSON. Not asynchronous, since there may be 100,000 lines. */
  #parse(line: FileLine): unknown {
    this.#size += line.text.length;
    if (isBeyondLimits(line.text)) {
      throw this.#error(line.number, 'this line is nested too deeply, or has too many values. Record again.');
    }
    const value = parseJson(line.text);
    if (value === undefined) return undefined;
    this.#lastLine = line.number;
    this.#refuse(this.#limits?.findWrongText(line.text));
    return value;
  }

  /** A line that is not JSON is the truncated last one, or a mistake. */
  async #noteCut(line: FileLine): Promise<void> {
    // Editors add a line end to a truncated last line, so having one proves nothing.
    if (line.isComplete && (this.#end || (await this.#hasMore())))
      throw this.#error(line.number, 'this line is not valid JSON. Record again.');
    this.#cutLine = line.number;
  }

  async #hasMore(): Promise<boolean> {
    for (let next = await this.#lines.next(); !next.done; next = await this.#lines.next())
      if (next.value.text.trim() !== '') return true;
    return false;
  }

  /** The lines as version 3 has them. */
  #linesOf(written: unknown, line: number): readonly RecordingLine[] {
    return this.#upgrade(written).map((value) => {
      checkFile('recording', { file: this.#shown, value, lineOf: () => line });
      return value as RecordingLine;
    });
  }

  /** Says where a truncated file ends, and what is missing. */
  #addNotice(): void {
    const [file, isGzipCut] = [this.#shown, !this.#isGzipComplete];
    if (this.#end) {
      if (isGzipCut) this.notices.push({ kind: 'gzip-cut', file });
      return;
    }
    const [isLineCut, line] = [this.#cutLine !== undefined, this.#cutLine ?? this.#lastLine];
    this.notices.push({ kind: 'recording-cut', file, line, isLineCut, isGzipCut });
  }

  #refuse(problem: string | undefined): void {
    if (problem !== undefined) throw this.#error(this.#lastLine, problem);
  }

  #error(line: number, message: string): UsageError {
    return new UsageError(message, { file: this.#shown, line });
  }
}
