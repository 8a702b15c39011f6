/**
 * The kind of thing that came. The id is part of every fingerprint, unlike the value: a new spelling voids waivers and
 * baselines. A sentence is made of the value, in `actual.ts`.
 */
import type { Listed } from '../kinds.ts';
import { SECRET_FORMS, SECRET_PLACES, type SecretSeen } from '../exchange/exchange.ts';

const BY_TOPIC = {
  json: ['absent', 'null', 'boolean', 'integer', 'number', 'string', 'array', 'object'],
  statusClass: ['2xx', '3xx', '4xx', '5xx', 'odd-status'],
  bodyForm: ['text', 'json', 'json-lines', 'no-object', 'not-json', 'not-utf8', 'undecodable', 'empty'],
  bytes: ['byte-order-mark', 'event-stream'],
  /** How an answer or a stream ended, or why none came. */
  end: ['done', 'closed', 'cut', 'stalled', 'held-open', 'open', 'limit', 'aborted', 'waiting'],
  noAnswer: ['refused', 'unresolved', 'tls', 'timeout', 'not-http'],
  /** Parts of an answer or a request. */
  part: ['header', 'body', 'status', 'other-media-type', 'capitals', 'large-headers', 'other-prefix', 'other-segment'],
  /** What an error tells of the inside. */
  inside: ['private-address', 'file-path', 'stack-trace'],
  reply: ['reply', 'delay', 'call', 'error-in-200', 'garbled', 'unread'],
  /** Parts of a stream. */
  stream: ['nothing', 'comments', 'comment', 'named-events', 'no-choices', 'event', 'id', 'retry', 'several-lines'],
  streamFault: ['lone-return', 'error', 'error-event', 'at-once', 'in-blocks'],
  /** Parts of an OpenAPI description. */
  operation: ['other-text', 'other-path', 'other-method', 'parameter'],
  schema: ['field-required', 'field-not-required', 'closed-object', 'other', 'several-types', 'no-type'],
  values: ['some-values', 'missing-values', 'other-values', 'narrower-range'],
  /** How a client sent its key. */
  sentKey: ['bare', 'basic', 'token', 'unknown', 'x-api-key', 'query', 'none'],
  /** What a client made of an answer. */
  client: ['returned', 'failed', 'timed-out', 'flooded'],
} as const;

/** How a key came back, and where. */
type SecretType = `${SecretSeen['form']}-in-${SecretSeen['place']}`;

export type ActualType = Listed<typeof BY_TOPIC> | SecretType;

export const ACTUAL_TYPES: readonly ActualType[] = [
  ...Object.values(BY_TOPIC).flat(),
  ...SECRET_FORMS.flatMap((form) => SECRET_PLACES.map((place) => `${form}-in-${place}` as const)),
];
