/** What an exploration sends: the controls, then the draws. It depends on nothing but the settings. */
import type { Contract } from '../contract/contract.ts';
import { contractOf } from '../contract/profile/apply-profile.ts';
import { sumCosts } from '../plan/cost.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Plan } from '../plan/plan.ts';
import type { Settings } from '../settings.ts';
import { type Case, isSelection } from '../suite/case.ts';
import { loadRequests } from '../suite/load-requests.ts';
import { loadSuites } from '../suite/load-suites.ts';
import { CHECKS } from '../verdict/checks/index.ts';
import type { Draw } from './drawn-request.ts';
import { STREAM_CONTROL, stepsOf } from './draw-steps.ts';
import { makeDraws } from './make-draws.ts';
import { followPath, numberIn } from './path.ts';

export interface ExplorePlan {
  readonly draws: readonly Draw[];
  /** Without the cases of the draws, which depend on the answers. */
  readonly plan: Plan;
}

/** The plain request and the stream that drawn requests are compared with. */
const CONTROLS = ['chat/reply', STREAM_CONTROL, 'chat/reply-again'];

export function planExplore(settings: Settings): ExplorePlan {
  const contract = contractOf(settings);
  const suites = loadSuites([], contract);
  const requests = loadRequests(contract);
  const controls = makePlan({ suites, requests, checks: CHECKS }, { ...settings, only: CONTROLS, skip: [] }, []);
  const draws = drawsOf(settings, contract);
  const drawn = draws.flatMap((draw) => stepsOf(draw, { contract, settings }));
  const own = controls.cases.filter(({ id }) => CONTROLS.includes(id));
  const steps = [...controls.steps, ...drawn];
  return {
    draws,
    plan: {
      ...controls,
      cases: [...own, ...casesOverAll(suites.flatMap(({ cases }) => cases))],
      partial: [],
      steps,
      least: sumCosts(steps.map(({ least }) => least)),
      most: sumCosts(steps.map(({ most }) => most)),
    },
  };
}

function drawsOf({ seed, explore }: Settings, contract: Contract): readonly Draw[] {
  const { requests = 0, completions = 0, path } = explore ?? {};
  if (path === undefined) return makeDraws(contract, { seed, requests, completions });
  // A longer list begins with the shorter one, so that nobody has to know how long it was.
  const number = numberIn(path);
  return [
    followPath(makeDraws(contract, { seed, requests: Infinity, completions: Infinity, draws: number }), path, contract),
  ];
}

/** The cases that judge every answer, whatever was asked. */
export function casesOverAll(cases: readonly Case[]): readonly Case[] {
  return cases.filter(({ over, ask }) => !ask && over.length > 0 && over.every(isSelection));
}
