/** Faults met in the field that no check of one run can find, and why. Keyed by the name under which each is known here. */
export interface Unseen {
  readonly title: string;
  readonly source: string;
  readonly reason: string;
}

export const UNSEEN = {
  'chat-finish-stop-when-truncated': {
    title: 'finish_reason is stop although max_tokens cut the text',
    source: 'https://github.com/mudler/LocalAI/issues/3533',
    reason: 'Which finish_reason is right depends on the text, and text is never graded; any string is accepted.',
  },
  'stream-drops-tokens': {
    title: 'Concatenated deltas miss tokens',
    source: 'https://github.com/vllm-project/vllm/issues/30099',
    reason: 'Two replies to one request may differ, so a missing word cannot be told from another wording.',
  },
  'stream-error-as-content': {
    title: 'Upstream error injected as answer text',
    source: 'https://github.com/decolua/9router/pull/3549',
    reason: 'The error stands in the text of the reply, and text is never graded.',
  },
  'stream-choices-key-missing': {
    title: 'Last chunk has no choices member',
    source: 'https://github.com/langchain-ai/langchain/pull/28624',
    reason:
      'A chunk that carries only usage is observed, with and without an empty list of choices; the variant of this name shows it.',
  },
  'param-null-rejected': {
    title: 'Explicit null for an optional parameter refused',
    source: 'https://github.com/ggml-org/llama.cpp/issues/25515',
    reason:
      'The contract does not show whether null is allowed, so either answer is observed; the variant of this name shows it.',
  },
  'transport-chunked-request-hangs': {
    title: 'Chunked request body hangs',
    source: 'https://github.com/ggml-org/llama.cpp/pull/20269',
    reason: 'Requests are sent with Content-Length, as stock clients send them.',
  },
} satisfies Record<string, Unseen>;
