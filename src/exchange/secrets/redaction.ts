/** Hides every secret in what was received and sent. Nothing leaves this folder that has not been through here. */
import type { SeenSecret } from './marks.ts';
import { createSearch } from './secret-search.ts';
import type { Secret } from './secrets.ts';

export interface Redaction<Value> {
  readonly value: Value;
  readonly seen: readonly SeenSecret[];
}

export interface Redactor {
  text(text: string): Redaction<string>;
  /** Blanks in place, byte for byte, so that lengths and the cuts between reads stay as they are. */
  body(bytes: Uint8Array): Redaction<Uint8Array>;
}

export function createRedactor(secrets: readonly Secret[]): Redactor {
  const search = createSearch(secrets);
  const redact = (bytes: Uint8Array, isBody: boolean): Redaction<Uint8Array> => {
    const marks = search(bytes, isBody);
    if (marks === undefined) return { value: bytes, seen: [] };
    marks.blank(bytes);
    return { value: bytes, seen: marks.seen };
  };
  return {
    body: (bytes) => redact(bytes, true),
    text(text) {
      const { value, seen } = redact(Buffer.from(text), false);
      return { value: seen.length === 0 ? text : Buffer.from(value).toString(), seen };
    },
  };
}
