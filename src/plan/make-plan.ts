/** From cases to a graph of steps: equal requests are asked once, controls and their fallbacks come first. */
import type { Settings } from '../settings.ts';
import type { Ask, Case, LentKey, Prerequisite, Suite } from '../suite/case.ts';
import type { BaseRequests } from '../suite/load-requests.ts';
import { applyEdits } from './apply-edits.ts';
import { leastCost, mostCost, sumCosts } from './cost.ts';
import type { Omission, Plan, RequestTemplate, Seeks, Step, Wave } from './plan.ts';
import { WAVES } from './plan.ts';
import { selects } from './select.ts';

/** What the user lent beyond the one key. */
export interface Lent {
  readonly keys: readonly LentKey[];
}

/** Steps that the order of asking needs whether or not a case asks for them. */
export const LIST_STEP = 'models';
export const CONTROL_STEP = 'chat';
/** The control without `max_tokens`: the fallback where a bound on tokens is refused. */
export const BARE_CONTROL_STEP = 'chat-bare';
/** Whether a refused key would have been taken without its scheme. */
export const BARE_KEY_STEP = 'bare-key';
export const BRIEF_STEP = 'parameters/max-tokens-minimum';
export const RESTRICTED_LIST_STEP = 'auth/restricted-list';

export function makePlan(suites: readonly Suite[], requests: BaseRequests, settings: Settings, lent: Lent): Plan {
  const all = suites.flatMap(({ cases }) => cases);
  const chosen = all.filter(({ id }) => selects(settings, id));
  const omissions = chosen.flatMap((one): Omission[] => {
    const missing = one.needs.filter((need) => !isGiven(need, settings, lent));
    return missing.length > 0 ? [{ case: one.id, reason: 'needs what was not given', needs: missing }] : [];
  });
  const omitted = new Set(omissions.map((omission) => omission.case));
  const asked = chosen.filter(({ id }) => !omitted.has(id));
  const { steps, stepsOf } = makeSteps(asked, new Map(all.map((one) => [one.id, one])), requests, settings);
  return {
    cases: chosen,
    steps,
    stepsOf,
    omissions,
    least: sumCosts(steps.map(({ least }) => least)),
    most: sumCosts(steps.map(({ most }) => most)),
  };
}

function isGiven(need: Prerequisite, settings: Settings, { keys }: Lent): boolean {
  const given: Record<Prerequisite, boolean> = {
    'restricted-key': keys.includes('restricted'),
    'exhausted-key': keys.includes('exhausted'),
    'limited-key': keys.includes('limited'),
    'forbidden-model': settings.forbiddenModel !== undefined,
    openapi: settings.openapi !== undefined,
  };
  return given[need];
}

interface Draft {
  readonly steps: Map<string, Step>;
  readonly stepsOf: Record<string, readonly string[]>;
  /** Step ids by what they send, so that equal requests are sent once. */
  readonly byRequest: Map<string, string>;
}

function makeSteps(
  asked: readonly Case[],
  cases: ReadonlyMap<string, Case>,
  requests: BaseRequests,
  settings: Settings,
): Pick<Plan, 'steps' | 'stepsOf'> {
  const draft: Draft = { steps: new Map(), stepsOf: {}, byRequest: new Map() };
  addControls(draft, asked, requests, settings);
  for (const one of asked) addCase(draft, one, cases, requests, settings);
  const order = [...draft.steps.values()].sort((a, b) => WAVES.indexOf(a.wave) - WAVES.indexOf(b.wave));
  return { steps: order, stepsOf: draft.stepsOf };
}

/** The list shows whether the key and the address are right, so it is always asked; the control only where a case rests on it. */
function addControls(draft: Draft, asked: readonly Case[], requests: BaseRequests, settings: Settings): void {
  addBase(draft, LIST_STEP, requests, settings);
  const bareKey = applyEdits(baseOf(requests, LIST_STEP), [{ kind: 'key', use: 'bare' }]);
  const refused = { kind: 'status', step: LIST_STEP, status: 401 } as const;
  addStep(draft, { id: BARE_KEY_STEP, wave: 'list', template: bareKey, seeks: 'any', when: refused, needs: [LIST_STEP] }, settings);
  if (!asked.some(({ ask }) => ask && applyEdits(ask.base, ask.edits).endpoint === 'chat')) return;
  addBase(draft, CONTROL_STEP, requests, settings);
  const bare = applyEdits(baseOf(requests, CONTROL_STEP), [{ kind: 'remove', pointer: '/max_tokens' }]);
  const unanswered = { kind: 'unanswered', step: CONTROL_STEP } as const;
  addStep(draft, { id: BARE_CONTROL_STEP, wave: 'control', template: bare, seeks: 'answer', when: unanswered, needs: [CONTROL_STEP] }, settings);
}

function addBase(draft: Draft, name: string, requests: BaseRequests, settings: Settings): void {
  if (draft.steps.has(name)) return;
  const wave: Wave = name === LIST_STEP ? 'list' : name === CONTROL_STEP ? 'control' : 'positive';
  const template = applyEdits(baseOf(requests, name), []);
  addStep(draft, { id: name, wave, template, seeks: 'answer', needs: [] }, settings);
  draft.byRequest.set(identity(template, 'answer', undefined), name);
}

function baseOf(requests: BaseRequests, name: string): Ask['base'] {
  const base = requests.get(name);
  if (!base) throw new Error(`suites/requests.yaml has no ${name}`);
  return base;
}

function addStep(draft: Draft, step: Omit<Step, 'least' | 'most'>, settings: Settings): void {
  draft.steps.set(step.id, { ...step, least: leastCost(step), most: mostCost(step, settings) });
}

/** Two cases share a step if they send the same for the same purpose. */
function identity(template: RequestTemplate, seeks: Seeks, extra: unknown): string {
  return JSON.stringify([template, seeks, extra]);
}

function addCase(
  draft: Draft,
  one: Case,
  cases: ReadonlyMap<string, Case>,
  requests: BaseRequests,
  settings: Settings,
): readonly string[] {
  const known = draft.stepsOf[one.id];
  if (known) return known;
  const { ask } = one;
  if (!ask) return [];
  // What the case rests on is asked as well, even where the user did not select it.
  const rest = (id: string): readonly string[] => {
    const other = cases.get(id);
    return other ? addCase(draft, other, cases, requests, settings) : [];
  };
  const control = ask.control && (cases.has(ask.control) ? rest(ask.control)[0] : ask.control);
  if (control !== undefined && requests.has(control)) addBase(draft, control, requests, settings);
  if (ask.basis !== undefined) rest(ask.basis);
  const cover = ask.coveredBy === undefined ? [] : rest(ask.coveredBy);
  const first = ask.confirms === undefined ? [] : rest(ask.confirms);
  const own = ask.sample
    ? addSample(draft, one.id, ask, settings)
    : [addOwn(draft, one, ask, { control, cover: cover[0], confirms: first[0] }, settings)];
  const steps = [...first, ...cover, ...own];
  // Where max_tokens is refused altogether, the bare control stands for the plain one.
  const all = own[0] === CONTROL_STEP ? [CONTROL_STEP, BARE_CONTROL_STEP] : steps;
  draft.stepsOf[one.id] = all;
  return own;
}

function addOwn(
  draft: Draft,
  one: Case,
  ask: Ask,
  on: { readonly control: string | undefined; readonly cover: string | undefined; readonly confirms: string | undefined },
  settings: Settings,
): string {
  const template = applyEdits(ask.base, ask.edits);
  const seeks = seeksOf(one, ask, template);
  const wave = waveOf(ask, template);
  const same = identity(template, seeks, [on.control, on.cover, on.confirms, ask.repeat, wave === 'closing']);
  const plain = identity(template, seeks, undefined);
  const shared = draft.byRequest.get(same) ?? (wave === 'closing' || on.confirms ? undefined : draft.byRequest.get(plain));
  if (shared !== undefined) return shared;
  const when = on.cover
    ? ({ kind: 'unanswered', step: on.cover } as const)
    : on.confirms
      ? ({ kind: 'looksFake', step: on.confirms } as const)
      : undefined;
  const usesBrief = JSON.stringify(template.body ?? null).includes('${briefTokens}');
  const usesRestrictedList = JSON.stringify(template.body ?? null).includes('${restrictedModel}');
  addStep(
    draft,
    {
      id: one.id,
      wave,
      template,
      seeks,
      ...(on.control !== undefined && { control: on.control }),
      ...(when && { when }),
      ...(ask.repeat && { repeat: ask.repeat }),
      needs: [
        ...(on.cover === undefined ? [] : [on.cover]),
        ...(usesBrief ? [BRIEF_STEP] : []),
        ...(usesRestrictedList ? [RESTRICTED_LIST_STEP] : []),
      ],
    },
    settings,
  );
  draft.byRequest.set(same, one.id);
  return one.id;
}

/** Each sampled model once, and once more after a 403: one of them may be an accident. */
function addSample(draft: Draft, id: string, ask: Ask, settings: Settings): readonly string[] {
  const template = applyEdits(ask.base, ask.edits);
  return Array.from({ length: settings.modelsSample }, (_, place) => {
    const first = `${id}#${place + 1}`;
    const again = `${first}-again`;
    const when = { kind: 'status', step: first, status: 403 } as const;
    const common = { wave: 'positive', template, seeks: 'answer', sampled: place } as const;
    addStep(draft, { ...common, id: first, needs: [BRIEF_STEP] }, settings);
    addStep(draft, { ...common, id: again, when, needs: [first] }, settings);
    return [first, again];
  }).flat();
}

/** `answer` unless the case edits a control. A key that is lent to be refused gets whatever comes. */
function seeksOf(one: Case, ask: Ask, template: RequestTemplate): Seeks {
  if (template.key === 'exhausted' || template.key === 'limited' || template.endpoint === 'other') return 'any';
  if (ask.control === undefined) return 'answer';
  return one.expect.some(({ check }) => check === 'unauthorized') ? 'unauthorized' : 'refusal';
}

function waveOf(ask: Ask, template: RequestTemplate): Wave {
  if (ask.closing || ask.confirms !== undefined) return 'closing';
  if (template.key === 'restricted') return 'positive';
  if (template.key !== 'full') return 'credential';
  if (ask.control === undefined) return 'positive';
  return ask.edits.some(({ kind }) => kind === 'raw' || kind === 'remove') ? 'malformed' : 'edit';
}
