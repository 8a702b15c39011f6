/** Clients that take legal JSON for wrong, or the wrong part of it for the text. */
import { type FaultyClient, faultyClient, type WireValue } from '../client-modifier.ts';
import { addChunk } from '../small-client.ts';

/** Throws for a field that is not among these. */
function refuseOthers(value: object | undefined | null, known: readonly string[]): void {
  if (!hasOnly(value, known)) throw new Error('Unknown fields.');
}

const KNOWN = ['id', 'object', 'created', 'model', 'choices', 'usage', 'data', 'error', 'system_fingerprint'];
const FINISH_REASONS = ['stop', 'length', 'content_filter', 'tool_calls'];

const OWNERS = ['reference', 'openai', 'system'];
const ERROR_TYPES = [
  'authentication_error',
  'invalid_request_error',
  'permission_error',
  'quota_error',
  'rate_limit_error',
  'server_error',
];

/** Undefined for what is not JSON, such as the page of a proxy. */
function parseError(body: string): WireValue | undefined {
  try {
    return JSON.parse(body) as WireValue;
  } catch {
    return undefined;
  }
}

function hasOnly(value: object | undefined | null, known: readonly string[]): boolean {
  return Object.keys(value ?? {}).every((name) => known.includes(name));
}

function firstText({ choices }: WireValue): string {
  return choices?.[0]?.message?.content ?? '';
}

export const VALUE_CLIENTS = {
  'client-strict-at-top': faultyClient('Unknown fields of a reply, a chunk or a list are an error', 'unknown-fields', {
    inspectValue: (value) => refuseOthers(value, KNOWN),
  }),
  'client-strict-usage': faultyClient('Unknown fields of usage are an error', 'unknown-fields', {
    inspectValue: ({ usage }) => refuseOthers(usage, ['prompt_tokens', 'completion_tokens', 'total_tokens']),
  }),
  'client-strict-models': faultyClient('Unknown fields of a model are an error', 'unknown-fields', {
    inspectValue: ({ data = [] }) =>
      data.forEach((model) => refuseOthers(model, ['id', 'object', 'created', 'owned_by'])),
  }),
  'client-strict-choices': faultyClient(
    'Unknown fields of a choice, its message or its delta are an error',
    'unknown-fields',
    {
      inspectValue: ({ choices = [] }) => {
        for (const choice of choices) {
          refuseOthers(choice, ['index', 'message', 'delta', 'finish_reason']);
          refuseOthers(choice.message ?? choice.delta, ['role', 'content']);
        }
      },
    },
  ),
  'client-strict-errors': faultyClient('An error body with unknown fields is an empty reply', 'unknown-fields', {
    failure: ({ kind, message }) => {
      const body = kind === 'status' ? parseError(message) : undefined;
      const isKnown = hasOnly(body, ['error']) && hasOnly(body?.error, ['message', 'type', 'code', 'param']);
      return isKnown ? undefined : '';
    },
  }),
  'client-known-models': faultyClient('Models of a different family are left out of the list', 'new-models', {
    list: (ids) => ids.filter((id) => /^sea-\w+$/.test(id)),
  }),
  'client-first-hundred-models': faultyClient('Only the first hundred models are listed', 'new-models', {
    list: (ids) => ids.slice(0, 100),
  }),
  'client-first-model': faultyClient('Only the first model is listed', 'model-list', {
    list: (ids) => ids.slice(0, 1),
  }),
  'client-finish-reason-enum': faultyClient('A new finish_reason is an error', 'unknown-values', {
    inspectValue: ({ choices = [] }) => {
      for (const { finish_reason: reason } of choices) {
        if (typeof reason === 'string' && !FINISH_REASONS.includes(reason)) throw new Error(`Unknown ${reason}.`);
      }
    },
  }),
  'client-owner-enum': faultyClient('A new owner of a model is an error', 'unknown-values', {
    inspectValue: ({ data = [] }) => {
      const stranger = data.find(({ owned_by: owner }) => owner !== undefined && !OWNERS.includes(owner));
      if (stranger) throw new Error(`Unknown owner ${stranger.owned_by}.`);
    },
  }),
  'client-error-type-enum': faultyClient('An error of a new type is an empty reply', 'unknown-values', {
    failure: ({ kind, message }) => {
      const type = kind === 'status' ? parseError(message)?.error?.type : undefined;
      return type === undefined || ERROR_TYPES.includes(type) ? undefined : '';
    },
  }),
  'client-needs-usage': faultyClient('A reply without usage is an error', 'optional-fields', {
    reply: (reply) => {
      if (!reply.usage) throw new Error('usage is missing.');
      return firstText(reply);
    },
  }),
  'client-needs-index': faultyClient('The text is that of the choice with index 0', 'optional-fields', {
    reply: ({ choices = [] }) => choices.find(({ index }) => index === 0)?.message?.content ?? '',
  }),
  'client-needs-owner': faultyClient('A model without an owner is an error', 'optional-fields', {
    inspectValue: ({ data = [] }) => {
      if (data.some(({ owned_by: owner }) => owner === undefined)) throw new Error('owned_by is missing.');
    },
  }),
  'client-null-as-text': faultyClient('content: null becomes the text null', 'optional-fields', {
    chunk: (chunk, reply) => {
      const delta = chunk.choices?.[0]?.delta ?? {};
      if (delta.content === null) reply.text += 'null';
      addChunk(chunk, reply);
    },
  }),
  'client-needs-role': faultyClient('Text before a role is dropped', 'optional-fields', {
    chunk: (chunk, reply) => {
      const isOpen = roles.has(reply) || chunk.choices?.some(({ delta }) => typeof delta?.role === 'string');
      if (isOpen) roles.add(reply);
      const before = reply.text;
      addChunk(chunk, reply);
      if (!isOpen) reply.text = before;
    },
  }),
  'client-last-choice': faultyClient('The text is that of the last choice', 'further-contents', {
    reply: ({ choices = [] }) => choices.at(-1)?.message?.content ?? '',
  }),
  'client-all-choices': faultyClient('Streamed choices are mixed', 'further-contents', {
    chunk: (chunk, reply) =>
      addChunk({ choices: (chunk.choices ?? []).map((choice) => ({ ...choice, index: 0 })) }, reply),
  }),
  'client-needs-choices': faultyClient('An empty list of choices is an error', 'further-contents', {
    inspectValue: ({ choices }) => {
      if (choices?.length === 0) throw new Error('choices is empty.');
    },
  }),
  'client-dies-of-empty-choices': faultyClient('The driver dies of an empty list of choices', 'further-contents', {
    only: ['client/plain', 'client/stream', 'client/stream-crlf', 'client/stream-usage-chunk', 'client/models'],
    inspectValue: ({ choices }) => {
      if (choices?.length === 0) throw new Error('choices is empty.');
    },
    diesOfFailures: true,
  }),
  'client-reasoning-as-text': faultyClient('Reasoning is part of the text', 'further-contents', {
    reply: (reply) => (reply.choices?.[0]?.message?.reasoning_content ?? '') + firstText(reply),
  }),
  'client-first-line': faultyClient('Only the first line of a plain reply is kept', ['plain-reply', 'http-and-json'], {
    reply: (reply) => firstText(reply).split('\n')[0] ?? '',
  }),
  'client-error-words': faultyClient('A plain text with the word error is taken for one', 'http-and-json', {
    reply: (reply) => {
      const text = firstText(reply);
      if (text.includes('"error"')) throw new Error(text);
      return text;
    },
  }),
} satisfies Record<string, FaultyClient>;

/** Replies in which a role has been seen. */
const roles = new WeakSet<object>();
