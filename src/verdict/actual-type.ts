/**
 * The kind of thing that came. The id is part of every fingerprint, unlike the value: a new spelling voids waivers and
 * baselines. A sentence is made of the value, in `actual.ts`.
 */
import { SECRET_FORMS, SECRET_PLACES, type SecretSeen } from '../exchange/exchange.ts';

const OWN_TYPES = [
  // JSON types.
  'absent',
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
  // Classes of statuses.
  '2xx',
  '3xx',
  '4xx',
  '5xx',
  'odd-status',
  // Forms of a body.
  'text',
  'json',
  'json-lines',
  'no-object',
  'not-json',
  'not-utf8',
  'undecodable',
  'empty',
  'byte-order-mark',
  'event-stream',
  // How an answer or a stream ended, or why none came.
  'done',
  'closed',
  'cut',
  'stalled',
  'held-open',
  'open',
  'limit',
  'aborted',
  'waiting',
  'refused',
  'unresolved',
  'tls',
  'timeout',
  'not-http',
  // Parts of an answer or a request.
  'header',
  'body',
  'status',
  'other-media-type',
  'capitals',
  'large-headers',
  'other-prefix',
  'other-segment',
  'reply',
  'delay',
  'call',
  'error-in-200',
  'garbled',
  'unread',
  // Parts of a stream.
  'nothing',
  'comments',
  'comment',
  'named-events',
  'no-choices',
  'event',
  'id',
  'retry',
  'several-lines',
  'lone-return',
  'error',
  'error-event',
  'at-once',
  // Parts of an OpenAPI description.
  'other-text',
  'other-path',
  'other-method',
  'parameter',
  'field-required',
  'field-not-required',
  'closed-object',
  'other',
  'several-types',
  'no-type',
  'some-values',
  'missing-values',
  'other-values',
  'narrower-range',
  // How a client sent its key.
  'bare',
  'basic',
  'token',
  'unknown',
  'x-api-key',
  'query',
  'none',
  // What a client made of an answer.
  'returned',
  'failed',
  'timed-out',
  'flooded',
] as const;

/** How a key came back, and where. */
type SecretType = `${SecretSeen['form']}-in-${SecretSeen['place']}`;

export type ActualType = (typeof OWN_TYPES)[number] | SecretType;

export const ACTUAL_TYPES: readonly ActualType[] = [
  ...OWN_TYPES,
  ...SECRET_FORMS.flatMap((form) => SECRET_PLACES.map((place) => `${form}-in-${place}` as const)),
];
