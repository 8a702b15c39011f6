/** Mistakes in what people write by hand, gathered so that they are reported together, line by line. */
import { UsageError } from './usage-error.ts';

const MAX_SHOWN = 20;

/** What an error for several mistakes is made of, so that mistakes gathered in steps are told as if gathered at once. */
const PARTS = new WeakMap<UsageError, Mistakes>();

export class Mistakes {
  readonly #found: UsageError[] = [];
  /** Those that follow from no other in their line. */
  readonly #apart = new Set<UsageError>();

  /** What `read` returns; undefined if it throws a UsageError, which is kept. `isApart`: as by `note`. */
  attempt<Value>(read: () => Value, isApart = false): Value | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const parts = PARTS.get(error);
      const found = parts ? parts.#found : [error];
      this.#found.push(...found);
      for (const mistake of isApart ? found : parts ? parts.#apart : []) this.#apart.add(mistake);
      return undefined;
    }
  }

  add(mistake: UsageError): void {
    this.#found.push(mistake);
  }

  /** Keeps a mistake after which reading goes on. It is told beside others of its line. */
  note(mistake: UsageError): void {
    this.#found.push(mistake);
    this.#apart.add(mistake);
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /** Throws one error for all that were kept. */
  throwAny(): void {
    const sorted = sortByPlace(this.#messages());
    const [first] = sorted;
    if (first === undefined) return;
    const mixed = this.#found.every((error) => error.at !== undefined) ? 'FILE_INVALID' : 'BAD_VALUE';
    const { at, kind = mixed } = this.#found.find(({ message }) => message.startsWith(first)) ?? {};
    const more = sorted.length - MAX_SHOWN;
    const text = [...sorted.slice(0, MAX_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
    const isOneKind = sorted.length === 1 || this.#found.every((error) => error.kind === kind);
    const error = new UsageError(text, { code: isOneKind ? kind : mixed, ...(at !== undefined && { at }) });
    PARTS.set(error, this);
    throw error;
  }

  /** One for each place: a second mistake in a line mostly follows from the first, but not a name that does not exist. */
  #messages(): readonly string[] {
    const byPlace = new Map<string, string>();
    for (const mistake of this.#found) {
      const { message: lines, kind } = mistake;
      const isOwn = kind === 'UNKNOWN_NAME' || kind === 'VALUE_MISSING' || this.#apart.has(mistake);
      for (const message of lines.split('\n')) {
        const place = (isOwn ? undefined : PLACE.exec(message)?.[0]) ?? message.replaceAll(LABEL, '');
        if (!byPlace.has(place)) byPlace.set(place, message);
      }
    }
    return [...byPlace.values()];
  }
}

function sortByPlace(messages: readonly string[]): readonly string[] {
  const files = [...new Set(messages.map(fileIn))];
  return messages.toSorted((a, b) => files.indexOf(fileIn(a)) - files.indexOf(fileIn(b)) || lineIn(a) - lineIn(b));
}

/** The label of a case that was multiplied, whose mistakes are the same for every label. */
const LABEL = /\[[^\]\s]+\]/g;

/** The place in `suite.yaml:12: unknown check`. */
const PLACE = /^.*?:(\d+): /;

/** Empty for a mistake without a place. */
function fileIn(message: string): string {
  return PLACE.exec(message)?.[0].replace(/:\d+: $/, '') ?? '';
}

/** A message without a line comes last. */
function lineIn(message: string): number {
  return Number(PLACE.exec(message)?.[1] ?? Infinity);
}
