/**
 * Relays whose fault hides behind an ordinary request: what reaches the upstream, or what comes back, is altered for some
 * requests only. Each does everything else as it should.
 */
import { hasUnknownMember } from '../../src/gateway/call-tests.ts';
import { type ClientCall, type FaultyRelay, faultyRelay, type JsonMap } from '../relays/relay-modifier.ts';
import { altersMessages, mergeNeighbours } from '../relays/faulty-requests.ts';
import { choicesIn, withChunkText, withMessages, withMessageText, without } from '../relays/rewrite.ts';

/** The request has all of these fields. */
const has = (body: JsonMap, ...names: readonly string[]): boolean =>
  names.every((name) => body[name] !== undefined && body[name] !== null);

const withoutHebrew = withMessageText((text) => text.replaceAll(/\p{Script=Hebrew}/gu, ''));

function asJson(text: string): string {
  try {
    return /^[[{]/.test(text) ? JSON.stringify(JSON.parse(text)) : text;
  } catch {
    return text;
  }
}

/** The text of the call before on the same connection. */
function repeatReply(reply: JsonMap, { place, headers, memory }: ClientCall): JsonMap {
  const last = memory.get('last') as readonly JsonMap[] | undefined;
  memory.set('last', choicesIn(reply));
  return place === 2 && last && headers.connection !== 'close' ? { ...reply, choices: last } : reply;
}

export const HIDDEN_RELAYS: Readonly<Record<string, FaultyRelay>> = {
  'relay-hidden-astral': altersMessages('Letters beyond the basic plane arrive as replacement characters', (text) =>
    text.replaceAll(/[\u{10000}-\u{1EFFF}\u{20000}-\u{3FFFF}]/gu, '\uFFFD'),
  ),
  'relay-hidden-seventh-message': faultyRelay('The seventh message is lost', 'messages', {
    request: withMessages((messages) => messages.toSpliced(6, 1)),
  }),
  'relay-hidden-unknown-in-message': faultyRelay(
    'A message with an unknown field is lost, if there are others',
    'messages',
    {
      request: withMessages((messages) => {
        const known = messages.filter((message) => !hasUnknownMember(message));
        return known.length === 0 ? messages : known;
      }),
    },
  ),
  'relay-hidden-json-text': altersMessages('A text that is JSON is written anew', asJson),
  'relay-hidden-hebrew-in-streams': faultyRelay('Hebrew text is dropped in streams', 'messages', {
    request: (body) => (body['stream'] === true ? withoutHebrew(body) : body),
  }),
  'relay-hidden-long-text': altersMessages('Text is cut after 700 characters', (text) => text.slice(0, 700)),
  'relay-hidden-clamp': faultyRelay('A temperature above 1.5 becomes 1.5', 'sampling', {
    // Beyond the range, the upstream refuses it.
    request: (body) =>
      Number(body['temperature']) > 1.5 && Number(body['temperature']) <= 2 ? { ...body, temperature: 1.5 } : body,
  }),
  'relay-hidden-zero-top-p': faultyRelay('A top_p of 0 does not arrive beside a temperature', 'sampling', {
    request: (body) => (body['top_p'] === 0 && has(body, 'temperature') ? without('top_p')(body) : body),
  }),
  'relay-hidden-raised-limit': faultyRelay('A token limit between 20 and 40 becomes 64', 'token-limit', {
    request: (body) =>
      Number(body['max_tokens']) >= 20 && Number(body['max_tokens']) <= 40 ? { ...body, max_tokens: 64 } : body,
  }),
  'relay-hidden-three-in-a-row': faultyRelay('Three messages of one role in a row are merged', 'message-list', {
    request: withMessages((messages) =>
      /\b(\w+) \1 \1\b/.test(messages.map(({ role }) => role).join(' ')) ? mergeNeighbours(messages) : messages,
    ),
  }),
  'relay-hidden-late-system': faultyRelay('A system message after others becomes one of the user', 'roles', {
    request: withMessages((messages) =>
      messages.map((message, at) => (at > 0 && message.role === 'system' ? { ...message, role: 'user' } : message)),
    ),
  }),
  'relay-hidden-second-call': faultyRelay('The second call on a connection gets the reply before', 'own-reply', {
    reply: repeatReply,
  }),
  'relay-hidden-emoji-in-reply': faultyRelay('A stream beside top_p and temperature loses emoji', 'text', {
    chunk: (chunk, { body }) =>
      has(body, 'top_p', 'temperature') ? withChunkText((text) => text.replaceAll('🌊', ''))(chunk) : [chunk],
  }),
};
