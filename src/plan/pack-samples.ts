/**
 * Combines valid requests for the rounds after the first: an answer shows that each of their edits is accepted. If it is
 * refused, they are sent one by one again.
 */
import type { Settings } from '../settings.ts';
import type { BaseRequest, Edit } from '../suite/case.ts';
import { applyEdits } from './apply-edits.ts';
import type { TraitsOfChecks } from './check-traits.ts';
import { boundOf } from './classify-step.ts';
import { leastCost, mostCost } from './cost.ts';
import type { Plan, Step } from './plan.ts';

export interface Pack {
  readonly step: Step;
  readonly members: readonly string[];
}

/** `ids`: the steps that need as many samples as any other. */
export function packSteps(
  plan: Plan,
  ids: ReadonlySet<string>,
  settings: Settings,
  checks: TraitsOfChecks,
): readonly Pack[] {
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
function baseOf(
  { id, wave, seeks, when, template, sampled, repeat }: Step,
  plan: Plan,
  checks: TraitsOfChecks,
): BaseRequest | undefined {
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

function slotNames(edit: Edit): readonly string[] | undefined {
  switch (edit.kind) {
    case 'set':
    case 'rawNumber': {
      const field = edit.pointer.split('/').slice(0, 2).join('/');
      return EITHER_OR.includes(field) ? [...EITHER_OR] : [field];
    }
    case 'spelling':
      return ['spelling'];
    case 'header':
      // What `Accept` asks for shows only if the body does not say whether to stream.
      return edit.name.toLowerCase() === 'accept' ? ['accept', '/stream'] : [edit.name.toLowerCase()];
    case 'add':
    case 'remove':
    case 'raw':
    case 'key':
    case 'method':
    case 'path':
    case 'query':
      return undefined;
  }
}

function canJoin(slots: Slots, others: Slots): boolean {
  return [...slots].every(([slot, edits]) => {
    const other = others.get(slot);
    return other === undefined || JSON.stringify(other) === JSON.stringify(edits);
  });
}

function packOf({ base, slots, members }: Draft, settings: Settings): Pack {
  const [name = ''] = members;
  const edits = [...new Map([...slots.values()].flat().map((edit) => [JSON.stringify(edit), edit])).values()];
  const template = applyEdits(base, edits);
  const planned = {
    id: `${name}#together`,
    name,
    wave: 'positive',
    template,
    edits,
    seeks: 'answer',
    needs: [],
    firstRound: 2,
    bound: boundOf(template),
  } as const;
  return { step: { ...planned, least: leastCost(planned), most: mostCost(planned, settings) }, members };
}
