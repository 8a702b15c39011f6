/** Repeats steps until a rare fault would be seen (`--detect`). Each request serves as many clauses as it can. */
import type { Contract } from '../contract/contract.ts';
import type { Settings } from '../settings.ts';
import { type Case, isSelection, type Selection } from '../suite/case.ts';
import type { TraitsOfChecks } from './check-traits.ts';
import { leastCost, mostCost, sumCosts } from './cost.ts';
import { countAnswersNeeded, EVERY_ANSWER, makeEditNames } from './detection.ts';
import { MAY_BE_SELECTED } from './feeding.ts';
import { type Pack, packSteps } from './pack-samples.ts';
import type { Cost, Plan, Step } from './plan.ts';

export function addSamples(plan: Plan, contract: Contract, settings: Settings, checks: TraitsOfChecks): Plan {
  const needed = countAnswersNeeded(settings.detect);
  if (needed <= 1) return plan;
  const samples = new Map<string, number>(plan.steps.map(({ id }) => [id, 1]));
  for (const group of groupsOf(plan, contract, settings, checks)) fillGroup(group, samples, needed);
  const full = new Set([...samples].flatMap(([id, times]) => (times >= needed ? [id] : [])));
  const packs = packSteps(plan, full, settings, checks);
  const packOf = new Map(packs.flatMap(({ step, members }) => members.map((id) => [id, step.id] as const)));
  const own = plan.steps.map((step) =>
    step.repeat
      ? withRepetitions(step, step.repeat, needed, settings)
      : withSamples(step, timesOf(step, samples), packOf),
  );
  const steps = withPacks(own, packs, needed);
  return {
    ...plan,
    steps,
    stepsOf: Object.fromEntries(
      Object.entries(plan.stepsOf).map(([id, ids]) => [
        id,
        [...ids.flatMap((stepId) => packOf.get(stepId) ?? []), ...ids],
      ]),
    ),
    least: sumCosts(steps.map(({ least }) => least)),
    most: sumCosts(steps.map(({ most }) => most)),
  };
}

/** The steps whose answers count together. */
type Group = readonly Step[];

/** Groups with the fewest steps first. Those of all answers come last, and mostly have enough by then. */
function groupsOf(plan: Plan, contract: Contract, settings: Settings, checks: TraitsOfChecks): readonly Group[] {
  const isCounted = (clause: string): boolean => {
    const level = contract.clause(clause)?.level;
    return level === 'must' || (settings.strict && level === 'should');
  };
  const left = new Set([...plan.omissions.map((omission) => omission.case), ...plan.partial]);
  const nameEdit = makeEditNames(plan, checks);
  const groups = new Map<string, Set<Step>>();
  for (const testCase of plan.cases) {
    if (left.has(testCase.id)) continue;
    for (const { clause } of testCase.expect) {
      const edit = isCounted(clause) ? nameEdit(testCase, clause) : undefined;
      if (edit === undefined) continue;
      for (const { name, steps } of servingSteps(testCase, clause, edit, plan)) {
        const key = JSON.stringify([name, clause]);
        const group = groups.get(key) ?? new Set<Step>();
        for (const step of steps) group.add(step);
        groups.set(key, group);
      }
    }
  }
  const isOverall = (key: string): number => Number((JSON.parse(key) as readonly string[])[0] === EVERY_ANSWER);
  return [...groups]
    .toSorted(([a, first], [b, other]) => isOverall(a) - isOverall(b) || first.size - other.size)
    .map(([, steps]) => [...steps]);
}

interface Serving {
  readonly name: string;
  readonly steps: readonly Step[];
}

function servingSteps(testCase: Case, clause: string, edit: string, plan: Plan): readonly Serving[] {
  const own = stepsNamed(plan.stepsOf[testCase.id] ?? [], plan);
  // Each model of the sample is asked as often as any other edit.
  if (testCase.ask?.sample) return own.map((step) => ({ name: `${edit} ${step.id}`, steps: [step] }));
  if (testCase.ask) return [{ name: edit, steps: own }];
  // A list is free, so that each kind of request for one counts on its own.
  const lists = testCase.over.includes('lists') ? plan.steps.filter(isListOfFullKey) : [];
  const steps = testCase.over.flatMap((name): readonly Step[] =>
    isSelection(name)
      ? plan.steps.filter((step) => isExpectedIn(name, step, clause))
      : stepsNamed(plan.stepsOf[name] ?? [], plan),
  );
  return [{ name: edit, steps }, ...lists.map((step) => ({ name: `${edit} ${step.id}`, steps: [step] }))];
}

function isListOfFullKey({ template, seeks, when }: Step): boolean {
  return template.key === 'full' && !when && MAY_BE_SELECTED.lists(template, seeks);
}

/** A step that is sent on a condition is answered for by the step of that condition, where that one suffices. */
function stepsNamed(ids: readonly string[], { steps }: Plan): readonly Step[] {
  return steps.filter(({ id, when }) => ids.includes(id) && !when);
}

/** Whether a conforming target's answer belongs to the selection, and says something about the clause. */
function isExpectedIn(name: Selection, { template, seeks, when, sampled }: Step, clause: string): boolean {
  if (when || sampled !== undefined) return false;
  if (clause.startsWith('errors.')) return seeks === 'refusal' || seeks === 'unauthorized';
  return MAY_BE_SELECTED[name](template, seeks) && (name === '*' || seeks === 'answer');
}

/** The cheapest first, and each as often as the others. */
function fillGroup(group: Group, samples: Map<string, number>, needed: number): void {
  const timesOfStep = ({ id }: Step): number => samples.get(id) ?? 1;
  const cheapest = Math.min(...group.map(({ least }) => least.completions));
  const cheap = group.filter(({ least }) => least.completions === cheapest);
  for (;;) {
    const answers = group.reduce((sum, step) => sum + timesOfStep(step), 0);
    const [next] = cheap.toSorted((a, b) => timesOfStep(a) - timesOfStep(b));
    if (!next || answers >= needed) return;
    samples.set(next.id, timesOfStep(next) + 1);
  }
}

/** A step on a condition goes along with the step that decides. */
function timesOf({ id, when, wave }: Step, samples: ReadonlyMap<string, number>): number {
  if (!when || wave === 'list' || wave === 'control') return samples.get(id) ?? 1;
  // The size at which a body is refused is found once.
  return when.kind === 'taken' ? 1 : (samples.get(when.step) ?? 1);
}

/** At once, since a limit may not last until the next round. Beyond the limit, answers are free. */
function withRepetitions(step: Step, repeat: NonNullable<Step['repeat']>, needed: number, settings: Settings): Step {
  const more = { ...step, repeat: { ...repeat, more: needed - 1 } };
  return { ...more, least: leastCost(more), most: mostCost(more, settings) };
}

function withSamples(step: Step, times: number, packOf: ReadonlyMap<string, string>): Step {
  if (times === 1) return step;
  // If a pack is refused, its members are sent after it, and for longer.
  const packedIn = packOf.get(step.id);
  if (packedIn !== undefined) {
    const needs = [...step.needs, packedIn];
    return { ...step, samples: times, packedIn, needs, most: scale(step.most, 1 + 2 * times) };
  }
  const isLater = step.when !== undefined && packOf.has(step.when.step);
  const most = scale(step.most, isLater ? 1 + 2 * times : times);
  return { ...step, samples: times, least: scale(step.least, times), most };
}

/** Before the first of their wave. */
function withPacks(steps: readonly Step[], packs: readonly Pack[], needed: number): readonly Step[] {
  const added = packs.map(({ step }) => {
    const { least, most } = step;
    return { ...step, samples: needed, least: scale(least, needed - 1), most: scale(most, needed - 1) };
  });
  const first = steps.findIndex(({ wave }) => wave === added[0]?.wave);
  return first === -1 ? steps : [...steps.slice(0, first), ...added, ...steps.slice(first)];
}

function scale({ requests, completions, tokens }: Cost, times: number): Cost {
  return { requests: requests * times, completions: completions * times, tokens: tokens * times };
}
