/** The checks on everything but streams, by the names that suites use. */
import type { Check } from '../check.ts';
import { absentFromList } from './absent-from-list.ts';
import { acceptance } from './acceptance.ts';
import { answered } from './answered.ts';
import { baseAddress } from './base-address.ts';
import { bearerAccepted } from './bearer-accepted.ts';
import { callable } from './callable.ts';
import { choiceNoError } from './choice-no-error.ts';
import { compression } from './compression.ts';
import { contentTypes } from './content-types.ts';
import { createdUnit } from './created-unit.ts';
import { deprecationMarks } from './deprecation-marks.ts';
import { errorBody } from './error-body.ts';
import { errorConditions } from './error-conditions.ts';
import { errorWords } from './error-words.ts';
import { everyErrorBody } from './every-error-body.ts';
import { exactly200 } from './exactly-200.ts';
import { fieldsPresent } from './fields-present.ts';
import { finishReasons } from './finish-reasons.ts';
import { hasReply } from './has-reply.ts';
import { httpWellFormed } from './http-well-formed.ts';
import { idsDiffer } from './ids-differ.ts';
import { indexValues } from './index-values.ts';
import { jsonBody } from './json-body.ts';
import { jsonLabelled } from './json-labelled.ts';
import { jsonNotes } from './json-notes.ts';
import { keyNotAccepted } from './key-not-accepted.ts';
import { keyNotEchoed } from './key-not-echoed.ts';
import { keyPrefix } from './key-prefix.ts';
import { maxTokensAccepted } from './max-tokens-accepted.ts';
import { modelEcho } from './model-echo.ts';
import { noCompletion } from './no-completion.ts';
import { noErrorInside } from './no-error-inside.ts';
import { noServerError } from './no-server-error.ts';
import { notEventStream } from './not-event-stream.ts';
import { openapi } from './openapi.ts';
import { otherEndpoint } from './other-endpoint.ts';
import { passingServerErrorBody } from './passing-server-error-body.ts';
import { permitted } from './permitted.ts';
import { rateHeaders } from './rate-headers.ts';
import { redirectSeen } from './redirect-seen.ts';
import { refusalStatus } from './refusal-status.ts';
import { refusalInForm } from './refusal-in-form.ts';
import { refused } from './refused.ts';
import { schema } from './schema.ts';
import { statusesSeen } from './statuses-seen.ts';
import { unauthorized } from './unauthorized.ts';
import { uniqueModels } from './unique-models.ts';
import { unknownFields } from './unknown-fields.ts';
import { unknownModel } from './unknown-model.ts';
import { usageSum } from './usage-sum.ts';
import { withinMaxTokens } from './within-max-tokens.ts';

export const PLAIN_CHECKS = {
  answered,
  refused,
  unauthorized,
  'exactly-200': exactly200,
  'no-completion': noCompletion,
  'no-server-error': noServerError,
  'refusal-in-form': refusalInForm,
  'error-body': errorBody,
  'every-error-body': everyErrorBody,
  'passing-server-error-body': passingServerErrorBody,
  'json-body': jsonBody,
  schema,
  'has-reply': hasReply,
  'no-error-inside': noErrorInside,
  'choice-no-error': choiceNoError,
  'not-event-stream': notEventStream,
  'max-tokens-accepted': maxTokensAccepted,
  'within-max-tokens': withinMaxTokens,
  'ids-differ': idsDiffer,
  'index-values': indexValues,
  'usage-sum': usageSum,
  'unique-models': uniqueModels,
  'json-labelled': jsonLabelled,
  'http-well-formed': httpWellFormed,
  'unknown-model': unknownModel,
  permitted,
  callable,
  'absent-from-list': absentFromList,
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
