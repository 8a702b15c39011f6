/** Every check of a stream, by the name that suites call it. */
import type { Check } from '../../check.ts';
import { eventStream } from './event-stream.ts';
import { streamCarriesText } from './stream-carries-text.ts';
import { streamChunk } from './stream-chunk.ts';
import { streamCompletes } from './stream-completes.ts';
import { streamContentType } from './stream-content-type.ts';
import { streamDataJson } from './stream-data-json.ts';
import { streamDataNotEmpty } from './stream-data-not-empty.ts';
import { streamDone } from './stream-done.ts';
import { streamEndMarker } from './stream-end-marker.ts';
import { streamFinishOnce } from './stream-finish-once.ts';
import { streamFinishes } from './stream-finishes.ts';
import { streamHasChoices } from './stream-has-choices.ts';
import { streamHeartbeats } from './stream-heartbeats.ts';
import { streamIdConstant } from './stream-id-constant.ts';
import { streamInPieces } from './stream-in-pieces.ts';
import { streamIncrements } from './stream-increments.ts';
import { streamLabelled } from './stream-labelled.ts';
import { streamNoChoiceError } from './stream-no-choice-error.ts';
import { streamNoReplacementCharacter } from './stream-no-replacement-character.ts';
import { streamNothingAfterFinish } from './stream-nothing-after-finish.ts';
import { streamRoleFirst } from './stream-role-first.ts';
import { streamShape } from './stream-shape.ts';
import { streamTiming } from './stream-timing.ts';
import { streamUsage } from './stream-usage.ts';

export const STREAM_CHECKS = {
  'event-stream': eventStream,
  'stream-has-choices': streamHasChoices,
  'stream-completes': streamCompletes,
  'stream-carries-text': streamCarriesText,
  'stream-labelled': streamLabelled,
  'stream-data-json': streamDataJson,
  'stream-data-not-empty': streamDataNotEmpty,
  'stream-chunk': streamChunk,
  'stream-id-constant': streamIdConstant,
  'stream-role-first': streamRoleFirst,
  'stream-increments': streamIncrements,
  'stream-no-replacement-character': streamNoReplacementCharacter,
  'stream-finish-once': streamFinishOnce,
  'stream-nothing-after-finish': streamNothingAfterFinish,
  'stream-done': streamDone,
  'stream-finishes': streamFinishes,
  'stream-no-choice-error': streamNoChoiceError,
  'stream-in-pieces': streamInPieces,
  'stream-shape': streamShape,
  'stream-end-marker': streamEndMarker,
  'stream-content-type': streamContentType,
  'stream-usage': streamUsage,
  'stream-heartbeats': streamHeartbeats,
  'stream-timing': streamTiming,
} as const satisfies Record<string, Check>;
