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
  const [nextFeed, nextReturn] = [nextByte(bytes, LF), nextByte(bytes, CR)];
  for (let field = bytes.indexOf(DATA); field !== -1;) {
    const start = field + DATA.length;
    let end = start;
    // Checked before the line is read: a line full of `data:` would be read again for each one.
    if (field === 0 || bytes[field - 1] === LF || bytes[field - 1] === CR) {
      end = Math.min(nextFeed(start), nextReturn(start));
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

/** Finds a byte, or the end, and looks no further as long as the last find lies ahead. */
function nextByte(bytes: Buffer, byte: number): (place: number) => number {
  let at = -1;
  return (place) => {
    if (at < place) at = bytes.indexOf(byte, place);
    if (at === -1) at = bytes.length;
    return at;
  };
}

interface EventPieces {
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly TextPiece[];
}

/** An event of more pieces is read: to find the one that differs, each would have to be tried. */
const MAX_PIECES = 8;

/**
 * The pieces of an event that differs from the one before in a single piece, as those of a stream do: its other bytes need
 * not be read again, and the engine compares them faster than we do. Undefined if it differs in more.
 */
function piecesLike(bytes: Buffer, before: EventPieces, start: number, end: number): readonly TextPiece[] | undefined {
  const { pieces } = before;
  const longest = Math.max(end - start, before.end - before.start);
  if (pieces.length > MAX_PIECES || longest > MAX_EVENT_BYTES) return undefined;
  const [byStart, byEnd] = [start - before.start, end - before.end];
  const changed = pieces.findLastIndex((piece) => {
    const [first, last] = [piece.start + byStart, piece.end + byEnd];
    // An event that is not JSON has a nameless piece, whose inside may be anything.
    if (piece.text === '' || first > last) return false;
    if (bytes.compare(bytes, before.start, piece.start, start, first) !== 0) return false;
    return bytes.compare(bytes, piece.end, before.end, last, end) === 0 && isInString(bytes, first, last);
  });
  if (changed === -1) return undefined;
  return pieces.map((piece, place) => ({
    text: piece.text,
    start: piece.start + (place <= changed ? byStart : byEnd),
    end: piece.end + (place < changed ? byStart : byEnd),
  }));
}

/** Whether these bytes are the whole inside of a JSON string. */
function isInString(bytes: Buffer, from: number, to: number): boolean {
  let at = from;
  for (; at < to && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
  return at === to;
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
