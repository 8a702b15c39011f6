/** Model lists under load against those of the same key alone, before and after (rule 35). */
import type { Exchange } from '../../exchange/exchange.ts';
import { readModelList } from '../../exchange/reading/model-list.ts';
import { quoteText } from '../../text/quote.ts';
import type { FindingParts } from '../../verdict/finding.ts';
import type { Tallies } from './tally.ts';

/** Lists that lack a model are few, unless every list does; then these are enough. */
const MAX_GAPS = 2_000;

export class ListWatch {
  readonly #before = new Map<string, ReadonlySet<string>>();
  readonly #after = new Map<string, ReadonlySet<string>>();
  readonly #gaps: { readonly model: string; readonly key: string; readonly exchange: Exchange }[] = [];
  readonly #tallies: Tallies;

  constructor(tallies: Tallies) {
    this.#tallies = tallies;
  }

  /** A list of a key, asked alone. */
  setControl(exchange: Exchange, when: 'before' | 'after'): void {
    const models = idsOf(exchange);
    if (!models) return;
    const controls = when === 'before' ? this.#before : this.#after;
    const { key } = exchange.request;
    const known = controls.get(key);
    controls.set(key, known ? new Set([...known].filter((id) => models.has(id))) : models);
  }

  /** Says whether the list has a model that only the other key's list has. */
  look(exchange: Exchange): boolean {
    const models = idsOf(exchange);
    const { key } = exchange.request;
    const own = this.#before.get(key);
    if (!models || !own) return false;
    const missing = [...own].find((id) => !models.has(id));
    // Which of these count is known only when the lists after the load are.
    if (missing === undefined) this.#tallies.list.add(exchange);
    else if (this.#gaps.length < MAX_GAPS) this.#gaps.push({ model: missing, key, exchange });
    const other = [...this.#before].find(([name]) => name !== key)?.[1];
    if (!other) return false;
    const foreign = [...models].find((id) => other.has(id) && !own.has(id));
    this.#tallies['list-of-other-key'].add(exchange, foreign === undefined ? undefined : listWith(foreign));
    return foreign !== undefined;
  }

  /** When the lists after the load are known. */
  end(): void {
    for (const { model, key, exchange } of this.#gaps) {
      const after = this.#after.get(key);
      if (after) this.#tallies.list.add(exchange, after.has(model) ? listWithout(model) : undefined);
    }
    this.#gaps.length = 0;
  }
}

function idsOf(exchange: Exchange): ReadonlySet<string> | undefined {
  const reading = readModelList(exchange);
  return reading.kind === 'list' ? new Set(reading.models.map(({ id }) => id)) : undefined;
}

function listWithout(model: string): FindingParts {
  const actual = { kind: 'list-without', model: quoteText(model) } as const;
  return { mismatch: 'absent', expected: { kind: 'same-models' }, actualType: 'absent', actual };
}

function listWith(model: string): FindingParts {
  const actual = { kind: 'list-with', model: quoteText(model) } as const;
  return { mismatch: 'listed', expected: { kind: 'own-models' }, actualType: 'string', actual };
}
