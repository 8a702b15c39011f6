/** Turns cases into a graph of steps: equal requests are sent once, controls and their fallbacks first. */

import type { Settings } from '../settings.ts';
import type { Ask, Case } from '../suite/case.ts';
import type { BaseRequests } from '../suite/load-requests.ts';
import { applyEdits } from './apply-edits.ts';
import { boundOf, isAnswerEnough, isAnswerWrong, type Purpose, seeksOf, waveOf } from './classify-step.ts';
import { leastCost, mostCost } from './cost.ts';
import type { Feeding } from './feeding.ts';
import { makeFiller, makeLargerFillers } from './filler.ts';
import {
  BARE_CONTROL_STEP,
  BARE_KEY_STEP,
  BRIEF_STEP,
  type Condition,
  CONTROL_STEP,
  type Idle,
  LIST_STEP,
  type Plan,
  type RequestTemplate,
  RESTRICTED_LIST_STEP,
  type Seeks,
  type Step,
  type TraitsOfChecks,
  type Wave,
  WAVES,
} from './plan.ts';

interface StepSources {
  readonly feeding: Feeding;
  /** All that were loaded, by their id. */
  readonly cases: ReadonlyMap<string, Case>;
  readonly requests: BaseRequests;
  readonly checks: TraitsOfChecks;
}

export function makeSteps(
  asked: readonly Case[],
  { feeding, cases, requests, checks }: StepSources,
  settings: Settings,
): Pick<Plan, 'steps' | 'stepsOf'> {
  const draft: StepDraft = {
    cases,
    requests,
    checks,
    settings,
    steps: new Map(),
    stepsOf: {},
    ownSteps: new Map(),
    byRequest: new Map(),
  };
  const sent = [...asked, ...casesLookedAt(asked, cases), ...feeding.cases];
  addControls(draft, sent, feeding.bases);
  for (const testCase of sent) addCase(draft, testCase);
  const order = [...draft.steps.values()].toSorted((a, b) => placeOf(a) - placeOf(b));
  return { steps: order, stepsOf: draft.stepsOf };
}

/** The last control comes after streams that confirm another one. */
function placeOf({ wave, when }: Step): number {
  return WAVES.indexOf(wave) + (wave === 'closing' && !when ? 1 : 0);
}

/** Cases that selected cases look at are also sent, even if they were not selected. */
function casesLookedAt(asked: readonly Case[], cases: ReadonlyMap<string, Case>): readonly Case[] {
  return asked.flatMap(({ over }) => over.flatMap((name) => cases.get(name) ?? []));
}

/** The model list shows whether key and base URL are right, so it is always sent. The chat controls are sent if a case needs them. */
function addControls(draft: StepDraft, asked: readonly Case[], bases: readonly string[]): void {
  addBase(draft, LIST_STEP);
  const bareKey = applyEdits(baseOf(draft, LIST_STEP), [{ kind: 'key', use: 'bare' }]);
  const refused = { kind: 'status', step: LIST_STEP, statuses: [401, 403] } as const;
  addStep(draft, {
    id: BARE_KEY_STEP,
    wave: 'list',
    template: bareKey,
    seeks: 'any',
    when: refused,
    needs: [LIST_STEP],
  });
  const templates = [
    ...asked.flatMap((testCase) => (testCase.ask ? [applyEdits(testCase.ask.base, testCase.ask.edits, testCase)] : [])),
    ...bases.map((name) => applyEdits(baseOf(draft, name), [])),
  ];
  if (!templates.some(({ endpoint }) => endpoint === 'chat')) return;
  addBase(draft, CONTROL_STEP);
  const edits = [{ kind: 'remove', pointer: '/max_tokens' }] as const;
  const bare = applyEdits(baseOf(draft, CONTROL_STEP), edits);
  const unanswered = { kind: 'unanswered', step: CONTROL_STEP } as const;
  addStep(draft, {
    id: BARE_CONTROL_STEP,
    wave: 'control',
    template: bare,
    edits,
    seeks: 'answer',
    when: unanswered,
    needs: [CONTROL_STEP],
  });
  // Added before the cases, so that a case with the same request shares the step.
  for (const { ask } of asked)
    if (ask?.control !== undefined && draft.requests.has(ask.control)) addBase(draft, ask.control);
  for (const name of bases) addBase(draft, name);
}

/** Returns the steps of the case itself, without those of cases whose answer covers it. */
function addCase(draft: StepDraft, testCase: Case): readonly string[] {
  const known = draft.ownSteps.get(testCase.id);
  if (known) return known;
  const { ask } = testCase;
  if (!ask) return [];
  // Cases that this one depends on are also sent, even if they were not selected.
  const addOther = (id: string | undefined): readonly string[] => {
    const other = id === undefined ? undefined : draft.cases.get(id);
    return other ? addCase(draft, other) : [];
  };
  const control = ask.control && (draft.cases.has(ask.control) ? addOther(ask.control)[0] : ask.control);
  if (control !== undefined && draft.requests.has(control)) addBase(draft, control);
  const [basis] = addOther(ask.basis);
  const cover = addOther(ask.coveredBy);
  const first = addOther(ask.confirms);
  const before = addOther(ask.unlessAnswered);
  const milder = addOther(ask.unlessRefused);
  const on = { control, basis, cover: cover[0], confirms: first[0], before, milder: milder[0] };
  const own = addSteps(draft, testCase, ask, on);
  draft.ownSteps.set(testCase.id, own);
  // The bare control takes the place of the control if max_tokens is refused.
  const covers = ask.coveredBy === undefined ? [] : (draft.stepsOf[ask.coveredBy] ?? cover);
  draft.stepsOf[testCase.id] =
    own[0] === CONTROL_STEP ? [CONTROL_STEP, BARE_CONTROL_STEP] : [...first, ...milder, ...covers, ...own];
  return own;
}

function addSteps(draft: StepDraft, testCase: Case, ask: Ask, on: Dependencies): readonly string[] {
  if (ask.sample) return addSample(draft, testCase, ask);
  if (ask.parallel) return addParallel(draft, testCase, ask);
  if (ask.patient) return addPatient(draft, testCase, ask);
  if (ask.filler === 'larger') return addLarger(draft, testCase, ask, { control: on.control, smaller: on.before });
  return [addOwn(draft, testCase, ask, on)];
}

interface Dependencies {
  readonly control: string | undefined;
  readonly basis: string | undefined;
  readonly cover: string | undefined;
  readonly confirms: string | undefined;
  /** The steps of a case that must not have been answered. */
  readonly before: readonly string[];
  /** The step of a case whose refusal suffices. */
  readonly milder: string | undefined;
}

function conditionOf({ cover, confirms, before: [refused], milder }: Dependencies): Condition | undefined {
  if (milder !== undefined) return { kind: 'unrefused', step: milder };
  if (cover !== undefined) return { kind: 'unanswered', step: cover };
  if (confirms !== undefined) return { kind: 'looksFake', step: confirms };
  return refused === undefined ? undefined : { kind: 'refused', step: refused };
}

function templateOf(testCase: Case, ask: Ask, { settings }: StepDraft): RequestTemplate {
  const template = applyEdits(ask.base, ask.edits, testCase);
  const { filler } = ask;
  return filler && filler !== 'larger' ? { ...template, filler: makeFiller(filler, settings) } : template;
}

function addOwn(draft: StepDraft, testCase: Case, ask: Ask, on: Dependencies): string {
  const template = templateOf(testCase, ask, draft);
  const seeks = seeksOf(testCase, ask, template, draft.checks);
  const wave = waveOf(ask, template);
  const same = identity(template, seeks, [
    on.control,
    on.cover,
    on.confirms,
    on.milder,
    ask.repeat,
    wave === 'closing',
  ]);
  const isPlain = wave !== 'closing' && !ask.repeat;
  const shared =
    draft.byRequest.get(same) ?? (isPlain ? draft.byRequest.get(identity(template, seeks, undefined)) : undefined);
  if (shared !== undefined) return shared;
  const when = conditionOf(on);
  const step: PlannedStep = {
    id: testCase.id,
    wave,
    template,
    edits: ask.edits,
    seeks,
    ...(on.control !== undefined && { control: on.control }),
    ...(seeks !== 'answer' && seeks !== 'any' && !isAnswerWrong(testCase, draft.checks) && { needsControl: true }),
    ...(when && { when }),
    ...(ask.repeat && { repeat: ask.repeat }),
    needs: [...[on.cover, on.milder].filter((id) => id !== undefined), ...addSources(draft, template, on.basis)],
  };
  addStep(draft, step, { ask, isAnswerEnough: isAnswerEnough(testCase, draft.checks) });
  draft.byRequest.set(same, testCase.id);
  return testCase.id;
}

function addParallel(draft: StepDraft, testCase: Case, ask: Ask): readonly string[] {
  const template = applyEdits(ask.base, ask.edits, testCase);
  return Array.from({ length: draft.settings.parallel }, (_, place) => {
    const id = `${testCase.id}#${place + 1}`;
    addStep(draft, { id, name: testCase.id, wave: 'parallel', template, edits: ask.edits, seeks: 'answer', needs: [] });
    return id;
  });
}

/** Calls each sampled model once, and again after a 403, since a single one may be an accident. */
function addSample(draft: StepDraft, testCase: Case, ask: Ask): readonly string[] {
  const template = applyEdits(ask.base, ask.edits, testCase);
  const needs = addSources(draft, template);
  return Array.from({ length: draft.settings.modelsSample }, (_, place) => {
    const first = `${testCase.id}#${place + 1}`;
    const again = `${first}-again`;
    const when = { kind: 'status', step: first, statuses: [403] } as const;
    const sent = { wave: 'positive', template, edits: ask.edits, seeks: 'answer' } as const;
    const common = { ...sent, name: testCase.id, sampled: place };
    addStep(draft, { ...common, id: first, needs });
    addStep(draft, { ...common, id: again, when, needs: [first] });
    return [first, again];
  }).flat();
}

// The steps of a plan while they are made, and how one is added.

interface StepDraft {
  readonly cases: ReadonlyMap<string, Case>;
  readonly requests: BaseRequests;
  readonly checks: TraitsOfChecks;
  readonly settings: Settings;
  readonly steps: Map<string, Step>;
  /** Case id → the steps whose exchange may answer it, and the steps of the case itself. */
  readonly stepsOf: Record<string, readonly string[]>;
  readonly ownSteps: Map<string, readonly string[]>;
  /** Identity of a request → step id, so that equal requests are sent once. */
  readonly byRequest: Map<string, string>;
}

function addBase(draft: StepDraft, name: string): void {
  const wave: Wave = name === LIST_STEP ? 'list' : name === CONTROL_STEP ? 'control' : 'positive';
  addPlain(draft, name, wave, { base: baseOf(draft, name), edits: [] });
}

/** Adds a step that every case with the same request shares. */
function addPlain(draft: StepDraft, id: string, wave: Wave, { base, edits }: Pick<Ask, 'base' | 'edits'>): void {
  if (draft.steps.has(id)) return;
  const template = applyEdits(base, edits);
  addStep(draft, { id, wave, template, edits, seeks: 'answer', needs: [] });
  draft.byRequest.set(identity(template, 'answer', undefined), id);
}

export function baseOf({ requests }: StepDraft, name: string): Ask['base'] {
  const base = requests.get(name);
  if (!base) throw new Error(`suites/requests.yaml has no ${name}`);
  return base;
}

type PlannedStep = Omit<Step, 'bound' | 'least' | 'most'>;

function addStep(draft: StepDraft, planned: PlannedStep, purpose: Purpose = {}): void {
  const step = { ...planned, bound: boundOf(planned.template, purpose) };
  draft.steps.set(step.id, { ...step, least: leastCost(step), most: mostCost(step, draft.settings) });
}

/** Two cases share a step if they send the same request for the same purpose. */
export function identity(template: RequestTemplate, seeks: Seeks, extra: unknown): string {
  return JSON.stringify([template, seeks, extra]);
}

// The steps of a case that sends larger and larger bodies.

interface Smaller {
  readonly control: string | undefined;
  /** The steps of the case that sends a smaller one. */
  readonly smaller: readonly string[];
}

/** Each is sent if the one before was not refused for its size. The first one counts too: it may be as far as it goes. */
function addLarger(draft: StepDraft, testCase: Case, ask: Ask, { control, smaller }: Smaller): readonly string[] {
  const template = applyEdits(ask.base, ask.edits, testCase);
  const seeks = seeksOf(testCase, ask, template, draft.checks);
  const ids = [...smaller];
  for (const [place, filler] of makeLargerFillers(draft.settings).entries()) {
    const id = `${testCase.id}#${place + 1}`;
    const before = ids.at(-1);
    addStep(draft, {
      id,
      wave: 'large',
      template: { ...template, filler },
      edits: ask.edits,
      seeks,
      ...(control !== undefined && { control }),
      ...(before !== undefined && { when: { kind: 'taken', step: before } as const }),
      needs: before === undefined ? [] : [before],
    });
    ids.push(id);
  }
  return ids;
}

// The steps of a case that pauses (`--patient`): the list and a call after each pause, on a kept connection and on a new one.

function addPatient(draft: StepDraft, testCase: Case, ask: Ask): readonly string[] {
  const list = applyEdits(baseOf(draft, LIST_STEP), []);
  const call = applyEdits(ask.base, ask.edits, testCase);
  const ids: string[] = [];
  for (const pause of draft.settings.pauses) {
    for (const [name, template] of [
      ['list', list],
      ['call', call],
    ] as const) {
      const connection = `${testCase.id}#${pause / 1000}s-${name}`;
      for (const on of ['opening', 'kept', 'new'] as const) {
        const id = `${connection}-${on}`;
        const idle: Idle = { pause, on, ...(on !== 'new' && { connection }) };
        // The list is free, and opens a connection as well as a call does.
        const sent = { ...(on === 'opening' ? list : template), idle };
        addStep(draft, { id, wave: 'patient', template: sent, edits: ask.edits, seeks: 'answer', needs: [] });
        ids.push(id);
      }
    }
  }
  return ids;
}

// The steps that supply values for other requests.

/**
 * Adds the steps whose answers supply values for this request, whether or not their cases were selected. Which model the
 * restricted key may call shows only when one has answered: the basis of the request.
 */
function addSources(draft: StepDraft, { body }: RequestTemplate, basis?: string): readonly string[] {
  const text = JSON.stringify(body ?? null);
  const sources: string[] = [];
  if (text.includes('${briefTokens}')) {
    const edits = [{ kind: 'set', pointer: '/max_tokens', value: 1 }] as const;
    addPlain(draft, BRIEF_STEP, 'positive', { base: baseOf(draft, CONTROL_STEP), edits });
    sources.push(BRIEF_STEP);
  }
  if (text.includes('${restrictedModel}')) {
    const edits = [{ kind: 'key', use: 'restricted' }] as const;
    addPlain(draft, RESTRICTED_LIST_STEP, 'positive', { base: baseOf(draft, LIST_STEP), edits });
    sources.push(basis ?? RESTRICTED_LIST_STEP);
  }
  return sources;
}
