/** The checks on everything but streams, by the names that suites use. */
import type { Check } from '../check.ts';
import { absentFromList, callable, modelListed, modelsAnswer200, permitted, uniqueModels } from './models.ts';
import { acceptance, compression, contentTypes, otherEndpoint, rateHeaders, redirectSeen } from './observed-answers.ts';
import { answered, baseAddress, exactly200, headersFit, httpWellFormed } from './answers.ts';
import { bearerAccepted, keyNotAccepted, keyNotEchoed, keyPrefix } from './keys.ts';
import { unauthorized } from './unauthorized.ts';
import { choiceNoError, everyErrorBody, noErrorInside, noServerError, passingServerErrorBody } from './errors.ts';
import {
  createdUnit,
  deprecationMarks,
  fieldsPresent,
  finishReasons,
  jsonNotes,
  modelEcho,
  unknownFields,
} from './observed-fields.ts';
import { errorConditions, errorWords, refusalStatus, statusesSeen, unaskedErrors } from './observed-errors.ts';
import { afterPauses, idleConnections } from './patience.ts';
import { contextExceeded, largeBodyRefused, bodySizes } from './sizes.ts';
import { finishLength } from './finish-length.ts';
import { completionCounted, hasReply, idsDiffer, indexValues, messageInChoices, usageSum } from './completions.ts';
import {
  jsonBody,
  jsonByteOrderMark,
  jsonLabelCase,
  jsonLabelled,
  notEventStream,
  schema,
  jsonMembersOnce,
} from './bodies.ts';
import { headerPresent } from './headers.ts';
import { maxTokensAccepted, withinMaxTokens } from './max-tokens.ts';
import { noCompletion, refusalInForm, refused, unknownModel } from './refusals.ts';
import { openapi } from './openapi.ts';
import { ownReply } from './own-reply.ts';
import { STREAM_CHECKS } from './streams/index.ts';

export const PLAIN_CHECKS = {
  answered,
  refused,
  unauthorized,
  'exactly-200': exactly200,
  'no-completion': noCompletion,
  'no-server-error': noServerError,
  'refusal-in-form': refusalInForm,
  'every-error-body': everyErrorBody,
  'passing-server-error-body': passingServerErrorBody,
  'json-body': jsonBody,
  schema,
  'message-in-choices': messageInChoices,
  'has-reply': hasReply,
  'no-error-inside': noErrorInside,
  'choice-no-error': choiceNoError,
  'not-event-stream': notEventStream,
  'max-tokens-accepted': maxTokensAccepted,
  'within-max-tokens': withinMaxTokens,
  'ids-differ': idsDiffer,
  'own-reply': ownReply,
  'index-values': indexValues,
  'usage-sum': usageSum,
  'completion-counted': completionCounted,
  'after-pauses': afterPauses,
  'idle-connections': idleConnections,
  'large-body-refused': largeBodyRefused,
  'body-sizes': bodySizes,
  'context-exceeded': contextExceeded,
  'finish-length': finishLength,
  'unique-models': uniqueModels,
  'json-labelled': jsonLabelled,
  'json-label-case': jsonLabelCase,
  'json-members-once': jsonMembersOnce,
  'json-byte-order-mark': jsonByteOrderMark,
  'http-well-formed': httpWellFormed,
  'headers-fit': headersFit,
  'header-present': headerPresent,
  'unknown-model': unknownModel,
  permitted,
  callable,
  'models-answer-200': modelsAnswer200,
  'absent-from-list': absentFromList,
  'model-listed': modelListed,
  'bearer-accepted': bearerAccepted,
  'key-prefix': keyPrefix,
  'base-address': baseAddress,
  openapi,
  'key-not-accepted': keyNotAccepted,
  'key-not-echoed': keyNotEchoed,
  acceptance,
  'refusal-status': refusalStatus,
  'statuses-seen': statusesSeen,
  'error-words': errorWords,
  'error-conditions': errorConditions,
  'unasked-errors': unaskedErrors,
  'deprecation-marks': deprecationMarks,
  'created-unit': createdUnit,
  'fields-present': fieldsPresent,
  'unknown-fields': unknownFields,
  'finish-reasons': finishReasons,
  'model-echo': modelEcho,
  'content-types': contentTypes,
  compression,
  'rate-headers': rateHeaders,
  'redirect-seen': redirectSeen,
  'other-endpoint': otherEndpoint,
  'json-notes': jsonNotes,
} as const satisfies Record<string, Check>;

export const CHECKS = { ...PLAIN_CHECKS, ...STREAM_CHECKS } as const satisfies Record<string, Check>;
export type CheckName = keyof typeof CHECKS;
