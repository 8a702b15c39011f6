/** Explores a gateway with many faults, and compares what is told with what each fault shows alone. */
import type { DrawCause } from '../../src/gather/explore/cause.ts';
import { pair } from '../../src/gather/explore/cause.ts';
import type { Draw } from '../../src/gather/explore/drawn-request.ts';
import { type ExploreHooks, runExplore } from '../../src/gather/explore/run-explore.ts';
import type { ExploreResult } from '../../src/gather/explore/report-on-explore.ts';
import { symptomFinder } from '../../src/gather/explore/symptoms.ts';
import { exchangesOf } from '../../src/gather/explore/ask-again.ts';
import type { Fault } from '../../src/gateway/index.ts';
import { withGateway } from '../in-memory.ts';
import { exploreSettings } from './try-explore.ts';
import { needlessParts } from './needless-parts.ts';

const NO_LIMIT = 100_000;

export async function tryCrowd(faults: Readonly<Record<string, Fault>>, seed: number, requests = 300, shrink = 1000) {
  const run = (
    modifiers: readonly Fault[],
    look?: ExploreHooks['look'],
    drawn = requests,
    most = shrink,
  ): Promise<ExploreResult> =>
    withGateway({ modifiers, eventGapMs: 0 }, true, ({ baseUrl, keys, hooks }) => {
      const usual = exploreSettings(baseUrl, seed, drawn);
      const { maxCompletions: _most, ...settings } = usual;
      const explore = { requests: drawn, completions: drawn === 0 ? 0 : 295, shrinkCompletions: most };
      return runExplore({ ...settings, explore }, { full: keys.full }, { ...hooks, ...(look && { look }) });
    });
  const began = performance.now();
  const all = Object.values(faults);
  const { causes, report } = await run(all);
  const took = performance.now() - began;
  const needless = await needlessParts(causes, (look) => run(all, look, 0, NO_LIMIT));
  const shownBy = new Map<string, { draws: Set<number>; causes: Set<DrawCause> }>();
  for (const [id, fault] of Object.entries(faults)) {
    const draws = new Set<number>();
    const own = new Set<DrawCause>();
    await run(
      [fault],
      async (made, traffic, settings, { ask, ends }) => {
        const symptomsOf = symptomFinder(made.plan, traffic, settings, ends);
        const find = exchangesOf(traffic, settings);
        for (const draw of made.draws)
          if (symptomsOf(pair(draw, find(draw, {}) ?? [])).length > 0) draws.add(draw.number);
        let number = 0;
        for (const cause of causes) {
          const smallest: Draw = cause.smallest;
          const exchanges = await ask(smallest, 'smaller', (number += 1) + 1000);
          if (exchanges && symptomsOf(pair(smallest, exchanges)).some(({ key }) => key === cause.symptoms[0].key))
            own.add(cause);
        }
      },
      requests,
      NO_LIMIT,
    );
    shownBy.set(id, { draws, causes: own });
  }
  return { causes, report, needless, shownBy, took };
}
