/** The forms in which a secret is looked for, as byte patterns. Escapes are undone while reading instead (escapes.ts). */
import type { Secret } from './secrets.ts';

/** A byte sequence that must not be shown, in upper or lower case. */
export interface Pattern {
  readonly bytes: Uint8Array;
  readonly role: string;
  readonly form: 'raw' | 'base64' | 'hex';
  /** The run of the secret that it spells. All forms of one run share it, and so do all secrets with that run. */
  readonly run: string;
}

export function patternsOf(secret: Secret): Pattern[] {
  return runsOf(secret).flatMap((bytes) => {
    const run = bytes.toString('latin1');
    const pattern = (form: Pattern['form'], spelled: string): Pattern => ({
      bytes: Buffer.from(spelled, 'latin1'),
      role: secret.role,
      form,
      run,
    });
    return [
      pattern('raw', run),
      pattern('hex', bytes.toString('hex')),
      ...[0, 1, 2].flatMap((before) => {
        const base64 = innerBase64(bytes, before);
        return [base64, base64.replaceAll('+', '-').replaceAll('/', '_')].map((spelled) => pattern('base64', spelled));
      }),
    ];
  });
}

function runsOf({ text, run }: Secret): Buffer[] {
  const isAscii = Buffer.byteLength(text) === text.length;
  return (isAscii ? (['utf8'] as const) : (['utf8', 'latin1'] as const)).flatMap((encoding) => {
    const whole = Buffer.from(text, encoding);
    const length = run === 'whole' ? whole.length : run;
    return Array.from({ length: whole.length - length + 1 }, (_, start) => whole.subarray(start, start + length));
  });
}

/**
 * The base64 digits that depend on these bytes alone, with `before` bytes in front of them. Three bytes make four digits
 * (RFC 4648 section 4), so there are three alignments. The outermost digits may also depend on neighbouring bytes.
 */
function innerBase64(bytes: Buffer, before: number): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return encoded.slice(Math.ceil((8 * before) / 6), Math.floor((8 * (before + bytes.length)) / 6));
}
