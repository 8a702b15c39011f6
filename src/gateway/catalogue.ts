/** All faults, all variants, and the known faults that cannot be found. */
import type { Fault, Variant } from './modifier.ts';
import { AUTH_FAULTS } from './faults/auth.ts';
import { BROWSER_FAULTS } from './faults/browsers.ts';
import { COUNT_FAULTS } from './faults/counts.ts';
import { COMPLETION_FAULTS } from './faults/completions.ts';
import { CHUNKS_FAULTS } from './faults/chunks.ts';
import { ERRORS_FAULTS } from './faults/errors.ts';
import { FRAMING_FAULTS, STREAMING_FAULTS } from './faults/streaming.ts';
import { MIXED_REPLIES_FAULTS, MODELS_FAULTS } from './faults/replies.ts';
import { MESSAGES_FAULTS, SIZE_FAULTS, SPELLINGS_FAULTS } from './faults/requests.ts';
import { PARAMETERS_FAULTS } from './faults/parameters.ts';
import { TRANSPORT_FAULTS } from './faults/transport.ts';
import { TYPES_FAULTS } from './faults/types.ts';
import { ACCESS_VARIANTS, SIZE_VARIANTS } from './variants/requests.ts';
import { ANSWER_VARIANTS } from './variants/answers.ts';
import { BROWSER_VARIANTS } from './variants/browsers.ts';
import { COUNT_VARIANTS } from './variants/counts.ts';
import { STREAM_VARIANTS } from './variants/streams.ts';
import { TRANSPORT_VARIANTS } from './variants/transport.ts';

/** Violations of the contract that a checker has to find. */
const FAULT_TABLE = {
  ...AUTH_FAULTS,
  ...MESSAGES_FAULTS,
  ...MODELS_FAULTS,
  ...COMPLETION_FAULTS,
  ...MIXED_REPLIES_FAULTS,
  ...PARAMETERS_FAULTS,
  ...TYPES_FAULTS,
  ...SPELLINGS_FAULTS,
  ...STREAMING_FAULTS,
  ...CHUNKS_FAULTS,
  ...FRAMING_FAULTS,
  ...ERRORS_FAULTS,
  ...SIZE_FAULTS,
  ...TRANSPORT_FAULTS,
  ...BROWSER_FAULTS,
  ...COUNT_FAULTS,
} satisfies Record<string, Fault>;

export type FaultId = keyof typeof FAULT_TABLE;
export const FAULTS: Readonly<Record<FaultId, Fault>> = FAULT_TABLE;

/** Unusual behaviour within the contract, in which a checker must find nothing broken. */
const VARIANT_TABLE = {
  ...ANSWER_VARIANTS,
  ...ACCESS_VARIANTS,
  ...SIZE_VARIANTS,
  ...STREAM_VARIANTS,
  ...TRANSPORT_VARIANTS,
  ...BROWSER_VARIANTS,
  ...COUNT_VARIANTS,
} satisfies Record<string, Variant>;

export type VariantId = keyof typeof VARIANT_TABLE;
export const VARIANTS: Readonly<Record<VariantId, Variant>> = VARIANT_TABLE;

/** Known faults that no check of a single run can find, and why. */
export const UNSEEN = {
  'chat-finish-stop-when-truncated': {
    title: 'finish_reason is stop although max_tokens cut off the text',
    source: 'https://github.com/mudler/LocalAI/issues/3533',
    reason: 'The right finish_reason depends on the text, and text is never judged; any string is accepted.',
  },
  'stream-drops-tokens': {
    title: 'Deltas lack some of the tokens',
    source: 'https://github.com/vllm-project/vllm/issues/30099',
    reason: 'Two replies to the same request may differ, so a missing word cannot be told from different wording.',
  },
  'stream-error-as-content': {
    title: 'An upstream error is sent as the text of the reply',
    source: 'https://github.com/decolua/9router/pull/3549',
    reason: 'The error is in the text of the reply, and text is never judged.',
  },
  'param-null-rejected': {
    title: 'null for an optional parameter is refused',
    source: 'https://github.com/ggml-org/llama.cpp/issues/25515',
    reason:
      'The contract does not say whether null is allowed, so either answer is observed; see the variant of this name.',
  },
  'transport-chunked-request-hangs': {
    title: 'A chunked request body hangs',
    source: 'https://github.com/ggml-org/llama.cpp/pull/20269',
    reason: 'Requests are sent with Content-Length, as common clients do.',
  },
} satisfies Record<string, { title: string; source: string; reason: string }>;
