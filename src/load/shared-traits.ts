/** What all broken answers have and no right answer of the same stages has, which differ in nothing else. */
import { ONLY_WITH, type OnlyWith } from '../report/load-report.ts';

/** So few answers of a kind are no evidence. */
const ENOUGH = 3;
/** The broken answers are just those with the trait with at most this probability, if it has nothing to do with them. */
const CHANCE = 0.01;

/** Once it holds, it holds to the end of the run, as does whatever else the run has done by then. */
const LASTING: ReadonlySet<OnlyWith> = new Set(['after-disconnect']);

interface StageTraits {
  judged: number;
  broken: number;
  readonly traits: Map<OnlyWith, { all: number; broken: number }>;
}

export class SharedTraits {
  readonly #stages = new Map<number, StageTraits>();

  add(stage: number, isBroken: boolean, traits: readonly OnlyWith[]): void {
    const counts = this.#stages.get(stage) ?? { judged: 0, broken: 0, traits: new Map() };
    this.#stages.set(stage, counts);
    counts.judged += 1;
    if (isBroken) counts.broken += 1;
    for (const trait of traits) {
      const own = counts.traits.get(trait) ?? { all: 0, broken: 0 };
      counts.traits.set(trait, own);
      own.all += 1;
      if (isBroken) own.broken += 1;
    }
  }

  /** Those that chance does not explain. */
  get shared(): readonly OnlyWith[] {
    const showing = [...this.#stages.values()].filter(({ broken }) => broken > 0);
    const broken = showing.reduce((sum, stage) => sum + stage.broken, 0);
    const right = showing.reduce((sum, stage) => sum + stage.judged - stage.broken, 0);
    if (broken < ENOUGH || right < ENOUGH) return [];
    return ONLY_WITH.filter(
      (trait) => showing.every((stage) => isOnJustTheBroken(trait, stage)) && chanceOf(trait, showing) < CHANCE,
    );
  }

  isOnAllBroken(trait: OnlyWith): boolean {
    return [...this.#stages.values()].every(({ broken, traits }) => (traits.get(trait)?.broken ?? 0) === broken);
  }
}

function isOnJustTheBroken(trait: OnlyWith, { broken, traits }: StageTraits): boolean {
  const own = traits.get(trait);
  return own?.broken === broken && own.all === broken;
}

/** A stage in which every answer is broken says nothing. What lasts and begins at any moment has one chance a moment. */
function chanceOf(trait: OnlyWith, stages: readonly StageTraits[]): number {
  return stages.reduce((chance, { judged, broken }) => {
    if (broken === judged) return chance;
    return chance * (LASTING.has(trait) ? 1 / judged : chanceOfDrawing(broken, judged));
  }, 1);
}

/** Just these, of all sets of so many. */
function chanceOfDrawing(broken: number, judged: number): number {
  let chance = 1;
  for (let drawn = 0; drawn < broken; drawn++) chance *= (broken - drawn) / (judged - drawn);
  return chance;
}
