/** Reads a recording line by line. A truncated last line gives a notice; any other mistake is an error with its line. */
import { checkFile } from '../contract/file-schema.ts';
import type { Notice } from '../exchange/notice.ts';
import { parseJson } from '../json.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { UsageError } from '../usage-error.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { AskedCase } from '../exchange/relay-traffic.ts';
import type { LoadEvent } from '../exchange/load-traffic.ts';
import { fromLine } from './exchange-line.ts';
import { type Line, readLines } from './read-lines.ts';
import {
  restoreSettings,
  type AnyRecording,
  RECORDING_FORMAT,
  type RecordedItem,
  type RecordedRun,
  type RecordedScenario,
} from './recording.ts';
import { isBeyondLimits } from './line-limits.ts';
import { endOf, type FirstLine, isFirst, isLast, type LastLine, withoutKind } from './line-kinds.ts';
import type { RecordingLine } from './recording-line.ts';
import { readVersion } from './read-version.ts';
import type { StrangerLimits } from './stranger-limits.ts';
import { restoreEvent, restoreLoadEnd, restoreLoadStart } from './load-recording.ts';
import { type RecordedLines, restoreClient, restoreRelay } from './subject-recording.ts';
import { upgradeLine } from './upgrade-version-1.ts';

/** Reads the first line of a gateway's recording; `items` reads the rest. `shown` is the path as the user wrote it. */
export async function openRecording(path: string, shown = path): Promise<RecordedRun> {
  const recorded = await openAnyRecording(path, shown);
  if (recorded.subject === 'gateway') return recorded.run;
  throw new UsageError(`${shown} is the recording of a ${recorded.subject}. This takes the recording of a gateway.`, {
    code: 'FILE_INVALID',
  });
}

/** With `limits`, it is that of a stranger. */
export async function openAnyRecording(path: string, shown = path, limits?: StrangerLimits): Promise<AnyRecording> {
  const reader = new Reader(path, shown, limits);
  const { format: _format, version: _version, ...first } = await reader.open();
  switch (first.kind) {
    case 'start': {
      const start = withoutKind(first);
      const end = () => endOf(reader.last, 'end');
      return { subject: 'gateway', run: { start, items: () => reader.items(), end, notices: () => reader.notices } };
    }
    case 'client-start': {
      const start = withoutKind(first);
      const checked = restoreClient(start, await reader.readWhole(), endOf(reader.last, 'client-end'));
      return { subject: 'client', start, checked, notices: reader.notices };
    }
    case 'relay-start': {
      const start = withoutKind(first);
      const checked = restoreRelay(start, await reader.readWhole(), endOf(reader.last, 'relay-end'));
      return { subject: 'relay', start, checked, notices: reader.notices };
    }
    case 'load-start': {
      const start = withoutKind(first);
      const restored = restoreLoadStart(start);
      const { depth } = restored.settings.limits;
      const end = () => restoreLoadEnd(reader.requireEnd('load-end'), depth);
      return { subject: 'load', start, run: { start: restored, events: reader.events(), end } };
    }
  }
}

/** Characters of the recording of a client or a relay. Theirs have a few megabytes. */
const MAX_WHOLE = 128 * 1024 ** 2;

class Reader {
  readonly #lines: AsyncGenerator<Line>;
  readonly #shown: string;
  readonly notices: Notice[] = [];
  last: LastLine | undefined;
  readonly #played: RecordedScenario[] = [];
  readonly #asked: AskedCase[] = [];
  #isGzipComplete = true;
  /** The last complete line, and the truncated one. */
  #lastLine = 0;
  #cutLine: number | undefined;
  /** Characters so far. */
  #size = 0;
  #maxDepth = DEFAULT_SETTINGS.limits.depth;
  #isVersion1 = false;

  readonly #limits: StrangerLimits | undefined;

  constructor(path: string, shown: string, limits: StrangerLimits | undefined) {
    this.#shown = shown;
    this.#limits = limits;
    this.#lines = readLines(path, () => (this.#isGzipComplete = false));
  }

  async open(): Promise<FirstLine> {
    const first = await this.#lines.next();
    if (first.done)
      throw new UsageError(`${this.#shown} is empty. Pass a file written by --record.`, { code: 'FILE_INVALID' });
    const value = this.#parse(first.value);
    if (value === undefined) await this.#noteCut(first.value);
    if (this.#cutLine !== undefined && first.value.text.includes(RECORDING_FORMAT)) {
      throw new UsageError(
        `${this.#shown} is cut off in its first line, so nothing in it can be judged. Record again.`,
        { code: 'FILE_INVALID' },
      );
    }
    this.#isVersion1 = readVersion(value, this.#shown) === 1;
    const line = this.#validate(value, first.value.number) as FirstLine;
    if (line.kind !== 'client-start') this.#maxDepth = restoreSettings(line).limits.depth;
    return line;
  }

  async readWhole(): Promise<RecordedLines> {
    const exchanges: Exchange[] = [];
    for await (const item of this.items()) {
      if (item.kind === 'exchange') exchanges.push(item.exchange);
      if (this.#size > MAX_WHOLE) throw this.#error(this.#lastLine, 'the recording is too large to be read whole.');
    }
    return { exchanges, played: this.#played, asked: this.#asked };
  }

  /** Of a run under load. */
  async *events(): AsyncGenerator<LoadEvent> {
    for await (const line of this.#read()) if (line.kind === 'load-event') yield restoreEvent(line, this.#maxDepth);
  }

  /** A recording that was written at the end of a run has an end. */
  requireEnd<Kind extends LastLine['kind']>(kind: Kind): Omit<Extract<LastLine, { kind: Kind }>, 'kind'> {
    const end = endOf(this.last, kind);
    if (!end)
      throw new UsageError(`${this.#shown} has no last line, so it cannot be judged. Record again.`, {
        code: 'FILE_INVALID',
      });
    return end;
  }

  async *items(): AsyncGenerator<RecordedItem> {
    for await (const line of this.#read()) {
      if (line.kind === 'amendment') {
        yield { kind: 'amendment', amendment: { id: line.id, controlAfter: line.controlAfter } };
      } else if (line.kind === 'exchange') {
        this.#refuse(this.#limits?.findWrongExchange(line.id, line.again === true));
        yield { kind: 'exchange', exchange: fromLine(line, this.#maxDepth), again: line.again === true };
      } else if (line.kind === 'played') this.#played.push(withoutKind(line));
      else if (line.kind === 'asked') this.#asked.push(withoutKind(line));
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

  #refuse(problem: string | undefined): void {
    if (problem !== undefined) throw this.#error(this.#lastLine, problem);
  }

  #error(line: number, message: string): UsageError {
    return new UsageError(message, { file: this.#shown, line });
  }
}
