/** The stream checks, by the names that suites use. */
import type { Check } from '../../check.ts';
import {
  eventStream,
  streamAcceptJson,
  streamCarriesText,
  streamCompletes,
  streamHasChoices,
  streamNoError,
} from './stream-replies.ts';
import { streamCloses } from './closing.ts';
import { streamDoneSpacing, streamEndsInOrder } from './done.ts';
import { streamChunk, streamIdConstant, streamNoChoiceError, streamRoleFirst } from './chunks.ts';
import {
  streamContentType,
  streamEndMarker,
  streamHeartbeats,
  streamShape,
  streamTiming,
  streamHeaders,
  streamUsage,
} from './observed-streams.ts';
import {
  streamBlockData,
  streamCommentAfterId,
  streamEventNames,
  streamFieldNames,
  streamLineEnds,
  streamByteOrderMark,
  streamOneDataLine,
  streamUtf8,
} from './framing.ts';
import { streamDataJson, streamDataNotEmpty, streamLabelled } from './events.ts';
import { streamDone, streamFinishOnce, streamFinishes, streamNothingAfterFinish } from './endings.ts';
import { streamInPieces, streamIncrements, streamNoReplacementCharacter, streamWholeCharacters } from './text.ts';

export const STREAM_CHECKS = {
  'event-stream': eventStream,
  'stream-has-choices': streamHasChoices,
  'stream-completes': streamCompletes,
  'stream-no-error': streamNoError,
  'stream-carries-text': streamCarriesText,
  'stream-accept-json': streamAcceptJson,
  'stream-labelled': streamLabelled,
  'stream-data-json': streamDataJson,
  'stream-data-not-empty': streamDataNotEmpty,
  'stream-event-names': streamEventNames,
  'stream-block-data': streamBlockData,
  'stream-comment-after-id': streamCommentAfterId,
  'stream-line-ends': streamLineEnds,
  'stream-byte-order-mark': streamByteOrderMark,
  'stream-field-names': streamFieldNames,
  'stream-utf-8': streamUtf8,
  'stream-one-data-line': streamOneDataLine,
  'stream-chunk': streamChunk,
  'stream-id-constant': streamIdConstant,
  'stream-role-first': streamRoleFirst,
  'stream-increments': streamIncrements,
  'stream-no-replacement-character': streamNoReplacementCharacter,
  'stream-whole-characters': streamWholeCharacters,
  'stream-finish-once': streamFinishOnce,
  'stream-nothing-after-finish': streamNothingAfterFinish,
  'stream-done': streamDone,
  'stream-done-spacing': streamDoneSpacing,
  'stream-ends-in-order': streamEndsInOrder,
  'stream-closes': streamCloses,
  'stream-finishes': streamFinishes,
  'stream-no-choice-error': streamNoChoiceError,
  'stream-in-pieces': streamInPieces,
  'stream-shape': streamShape,
  'stream-end-marker': streamEndMarker,
  'stream-content-type': streamContentType,
  'stream-usage': streamUsage,
  'stream-heartbeats': streamHeartbeats,
  'stream-timing': streamTiming,
  'stream-headers': streamHeaders,
} as const satisfies Record<string, Check>;
