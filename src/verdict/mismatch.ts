import type { Listed } from '../kinds.ts';

/**
 * How an answer can differ from its clause. The id is part of every fingerprint: a new spelling voids waivers and
 * baselines. No sentence is shown for it, since what was expected and what came say the same.
 */
const BY_TOPIC = {
  /** Mismatches at a place in JSON. */
  json: ['absent', 'type', 'value', 'empty', 'range', 'repeated', 'changed'],
  status: ['status', 'error-in-success', 'completion', 'redirect', 'accepted'],
  /** The answer as a whole, and whose it is. */
  answer: [
    'prefix',
    'echo',
    'listed',
    'foreign-reply',
    'base-address',
    'size',
    'not-http',
    'content-type',
    'case',
    'leak',
  ],
  body: ['byte-order-mark', 'no-body', 'not-json', 'not-utf8', 'undecodable', 'cut', 'event-stream', 'no-message'],
  stream: ['not-event-stream', 'no-choice', 'no-text', 'error-event', 'error', 'stalled'],
  streamEnd: ['again', 'after-finish', 'after-done', 'open'],
  streamText: ['at-once', 'in-blocks', 'half-character', 'replacement-character'],
  framing: ['event-name', 'data-lines', 'no-data', 'comment-after-id', 'line-end', 'spacing', 'field-name'],
  /** The OpenAPI description. */
  description: ['required', 'closed', 'security', 'place'],
  /** Both ends of a relay: calls, failures, keys, requests and replies. */
  call: ['not-forwarded', 'not-understood', 'invented', 'hangs', 'hidden', 'laundered', 'no-error-body'],
  failure: ['error-as-success', 'second-call', 'retry-after-lost', 'retry-after-altered', 'model', 'not-recovered'],
  key: ['forwarded', 'client-key', 'upstream-key', 'cached-across-keys'],
  request: ['message-text', 'message-count', 'messages-reordered', 'role', 'token-limit', 'token-limit-absent'],
  field: ['dropped', 'altered', 'held-back'],
  reply: ['text-lost', 'text-altered', 'choice-altered', 'finish-reason'],
  usage: ['usage-invented', 'usage-altered', 'usage-lost'],
  failover: ['joined', 'upstream-calls', 'taken-out'],
  load: ['unanswered', 'over-budget'],
  client: ['breaks', 'wrong-text', 'silent'],
} as const;

export type Mismatch = Listed<typeof BY_TOPIC>;
export const MISMATCHES: readonly Mismatch[] = Object.values(BY_TOPIC).flat();
