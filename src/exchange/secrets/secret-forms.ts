/** Spells a secret in every form in which a target may repeat it, cut into the shortest pieces that give it away. */
import { SHORTEST_RUN, type Secret } from './secrets.ts';

/** A sequence of bytes that must not be shown. */
export interface Gram {
  readonly bytes: Uint8Array;
  readonly role: string;
  readonly form: 'raw' | 'base64' | 'hex';
}

/** JSON and URL escapes are not spelled out here: the text is read with its escapes undone instead (`escapes.ts`). */
export function gramsOf(secret: Secret): Gram[] {
  const grams: Gram[] = [];
  for (const encoding of isAscii(secret.text) ? (['utf8'] as const) : (['utf8', 'latin1'] as const)) {
    const whole = Buffer.from(secret.text, encoding);
    const length = secret.inParts ? SHORTEST_RUN : whole.length;
    for (let start = 0; start + length <= whole.length; start++) {
      addForms(grams, whole.subarray(start, start + length), secret.role);
    }
  }
  return grams;
}

function addForms(grams: Gram[], piece: Buffer, role: string): void {
  grams.push({ bytes: piece, role, form: 'raw' });
  // Names of headers and hosts are written in either case.
  const text = piece.toString('latin1');
  for (const other of [text.toLowerCase(), text.toUpperCase()])
    if (other !== text) grams.push({ bytes: Buffer.from(other, 'latin1'), role, form: 'raw' });
  const hex = piece.toString('hex');
  grams.push({ bytes: Buffer.from(hex), role, form: 'hex' });
  grams.push({ bytes: Buffer.from(hex.toUpperCase()), role, form: 'hex' });
  for (const before of [0, 1, 2]) {
    const base64 = innerBase64(piece, before);
    grams.push({ bytes: Buffer.from(base64), role, form: 'base64' });
    if (/[+/]/.test(base64)) {
      grams.push({ bytes: Buffer.from(base64.replaceAll('+', '-').replaceAll('/', '_')), role, form: 'base64' });
    }
  }
}

/**
 * The base64 digits that the piece alone decides when some bytes stand before it (RFC 4648 section 4: three bytes make
 * four digits, so three alignments are all there are). Its outermost digits may depend on the neighbours too.
 */
function innerBase64(piece: Buffer, before: number): string {
  const encoded = Buffer.concat([Buffer.alloc(before), piece]).toString('base64');
  return encoded.slice(Math.ceil((8 * before) / 6), Math.floor((8 * (before + piece.length)) / 6));
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
