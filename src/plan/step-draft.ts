/** The steps of a plan while they are made, and how one is added. */
import type { Settings } from '../settings.ts';
import type { Ask, Case } from '../suite/case.ts';
import type { BaseRequests } from '../suite/load-requests.ts';
import { applyEdits } from './apply-edits.ts';
import type { TraitsOfChecks } from './check-traits.ts';
import { boundOf, type Purpose } from './classify-step.ts';
import { leastCost, mostCost } from './cost.ts';
import { CONTROL_STEP, LIST_STEP, type RequestTemplate, type Seeks, type Step, type Wave } from './plan.ts';

export interface StepDraft {
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

export function addBase(draft: StepDraft, name: string): void {
  const wave: Wave = name === LIST_STEP ? 'list' : name === CONTROL_STEP ? 'control' : 'positive';
  addPlain(draft, name, wave, { base: baseOf(draft, name), edits: [] });
}

/** Adds a step that every case with the same request shares. */
export function addPlain(draft: StepDraft, id: string, wave: Wave, { base, edits }: Pick<Ask, 'base' | 'edits'>): void {
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

export type PlannedStep = Omit<Step, 'bound' | 'least' | 'most'>;

export function addStep(draft: StepDraft, planned: PlannedStep, purpose: Purpose = {}): void {
  const step = { ...planned, bound: boundOf(planned.template, purpose) };
  draft.steps.set(step.id, { ...step, least: leastCost(step), most: mostCost(step, draft.settings) });
}

/** Two cases share a step if they send the same request for the same purpose. */
export function identity(template: RequestTemplate, seeks: Seeks, extra: unknown): string {
  return JSON.stringify([template, seeks, extra]);
}
