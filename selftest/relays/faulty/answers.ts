/** Relays that alter, lose or mix plain replies. */
import { type FaultyRelay, faultyRelay, type FrontAnswer, type JsonMap } from '../relay-modifier.ts';
import { choicesIn, messagesIn, textOf, withChoices, without, withReplyText } from '../rewrite.ts';
import { jsonAnswer } from '../small-relay.ts';

/** Throws if a value has other members, as a strict parser does. */
function allowOnly(value: JsonMap, names: readonly string[]): void {
  const stranger = Object.keys(value).find((name) => !names.includes(name));
  if (stranger !== undefined) throw new Error(`Unknown field ${stranger}`);
}

const FIELDS = ['id', 'object', 'created', 'model', 'choices', 'usage', 'system_fingerprint', 'service_tier'];
const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const LONGEST = 64 * 1024;

export const ANSWER_RELAYS = {
  'relay-refuses-unknown-fields': faultyRelay('Unknown fields of a plain reply are a failure', 'understood', {
    reply(reply) {
      allowOnly(reply, FIELDS);
      return reply;
    },
  }),
  'relay-refuses-null-fields': faultyRelay('A field of a plain reply that is null is a failure', 'understood', {
    reply(reply) {
      if (Object.values(reply).includes(null)) throw new Error('null');
      return reply;
    },
  }),
  'relay-needs-every-field': faultyRelay('A plain reply without an id is a failure', 'odd-forms', {
    reply(reply) {
      if (typeof reply['id'] !== 'string') throw new Error('no id');
      return reply;
    },
  }),
  'relay-refuses-empty-text': faultyRelay('A plain reply without text is a failure', 'understood', {
    reply(reply) {
      if (choicesIn(reply).some((choice) => textOf(choice) === '')) throw new Error('empty');
      return reply;
    },
  }),
  'relay-does-not-unpack': faultyRelay('Compressed answers are asked for, and not unpacked', 'understood', {
    requestHeaders: (usual) => ({ ...usual, 'Accept-Encoding': 'gzip' }),
    unpacks: false,
  }),
  'relay-trims-replies': faultyRelay('White space around a plain reply is lost', 'text', {
    reply: withReplyText((text) => text.trim()),
  }),
  'relay-normalizes-replies': faultyRelay('Letters of a plain reply are composed', 'text', {
    reply: withReplyText((text) => text.normalize('NFC')),
  }),
  'relay-escapes-markup': faultyRelay('Markup in a plain reply is escaped', 'text', {
    reply: withReplyText((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  }),
  'relay-replies-in-latin-1': faultyRelay('Letters beyond Latin-1 become question marks', 'text', {
    reply: withReplyText((text) => text.replaceAll(/[\u0100-\uffff]/g, '?')),
  }),
  'relay-cuts-long-replies': faultyRelay('A plain reply ends after 64 KiB', 'text', {
    reply: withReplyText((text) => text.slice(0, LONGEST)),
  }),
  'relay-reasoning-in-text': faultyRelay('Reasoning is put in front of a plain reply', 'text', {
    reply: (reply) =>
      withChoices(reply, (choice) => ({
        ...choice,
        message: { ...choice.message, content: `${thoughtIn(choice.message)}${textOf(choice)}` },
      })),
  }),
  'relay-last-choice-first': faultyRelay('The last choice of a plain reply becomes the first', 'text', {
    reply: (reply) => ({ ...reply, choices: [{ ...choicesIn(reply).at(-1), index: 0 }] }),
  }),
  'relay-signs-replies': faultyRelay('A line is added to every plain reply', 'text', {
    reply: withReplyText((text) => `${text}\n\nServed by relay.`),
  }),
  'relay-mixes-replies': faultyRelay('A plain call gets the reply of the call before', 'own-reply', {
    only: ['plain', 'plain-l*', 'plain-u*', 'stream', 'parallel'],
    reply(reply, { memory }) {
      const last = memory.get('last') ?? reply;
      memory.set('last', reply);
      return last as JsonMap;
    },
  }),
  'relay-joins-similar-questions': faultyRelay(
    'A question that begins like an earlier one gets its reply',
    'own-reply',
    {
      only: ['plain*'],
      shortcut: ({ body, isStream, memory }) =>
        isStream ? undefined : (memory.get(beginningOf(body)) as FrontAnswer | undefined),
      reply(reply, { body, memory }) {
        // Controls also differ in their words alone; the relay has to get that far.
        if (beginningOf(body).startsWith('Answer in one')) memory.set(beginningOf(body), jsonAnswer(200, reply));
        return reply;
      },
    },
  ),
  'relay-always-stop': faultyRelay('finish_reason is stop in every plain reply', 'finish-reason', {
    reply: (reply) => withChoices(reply, (choice) => ({ ...choice, finish_reason: 'stop' })),
  }),
  'relay-unknown-finish-is-stop': faultyRelay('content_filter becomes stop', 'finish-reason', {
    reply: (reply) =>
      withChoices(reply, (choice) =>
        choice['finish_reason'] === 'content_filter' ? { ...choice, finish_reason: 'stop' } : choice,
      ),
  }),
  'relay-invents-usage': faultyRelay('A plain reply without token counts gets some', 'usage', {
    reply: (reply) => ({ usage: USAGE, ...reply }),
  }),
  'relay-counts-itself': faultyRelay('Token counts of plain replies are the relay’s own', 'usage', {
    reply: (reply) => (reply['usage'] === undefined ? reply : { ...reply, usage: USAGE }),
  }),
  'relay-drops-usage': faultyRelay('Plain replies have no token counts', 'usage', { reply: without('usage') }),
} satisfies Record<string, FaultyRelay>;

function thoughtIn(message: JsonMap = {}): string {
  const thought = message['reasoning_content'];
  return typeof thought === 'string' ? thought : '';
}

function beginningOf(body: JsonMap): string {
  return messagesIn(body)[0]?.content.slice(0, 20) ?? '';
}
