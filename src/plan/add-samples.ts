/** Repeats steps until a rare fault would be seen (`--detect`). Each request serves as many clauses as it can. */

import type { Contract } from '../contract/contract.ts';
import type { Settings } from '../settings.ts';
import { type BaseRequest, type Case, type Edit, isSelection, type Selection } from '../suite/case.ts';
import { applyEdits } from './apply-edits.ts';
import { boundOf, MAY_BE_SELECTED } from './make-steps.ts';
import { sumCosts, withCost } from './cost.ts';
import { type Cost, countAnswersNeeded, type Plan, type Step, type TraitsOfChecks } from './plan.ts';

export function addSamples(plan: Plan, contract: Contract, settings: Settings, checks: TraitsOfChecks): Plan {
  const needed = countAnswersNeeded(settings.detect);
  if (needed <= 1) return plan;
  const samples = new Map<string, number>(plan.steps.map(({ id }) => [id, 1]));
  for (const group of groupsOf(plan, contract, settings, checks)) fillGroup(group, samples, needed);
  const full = new Set([...samples].flatMap(([id, times]) => (times >= needed ? [id] : [])));
  const packs = packSteps(plan, full, settings, checks);
  const packOf = new Map(packs.flatMap(({ step, members }) => members.map((id) => [id, step.id] as const)));
  // Repeats at once, since a limit may not last until the next round. Answers beyond the limit are free.
  const byId = new Map(plan.steps.map((step) => [step.id, step]));
  const own = plan.steps.map((step) =>
    step.repeat
      ? withCost({ ...step, repeat: { ...step.repeat, more: needed - 1 } }, settings)
      : withSamples(step, timesOf(step, samples, byId), packOf),
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

/**
 * The steps whose answers count together. Groups with the fewest steps come first. Those of all answers come last, and
 * mostly have enough by then.
 */
function groupsOf(plan: Plan, contract: Contract, settings: Settings, checks: TraitsOfChecks) {
  const isCounted = (clause: string): boolean => {
    const level = contract.clause(clause)?.level;
    return level === 'must' || (settings.strict && level === 'should');
  };
  const left = new Set([...plan.omissions.map((omission) => omission.case), ...plan.partial]);
  const nameEdit = makeEditNames(plan, checks);
  const groups = new Map<string, readonly Step[]>();
  for (const testCase of plan.cases) {
    if (left.has(testCase.id)) continue;
    for (const { clause } of testCase.expect) {
      const edit = isCounted(clause) ? nameEdit(testCase, clause) : undefined;
      if (edit === undefined) continue;
      for (const { name, steps } of servingSteps(testCase, clause, edit, plan)) {
        const key = JSON.stringify([name, clause]);
        groups.set(key, [...new Set([...(groups.get(key) ?? []), ...steps])]);
      }
    }
  }
  const isOverall = (key: string): number => Number((JSON.parse(key) as readonly string[])[0] === EVERY_ANSWER);
  return [...groups]
    .toSorted(([a, first], [b, other]) => isOverall(a) - isOverall(b) || first.length - other.length)
    .map(([, steps]) => steps);
}

/** The steps that serve an edit, by the name of their group. */
function servingSteps(testCase: Case, clause: string, edit: string, plan: Plan) {
  const own = stepsNamed(plan.stepsOf[testCase.id] ?? [], plan);
  // Each model of the sample is asked as often as any other edit.
  if (testCase.ask?.sample) return own.map((step) => ({ name: `${edit} ${step.id}`, steps: [step] }));
  if (testCase.ask) return [{ name: edit, steps: own }];
  // A list is free, so that each kind of request for one counts on its own.
  const isListOfFullKey = ({ template, seeks, when }: Step): boolean =>
    template.key === 'full' && !when && MAY_BE_SELECTED.lists(template, seeks);
  const lists = testCase.over.includes('lists') ? plan.steps.filter(isListOfFullKey) : [];
  const steps = testCase.over.flatMap((name): readonly Step[] =>
    isSelection(name)
      ? plan.steps.filter((step) => isExpectedIn(name, step, clause))
      : stepsNamed(plan.stepsOf[name] ?? [], plan),
  );
  return [{ name: edit, steps }, ...lists.map((step) => ({ name: `${edit} ${step.id}`, steps: [step] }))];
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
function fillGroup(group: readonly Step[], samples: Map<string, number>, needed: number): void {
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

/** A step on a condition goes along with the step that decides, which may have a condition of its own. */
function timesOf(
  { id, when, wave }: Step,
  samples: ReadonlyMap<string, number>,
  steps: ReadonlyMap<string, Step>,
): number {
  const decisive = when && steps.get(when.step);
  if (!decisive || wave === 'list' || wave === 'control') return samples.get(id) ?? 1;
  // The size at which a body is refused is found once, and what pages may read is set up once.
  return when.kind === 'taken' || when.kind === 'readable' ? 1 : timesOf(decisive, samples, steps);
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

/** The steps with those of the packs before the first of their wave. */
function withPacks(steps: readonly Step[], packs: readonly Pack[], needed: number): readonly Step[] {
  const more = needed - 1;
  const added = packs.map(({ step }) => {
    return { ...step, samples: needed, least: scale(step.least, more), most: scale(step.most, more) };
  });
  const first = steps.findIndex(({ wave }) => wave === added[0]?.wave);
  return first === -1 ? steps : [...steps.slice(0, first), ...added, ...steps.slice(first)];
}

function scale({ requests, completions, tokens }: Cost, times: number): Cost {
  return { requests: requests * times, completions: completions * times, tokens: tokens * times };
}

// Combines valid requests for the rounds after the first: an answer shows that each of their edits is accepted. If it is
// refused, they are sent one by one again.

type Pack = ReturnType<typeof packOf>;

/** `ids`: the steps that need as many samples as any other. */
export function packSteps(plan: Plan, ids: ReadonlySet<string>, settings: Settings, checks: TraitsOfChecks) {
  const drafts: Draft[] = [];
  for (const step of plan.steps) {
    const base = ids.has(step.id) ? baseOf(step, plan, checks) : undefined;
    const slots = base && slotsOf(step.edits ?? []);
    if (!base || !slots) continue;
    const draft = drafts.find((each) => each.base.name === base.name && canJoin(slots, each.slots));
    if (draft) {
      draft.members.push(step.id);
      for (const [slot, edits] of slots) draft.slots.set(slot, edits);
    } else drafts.push({ base, slots, members: [step.id] });
  }
  return drafts.filter(({ members }) => members.length > 1).map((draft) => packOf(draft, settings));
}

interface Draft {
  readonly base: BaseRequest;
  readonly slots: Slots;
  readonly members: string[];
}

/** The base of a request whose answer says nothing but that its edits are accepted; undefined for any other. */
function baseOf(step: Step, plan: Plan, checks: TraitsOfChecks): BaseRequest | undefined {
  const { id, wave, seeks, when, template, sampled, repeat } = step;
  if (wave !== 'positive' || seeks !== 'answer' || when || sampled !== undefined || repeat) return undefined;
  if (template.endpoint !== 'chat' || template.key !== 'full') return undefined;
  const judging = plan.cases.filter((testCase) => plan.stepsOf[testCase.id]?.at(-1) === id);
  const isIndependent = judging.every(({ expect }) => expect.every(({ check }) => checks[check]?.isIndependentOfEdits));
  return isIndependent ? judging[0]?.ask?.base : undefined;
}

/** Part of a request → the edits of it. */
type Slots = Map<string, readonly Edit[]>;

/** Undefined if there is nothing to combine, or an edit is of a kind that cannot be. */
function slotsOf(edits: readonly Edit[]): Slots | undefined {
  const slots: Slots = new Map();
  for (const edit of edits) {
    const names = slotNames(edit);
    if (!names) return undefined;
    for (const name of names) slots.set(name, [...(slots.get(name) ?? []), edit]);
  }
  return slots.size === 0 ? undefined : slots;
}

/** Whether they are accepted together is a question of its own, so that one of them alone stays alone. */
const EITHER_OR = ['/temperature', '/top_p'];

/** Undefined for an edit of a kind that cannot be combined. */
function slotNames(edit: Edit): readonly string[] | undefined {
  if (edit.kind === 'spelling') return ['spelling'];
  if (edit.kind === 'set' || edit.kind === 'rawNumber') {
    const field = edit.pointer.split('/').slice(0, 2).join('/');
    return EITHER_OR.includes(field) ? EITHER_OR : [field];
  }
  if (edit.kind !== 'header') return undefined;
  const name = edit.name.toLowerCase();
  // What `Accept` asks for shows only if the body does not say whether to stream.
  return name === 'accept' ? [name, '/stream'] : [name];
}

function canJoin(slots: Slots, others: Slots): boolean {
  return [...slots].every(([slot, edits]) => {
    const other = others.get(slot);
    return other === undefined || JSON.stringify(other) === JSON.stringify(edits);
  });
}

function packOf({ base, slots, members }: Draft, settings: Settings) {
  const [name = ''] = members;
  const edits = [...new Map([...slots.values()].flat().map((edit) => [JSON.stringify(edit), edit])).values()];
  const template = applyEdits(base, edits);
  const sent = { wave: 'positive', template, edits, seeks: 'answer', needs: [] } as const;
  const planned = { id: `${name}#together`, name, ...sent, firstRound: 2, bound: boundOf(template) };
  return { step: withCost(planned, settings), members };
}

// Which answers count together.

/** All answers of a run count together. */
export const EVERY_ANSWER = 'every answer';

/** Names the kind of request by which a case judges a clause; undefined where it judges the run as a whole. */
type NameEdit = (testCase: Case, clause: string) => string | undefined;

export function makeEditNames({ cases }: Pick<Plan, 'cases'>, checks: TraitsOfChecks): NameEdit {
  const overall = new Set(
    cases.filter(({ over }) => over.some(isSelection)).flatMap(({ expect }) => expect.map(({ clause }) => clause)),
  );
  return (testCase, clause) => {
    const { ask, over, id } = testCase;
    if (!ask) return over.length === 0 ? undefined : EVERY_ANSWER;
    if (ask.repeat) return undefined;
    const own = testCase.expect.filter((expectation) => expectation.clause === clause);
    if (own.some(({ check }) => checks[check]?.judgesEachRefusal)) return `${id.replace(/\[.*$/, '')} ${ask.control}`;
    // An error is judged as an error, whatever was asked.
    if (overall.has(clause) || clause.startsWith('errors.')) return EVERY_ANSWER;
    const side = clause.startsWith('limits.') && ask.control !== undefined ? sideOf(ask.edits.at(-1)) : undefined;
    if (side !== undefined) return `${ask.control} ${side}`;
    return JSON.stringify([ask.base.name, ask.edits]);
  };
}

/** The side of its limit on which an edit lies. Every lower limit of part 8 is 0 or 1, so zero and less is below. */
function sideOf(edit: Edit | undefined): string | undefined {
  if (edit?.kind !== 'set' && edit?.kind !== 'rawNumber') return undefined;
  const value = edit.kind === 'set' ? edit.value : Number(edit.text);
  if (typeof value !== 'number') return undefined;
  return `${edit.pointer} ${value <= 0 ? 'below' : 'above'}`;
}
