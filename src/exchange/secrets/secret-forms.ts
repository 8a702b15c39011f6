/** Spells a secret in every form in which a target may repeat it, cut into the shortest pieces that give it away. */
import { SHORTEST_RUN, type Secret } from './secrets.ts';

/** A sequence of bytes that must not be shown, in either case. */
export interface Gram {
  readonly bytes: Uint8Array;
  readonly role: string;
  readonly form: 'raw' | 'base64' | 'hex';
  /** The piece of the secret that it spells: the same for all of its forms, and for all secrets that have this piece. */
  readonly piece: string;
}

/** Escapes are not spelled out here: the text is read with its escapes undone instead (`escapes.ts`). */
export function gramsOf(secret: Secret): Gram[] {
  return piecesOf(secret).flatMap((piece) => formsOf(piece, secret.role));
}

function piecesOf({ text, inParts }: Secret): Buffer[] {
  return (isAscii(text) ? (['utf8'] as const) : (['utf8', 'latin1'] as const)).flatMap((encoding) => {
    const whole = Buffer.from(text, encoding);
    const length = inParts ? SHORTEST_RUN : whole.length;
    return Array.from({ length: whole.length - length + 1 }, (_, start) => whole.subarray(start, start + length));
  });
}

function formsOf(bytes: Buffer, role: string): Gram[] {
  const piece = bytes.toString('latin1');
  const gram = (form: Gram['form'], spelt: Uint8Array | string): Gram => ({
    bytes: Buffer.from(spelt as string, 'latin1'),
    role,
    form,
    piece,
  });
  return [
    gram('raw', bytes),
    gram('raw', bytes.toReversed()),
    gram('hex', bytes.toString('hex')),
    ...[0, 1, 2].flatMap((before) => {
      const base64 = innerBase64(bytes, before);
      return [base64, base64.replaceAll('+', '-').replaceAll('/', '_')].map((spelt) => gram('base64', spelt));
    }),
  ];
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
