/** Redacts every secret in requests and answers. Nothing leaves this folder without it. */
import type { SecretSeen } from '../exchange.ts';
import { overwrite } from './overwriting.ts';
import type { Escape } from './escapes.ts';
import { type Pattern, patternsOf } from './forms.ts';
import { PatternTable } from './pattern-table.ts';
import { type Finds, searchBytes } from './search.ts';
import type { Secret } from './secrets.ts';

type Seen = Omit<SecretSeen, 'place'>;

export interface Redaction<Value> {
  readonly value: Value;
  readonly seen: readonly Seen[];
}

export interface Redactor {
  text(text: string): Redaction<string>;
  /** Blanks in place, byte for byte, so that lengths and the cuts between reads stay as they are. */
  body(bytes: Uint8Array): Redaction<Uint8Array>;
}

export function createRedactor(secrets: readonly Secret[]): Redactor {
  const patterns = secrets.flatMap(patternsOf);
  const table = new PatternTable(patterns);
  const byRole = new Map(secrets.map((secret) => [secret.role, { secret, runs: new Set<string>() }]));
  for (const { role, run } of patterns) byRole.get(role)?.runs.add(run);
  const isWhole = (role: string, seen: ReadonlySet<string>): boolean => {
    const { secret, runs } = byRole.get(role)!;
    if (secret.run === 'whole') return true;
    const count = [...runs].filter((run) => seen.has(run)).length;
    return count === runs.size || count > Buffer.byteLength(secret.text) * NEARLY_WHOLE - secret.run;
  };

  const redact = (bytes: Buffer, isBody: boolean): readonly Seen[] => {
    if (table.longest === 0) return [];
    const marks = new Marks(bytes.length);
    searchBytes(table, bytes, isBody, marks);
    marks.overwrite(bytes);
    return marks.seen(isWhole);
  };
  const recent = new Map<string, Redaction<string>>();
  return {
    body: (bytes) => ({
      value: bytes,
      seen: redact(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), true),
    }),
    text(text) {
      const known = recent.get(text);
      if (known) return known;
      const bytes = Buffer.from(text);
      const seen = redact(bytes, false);
      const redaction = { value: seen.length === 0 ? text : bytes.toString(), seen };
      if (text.length <= MAX_RECENT_LENGTH) {
        if (recent.size >= MAX_RECENT) recent.clear();
        recent.set(text, redaction);
      }
      return redaction;
    },
  };
}

/** Names and values of headers, most of which every answer has. */
const MAX_RECENT = 500;
const MAX_RECENT_LENGTH = 200;

/** Redacts the secrets of others as well. Only its own are reported as seen, since nobody sent the others. */
export function redactBoth(own: Redactor, others: Redactor): Redactor {
  return {
    text(text) {
      const { value, seen } = own.text(text);
      return { value: others.text(value).value, seen };
    },
    body(bytes) {
      const { value, seen } = own.body(bytes);
      return { value: others.body(value).value, seen };
    },
  };
}

/** From this share on, the rest of a secret is quickly guessed. */
const NEARLY_WHOLE = 0.75;
const MARKED = 1;

/** Holds all finds until the search is over: overwriting one at once could hide another that overlaps it. */
class Marks implements Finds {
  readonly #size: number;
  readonly #seen = new Map<Pattern, Set<Escape>>();
  /** One byte for each byte searched, made at the first find: most bodies have none. */
  #marked: Buffer | undefined;

  constructor(size: number) {
    this.#size = size;
  }

  see(pattern: Pattern, escape: Escape): void {
    const escapes = this.#seen.get(pattern);
    if (escapes) escapes.add(escape);
    else this.#seen.set(pattern, new Set([escape]));
  }

  mark(start: number, end: number): void {
    this.#marked ??= Buffer.alloc(this.#size);
    this.#marked.fill(MARKED, start, end);
  }

  overwrite(bytes: Uint8Array): void {
    const marked = this.#marked;
    if (marked === undefined) return;
    for (let start = marked.indexOf(MARKED); start !== -1;) {
      const next = marked.indexOf(0, start);
      const end = next === -1 ? marked.length : next;
      overwrite(bytes, start, end);
      start = marked.indexOf(MARKED, end);
    }
  }

  seen(isWhole: (role: string, seen: ReadonlySet<string>) => boolean): readonly Seen[] {
    const distinct = new Map<string, Seen>();
    const runs = new Set(Array.from(this.#seen.keys(), ({ run }) => run));
    for (const [{ role, form: spelled }, escapes] of this.#seen) {
      for (const escape of escapes) {
        const form = spelled === 'raw' && escape !== 'none' ? escape : spelled;
        const name = `${form} ${role}`;
        if (!distinct.has(name)) distinct.set(name, { role, form, whole: isWhole(role, runs) });
      }
    }
    return [...distinct.values()];
  }
}
