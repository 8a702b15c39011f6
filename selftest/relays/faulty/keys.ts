/** Relays that hand keys on, or replies to another key. */
import { type ClientCall, type FaultyRelay, faultyRelay, type FrontAnswer } from '../relay-modifier.ts';
import { errorAnswer, isKnownKey, jsonAnswer, RELAY_KEYS } from '../small-relay.ts';

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
    chunk: (chunk) => [{ ...chunk, debug: { key: RELAY_KEYS.upstream } }],
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
