/** Relays that damage requests, mix up keys, or break what a gateway promises its clients. */
import { type ClientCall, type FaultyRelay, faultyRelay, type FrontAnswer } from './relay-modifier.ts';
import { textOf, type WireMessage, withChoices, withMessages, withMessageText, without } from './rewrite.ts';
import { errorAnswer, isKnownKey, jsonAnswer, RELAY_KEYS } from './small-relay.ts';

const PROMPT = { role: 'system', content: 'You are a friendly assistant.' };

/** Changes the text of every message. */
export const altersMessages = (title: string, change: (text: string) => string): FaultyRelay =>
  faultyRelay(title, 'messages', { request: withMessageText(change) });

export function mergeNeighbours(messages: readonly WireMessage[]): readonly WireMessage[] {
  const merged: WireMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role !== message.role) merged.push(message);
    else merged[merged.length - 1] = { ...last, content: `${last.content}\n${message.content}` };
  }
  return merged;
}

export const REQUEST_RELAYS = {
  'relay-sends-last-message': faultyRelay('Only the last messages reach the upstream', 'messages', {
    // The word of a question may be in its first message, so the relay also keeps that one.
    request: withMessages((messages) => [...messages.slice(0, 1), ...messages.slice(1).slice(-1)]),
  }),
  'relay-limits-history': faultyRelay('Of a long conversation, the middle does not reach the upstream', 'messages', {
    request: withMessages((messages) =>
      messages.length > 8 ? [...messages.slice(0, 1), ...messages.slice(-6)] : messages,
    ),
  }),
  'relay-drops-system-messages': faultyRelay('System messages do not reach the upstream', 'messages', {
    request: withMessages((messages) => messages.filter(({ role }) => role !== 'system')),
  }),
  'relay-drops-repeated-messages': faultyRelay('A message that was sent before does not arrive again', 'messages', {
    request: withMessages((messages) =>
      messages.filter(({ content }, at) => messages.findIndex((other) => other.content === content) === at),
    ),
  }),
  'relay-trims-messages': altersMessages('White space around a message is lost', (text) => text.trim()),
  'relay-collapses-white-space': altersMessages('White space within a message becomes one space', (text) =>
    text.replaceAll(/[ \t\r\n]+/g, ' '),
  ),
  'relay-cuts-messages': altersMessages('A message ends after 400 characters', (text) => text.slice(0, 400)),
  'relay-normalizes-messages': altersMessages('Letters of a message are composed', (text) => text.normalize('NFC')),
  'relay-fills-in-templates': altersMessages('Braces in a message are taken for a template', (text) =>
    text.replaceAll(/\{\{.*?\}\}/g, ''),
  ),
  'relay-strips-markup': altersMessages('Tags in a message are removed', (text) => text.replaceAll(/<[^>]*>/g, '')),
  'relay-adds-prompt': faultyRelay('A system message is added to every request', 'message-list', {
    request: withMessages((messages) => [PROMPT, ...messages]),
  }),
  'relay-merges-messages': faultyRelay('Messages of one role in a row are merged', 'message-list', {
    request: withMessages(mergeNeighbours),
  }),
  'relay-system-first': faultyRelay('System messages are moved to the front', 'message-list', {
    request: withMessages((messages) => messages.toSorted((a, b) => rankOf(a) - rankOf(b))),
  }),
  'relay-system-as-user': faultyRelay('System messages become user messages', 'roles', {
    request: withMessages((messages) =>
      messages.map((message) => (message.role === 'system' ? { ...message, role: 'user' } : message)),
    ),
  }),
  'relay-all-as-user': faultyRelay('Messages of the assistant become user messages when streamed', 'roles', {
    request: (body) =>
      body['stream'] === true
        ? withMessages((messages) => messages.map((message) => ({ ...message, role: 'user' })))(body)
        : body,
  }),
  'relay-drops-max-tokens': faultyRelay('max_tokens does not reach the upstream', 'token-limit', {
    request: without('max_tokens'),
  }),
  'relay-drops-streamed-max-tokens': faultyRelay('max_tokens of a stream does not reach the upstream', 'token-limit', {
    request: (body) => (body['stream'] === true ? without('max_tokens')(body) : body),
  }),
  'relay-raises-max-tokens': faultyRelay('A small max_tokens is raised to 256', 'token-limit', {
    request: (body) =>
      typeof body['max_tokens'] === 'number' ? { ...body, max_tokens: Math.max(256, body['max_tokens']) } : body,
  }),
  'relay-default-token-limit': faultyRelay('Every request has the same max_completion_tokens', 'token-limit', {
    request: (body) => ({ ...body, max_completion_tokens: 4_096 }),
  }),
  'relay-drops-sampling': faultyRelay('temperature and top_p do not reach the upstream', 'sampling', {
    request: without('temperature', 'top_p'),
  }),
  'relay-drops-zero-temperature': faultyRelay('A temperature of 0 does not reach the upstream', 'sampling', {
    request: (body) => (body['temperature'] === 0 ? without('temperature')(body) : body),
  }),
  'relay-limits-temperature': faultyRelay('A temperature above 1 becomes 1', 'sampling', {
    request: (body) =>
      typeof body['temperature'] === 'number' ? { ...body, temperature: Math.min(1, body['temperature']) } : body,
  }),
  'relay-drops-top-p': faultyRelay('top_p of a stream does not reach the upstream', 'sampling', {
    request: (body) => (body['stream'] === true ? without('top_p')(body) : body),
  }),
  'relay-always-the-same-model': faultyRelay('The upstream is always asked for the same model', 'model', {
    models: ['small', 'large'],
    only: ['plain', 'forward-models'],
    request: (body) => ({ ...body, model: 'inner-model' }),
  }),
  'relay-maps-models-wrongly': faultyRelay('Two models are mixed up', 'model', {
    models: ['small=inner-small', 'large=inner-large'],
    only: ['plain', 'forward-models'],
    request: (body) => ({ ...body, model: body['model'] === 'small' ? 'inner-large' : 'inner-small' }),
  }),
} satisfies Record<string, FaultyRelay>;

function rankOf({ role }: WireMessage): number {
  return role === 'system' ? 0 : 1;
}

const question = ({ body }: ClientCall): string => `cache ${JSON.stringify(body)}`;

export const KEY_RELAYS = {
  'relay-accepts-every-key': faultyRelay('Every key is accepted', 'auth.required', { accepts: () => true }),
  'relay-accepts-no-key': faultyRelay('A call without a key is accepted', 'auth.required', {
    accepts: (key) => key === '' || isKnownKey(key),
  }),
  'relay-403-for-keys': faultyRelay('An unknown key gets 403', 'auth.required', { keyStatus: 403 }),
  'relay-checks-keys-late': faultyRelay(
    'A call with an unknown key is refused after the upstream has replied',
    'refused-key',
    {
      accepts: () => true,
      upstreamMode: 'plain',
      reply(reply, { key }) {
        if (!isKnownKey(key)) throw new Error('unknown key');
        return reply;
      },
      failure: (_failure, { key }, usual) =>
        isKnownKey(key) ? usual : errorAnswer(401, 'invalid_api_key', 'The key is not valid.'),
    },
  ),
  'relay-quotes-upstream-errors': faultyRelay('The message of an upstream error is passed on', 'upstream-key', {
    failure: ({ status, body }, _call, usual) => (status === 401 ? { ...usual, body } : usual),
  }),
  'relay-sends-client-key': faultyRelay("The client's key authorizes the upstream call", 'client-key', {
    requestHeaders: (usual, { key }) => ({ ...usual, Authorization: `Bearer ${key}` }),
  }),
  'relay-forwards-key-header': faultyRelay("The client's key is in a header of the upstream call", 'client-key', {
    requestHeaders: (usual, { key }) => ({ ...usual, 'X-Client-Authorization': `Bearer ${key}` }),
  }),
  'relay-key-as-user': faultyRelay("The client's key is the user of the upstream call", 'client-key', {
    request: (body, { key }) => ({ ...body, user: key }),
  }),
  'relay-shows-upstream-key': faultyRelay("A header of every answer has the upstream's key", 'upstream-key', {
    answerHeaders: (usual) => ({ ...usual, 'X-Upstream-Key': RELAY_KEYS.upstream }),
  }),
  'relay-upstream-key-in-errors': faultyRelay("Error messages have the upstream's key", 'upstream-key', {
    failure: ({ status }, _call, usual) =>
      status === 401 ? errorAnswer(502, 'upstream_failed', `${RELAY_KEYS.upstream} was refused.`) : usual,
  }),
  'relay-upstream-key-in-chunks': faultyRelay("Every chunk has the upstream's key", 'upstream-key', {
    chunk: (chunk) => ({ ...chunk, debug: { key: RELAY_KEYS.upstream } }),
  }),
  'relay-caches-for-all-keys': faultyRelay('A plain reply is cached for all keys', 'other-key', {
    shortcut: (call) => (call.isStream ? undefined : (call.memory.get(question(call)) as FrontAnswer | undefined)),
    reply(reply, call) {
      call.memory.set(question(call), jsonAnswer(200, reply));
      return reply;
    },
  }),
  'relay-caches-streams-for-all-keys': faultyRelay('A stream is cached for all keys', 'other-key', {
    shortcut: (call) => {
      const events = (call.memory.get(question(call)) as readonly string[] | undefined) ?? [];
      if (!events.some((event) => event.includes('"finish_reason":"stop"'))) return undefined;
      const body = [...events, '[DONE]'].map((event) => `data: ${event}\n\n`).join('');
      return { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body };
    },
    chunk(chunk, call) {
      const known = (call.memory.get(question(call)) as readonly string[] | undefined) ?? [];
      call.memory.set(question(call), [...known, JSON.stringify(chunk)]);
      return [chunk];
    },
  }),
} satisfies Record<string, FaultyRelay>;

export const FRONT_RELAYS = {
  'relay-no-end-marker': faultyRelay('Streams end after finish_reason', 'stream.done', {
    endMarker: '',
    midStream: 'cut',
  }),
  'relay-done-twice': faultyRelay('Streams have two end markers', 'stream.done', {
    endMarker: 'data: [DONE]\n\ndata: [DONE]\n\n',
  }),
  'relay-one-id': faultyRelay('Every plain reply has the same id', 'completion.ids-differ', {
    reply: (reply) => ({ ...reply, id: 'chatcmpl-relay' }),
  }),
  'relay-id-per-chunk': faultyRelay('Every chunk has an id of its own', 'stream.id-constant', {
    chunk: (chunk) => ({ ...chunk, id: `chunk-${Math.random()}` }),
  }),
  'relay-no-role': faultyRelay('No chunk has a role', 'stream.role-first', {
    chunk: withChoices((choice) => ({ ...choice, delta: without('role')(choice.delta ?? {}) })),
  }),
  'relay-streams-as-json': faultyRelay('Streams are labelled as JSON', 'stream.labelled', {
    answerHeaders: (usual) => ({ ...usual, 'Content-Type': 'application/json' }),
  }),
  'relay-replies-as-text': faultyRelay('Plain replies are labelled as text', 'wire.json-labelled', {
    answerHeaders: (usual, { isStream }) => (isStream ? { ...usual } : { ...usual, 'Content-Type': 'text/plain' }),
  }),
  'relay-empty-text-as-null': faultyRelay('Empty text becomes null', 'choice.message-content', {
    reply: withChoices((choice) =>
      textOf(choice) === '' ? { ...choice, message: { ...choice.message, content: null } } : choice,
    ),
  }),
  'relay-other-object': faultyRelay('Plain replies have a different object', 'completion.object', {
    reply: (reply) => ({ ...reply, object: 'relay.completion' }),
  }),
  'relay-list-of-names': faultyRelay('The list has names in place of models', 'model.id', {
    list: (list) => ({ ...list, data: [{ name: 'small-relay', object: 'model', owned_by: 'relay' }] }),
  }),
  // The error that is not told well is not one of a failure, which relay.failure-form judges.
  'relay-error-type-null': faultyRelay('The error for an odd form has the type null', ['odd-forms', 'errors.type'], {
    reply(reply) {
      if (typeof reply['id'] !== 'string') throw new Error('no id');
      return reply;
    },
    failure: ({ status }, _call, usual) =>
      status === undefined
        ? { ...usual, body: JSON.stringify({ error: { message: 'Failed.', type: null, code: 'failed' } }) }
        : usual,
    only: ['plain*', 'front-*'],
  }),
} satisfies Record<string, FaultyRelay>;
