/** All checks of both ends, by the name that `suites/relay.yaml` uses. */
import { everyOwnReply, everyText } from './every-reply.ts';
import {
  failureAnswered,
  failureBlame,
  failureForm,
  failureKnown,
  failureStatus,
  retryAfterPassedOn,
  stall,
} from './failures.ts';
import { addedFields, messageList, messages, requestFields, roles, sampling, tokenLimit } from './forwarding.ts';
import { front } from './front.ts';
import { cache, clientKey, frontUnauthorized, otherKey, refusedKey, upstreamKey } from './keys.ts';
import { midStreamFailure, quietClose, secondCall } from './mid-stream.ts';
import { models } from './models.ts';
import { addedHeaders, addedTime, answerFields, calls, leaving } from './observations.ts';
import { afterPause, relayAfterPauses, heartbeats, silenceText } from './patience.ts';
import { pieces } from './pieces.ts';
import { recovery } from './recovery.ts';
import type { RelayCheck } from './relay-check.ts';
import { replyOfOwnRequest, replyText, textSoFar, understood } from './replies.ts';
import { finishReason, usage } from './reply-fields.ts';

export const RELAY_CHECKS = {
  understood,
  text: replyText,
  'text-so-far': textSoFar,
  'own-reply': replyOfOwnRequest,
  'every-text': everyText,
  'every-own-reply': everyOwnReply,
  'finish-reason': finishReason,
  usage,
  pieces,
  messages,
  'message-list': messageList,
  roles,
  'token-limit': tokenLimit,
  sampling,
  models,
  'request-fields': requestFields,
  'added-fields': addedFields,
  'answer-fields': answerFields,
  'failure-known': failureKnown,
  'failure-answered': failureAnswered,
  'failure-form': failureForm,
  'failure-blame': failureBlame,
  'failure-status': failureStatus,
  'mid-stream-failure': midStreamFailure,
  'quiet-close': quietClose,
  'second-call': secondCall,
  'silence-text': silenceText,
  'after-pauses': relayAfterPauses,
  'after-pause': afterPause,
  heartbeats,
  'retry-after': retryAfterPassedOn,
  recovery,
  stall,
  unauthorized: frontUnauthorized,
  'refused-key': refusedKey,
  'client-key': clientKey,
  'upstream-key': upstreamKey,
  'other-key': otherKey,
  cache,
  front,
  leaving,
  calls,
  'added-headers': addedHeaders,
  'added-time': addedTime,
} satisfies Record<string, RelayCheck>;
