/** Turns cases into a graph of steps: equal requests are sent once, controls and their fallbacks first. */

import type { Settings } from '../settings.ts';
import { type Ask, type BaseRequests, type Case, isSelection, type Selection } from '../suite/case.ts';
import { applyEdits } from './apply-edits.ts';
import { tokenLimitOf, withCost } from './cost.ts';
import { makeFiller, makeLargerFillers } from './filler.ts';
import type { Bound, Condition, Idle, RequestTemplate, SoughtAnswer, Step, TraitsOfChecks } from './plan.ts';
import { STEPS, type Wave, WAVES } from './known-steps.ts';
import { matchesGlob } from './select.ts';

export interface StepSources {
  /** All that were loaded, by their id. */
  readonly cases: ReadonlyMap<string, Case>;
  readonly requests: BaseRequests;
  readonly checks: TraitsOfChecks;
  readonly settings: Settings;
}

export function makeSteps(asked: readonly Case[], feeding: Feeding, sources: StepSources) {
  const draft: StepDraft = { ...sources, steps: new Map(), stepsOf: {}, ownSteps: new Map(), byRequest: new Map() };
  // Cases that selected cases look at are also sent, even if they were not selected.
  const lookedAt = asked.flatMap(({ over }) => over.flatMap((name) => draft.cases.get(name) ?? []));
  const sent = [...asked, ...lookedAt, ...feeding.cases];
  addControls(draft, sent, feeding.bases);
  for (const testCase of sent) addCase(draft, testCase);
  const order = [...draft.steps.values()].toSorted((a, b) => placeOf(a) - placeOf(b));
  return { steps: order, stepsOf: draft.stepsOf };
}

/** The last control comes after streams that confirm another one. */
function placeOf({ wave, when }: Step): number {
  return WAVES.indexOf(wave) + (wave === 'closing' && !when ? 1 : 0);
}

/** The model list shows whether key and base URL are right, so it is always sent. The chat controls are sent if a case needs them. */
function addControls(draft: StepDraft, asked: readonly Case[], bases: readonly string[]): void {
  addBase(draft, STEPS.list);
  const bareKey = applyEdits(baseOf(draft, STEPS.list), [{ kind: 'key', use: 'bare' }]);
  const refused = { kind: 'status', step: STEPS.list, statuses: [401, 403] } as const;
  const bare = { id: STEPS.bareKey, wave: 'list', template: bareKey, seeks: 'any' } as const;
  addStep(draft, { ...bare, when: refused, needs: [STEPS.list] });
  const templates = [
    ...asked.flatMap((testCase) => (testCase.ask ? [applyEdits(testCase.ask.base, testCase.ask.edits, testCase)] : [])),
    ...bases.map((name) => applyEdits(baseOf(draft, name), [])),
  ];
  if (!templates.some(({ endpoint }) => endpoint === 'chat')) return;
  addBase(draft, STEPS.control);
  const edits = [{ kind: 'remove', pointer: '/max_tokens' }] as const;
  const template = applyEdits(baseOf(draft, STEPS.control), edits);
  const control = { id: STEPS.bareControl, wave: 'control', template, edits, seeks: 'answer' } as const;
  addStep(draft, { ...control, when: { kind: 'unanswered', step: STEPS.control }, needs: [STEPS.control] });
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
    own[0] === STEPS.control ? [STEPS.control, STEPS.bareControl] : [...first, ...milder, ...covers, ...own];
  return own;
}

function addSteps(draft: StepDraft, testCase: Case, ask: Ask, on: Dependencies): readonly string[] {
  const asked: Asked = { testCase, ask, template: applyEdits(ask.base, ask.edits, testCase) };
  if (ask.sample) return addSample(draft, asked);
  if (ask.parallel) return addParallel(draft, asked);
  if (ask.patient) return addPatient(draft, asked);
  if (ask.filler === 'larger') return addLarger(draft, asked, on);
  return [addOwn(draft, asked, on)];
}

/** A case, and what it sends. */
interface Asked {
  readonly testCase: Case;
  readonly ask: Ask;
  readonly template: RequestTemplate;
}

/** `milder`: the step of a case whose refusal suffices. */
interface Dependencies extends Readonly<
  Record<'control' | 'basis' | 'cover' | 'confirms' | 'milder', string | undefined>
> {
  /** The steps of a case that must not have been answered. */
  readonly before: readonly string[];
}

function conditionOf({ cover, confirms, before: [refused], milder }: Dependencies, ask: Ask): Condition | undefined {
  if (ask.ifReadable) return { kind: 'readable', step: STEPS.list };
  if (milder !== undefined) return { kind: 'unrefused', step: milder };
  if (cover !== undefined) return { kind: 'unanswered', step: cover };
  if (confirms !== undefined) return { kind: 'looksFake', step: confirms };
  return refused === undefined ? undefined : { kind: 'refused', step: refused };
}

function addOwn(draft: StepDraft, { testCase, ask, template: usual }: Asked, on: Dependencies): string {
  const { filler } = ask;
  const template = filler && filler !== 'larger' ? { ...usual, filler: makeFiller(filler, draft.settings) } : usual;
  const seeks = seeksOf(testCase, ask, template, draft.checks);
  const wave = waveOf(ask, template);
  const isClosing = wave === 'closing';
  const same = identity(template, seeks, [on.control, on.cover, on.confirms, on.milder, ask.repeat, isClosing]);
  const plain = isClosing || ask.repeat ? same : identity(template, seeks, undefined);
  const shared = draft.byRequest.get(same) ?? draft.byRequest.get(plain);
  if (shared !== undefined) return shared;
  const when = conditionOf(on, ask);
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
    needs: [
      ...[on.cover, on.milder].filter((id) => id !== undefined),
      ...(testCase.id === STEPS.secondStream ? [STEPS.stream] : []),
      ...addSources(draft, template, on.basis),
    ],
  };
  addStep(draft, step, ask, isAnswerEnough(testCase, draft.checks));
  draft.byRequest.set(same, testCase.id);
  return testCase.id;
}

function addParallel(draft: StepDraft, { testCase, ask, template }: Asked): readonly string[] {
  const sent = { name: testCase.id, wave: 'parallel', template, edits: ask.edits, seeks: 'answer', needs: [] } as const;
  return Array.from({ length: draft.settings.parallel }, (_, place) =>
    addStep(draft, { id: `${testCase.id}#${place + 1}`, ...sent }),
  );
}

/** Calls each sampled model once, and again after a 403, since a single one may be an accident. */
function addSample(draft: StepDraft, { testCase, ask, template }: Asked): readonly string[] {
  const needs = addSources(draft, template);
  const sent = { name: testCase.id, wave: 'positive', template, edits: ask.edits, seeks: 'answer' } as const;
  return Array.from({ length: draft.settings.modelsSample }, (_, sampled) => {
    const first = addStep(draft, { id: `${testCase.id}#${sampled + 1}`, ...sent, sampled, needs });
    const when = { kind: 'status', step: first, statuses: [403] } as const;
    return [first, addStep(draft, { id: `${first}-again`, ...sent, sampled, when, needs: [first] })];
  }).flat();
}

// The steps of a plan while they are made, and how one is added.

interface StepDraft extends StepSources {
  readonly steps: Map<string, Step>;
  /** Case id → the steps whose exchange may answer it, and the steps of the case itself. */
  readonly stepsOf: Record<string, readonly string[]>;
  readonly ownSteps: Map<string, readonly string[]>;
  /** Identity of a request → step id, so that equal requests are sent once. */
  readonly byRequest: Map<string, string>;
}

function addBase(draft: StepDraft, name: string): void {
  const wave: Wave = name === STEPS.list ? 'list' : name === STEPS.control ? 'control' : 'positive';
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

/** Returns its id. */
function addStep(draft: StepDraft, planned: PlannedStep, ask?: Ask, isEnough?: boolean): string {
  const bound = boundOf(planned.template, ask, isEnough);
  draft.steps.set(planned.id, withCost({ ...planned, bound }, draft.settings));
  return planned.id;
}

/** Two cases share a step if they send the same request for the same purpose. */
export function identity(template: RequestTemplate, seeks: SoughtAnswer, extra: unknown): string {
  return JSON.stringify([template, seeks, extra]);
}

/** Sends larger and larger bodies, each if the one before was not refused for its size. The first one counts too: it may be as far as it goes. */
function addLarger(draft: StepDraft, { testCase, ask, template }: Asked, on: Dependencies): readonly string[] {
  const seeks = seeksOf(testCase, ask, template, draft.checks);
  const { control, before: smaller } = on;
  const sent = { wave: 'large', edits: ask.edits, seeks, ...(control !== undefined && { control }) } as const;
  const ids = [...smaller];
  for (const [place, filler] of makeLargerFillers(draft.settings).entries()) {
    const before = ids.at(-1);
    const when = before === undefined ? {} : { when: { kind: 'taken', step: before } as const };
    const needs = before === undefined ? [] : [before];
    const id = `${testCase.id}#${place + 1}`;
    ids.push(addStep(draft, { id, ...sent, template: { ...template, filler }, ...when, needs }));
  }
  return ids;
}

/** Pauses (`--patient`), and sends the list and a call after each pause, on a kept connection and on a new one. */
function addPatient(draft: StepDraft, { testCase, ask, template: call }: Asked): readonly string[] {
  const list = applyEdits(baseOf(draft, STEPS.list), []);
  const sent = { wave: 'patient', edits: ask.edits, seeks: 'answer', needs: [] } as const;
  return draft.settings.pauses.flatMap((pause) =>
    Object.entries({ list, call }).flatMap(([name, template]) => {
      const connection = `${testCase.id}#${pause / 1000}s-${name}`;
      return (['opening', 'kept', 'new'] as const).map((on) => {
        const idle: Idle = { pause, on, ...(on !== 'new' && { connection }) };
        // The list is free, and opens a connection as well as a call does.
        const asked = { ...(on === 'opening' ? list : template), idle };
        return addStep(draft, { id: `${connection}-${on}`, ...sent, template: asked });
      });
    }),
  );
}

// The steps that supply values for other requests.

/**
 * Adds the steps whose answers supply values for this request, whether or not their cases were selected. Which model the
 * restricted key may call shows only when one has answered: the basis of the request.
 */
function addSources(draft: StepDraft, { body }: RequestTemplate, basis?: string): readonly string[] {
  const text = JSON.stringify(body ?? null);
  const sources: string[] = [];
  if (/\$\{(brief|few)Tokens\}/.test(text)) {
    const edits = [{ kind: 'set', pointer: '/max_tokens', value: 1 }] as const;
    addPlain(draft, STEPS.brief, 'positive', { base: baseOf(draft, STEPS.control), edits });
    sources.push(STEPS.brief);
  }
  if (text.includes('${restrictedModel}')) {
    const edits = [{ kind: 'key', use: 'restricted' }] as const;
    addPlain(draft, STEPS.restrictedList, 'positive', { base: baseOf(draft, STEPS.list), edits });
    sources.push(basis ?? STEPS.restrictedList);
  }
  return sources;
}

// When a step is sent, and which of its outcomes are final.

/** `answer` unless the case edits a control. With an exhausted or limited key, any outcome counts. */
export function seeksOf(testCase: Case, ask: Ask, template: RequestTemplate, checks: TraitsOfChecks): SoughtAnswer {
  if (template.key === 'exhausted' || template.key === 'limited' || template.endpoint === 'other') return 'any';
  if (ask.control === undefined) return 'answer';
  const sought = testCase.expect.map(({ check }) => checks[check]?.seeks);
  if (sought.includes('unauthorized')) return 'unauthorized';
  return sought.includes('refusal') ? 'refusal' : 'either';
}

/** Whether a completion is a finding, even if the control was not answered. */
export function isAnswerWrong({ expect }: Case, checks: TraitsOfChecks): boolean {
  return expect.some(({ check }) => checks[check]?.isBrokenByAnswer ?? false);
}

/** Whether nothing is judged but that a valid request is answered, so that the rest of the answer does not matter. */
export function isAnswerEnough({ ask, expect }: Case, checks: TraitsOfChecks): boolean {
  return ask?.control === undefined && expect.every(({ check }) => checks[check]?.isIndependentOfEdits);
}

export function waveOf(ask: Ask, template: RequestTemplate): Wave {
  if (ask.closing || ask.confirms !== undefined) return 'closing';
  if (ask.parallel) return 'parallel';
  if (template.key === 'restricted') return 'positive';
  if (template.key !== 'full') return 'credential';
  if (ask.control === undefined) return 'positive';
  if (ask.filler === 'large' || ask.filler === 'larger') return 'large';
  if (boundOf(template, ask) === 'time') return 'max-tokens';
  return ask.edits.some(({ kind }) => kind === 'raw' || kind === 'remove') ? 'malformed' : 'edit';
}

/** `ask`: that of the case that a request belongs to, if it is not a base request. */
export function boundOf({ endpoint, mode, body }: RequestTemplate, ask?: Ask, isEnough?: boolean): Bound {
  // A body that is not JSON is refused before the model matters.
  if (endpoint !== 'chat' || body?.kind !== 'json') return 'max-tokens';
  // The last edit is the case's own; the others belong to the case that is its control.
  const edit = ask?.control === undefined ? undefined : ask.edits.at(-1);
  const isEdited = edit && 'pointer' in edit && edit.pointer === '/max_tokens';
  const limit = tokenLimitOf(body);
  if (isEdited || limit === 'invalid') return mode === 'stream' ? 'first-text' : 'time';
  if (limit !== 'none') return 'max-tokens';
  return mode === 'stream' && isEnough ? 'first-text' : 'nothing';
}

// The requests that a selected case is judged by, although they belong to cases that were not selected.

type Selects = (request: Pick<RequestTemplate, 'endpoint' | 'mode'>, seeks: SoughtAnswer) => boolean;

const selectsReply: Selects = ({ endpoint, mode }, seeks) => endpoint === 'chat' && mode === 'plain' && isProper(seeks);

/** Whether the answer to a request may belong to a selection. The answer itself decides the rest. */
export const MAY_BE_SELECTED: Record<Selection, Selects> = {
  '*': () => true,
  lists: ({ endpoint }, seeks) => endpoint === 'models' && isProper(seeks),
  replies: selectsReply,
  completions: selectsReply,
  streams: ({ mode }, seeks) => mode === 'stream' && isProper(seeks),
};

/** A 200 to an invalid key or an invalid request is already a finding of its own, so its body is not judged. */
function isProper(seeks: SoughtAnswer): boolean {
  return seeks !== 'unauthorized' && seeks !== 'refusal';
}

const selectsRefusal: Selects = ({ endpoint, mode }, seeks) =>
  endpoint === 'chat' && mode === 'plain' && seeks === 'refusal';

/** Refusals that show how fast the target is without generation: enough for a median that one slow answer leaves alone. */
const REFUSALS = 3;

/** Cases and names of base requests. */
type Feeding = ReturnType<typeof feedingOf>;

/**
 * A case that judges the answers of other requests is fed with all of them if it was selected by its full id, or if no
 * selected case sends one of them. With a wider glob, it judges what the selected cases send, so `--only 'auth/*'` stays
 * cheap. A rerun names the requests itself (`fedBy`).
 */
export function feedingOf(asked: readonly Case[], available: readonly Case[], sources: Omit<StepSources, 'cases'>) {
  const { requests, checks, settings } = sources;
  const { only, fedBy } = settings;
  const cases = new Set<Case>();
  const bases = new Set<string>();
  for (const testCase of asked) {
    const named = fedBy[testCase.id];
    for (const name of named ?? []) {
      const other = available.find(({ id }) => id === name);
      if (other) cases.add(other);
      else if (requests.has(name)) bases.add(name);
    }
    if (named) continue;
    const isNamed = only.some((glob) => !glob.includes('*') && matchesGlob(glob, testCase.id));
    for (const { isMetBy, enough } of needsOf(testCase, checks)) {
      if ((!isNamed || enough !== undefined) && asked.some(isMetBy)) continue;
      // A stream that is sent only to be timed once more is of use to its own case alone.
      const fitting = available.filter((other) => isMetBy(other) && other.ask?.confirms === undefined);
      for (const other of fitting.slice(0, enough)) cases.add(other);
    }
  }
  return { cases: [...cases], bases: [...bases] };
}

/** What a case needs to be sent beside it. `enough`: how many are; all of them if absent. */
function needsOf({ over, ask }: Case, checks: TraitsOfChecks) {
  const needs = over.filter(isSelection).map((name) => ({
    isMetBy: (other: Case) => sends(other, MAY_BE_SELECTED[name], checks),
    enough: undefined,
  }));
  // The wait for a stream is compared with the time of a refusal.
  const refusals = { isMetBy: (other: Case) => isRefused(other, checks), enough: REFUSALS };
  return ask?.confirms === undefined ? needs : [...needs, refusals];
}

/** An edit of max_tokens may make the target generate without end. */
function isRefused(testCase: Case, checks: TraitsOfChecks): boolean {
  const editsTokens = testCase.ask?.edits.some((edit) => 'pointer' in edit && edit.pointer === '/max_tokens');
  return editsTokens === false && sends(testCase, selectsRefusal, checks);
}

function sends(testCase: Case, selects: Selects, checks: TraitsOfChecks): boolean {
  const { ask } = testCase;
  if (!ask) return false;
  const template = applyEdits(ask.base, ask.edits, testCase);
  return selects(template, seeksOf(testCase, ask, template, checks));
}
