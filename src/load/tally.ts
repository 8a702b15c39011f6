/** Counts what the checks of a run under load judge: per stage, with a few examples of each finding. */
import type { Exchange } from '../exchange/exchange.ts';
import type { OnlyWith, StageCount } from '../report/load-report.ts';
import { SharedTraits } from './shared-traits.ts';
import { shortened } from './shortened.ts';
import { finding, type FindingParts } from '../verdict/finding.ts';
import type { Finding } from '../verdict/verdict.ts';

export const TALLY_NAMES = [
  'failed',
  'broken-off',
  'silent',
  'own-reply',
  'text',
  'finish-reason',
  'usage',
  'pieces',
  'refusal',
  'refusal-failed',
  'unknown-key',
  'unknown-key-failed',
  'valid-key',
  'list',
  'list-of-other-key',
] as const;
export type TallyName = (typeof TALLY_NAMES)[number];

/** Exchanges kept as evidence of each finding. */
const MAX_EXAMPLES = 3;

interface Found {
  finding: Finding;
  readonly examples: Exchange[];
}

export class Tally {
  readonly #stages = new Map<number, { judged: number; broken: number }>();
  readonly #found = new Map<string, Found>();
  readonly #kept: Exchange[] = [];
  readonly #traits = new SharedTraits();

  /** `parts`: what is wrong with the answer; undefined if nothing is. `traits`: what held when it was sent. */
  add(exchange: Exchange, parts?: FindingParts, traits: readonly OnlyWith[] = []): void {
    const stage = exchange.stage ?? 0;
    this.#traits.add(stage, parts !== undefined, traits);
    const counts = this.#stages.get(stage) ?? { judged: 0, broken: 0 };
    this.#stages.set(stage, counts);
    counts.judged += 1;
    if (!parts) {
      if (this.#kept.length === 0) this.#kept.push(shortened(exchange));
      return;
    }
    counts.broken += 1;
    this.#note(exchange, finding(exchange, parts));
  }

  /** What all broken answers have and most right ones of their stages lack, unless that may be chance. */
  get onlyWith(): readonly OnlyWith[] {
    return this.#traits.shared;
  }

  /** Every broken answer was asked for beside a slow reader, be it by chance. */
  get mayNeedSlowReader(): boolean {
    return this.#traits.isOnAllBroken('slow-reader');
  }

  #note(exchange: Exchange, next: Finding): void {
    const key = `${exchange.request.endpoint} ${exchange.request.mode} ${next.mismatch} ${next.actualType}`;
    const known = this.#found.get(key);
    if (!known) {
      this.#found.set(key, { finding: next, examples: [shortened(exchange)] });
      return;
    }
    if (known.examples.length < MAX_EXAMPLES) known.examples.push(shortened(exchange));
    const { more, moreAnswers = 0 } = known.finding;
    known.finding = { ...known.finding, more: more + 1, moreAnswers: moreAnswers + 1 };
  }

  get judged(): number {
    return this.#sum('judged');
  }

  get broken(): number {
    return this.#sum('broken');
  }

  #sum(what: 'judged' | 'broken'): number {
    return [...this.#stages.values()].reduce((sum, counts) => sum + counts[what], 0);
  }

  get stages(): readonly StageCount[] {
    return [...this.#stages].toSorted(([a], [b]) => a - b).map(([stage, counts]) => ({ stage, ...counts }));
  }

  get findings(): readonly Finding[] {
    return [...this.#found.values()].map(({ finding: each }) => each);
  }

  /** Exchanges that findings name, and one that keeps the clause. */
  get examples(): readonly Exchange[] {
    return [...[...this.#found.values()].flatMap(({ examples }) => examples), ...this.#kept];
  }
}

export type Tallies = Readonly<Record<TallyName, Tally>>;

export function createTallies(): Tallies {
  return Object.fromEntries(TALLY_NAMES.map((name) => [name, new Tally()])) as unknown as Tallies;
}
