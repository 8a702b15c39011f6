/** Known faults that no check of a single run can find, and why. */
export interface Unseen {
  readonly title: string;
  readonly source: string;
  readonly reason: string;
}

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
  'stream-choices-key-missing': {
    title: 'The last chunk has no choices',
    source: 'https://github.com/langchain-ai/langchain/pull/28624',
    reason: 'A chunk with only usage is observed, with empty choices or without them; see the variant of this name.',
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
} satisfies Record<string, Unseen>;
