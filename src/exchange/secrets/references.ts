/** Reads the character references of HTML and XML. */

const REFERENCE = /^&(?:#x0{0,4}([0-9a-f]{1,4})|#0{0,4}([0-9]{1,4})|([a-z]{2,4}));/i;
const LONGEST = 12;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export interface Reference {
  readonly code: number;
  /** Bytes that it takes up. */
  readonly length: number;
}

export function referenceAt(bytes: Uint8Array, at: number, limit: number): Reference | undefined {
  if (!canFollow(bytes[at + 1])) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, limit).toString('latin1', at, at + LONGEST);
  const [all, hex, decimal, name = ''] = REFERENCE.exec(text) ?? [];
  if (all === undefined) return undefined;
  if (hex !== undefined) return { code: Number.parseInt(hex, 16), length: all.length };
  if (decimal !== undefined) return { code: Number(decimal), length: all.length };
  const character = NAMED[name.toLowerCase()];
  return character === undefined ? undefined : { code: character.charCodeAt(0), length: all.length };
}

/** Most ampersands begin no reference: that shows at once. */
function canFollow(byte: number | undefined): boolean {
  return byte !== undefined && (byte === 0x23 || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a));
}
