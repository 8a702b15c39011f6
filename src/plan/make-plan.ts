/** From cases to a graph of steps: equal requests are asked once, controls and their fallbacks come first. */
import type { Settings } from '../settings.ts';
import type { Ask, Case, ExtraKey, Prerequisite, Suite } from '../suite/case.ts';
import type { BaseRequests } from '../suite/load-requests.ts';
import { applyEdits } from './apply-edits.ts';
import { leastCost, mostCost, sumCosts } from './cost.ts';
import { type Omission, type Plan, type RequestTemplate, type Seeks, type Step, type Wave, WAVES } from './plan.ts';
import { selects } from './select.ts';

/** Steps that the order of asking needs whether or not a case asks for them. */
export const LIST_STEP = 'models';
export const CONTROL_STEP = 'chat';
/** The control without `max_tokens`: the fallback where a bound on tokens is refused. */
export const BARE_CONTROL_STEP = 'chat-bare';
/** Whether a refused key would have been taken without its scheme. */
export const BARE_KEY_STEP = 'bare-key';
export const BRIEF_STEP = 'parameters/max-tokens-minimum';
export const RESTRICTED_LIST_STEP = 'auth/restricted-list';

export function makePlan(
  suites: readonly Suite[],
  requests: BaseRequests,
  settings: Settings,
  extraKeys: readonly ExtraKey[],
): Plan {
  const all = suites.flatMap(({ cases }) => cases);
  const chosen = all.filter(({ id }) => selects(settings, id));
  const omissions = chosen.flatMap((one): Omission[] => {
    const missing = one.needs.filter((need) => !isGiven(need, settings, extraKeys));
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

function isGiven(need: Prerequisite, settings: Settings, extraKeys: readonly ExtraKey[]): boolean {
  const given: Record<Prerequisite, boolean> = {
    'restricted-key': extraKeys.includes('restricted'),
    'exhausted-key': extraKeys.includes('exhausted'),
    'limited-key': extraKeys.includes('limited'),
    'forbidden-model': settings.forbiddenModel !== undefined,
    openapi: settings.openapi !== undefined,
  };
  return given[need];
}

interface Draft {
  readonly cases: ReadonlyMap<string, Case>;
  readonly requests: BaseRequests;
  readonly settings: Settings;
  readonly steps: Map<string, Step>;
  /** For each case: the steps whose exchange may answer it, and those of them that nobody else asked for. */
  readonly stepsOf: Record<string, readonly string[]>;
  readonly ownSteps: Map<string, readonly string[]>;
  /** Step ids by what they send, so that equal requests are sent once. */
  readonly byRequest: Map<string, string>;
}

function makeSteps(
  asked: readonly Case[],
  cases: ReadonlyMap<string, Case>,
  requests: BaseRequests,
  settings: Settings,
): Pick<Plan, 'steps' | 'stepsOf'> {
  const draft: Draft = {
    cases,
    requests,
    settings,
    steps: new Map(),
    stepsOf: {},
    ownSteps: new Map(),
    byRequest: new Map(),
  };
  addControls(draft, [...asked, ...lookedOver(asked, cases)]);
  for (const one of [...asked, ...lookedOver(asked, cases)]) addCase(draft, one);
  const order = [...draft.steps.values()].toSorted((a, b) => WAVES.indexOf(a.wave) - WAVES.indexOf(b.wave));
  return { steps: order, stepsOf: draft.stepsOf };
}

/** Cases that others look at are asked as well, even where the user did not select them. */
function lookedOver(asked: readonly Case[], cases: ReadonlyMap<string, Case>): readonly Case[] {
  return asked.flatMap(({ over }) => over.flatMap((name) => cases.get(name) ?? []));
}

/** The list shows whether the key and the address are right, so it is always asked; the others only where a case rests on them. */
function addControls(draft: Draft, asked: readonly Case[]): void {
  addBase(draft, LIST_STEP);
  const bareKey = applyEdits(baseOf(draft, LIST_STEP), [{ kind: 'key', use: 'bare' }]);
  const refused = { kind: 'status', step: LIST_STEP, status: 401 } as const;
  addStep(draft, {
    id: BARE_KEY_STEP,
    wave: 'list',
    template: bareKey,
    seeks: 'any',
    when: refused,
    needs: [LIST_STEP],
  });
  if (!asked.some((one) => one.ask && applyEdits(one.ask.base, one.ask.edits, one).endpoint === 'chat')) return;
  addBase(draft, CONTROL_STEP);
  const bare = applyEdits(baseOf(draft, CONTROL_STEP), [{ kind: 'remove', pointer: '/max_tokens' }]);
  const unanswered = { kind: 'unanswered', step: CONTROL_STEP } as const;
  addStep(draft, {
    id: BARE_CONTROL_STEP,
    wave: 'control',
    template: bare,
    seeks: 'answer',
    when: unanswered,
    needs: [CONTROL_STEP],
  });
  // Before all cases, so that a case which asks for the same thing finds it.
  for (const { ask } of asked)
    if (ask?.control !== undefined && draft.requests.has(ask.control)) addBase(draft, ask.control);
}

function addBase(draft: Draft, name: string): void {
  const wave: Wave = name === LIST_STEP ? 'list' : name === CONTROL_STEP ? 'control' : 'positive';
  addPlain(draft, name, wave, applyEdits(baseOf(draft, name), []));
}

/** A step that any case may share which asks for the same thing. */
function addPlain(draft: Draft, id: string, wave: Wave, template: RequestTemplate): void {
  if (draft.steps.has(id)) return;
  addStep(draft, { id, wave, template, seeks: 'answer', needs: [] });
  draft.byRequest.set(identity(template, 'answer', undefined), id);
}

function baseOf({ requests }: Draft, name: string): Ask['base'] {
  const base = requests.get(name);
  if (!base) throw new Error(`suites/requests.yaml has no ${name}`);
  return base;
}

function addStep(draft: Draft, step: Omit<Step, 'least' | 'most'>): void {
  draft.steps.set(step.id, { ...step, least: leastCost(step), most: mostCost(step, draft.settings) });
}

/** Two cases share a step if they send the same for the same purpose. */
function identity(template: RequestTemplate, seeks: Seeks, extra: unknown): string {
  return JSON.stringify([template, seeks, extra]);
}

/** The steps of the case itself, without those of the cases that may stand for it. */
function addCase(draft: Draft, one: Case): readonly string[] {
  const known = draft.ownSteps.get(one.id);
  if (known) return known;
  const { ask } = one;
  if (!ask) return [];
  // What the case rests on is asked as well, even where the user did not select it.
  const rest = (id: string): readonly string[] => {
    const other = draft.cases.get(id);
    return other ? addCase(draft, other) : [];
  };
  const control = ask.control && (draft.cases.has(ask.control) ? rest(ask.control)[0] : ask.control);
  if (control !== undefined && draft.requests.has(control)) addBase(draft, control);
  if (ask.basis !== undefined) rest(ask.basis);
  const cover = ask.coveredBy === undefined ? [] : rest(ask.coveredBy);
  const first = ask.confirms === undefined ? [] : rest(ask.confirms);
  const own = ask.sample
    ? addSample(draft, one, ask)
    : [addOwn(draft, one, ask, { control, cover: cover[0], confirms: first[0] })];
  draft.ownSteps.set(one.id, own);
  // Where max_tokens is refused altogether, the bare control stands for the plain one.
  draft.stepsOf[one.id] = own[0] === CONTROL_STEP ? [CONTROL_STEP, BARE_CONTROL_STEP] : [...first, ...cover, ...own];
  return own;
}

interface RestsOn {
  readonly control: string | undefined;
  readonly cover: string | undefined;
  readonly confirms: string | undefined;
}

function addOwn(draft: Draft, one: Case, ask: Ask, on: RestsOn): string {
  const template = applyEdits(ask.base, ask.edits, one);
  const seeks = seeksOf(one, ask, template);
  const wave = waveOf(ask, template);
  const same = identity(template, seeks, [on.control, on.cover, on.confirms, ask.repeat, wave === 'closing']);
  const isPlain = wave !== 'closing' && !ask.repeat;
  const shared =
    draft.byRequest.get(same) ?? (isPlain ? draft.byRequest.get(identity(template, seeks, undefined)) : undefined);
  if (shared !== undefined) return shared;
  const when = on.cover
    ? ({ kind: 'unanswered', step: on.cover } as const)
    : on.confirms
      ? ({ kind: 'looksFake', step: on.confirms } as const)
      : undefined;
  addStep(draft, {
    id: one.id,
    wave,
    template,
    seeks,
    ...(on.control !== undefined && { control: on.control }),
    ...(when && { when }),
    ...(ask.repeat && { repeat: ask.repeat }),
    needs: [...(on.cover === undefined ? [] : [on.cover]), ...addSources(draft, template)],
  });
  draft.byRequest.set(same, one.id);
  return one.id;
}

/** Where the values of a request come from other answers, those are asked for first, whether or not their cases were selected. */
function addSources(draft: Draft, { body }: RequestTemplate): readonly string[] {
  const text = JSON.stringify(body ?? null);
  const sources: string[] = [];
  if (text.includes('${briefTokens}')) {
    const one = applyEdits(baseOf(draft, CONTROL_STEP), [{ kind: 'set', pointer: '/max_tokens', value: 1 }]);
    addPlain(draft, BRIEF_STEP, 'positive', one);
    sources.push(BRIEF_STEP);
  }
  if (text.includes('${restrictedModel}')) {
    const list = applyEdits(baseOf(draft, LIST_STEP), [{ kind: 'key', use: 'restricted' }]);
    addPlain(draft, RESTRICTED_LIST_STEP, 'positive', list);
    sources.push(RESTRICTED_LIST_STEP);
  }
  return sources;
}

/** Each sampled model once, and once more after a 403: one of them may be an accident. */
function addSample(draft: Draft, one: Case, ask: Ask): readonly string[] {
  const template = applyEdits(ask.base, ask.edits, one);
  const needs = addSources(draft, template);
  return Array.from({ length: draft.settings.modelsSample }, (_, place) => {
    const first = `${one.id}#${place + 1}`;
    const again = `${first}-again`;
    const when = { kind: 'status', step: first, status: 403 } as const;
    const common = { wave: 'positive', template, seeks: 'answer', sampled: place } as const;
    addStep(draft, { ...common, id: first, needs });
    addStep(draft, { ...common, id: again, when, needs: [first] });
    return [first, again];
  }).flat();
}

/** `answer` unless the case edits a control. An extra key that has to be refused takes whatever comes. */
function seeksOf(one: Case, ask: Ask, template: RequestTemplate): Seeks {
  if (template.key === 'exhausted' || template.key === 'limited' || template.endpoint === 'other') return 'any';
  if (ask.control === undefined) return 'answer';
  const checks = one.expect.map(({ check }) => check);
  if (checks.includes('unauthorized')) return 'unauthorized';
  return checks.includes('refused') ? 'refusal' : 'either';
}

function waveOf(ask: Ask, template: RequestTemplate): Wave {
  if (ask.closing || ask.confirms !== undefined) return 'closing';
  if (template.key === 'restricted') return 'positive';
  if (template.key !== 'full') return 'credential';
  if (ask.control === undefined) return 'positive';
  return ask.edits.some(({ kind }) => kind === 'raw' || kind === 'remove') ? 'malformed' : 'edit';
}
