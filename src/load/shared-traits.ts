/** What all broken answers have in common, compared with answers of the same stage, which differ in nothing else. */
import { ONLY_WITH, type OnlyWith } from '../report/load-report.ts';

/** A trait that all broken answers share with at most this probability, if it has nothing to do with them. */
const CHANCE = 0.01;

/** Once it holds, it holds to the end of the run, as does whatever else the run has done by then. */
const LASTING: ReadonlySet<OnlyWith> = new Set(['after-disconnect']);

interface StageTraits {
  judged: number;
  broken: number;
  /** `beforeFault`: of those that came before the first broken answer of the run. */
  readonly traits: Map<OnlyWith, { all: number; broken: number; beforeFault: number }>;
}

export class SharedTraits {
  readonly #stages = new Map<number, StageTraits>();
  /** The stage that broke first. */
  #first: StageTraits | undefined;

  add(stage: number, isBroken: boolean, traits: readonly OnlyWith[]): void {
    const counts = this.#stages.get(stage) ?? { judged: 0, broken: 0, traits: new Map() };
    this.#stages.set(stage, counts);
    counts.judged += 1;
    if (isBroken) {
      counts.broken += 1;
      this.#first ??= counts;
    }
    for (const trait of traits) {
      const own = counts.traits.get(trait) ?? { all: 0, broken: 0, beforeFault: 0 };
      counts.traits.set(trait, own);
      own.all += 1;
      if (isBroken) own.broken += 1;
      if (!this.#first) own.beforeFault += 1;
    }
  }

  /** Those that chance does not explain. */
  get shared(): readonly OnlyWith[] {
    const first = this.#first;
    if (!first) return [];
    return ONLY_WITH.filter((trait) => {
      if (!this.isOnAllBroken(trait) || this.#chanceOf(trait) >= CHANCE) return false;
      return LASTING.has(trait) ? chanceOfBeginning(trait, first) < CHANCE : this.#isRareOnRight(trait);
    });
  }

  isOnAllBroken(trait: OnlyWith): boolean {
    return [...this.#stages.values()].every(({ broken, traits }) => (traits.get(trait)?.broken ?? 0) === broken);
  }

  /** What most right answers have as well makes nothing break, even if the first few calls of a stage lack it. */
  #isRareOnRight(trait: OnlyWith): boolean {
    const showing = [...this.#stages.values()].filter(({ broken }) => broken > 0);
    const right = showing.reduce((sum, { judged, broken }) => sum + judged - broken, 0);
    const having = showing.reduce((sum, { traits }) => {
      const { all, broken } = traits.get(trait) ?? { all: 0, broken: 0 };
      return sum + all - broken;
    }, 0);
    return having * 2 <= right;
  }

  /** That all broken answers have it. A stage in which every answer has it says nothing. */
  #chanceOf(trait: OnlyWith): number {
    let chance = 1;
    for (const { judged, broken, traits } of this.#stages.values()) {
      const all = traits.get(trait)?.all ?? 0;
      for (let drawn = 0; drawn < broken; drawn++) chance *= (all - drawn) / (judged - drawn);
    }
    return chance;
  }
}

/** That a fault which begins at any moment of its stage begins so soon after what lasts. A leak begins later. */
function chanceOfBeginning(trait: OnlyWith, { judged, traits }: StageTraits): number {
  return ((traits.get(trait)?.beforeFault ?? 0) + 1) / judged;
}
