/** What an exploration sends: the controls, then the draws. It depends on nothing but the settings. */
import type { Contract } from '../../contract/contract.ts';
import { contractOf } from '../../contract/profile/apply-profile.ts';
import type { JsonObject } from '../../json.ts';
import { rawNumber } from '../../plan/bind-request.ts';
import { leastCost, mostCost, sumCosts } from '../../plan/cost.ts';
import { makePlan } from '../../plan/make-plan.ts';
import type { Bound, Idle, Plan, RequestTemplate, SoughtAnswer, Step } from '../../plan/plan.ts';
import { CONTROL_STEP, type Wave } from '../../plan/known-steps.ts';
import type { Settings } from '../../settings.ts';
import { type Case, isSelection } from '../../suite/case.ts';
import { loadRequests, loadSuites } from '../../suite/load-suites.ts';
import { UsageError } from '../../usage-error.ts';
import { CHECKS } from '../../verdict/checks/index.ts';
import { classify, type RequestClass } from './classify.ts';
import { type Draw, type DrawnRequest, isStreamed } from './drawn-request.ts';
import { countDraws, makeDraws } from './make-draws.ts';
import { simplerForms } from './simpler.ts';

export interface PlannedDraws {
  readonly draws: readonly Draw[];
  /** The cases of the draws are not in it: they depend on the answers. */
  readonly plan: Plan;
}

/** The name of every drawn request in a report. */
export const EXPLORE = 'explore';

/** The stream that drawn ones are compared with: a case, whose step has its name. */
export const STREAM_CONTROL = 'streaming/reply';

/** The plain request and the stream that drawn requests are compared with. */
const CONTROLS = ['chat/reply', STREAM_CONTROL, 'chat/reply-again'];

export function planExplore(settings: Settings): PlannedDraws {
  const contract = contractOf(settings);
  const suites = loadSuites([], contract);
  const requests = loadRequests(contract);
  const controls = makePlan({ suites, requests, checks: CHECKS }, { ...settings, only: CONTROLS, skip: [] }, []);
  const draws = drawsOf(settings, contract);
  const drawn = draws.flatMap((draw) => stepsOf(draw, settings));
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
  const draws = makeDraws(contract, { seed, requests: Infinity, completions: Infinity, draws: numberIn(path) });
  return [followPath(draws, path, contract)];
}

/** The cases that judge every answer, whatever was asked. */
function casesOverAll(cases: readonly Case[]): readonly Case[] {
  return cases.filter(({ over, ask }) => !ask && over.length > 0 && over.every(isSelection));
}

/** `explore/17`; of a sequence `explore/17.1` and so on. */
export function stepIdOf({ number, requests }: Draw, place: number): string {
  return requests.length === 1 ? `${EXPLORE}/${number}` : `${EXPLORE}/${number}.${place + 1}`;
}

/** `apart`: the name of the connection of what is asked again, which nothing else uses. */
export function stepsOf(draw: Draw, settings: Settings, apart?: string): readonly Step[] {
  const connection = apart ?? `${EXPLORE}/${draw.number}`;
  const isSequence = draw.requests.length > 1;
  return draw.requests.map((request, place) => {
    const requestClass = classify(request, contractOf(settings));
    const idle = isSequence ? keptOn(connection) : apart === undefined ? undefined : NEW;
    const template = templateOf(request, idle);
    const control = isStreamed(request) ? STREAM_CONTROL : CONTROL_STEP;
    const step = {
      id: stepIdOf(draw, place),
      name: EXPLORE,
      wave: isSequence ? 'positive' : waveOf(request, requestClass),
      template,
      seeks: SEEKS[requestClass.kind],
      ...(SEEKS[requestClass.kind] !== 'answer' && { control }),
      needs: place === 0 ? [] : [stepIdOf(draw, place - 1)],
      bound: boundOf(request, requestClass),
    } as const;
    return { ...step, least: leastCost(step), most: mostCost(step, settings) };
  });
}

const SEEKS: Readonly<Record<RequestClass['kind'], SoughtAnswer>> = {
  valid: 'answer',
  tolerant: 'answer',
  invalid: 'refusal',
  open: 'either',
  unclear: 'either',
};

const NEW: Idle = { pause: 0, on: 'new' };
const keptOn = (connection: string): Idle => ({ pause: 0, on: 'kept', connection });

function templateOf(request: DrawnRequest, idle: Idle | undefined): RequestTemplate {
  const { raw, body, spellings } = request;
  return {
    endpoint: 'chat',
    mode: isStreamed(request) ? 'stream' : 'plain',
    method: 'POST',
    path: '/chat/completions',
    headers: { 'content-type': 'application/json' },
    body: raw === undefined ? { kind: 'json', value: writeNumbers(request) } : { kind: 'raw', text: raw },
    ...(spellings.length > 0 && raw === undefined && body && { spellings }),
    ...(idle && { idle }),
    key: 'full',
  };
}

function writeNumbers({ body, written }: DrawnRequest): JsonObject {
  const numbers = Object.entries(written).map(([name, text]) => [name, rawNumber(text)] as const);
  return { ...body, ...Object.fromEntries(numbers) };
}

function waveOf(request: DrawnRequest, { kind }: RequestClass): Wave {
  if (kind === 'valid' || kind === 'tolerant') return 'positive';
  if (breaksTokens(request) && !isStreamed(request)) return 'max-tokens';
  return kind === 'invalid' && request.raw !== undefined ? 'malformed' : 'edit';
}

/** An invalid max_tokens may leave the reply without any limit. */
function breaksTokens({ body, raw }: DrawnRequest): boolean {
  const tokens = body['max_tokens'];
  return raw === undefined && typeof tokens === 'number' && tokens < 1;
}

function boundOf(request: DrawnRequest, { kind }: RequestClass): Bound {
  if (breaksTokens(request)) return isStreamed(request) ? 'first-text' : 'time';
  if (kind === 'invalid' && request.raw !== undefined) return 'max-tokens';
  return (request.body['max_tokens'] ?? null) === null ? 'nothing' : 'max-tokens';
}

/** The path of a draw, as fast-check writes them: its number, then which of the simpler forms was taken each time: `17:3:0`. */
const PATH = /^(\d+)(?::\d+)*$/;

/** The most that `--requests` may ask for: no report has a draw beyond them. */
const MOST_REQUESTS = 10_000;

/** The number of the draw that a path begins with. */
export function numberIn(path: string): number {
  const [, number] = PATH.exec(path) ?? [];
  if (number === undefined || Number(number) > countDraws(MOST_REQUESTS)) throw wrongPath(path);
  return Number(number);
}

/** The draw that a path leads to. */
function followPath(draws: readonly Draw[], path: string, contract: Contract): Draw {
  const [number, ...places] = path.split(':').map(Number);
  let form = draws.find((draw) => draw.number === number);
  for (const place of places) form = form && formAt(form, place, contract);
  if (!form) throw wrongPath(path);
  return form;
}

function formAt(draw: Draw, place: number, contract: Contract): Draw | undefined {
  let before = 0;
  for (const form of simplerForms(draw, contract)) {
    if (before === place) return form;
    before += 1;
  }
  return undefined;
}

function wrongPath(path: string): UsageError {
  return new UsageError(
    `--path ${path.slice(0, 60)} leads to no draw: copy it from a report of the same version, with its --seed and --profile.`,
  );
}
