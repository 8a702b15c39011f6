/** Reads the texts that a stream sends in pieces, since a secret may be cut between two of its events. */
import { EscapeReader } from './escapes.ts';
import { isDeeperThan } from '../reading/json-text.ts';
import { walkJson } from '../reading/json-walk.ts';
import type { Reading } from './reading.ts';
import { readRange } from './stretches.ts';

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const DATA = 'data:';
/** Beyond these, nothing that a client would put together as one text is left. */
const MOST_TEXTS = 256;
const MOST_DEPTH = 32;
/** Bytes. Pieces of a text stand near the beginning of their events; what is shown of an event is far less. */
const MOST_OF_AN_EVENT = 64 * 1024;

interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Gives each text a reading of its own: every string below `delta` of one choice, by its path, and the data of events that
 * are not JSON. A secret within one piece is found as well; that does no harm.
 */
export function readSpreadTexts(bytes: Buffer, makeReading: () => Reading): void {
  const readings = new Map<string, Reading>();
  for (const [start, end] of dataValues(bytes)) {
    for (const piece of piecesOf(bytes, start, end)) {
      let reading = readings.get(piece.text);
      if (reading === undefined) {
        if (readings.size >= MOST_TEXTS) continue;
        reading = makeReading();
        readings.set(piece.text, reading);
      }
      readRange(new EscapeReader(bytes, piece.end), piece.start, piece.end, reading);
    }
  }
  for (const reading of readings.values()) reading.end();
}

/** Where the value of each `data` field stands. One line counts as one event: nobody breaks JSON over several. */
function* dataValues(bytes: Buffer): Generator<readonly [start: number, end: number]> {
  for (let field = bytes.indexOf(DATA); field !== -1;) {
    const start = field + DATA.length;
    let end = start;
    // Looked at first: a line that is full of them would else be gone through again for each one.
    if (field === 0 || bytes[field - 1] === LF || bytes[field - 1] === CR) {
      while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end++;
      yield [bytes[start] === SPACE ? start + 1 : start, end];
    }
    field = bytes.indexOf(DATA, end);
  }
}

function piecesOf(bytes: Buffer, start: number, end: number): readonly Piece[] {
  // One character for each byte, so that positions in the text are positions in the bytes.
  const length = Math.min(end - start, MOST_OF_AN_EVENT);
  const text = bytes.toString('latin1', start, start + length);
  if (!/^\s*\{/.test(text)) return [{ text: '', start, end }];
  if (isDeeperThan(text, MOST_DEPTH)) return [];
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
  return found.map((one) => ({ ...one, text: `${indexOf.get(one.position) ?? one.position}/${one.path}` }));
}
