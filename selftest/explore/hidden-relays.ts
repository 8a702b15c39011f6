/**
 * Relays whose fault hides behind an ordinary request: what reaches the upstream, or what comes back, is altered for some
 * requests only. Each does everything else as it should.
 */
import { type ClientCall, type FaultyRelay, faultyRelay, type JsonMap } from '../relays/relay-modifier.ts';
import { mergeNeighbours } from '../relays/faulty-requests.ts';
import { choicesIn, messagesIn, type WireMessage, withChunkText, without } from '../relays/rewrite.ts';

type Test = (body: JsonMap) => boolean;

/** A message that lacks something is for the upstream to refuse. */
const isComplete = ({ role, content }: WireMessage): boolean => typeof role === 'string' && typeof content === 'string';
const isList = (body: JsonMap): boolean => Array.isArray(body['messages']) && messagesIn(body).every(isComplete);
const rolesOf = (body: JsonMap): string => (isList(body) ? messagesIn(body).map(({ role }) => role) : []).join(' ');
const has =
  (...names: readonly string[]): Test =>
  (body) =>
    names.every((name) => body[name] !== undefined && body[name] !== null);

/** Rewrites the messages of some requests. */
const rewriting =
  (test: Test, change: (messages: readonly WireMessage[]) => readonly object[]) =>
  (body: JsonMap): JsonMap =>
    isList(body) && test(body) ? { ...body, messages: change(messagesIn(body)) } : body;

const withText = (change: (text: string) => string) => (messages: readonly WireMessage[]) =>
  messages.map((message) => ({ ...message, content: change(message.content) }));

const always: Test = () => true;
const isUnknown = (message: object): boolean =>
  Object.keys(message).some((name) => name !== 'role' && name !== 'content');

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
  'relay-hidden-astral': faultyRelay('Letters beyond the basic plane arrive as replacement characters', 'messages', {
    request: rewriting(
      always,
      withText((text) => text.replaceAll(/[\u{10000}-\u{1EFFF}\u{20000}-\u{3FFFF}]/gu, '\uFFFD')),
    ),
  }),
  'relay-hidden-seventh-message': faultyRelay('The seventh message is lost', 'messages', {
    request: rewriting(always, (messages) => messages.toSpliced(6, 1)),
  }),
  'relay-hidden-unknown-in-message': faultyRelay(
    'A message with an unknown field is lost, if there are others',
    'messages',
    {
      request: rewriting(always, (messages) => {
        const known = messages.filter((message) => !isUnknown(message));
        return known.length === 0 ? messages : known;
      }),
    },
  ),
  'relay-hidden-json-text': faultyRelay('A text that is JSON is written anew', 'messages', {
    request: rewriting(always, withText(asJson)),
  }),
  'relay-hidden-hebrew-in-streams': faultyRelay('Hebrew text is dropped in streams', 'messages', {
    request: rewriting(
      ({ stream }) => stream === true,
      withText((text) => text.replaceAll(/\p{Script=Hebrew}/gu, '')),
    ),
  }),
  'relay-hidden-long-text': faultyRelay('Text is cut after 700 characters', 'messages', {
    request: rewriting(
      always,
      withText((text) => text.slice(0, 700)),
    ),
  }),
  'relay-hidden-clamp': faultyRelay('A temperature above 1.5 becomes 1.5', 'sampling', {
    // Beyond the range, the upstream refuses it.
    request: (body) =>
      Number(body['temperature']) > 1.5 && Number(body['temperature']) <= 2 ? { ...body, temperature: 1.5 } : body,
  }),
  'relay-hidden-zero-top-p': faultyRelay('A top_p of 0 does not arrive beside a temperature', 'sampling', {
    request: (body) => (body['top_p'] === 0 && has('temperature')(body) ? without('top_p')(body) : body),
  }),
  'relay-hidden-raised-limit': faultyRelay('A token limit between 20 and 40 becomes 64', 'token-limit', {
    request: (body) =>
      Number(body['max_tokens']) >= 20 && Number(body['max_tokens']) <= 40 ? { ...body, max_tokens: 64 } : body,
  }),
  'relay-hidden-three-in-a-row': faultyRelay('Three messages of one role in a row are merged', 'message-list', {
    request: rewriting((body) => /\b(\w+) \1 \1\b/.test(rolesOf(body)), mergeNeighbours),
  }),
  'relay-hidden-late-system': faultyRelay('A system message after others becomes one of the user', 'roles', {
    request: rewriting(always, (messages) =>
      messages.map((message, at) => (at > 0 && message.role === 'system' ? { ...message, role: 'user' } : message)),
    ),
  }),
  'relay-hidden-second-call': faultyRelay('The second call on a connection gets the reply before', 'own-reply', {
    reply: repeatReply,
  }),
  'relay-hidden-emoji-in-reply': faultyRelay('A stream beside top_p and temperature loses emoji', 'text', {
    chunk: (chunk, { body }) =>
      has('top_p', 'temperature')(body) ? withChunkText((text) => text.replaceAll('🌊', ''))(chunk) : [chunk],
  }),
};
