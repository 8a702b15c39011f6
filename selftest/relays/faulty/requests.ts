/** Relays that alter or lose parts of a request. */
import { type FaultyRelay, faultyRelay, type JsonMap } from '../relay-modifier.ts';
import { type WireMessage, withMessages, withMessageText, without } from '../rewrite.ts';

const PROMPT = { role: 'system', content: 'You are a friendly assistant.' };

function isFalsy(body: JsonMap, name: string): boolean {
  return body[name] === undefined || body[name] === 0;
}

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
  'relay-trims-messages': faultyRelay('White space around a message is lost', 'messages', {
    request: withMessageText((text) => text.trim()),
  }),
  'relay-collapses-white-space': faultyRelay('White space within a message becomes one space', 'messages', {
    request: withMessageText((text) => text.replaceAll(/[ \t\r\n]+/g, ' ')),
  }),
  'relay-cuts-messages': faultyRelay('A message ends after 400 characters', 'messages', {
    request: withMessageText((text) => text.slice(0, 400)),
  }),
  'relay-normalizes-messages': faultyRelay('Letters of a message are composed', 'messages', {
    request: withMessageText((text) => text.normalize('NFC')),
  }),
  'relay-fills-in-templates': faultyRelay('Braces in a message are taken for a template', 'messages', {
    request: withMessageText((text) => text.replaceAll(/\{\{.*?\}\}/g, '')),
  }),
  'relay-strips-markup': faultyRelay('Tags in a message are removed', 'messages', {
    request: withMessageText((text) => text.replaceAll(/<[^>]*>/g, '')),
  }),
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
    request: (body) => (isFalsy(body, 'temperature') ? without('temperature')(body) : body),
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
