/** A call as it is sent: the drawn call with its id, its word and its request. */
import type { RequestRules } from '../contract/contract.ts';
import type { JsonObject } from '../json.ts';
import { completeRequest } from '../suite/load-requests.ts';
import { makeExchangeId } from '../exchange/identity.ts';
import type { FilledRequest } from '../plan/bind-request.ts';
import type { KeyUse } from '../suite/case.ts';
import type { KnownCall } from './call-registry.ts';
import type { DrawnCall } from './mix.ts';
import { PROFILES, promptFor } from './profiles.ts';

export interface LoadCall extends DrawnCall {
  readonly id: string;
  /** Index of the stage. */
  readonly stage: number;
  readonly number: number;
}

export interface CallOptions {
  readonly rules: RequestRules;
  readonly model: () => string;
  /** The second key, if there is one. */
  readonly otherKey:
    | {
        readonly role: KeyUse;
        /** That it may call; undefined if it got no reply alone. */
        readonly model?: string | undefined;
      }
    | undefined;
}

const CHAT_HEADERS = { 'Content-Type': 'application/json' } as const;
export const LIST = { endpoint: 'models', mode: 'plain', method: 'GET', path: '/models', headers: {} } as const;

/** The name of a call's request in a report. */
export function stepOf({ kind, mode }: Pick<DrawnCall, 'kind' | 'mode'>): string {
  return kind === 'refusal' && mode === 'stream' ? 'load/refusal-stream' : `load/${kind}`;
}

export function callId(call: Pick<DrawnCall, 'kind' | 'mode'>, stage: number, number: number): string {
  return `${makeExchangeId({ step: stepOf(call), number })}@${stage}`;
}

export function requestOf(call: LoadCall, { word }: Pick<KnownCall, 'word'>, options: CallOptions): FilledRequest {
  const key = keyOf(call, options);
  if (call.kind === 'list') return { ...LIST, key };
  const { maxTokens } = PROFILES[call.profile];
  const body = {
    model: (key === options.otherKey?.role ? options.otherKey.model : undefined) ?? options.model(),
    messages: [{ role: 'user', content: promptFor(word, call.profile) }],
    max_tokens: maxTokens,
    ...call.violation,
    ...(call.mode === 'stream' && { stream: true }),
  };
  return {
    endpoint: 'chat',
    mode: call.mode,
    method: 'POST',
    path: '/chat/completions',
    headers: CHAT_HEADERS,
    body: textOf(body, options),
    key,
  };
}

/** With what the profile requires of every request. */
function textOf(body: JsonObject, { rules }: CallOptions): string {
  return JSON.stringify(completeRequest(body, rules));
}

function keyOf({ kind, usesOtherKey }: LoadCall, { otherKey }: CallOptions): KeyUse {
  if (kind === 'unknown-key') return 'unknown';
  return usesOtherKey && otherKey && (kind === 'list' || otherKey.model !== undefined) ? otherKey.role : 'full';
}
