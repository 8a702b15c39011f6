/** Composes replies: text in pieces of one token each, and the objects that contain it. */
import type { Piece } from './answer.ts';
import type { Call } from './call.ts';
import { type Json, type JsonObject, isObject } from './json.ts';
import { hash, randomNumbers } from '../random.ts';

/** A generated reply before it is put into a completion or a stream. */
export interface Composition {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
  /** One per token. */
  readonly pieces: readonly string[];
  readonly finishReason: string;
  readonly promptTokens: number;
  /** Default: one for each piece. */
  readonly completionTokens?: number;
}

// Some words are not ASCII, so that every stream has multi-byte characters.
const WORDS =
  'the sea lifts its grey back and the small boats ride over it while gulls turn above the señal and the naïve wind asks where 潮 and 🌊 come from before night falls on harbour sand rope salt tide lamp stone'.split(
    ' ',
  );

/** The least length of a reply unless `max_tokens` is lower: enough to see a stream arrive in pieces. */
const NATURAL_TOKENS = 40;

/** `max_completion_tokens` is not in the contract, but gateways in front of ours put the limit there. */
const TOKEN_LIMITS = ['max_tokens', 'max_completion_tokens'] as const;

/** Unlimited if both fields are absent, or invalid but accepted by a modifier. Of two limits, the smaller holds. */
export function tokenBudget(body: JsonObject): number {
  const limits = TOKEN_LIMITS.map((field) => {
    const asked = body[field];
    return typeof asked === 'number' && asked >= 1 ? Math.floor(asked) : Number.POSITIVE_INFINITY;
  });
  return Math.min(...limits);
}

export function compose(call: Call, seed: number, budget: number): Composition {
  const next = randomNumbers(hash(`${seed}:${call.attempt}:${call.text?.slice(0, 4096) ?? ''}`));
  const natural = NATURAL_TOKENS + Math.floor(next() * 8);
  const pieces = Array.from({ length: Math.min(natural, budget) }, (_, index) => {
    const word = WORDS[Math.floor(next() * WORDS.length)] ?? 'sea';
    return index === 0 ? word : ` ${word}`;
  });
  const { model } = call.body;
  return {
    id: `chatcmpl-${hash(`${seed}:${call.number}`).toString(16).padStart(8, '0')}${call.number.toString(16).padStart(6, '0')}`,
    created: Math.floor(Date.now() / 1000),
    model: typeof model === 'string' ? model : 'sea-large',
    pieces,
    finishReason: budget < natural ? 'length' : 'stop',
    promptTokens: countPrompt(call.body['messages']),
  };
}

function usageOf({ promptTokens, pieces, completionTokens = pieces.length }: Composition): JsonObject {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

export function completionOf(reply: Composition): JsonObject {
  return {
    id: reply.id,
    object: 'chat.completion',
    created: reply.created,
    model: reply.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: reply.pieces.join('') },
        finish_reason: reply.finishReason,
      },
    ],
    usage: usageOf(reply),
  };
}

/** The role, then one chunk per token, then the finish_reason. */
export function chunksOf(reply: Composition): readonly JsonObject[] {
  const deltas: readonly JsonObject[] = [
    { role: 'assistant', content: '' },
    ...reply.pieces.map((content) => ({ content })),
    {},
  ];
  return deltas.map((delta, index) => ({
    id: reply.id,
    object: 'chat.completion.chunk',
    created: reply.created,
    model: reply.model,
    choices: [{ index: 0, delta, finish_reason: index === deltas.length - 1 ? reply.finishReason : null }],
  }));
}

/** Adds a last chunk with token counts and without a choice, if the call asks for one and no chunk has them. */
export function withUsage(chunks: readonly JsonObject[], reply: Composition, { body }: Call): readonly JsonObject[] {
  const options = body['stream_options'];
  const isAsked = isObject(options) && options['include_usage'] === true;
  if (!isAsked || chunks.some(({ usage }) => isObject(usage))) return chunks;
  return [...chunks, { ...chunks[0], choices: [], usage: usageOf(reply) }];
}

export function eventsOf(chunks: readonly Json[], gapMs: number): readonly Piece[] {
  const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  return [...events, 'data: [DONE]\n\n'].map((bytes, index) => ({ bytes, waitMs: index === 0 ? 0 : gapMs }));
}

/** The words of all messages, plus four tokens per message. */
function countPrompt(messages: Json | undefined): number {
  if (!Array.isArray(messages)) return 0;
  return (messages as readonly Json[]).reduce<number>((sum, message) => {
    const content = isObject(message) ? message['content'] : undefined;
    return sum + 4 + (typeof content === 'string' ? content.split(/\s+/).filter(Boolean).length : 0);
  }, 0);
}
