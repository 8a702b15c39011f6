/** What an exploration sends: the controls, then the draws. It depends on nothing but the settings. */
import type { Contract } from '../../contract/contract.ts';
import { contractOf } from '../../contract/profile/apply-profile.ts';
import type { JsonObject } from '../../json.ts';
import { rawNumber } from '../../plan/bind-request.ts';
import { sumCosts, withCost } from '../../plan/cost.ts';
import { makePlan } from '../../plan/make-plan.ts';
import type { Plan, RequestTemplate, SoughtAnswer, Step } from '../../plan/plan.ts';
import { STEPS } from '../../plan/known-steps.ts';
import type { Settings } from '../../settings.ts';
import { isSelection } from '../../suite/case.ts';
import { loadRequests, loadSuites } from '../../suite/read-suites.ts';
import { UsageError } from '../../usage-error.ts';
import { CHECKS } from '../../verdict/checks/index.ts';
import { classify, MOST_TOKENS, type RequestClass } from './classify.ts';
import { breaksTokens, type Draw, type DrawnRequest, isStreamed, mistakenText, ownHeader } from './drawn-request.ts';
import { asCase, topicOf } from './explore-cases.ts';
import { makeDraws } from './make-draws.ts';
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
  const lists = settings.explore?.path === undefined ? listsAgain(controls, settings) : [];
  const own = controls.cases.filter(({ id }) => CONTROLS.includes(id));
  // The cases that judge every answer, whatever was asked.
  const overAll = suites
    .flatMap(({ cases }) => cases)
    .filter(({ over, ask }) => !ask && over.length > 0 && over.every(isSelection));
  const ofLists = { ...asCase(topicOf(LIST_AGAIN), contract), over: [LIST_AGAIN], needs: [] };
  const steps = [...controls.steps, ...drawn, ...lists];
  return {
    draws,
    plan: {
      ...controls,
      cases: lists.length > 0 ? [...own, ofLists, ...overAll] : [...own, ...overAll],
      partial: [],
      steps,
      stepsOf: { ...controls.stepsOf, [LIST_AGAIN]: lists.map(({ id }) => id) },
      least: sumCosts(steps.map(({ least }) => least)),
      most: sumCosts(steps.map(({ most }) => most)),
    },
  };
}

/** Once each of these is over, the list is asked again: what breaks it may come in between. */
const WAVES_BEFORE_LIST = ['positive', 'edit', 'malformed', 'closing'] as const;
const LIST_AGAIN = 'list-again';

/** It costs nothing. A target without a list has no second one. */
function listsAgain({ steps }: Plan, settings: Settings): readonly Step[] {
  const when = { kind: 'answered', step: STEPS.list } as const;
  const lists = steps.filter(({ id }) => id === STEPS.list);
  const again = WAVES_BEFORE_LIST.map((wave) => ({ id: `${EXPLORE}/${LIST_AGAIN}[${wave}]`, wave, when }));
  return lists.flatMap((list) => again.map((own) => withCost({ ...list, name: LIST_AGAIN, ...own }, settings)));
}

/** The path of a draw, as fast-check writes them: its number, then which of the simpler forms was taken each time: `17:3:0`. */
const PATH = /^\d+(?::\d+)*$/;

/** The draws of 10,000 requests, the most that `--requests` may ask for, with their sequences: no report has more. */
const MOST_DRAWS = 8_100;

function drawsOf({ seed, explore }: Settings, contract: Contract): readonly Draw[] {
  const { requests = 0, completions = 0, path } = explore ?? {};
  if (path === undefined) return makeDraws(contract, { seed, requests, completions });
  const [number = 0, ...places] = PATH.test(path) ? path.split(':').map(Number) : [];
  // A longer list begins with the shorter one, so that nobody has to know how long it was.
  const most = number > MOST_DRAWS ? 0 : number;
  const draws = makeDraws(contract, { seed, requests: Infinity, completions: Infinity, draws: most });
  let form = draws.find((draw) => draw.number === number);
  for (const place of places) form = form && formAt(form, place, contract);
  if (form) return [form];
  throw new UsageError(
    `--path ${path.slice(0, 60)} leads to no draw: copy it from a report of the same version, with its --seed and --profile.`,
  );
}

function formAt(draw: Draw, place: number, contract: Contract): Draw | undefined {
  for (const form of simplerForms(draw, contract)) if (form.path === `${draw.path}:${place}`) return form;
  return undefined;
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
    const seeks = SEEKS[classify(request, contractOf(settings)).kind];
    const idle = isSequence ? ({ pause: 0, on: 'kept', connection } as const) : apart === undefined ? undefined : NEW;
    const template = { ...templateOf(request), ...(idle && { idle }) };
    const control = isStreamed(request) ? STREAM_CONTROL : STEPS.control;
    const step = {
      id: stepIdOf(draw, place),
      name: EXPLORE,
      wave: isSequence ? 'positive' : waveOf(request, seeks),
      template,
      seeks,
      ...(seeks !== 'answer' && { control }),
      needs: place === 0 ? [] : [stepIdOf(draw, place - 1)],
      bound: boundOf(request),
    } as const;
    return withCost(step, settings);
  });
}

const SEEKS: Readonly<Record<RequestClass['kind'], SoughtAnswer>> = {
  valid: 'answer',
  tolerant: 'answer',
  invalid: 'refusal',
  open: 'either',
  unclear: 'either',
};

const NEW = { pause: 0, on: 'new' } as const;

function templateOf(request: DrawnRequest): RequestTemplate {
  const { body, written, spellings } = request;
  const raw = mistakenText(request);
  const numbers = Object.entries(written).map(([name, text]) => [name, rawNumber(text)] as const);
  const value: JsonObject = { ...body, ...Object.fromEntries(numbers) };
  return {
    endpoint: 'chat',
    mode: isStreamed(request) ? 'stream' : 'plain',
    method: 'POST',
    path: '/chat/completions',
    headers: { 'content-type': 'application/json', ...ownHeader(request) },
    body: raw === undefined ? { kind: 'json', value } : { kind: 'raw', text: raw },
    ...(spellings.length > 0 && { spellings }),
    key: 'full',
  };
}

function waveOf(request: DrawnRequest, seeks: SoughtAnswer): Step['wave'] {
  if (seeks === 'answer') return 'positive';
  if (breaksTokens(request) && !isStreamed(request)) return 'max-tokens';
  return request.mistake === undefined ? 'edit' : 'malformed';
}

function boundOf(request: DrawnRequest): Step['bound'] {
  if (breaksTokens(request)) return isStreamed(request) ? 'first-text' : 'time';
  if (request.mistake !== undefined) return 'max-tokens';
  const tokens = request.body['max_tokens'] ?? null;
  return tokens === null || Number(tokens) > MOST_TOKENS ? 'nothing' : 'max-tokens';
}
