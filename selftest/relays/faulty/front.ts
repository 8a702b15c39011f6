/** Relays whose answers to the client break a gateway's own contract. */
import { type FaultyRelay, faultyRelay } from '../relay-modifier.ts';
import { textOf, withChoices, without } from '../rewrite.ts';

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
    chunk: (chunk) => [{ ...chunk, id: `chunk-${Math.random()}` }],
  }),
  'relay-no-role': faultyRelay('No chunk has a role', 'stream.role-first', {
    chunk: (chunk) => [withChoices(chunk, (choice) => ({ ...choice, delta: without('role')(choice.delta ?? {}) }))],
  }),
  'relay-streams-as-json': faultyRelay('Streams are labelled as JSON', 'stream.labelled', {
    answerHeaders: (usual) => ({ ...usual, 'Content-Type': 'application/json' }),
  }),
  'relay-replies-as-text': faultyRelay('Plain replies are labelled as text', 'wire.json-labelled', {
    answerHeaders: (usual, { isStream }) => (isStream ? { ...usual } : { ...usual, 'Content-Type': 'text/plain' }),
  }),
  'relay-empty-text-as-null': faultyRelay('Empty text becomes null', 'choice.message-content', {
    reply: (reply) =>
      withChoices(reply, (choice) =>
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
