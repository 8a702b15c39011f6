/** Finds the texts that a stream sends in pieces: a secret may be spread over several events. */
import { isDeeperThan, walkJson } from '../reading/json-text.ts';

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DATA = 'data:';
const MAX_TEXTS = 256;
const MAX_DEPTH = 32;
/** Bytes. Pieces come near the beginning of their events, and reports show far less of an event. */
const MAX_EVENT_BYTES = 64 * 1024;

export interface TextPiece {
  /** Names the text that it belongs to. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A text is every string at one path below `delta` or `text` of one choice, or the data of all events that are not JSON. */
export function* streamPieces(bytes: Buffer): Generator<TextPiece> {
  const texts = new Set<string>();
  let before: EventPieces | undefined;
  for (const [start, end] of dataValues(bytes)) {
    const pieces = (before && piecesLike(bytes, before, start, end)) ?? piecesOf(bytes, start, end);
    before = { start, end, pieces };
    for (const piece of pieces) {
      if (texts.size >= MAX_TEXTS && !texts.has(piece.text)) continue;
      texts.add(piece.text);
      yield piece;
    }
  }
}

/** The place of the value of each `data` field. One line counts as one event: nobody breaks JSON over several. */
function* dataValues(bytes: Buffer): Generator<readonly [start: number, end: number]> {
  const [feeds, returns] = [new NextByte(bytes, LF), new NextByte(bytes, CR)];
  for (let field = bytes.indexOf(DATA); field !== -1;) {
    const start = field + DATA.length;
    let end = start;
    // Checked before the line is read: a line full of `data:` would be read again for each one.
    if (field === 0 || bytes[field - 1] === LF || bytes[field - 1] === CR) {
      end = Math.min(feeds.from(start), returns.from(start));
      yield [bytes[start] === SPACE ? start + 1 : start, end];
    }
    field = isDataAt(bytes, end + 2) ? end + 2 : bytes.indexOf(DATA, end);
  }
}

/** The next event begins there, after an empty line, in most streams: a look is cheaper than a search. */
function isDataAt(bytes: Buffer, place: number): boolean {
  for (let at = 0; at < DATA.length; at++) if (bytes[place + at] !== DATA.charCodeAt(at)) return false;
  return true;
}

/** Finds a byte, and looks no further as long as the last find lies ahead. */
class NextByte {
  readonly #bytes: Buffer;
  readonly #byte: number;
  #at = -1;

  constructor(bytes: Buffer, byte: number) {
    this.#bytes = bytes;
    this.#byte = byte;
  }

  /** The end if there is none. */
  from(place: number): number {
    if (this.#at >= place) return this.#at;
    const found = this.#bytes.indexOf(this.#byte, place);
    this.#at = found === -1 ? this.#bytes.length : found;
    return this.#at;
  }
}

interface EventPieces {
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly TextPiece[];
}

/**
 * The pieces of an event that differs from the one before in the inside of one piece only, as those of a stream do: its
 * other bytes need not be read again. Undefined if it differs in more.
 */
function piecesLike(bytes: Buffer, before: EventPieces, start: number, end: number): readonly TextPiece[] | undefined {
  const [only, ...others] = before.pieces;
  const alike = only && others.length === 0 ? pieceLike(bytes, before, only, [start, end]) : undefined;
  if (alike) return [alike];
  const most = Math.min(end - start, before.end - before.start);
  if (Math.max(end - start, before.end - before.start) > MAX_EVENT_BYTES) return undefined;
  let same = 0;
  while (same < most && bytes[start + same] === bytes[before.start + same]) same++;
  let sameAtEnd = 0;
  while (sameAtEnd < most - same && bytes[end - 1 - sameAtEnd] === bytes[before.end - 1 - sameAtEnd]) sameAtEnd++;
  const [from, to] = [before.start + same, before.end - sameAtEnd];
  const changed = before.pieces.findIndex((piece) => piece.start <= from && to <= piece.end);
  if (changed === -1 || bytes[from - 1] === BACKSLASH) return undefined;
  if (!isInString(bytes, from, to) || !isInString(bytes, start + same, end - sameAtEnd)) return undefined;
  const [byStart, byEnd] = [start - before.start, end - before.end];
  return before.pieces.map((piece, place) => ({
    text: piece.text,
    start: piece.start + (place <= changed ? byStart : byEnd),
    end: piece.end + (place < changed ? byStart : byEnd),
  }));
}

/** The same for the usual event, which has one piece: the engine compares the rest faster than we do. */
function pieceLike(
  bytes: Buffer,
  { start: from, end: to }: EventPieces,
  piece: TextPiece,
  [start, end]: readonly [start: number, end: number],
): TextPiece | undefined {
  const [head, tail] = [piece.start - from, to - piece.end];
  const [first, last] = [start + head, end - tail];
  if (first > last || end - start > MAX_EVENT_BYTES || to - from > MAX_EVENT_BYTES) return undefined;
  if (bytes.compare(bytes, from, piece.start, start, first) !== 0) return undefined;
  if (bytes.compare(bytes, piece.end, to, last, end) !== 0) return undefined;
  const isPlain = isInString(bytes, piece.start, piece.end) && isInString(bytes, first, last);
  return isPlain ? { text: piece.text, start: first, end: last } : undefined;
}

/** Whether these bytes neither end a JSON string nor contain an escape. */
function isInString(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === QUOTE || bytes[at] === BACKSLASH) return false;
  return true;
}

function piecesOf(bytes: Buffer, start: number, end: number): readonly TextPiece[] {
  // Latin-1 keeps one character per byte, so positions in the text are positions in the bytes.
  const length = Math.min(end - start, MAX_EVENT_BYTES);
  const text = bytes.toString('latin1', start, start + length);
  if (!/^\s*\{/.test(text)) return [{ text: '', start, end }];
  if (isDeeperThan(text, MAX_DEPTH)) return [];
  const found: { position: string; path: string; start: number; end: number }[] = [];
  const indexOf = new Map<string, string>();
  const path: string[] = [];
  const isArray: boolean[] = [];
  walkJson(text, {
    open: (kind) => {
      isArray.push(kind === 'array');
      path.push(kind === 'array' ? '0' : '');
    },
    close: () => {
      isArray.pop();
      path.pop();
    },
    comma: () => {
      if (isArray.at(-1)) path[path.length - 1] = String(Number(path.at(-1)) + 1);
    },
    name: (from, to) => (path[path.length - 1] = text.slice(from, to)),
    number: (from, to) => {
      if (path.length === 3 && path[0] === 'choices' && path[2] === 'index')
        indexOf.set(path[1]!, text.slice(from, to));
    },
    string: (from, to) => {
      const [choices, position, member] = path;
      if (choices !== 'choices' || position === undefined || (member !== 'delta' && member !== 'text')) return;
      found.push({ position, path: path.slice(2).join('/'), start: start + from, end: start + to });
    },
  });
  return found.map(({ position, path: below, ...place }) => ({
    ...place,
    text: `${indexOf.get(position) ?? position}/${below}`,
  }));
}
