/** Reads a body as one JSON text, carefully: size and depth are looked at before anything is built. */
import type { Json } from '../json.ts';

/** Oddities that do no harm but deserve a word. */
export type JsonNote = 'byte-order-mark' | 'duplicate-member' | 'unsafe-number' | 'lone-surrogate' | 'proto-member';

export type JsonReading =
  | { readonly kind: 'json'; readonly value: Json; readonly notes: readonly JsonNote[] }
  | { readonly kind: 'empty' }
  | { readonly kind: 'not-json'; readonly detail: string }
  | { readonly kind: 'not-utf8' }
  /** Nested deeper than the `max-depth` setting: not built, not judged. */
  | { readonly kind: 'too-deep' };
