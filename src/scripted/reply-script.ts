/** What a server of ours does with a call, as a suite names it: a reply with known text, a refusal, or any change of the reference gateway. */
import type { Rule } from '../gateway/answer.ts';
import { BEHAVIOURS } from '../gateway/behaviours.ts';
import { letPass } from '../gateway/change-answer.ts';
import { FAULTS, type Modifier, VARIANTS } from '../gateway/index.ts';
import { refusal } from '../gateway/refusals.ts';
import { didYouMean } from '../text/suggestion.ts';

export interface ReplyScript {
  /** The text in the pieces in which it is streamed. */
  readonly tokens: readonly string[];
  readonly finish: string;
  /** Token counts. Default: as counted. */
  readonly usage?: { readonly prompt: number; readonly completion: number };
  /** Every call to the endpoint is refused with it. */
  readonly status?: number | undefined;
  readonly endpoint: 'chat' | 'models';
  /** Changes of the reference gateway, by name: `gateway` has variants and faults, `behaviours` what no gateway is judged by. */
  readonly gateway: readonly string[];
  readonly behaviours: readonly string[];
}

/** Whatever is wrong with a request is judged, and its sender still gets an answer. */
const KEPT_RULES: readonly Rule[] = ['path', 'method', 'body-size'];

export const ACCEPT_ALL: Modifier = {
  authorize: () => 'full',
  refusal: (reason) => (KEPT_RULES.includes(reason.rule) ? reason : letPass(reason.rule)(reason)),
};

/** `own`: changes that come before those that are named. */
export function scriptModifiers(script: ReplyScript, own: readonly Modifier[] = []): readonly Modifier[] {
  const { tokens, finish, usage, status, endpoint } = script;
  const counts = usage && { promptTokens: usage.prompt, completionTokens: usage.completion };
  return [
    { reply: (reply) => ({ ...reply, ...counts, pieces: tokens, finishReason: finish }) },
    ...(status === undefined ? [] : [refuseAll(status, endpoint)]),
    ...own,
    ...namedModifiers(script),
  ];
}

const CODES: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  402: 'quota_exhausted',
  403: 'model_not_allowed',
  404: 'model_not_found',
  408: 'request_timeout',
  413: 'request_too_large',
  429: 'rate_limit_exceeded',
  503: 'overloaded',
};

function refuseAll(status: number, endpoint: ReplyScript['endpoint']): Modifier {
  const reason = refusal('invented', status, CODES[status] ?? 'internal_error', `The call was refused with ${status}.`);
  const headers = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return { refuse: (call) => (call.endpoint === endpoint ? { ...reason, headers } : undefined) };
}

const GATEWAY = { ...FAULTS, ...VARIANTS };

/** The changes that an entry of a suite names. */
export function namedModifiers(named: Pick<ReplyScript, 'gateway' | 'behaviours'>): readonly Modifier[] {
  return [
    ...named.gateway.map((name) => modifierOf('variant or fault', name, GATEWAY)),
    ...named.behaviours.map((name) => modifierOf('behaviour', name, BEHAVIOURS)),
  ];
}

function modifierOf(what: string, name: string, known: Readonly<Record<string, Modifier>>): Modifier {
  const modifier = Object.hasOwn(known, name) ? known[name] : undefined;
  if (modifier) return modifier;
  throw new Error(`unknown ${what} "${name}".${didYouMean(name, Object.keys(known))}`);
}
