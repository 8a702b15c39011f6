/** The steps that send draws. */
import type { Contract } from '../contract/contract.ts';
import type { Json, JsonObject } from '../json.ts';
import { rawNumber } from '../plan/bind-request.ts';
import { leastCost, mostCost } from '../plan/cost.ts';
import {
  type Bound,
  CONTROL_STEP,
  type Idle,
  type RequestTemplate,
  type Seeks,
  type Step,
  type Wave,
} from '../plan/plan.ts';
import type { Settings } from '../settings.ts';
import { classify, type Standing } from './classify.ts';
import { type Draw, type DrawnRequest, isStreamed } from './drawn-request.ts';

/** The name of every drawn request in a report. */
export const EXPLORE = 'explore';

/** The stream that drawn ones are compared with: a case, whose step has its name. */
export const STREAM_CONTROL = 'streaming/reply';

export interface StepOptions {
  readonly contract: Contract;
  readonly settings: Settings;
}

/** `explore/17`; of a sequence `explore/17.1` and so on. */
export function stepIdOf({ number, requests }: Draw, place: number): string {
  return requests.length === 1 ? `${EXPLORE}/${number}` : `${EXPLORE}/${number}.${place + 1}`;
}

/** `apart`: the name of the connection of what is asked again, which nothing else uses. */
export function stepsOf(draw: Draw, options: StepOptions, apart?: string): readonly Step[] {
  const connection = apart ?? `${EXPLORE}/${draw.number}`;
  const isSequence = draw.requests.length > 1;
  return draw.requests.map((request, place) => {
    const standing = classify(request, options.contract);
    const idle = isSequence ? keptOn(connection) : apart === undefined ? undefined : NEW;
    const template = templateOf(request, idle);
    const control = isStreamed(request) ? STREAM_CONTROL : CONTROL_STEP;
    const step = {
      id: stepIdOf(draw, place),
      name: EXPLORE,
      wave: isSequence ? 'positive' : waveOf(request, standing),
      template,
      seeks: SEEKS[standing.kind],
      ...(SEEKS[standing.kind] !== 'answer' && { control }),
      needs: place === 0 ? [] : [stepIdOf(draw, place - 1)],
      bound: boundOf(request, standing),
    } as const;
    return { ...step, least: leastCost(step), most: mostCost(step, options.settings) };
  });
}

const SEEKS: Readonly<Record<Standing['kind'], Seeks>> = {
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
  const value = (name: string, usual: Json): Json => {
    const text = written[name];
    return text === undefined ? usual : rawNumber(text);
  };
  return Object.fromEntries(Object.entries(body).map(([name, usual]) => [name, value(name, usual)]));
}

function waveOf(request: DrawnRequest, { kind }: Standing): Wave {
  if (kind === 'valid' || kind === 'tolerant') return 'positive';
  if (breaksTokens(request) && !isStreamed(request)) return 'max-tokens';
  return kind === 'invalid' && request.raw !== undefined ? 'malformed' : 'edit';
}

/** An invalid max_tokens may leave the reply without any limit. */
function breaksTokens({ body, raw }: DrawnRequest): boolean {
  const tokens = body['max_tokens'];
  return raw === undefined && typeof tokens === 'number' && tokens < 1;
}

function boundOf(request: DrawnRequest, { kind }: Standing): Bound {
  if (breaksTokens(request)) return isStreamed(request) ? 'first-text' : 'time';
  if (kind === 'invalid' && request.raw !== undefined) return 'max-tokens';
  return (request.body['max_tokens'] ?? null) === null ? 'nothing' : 'max-tokens';
}
