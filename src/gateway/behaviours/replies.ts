/** Plain replies and model lists that a client can meet, beyond the variants of the reference gateway. */
import { type Coding, type Piece, piecesOf } from '../answer.ts';
import { all, alter, drop, isChat, isPlain, onSuccess, put } from '../change.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Modifier } from '../modifier.ts';

/** Without Accept-Encoding any coding is allowed (RFC 9110, 12.5.3), but no gateway compresses for such a client. */
function compressWith(coding: Coding): Modifier['answer'] & object {
  return (reply, call) =>
    call.headers['accept-encoding']?.includes(coding) && reply.status !== 204
      ? { ...reply, coding, framing: 'chunked' }
      : reply;
}

/** Milliseconds that keep the network from joining two pieces again. */
export const CUT_PAUSE = 25;

/**
 * Writes of so many bytes. A cut within a character, between CR and LF or in the middle is followed by a pause, so that the
 * parts are really read one by one.
 */
export function cutInto(size: number): (piece: Piece) => readonly Piece[] {
  return ({ bytes, waitMs }) => {
    const whole = Buffer.from(bytes);
    const middle = Math.ceil(whole.length / 2 / size);
    return Array.from({ length: Math.ceil(whole.length / size) }, (_, index) => {
      const at = index * size;
      const isHard =
        index === middle || ((whole[at] ?? 0) & 0xc0) === 0x80 || whole.toString('latin1', at - 1, at + 1) === '\r\n';
      return { bytes: whole.subarray(at, at + size), waitMs: index === 0 ? waitMs : isHard ? CUT_PAUSE : 0 };
    });
  };
}

/** Cuts every character of several bytes after its first one, with a pause, so that the client really reads it in two. */
function splitCharacters({ bytes, waitMs }: Piece): readonly Piece[] {
  const whole = Buffer.from(bytes);
  const cuts = [...whole.keys()].filter((at) => at > 0 && (whole[at - 1] ?? 0) >= 0xc0);
  const continues = ((whole[0] ?? 0) & 0xc0) === 0x80;
  return [0, ...cuts].map((at, index) => ({
    bytes: whole.subarray(at, cuts[index]),
    waitMs: index > 0 || continues ? CUT_PAUSE : waitMs,
  }));
}

const FIRST = '/choices/0';
const NEW: Json = { since: 'v1', list: [1, null, 'two'] };

/** In every model, or in the list itself. */
function inEachModel(change: (model: JsonObject) => JsonObject): NonNullable<Modifier['list']> {
  return alter('/data', (data) =>
    Array.isArray(data) ? (data as readonly Json[]).map((model) => (isObject(model) ? change(model) : model)) : data,
  );
}

export const REPLY_BEHAVIOURS = {
  'unknown-at-top': { title: 'The reply has unknown fields', completion: put('/x_new', NEW) },
  'unknown-in-choice': { title: 'The choice has an unknown field', completion: put(`${FIRST}/x_new`, NEW) },
  'unknown-in-message': { title: 'The message has an unknown field', completion: put(`${FIRST}/message/x_new`, NEW) },
  'unknown-in-usage': { title: 'usage has an unknown field', completion: put('/usage/x_new', NEW) },
  'unknown-in-list': { title: 'The list has an unknown field', list: put('/x_new', NEW) },
  'unknown-in-model': {
    title: 'Every model has an unknown field',
    list: inEachModel((model) => ({ x_new: NEW, ...model })),
  },
  'unusual-model-ids': {
    title: 'Ids of models have slashes, colons, spaces and non-ASCII letters',
    models: (models) => [
      ...models,
      ...['org/sea:latest@v1', 'большое море', '海-🌊'].map((id) => ({ id, object: 'model', owned_by: 'reference' })),
    ],
  },
  'owner-unknown': { title: 'owned_by is a new owner', list: inEachModel(put('/owned_by', 'x_owner/✓')) },
  'owner-absent': { title: 'Models have no owned_by', list: inEachModel(drop('/owned_by')) },
  'model-object-absent': { title: 'Models have no object', list: inEachModel(drop('/object')) },
  'list-object-absent': { title: 'The list has no object', list: drop('/object') },
  'usage-absent': { title: 'usage is absent', completion: drop('/usage') },
  'usage-null': { title: 'usage is null', completion: put('/usage', null) },
  'id-absent': { title: 'id is absent', completion: drop('/id') },
  'created-absent': { title: 'created is absent', completion: drop('/created') },
  'model-absent': { title: 'model is absent', completion: drop('/model') },
  'object-absent': { title: 'object is absent', completion: drop('/object') },
  'index-absent': { title: 'The choice has no index', completion: drop(`${FIRST}/index`) },
  'finish-absent': { title: 'The choice has no finish_reason', completion: drop(`${FIRST}/finish_reason`) },
  'finish-null': { title: 'finish_reason is null', completion: put(`${FIRST}/finish_reason`, null) },
  'only-message': {
    title: 'The reply is nothing but a choice with a message',
    completion: ({ choices }) => ({ choices: choices ?? [] }) satisfies JsonObject,
  },
  'gzip-if-accepted': { title: 'Answers are compressed with gzip', answer: compressWith('gzip') },
  'brotli-if-accepted': { title: 'Answers are compressed with Brotli', answer: compressWith('br') },
  'deflate-if-accepted': { title: 'Answers are compressed with deflate', answer: compressWith('deflate') },
  'split-characters': {
    title: 'The network pauses within characters',
    answer: onSuccess(isChat, (reply) => ({
      ...reply,
      framing: 'chunked',
      body: { pieces: piecesOf(reply).flatMap(splitCharacters) },
    })),
  },
  'reply-in-threes': {
    title: 'The body arrives three bytes at a time',
    answer: onSuccess(isPlain, (reply) => ({
      ...reply,
      framing: 'chunked',
      body: { pieces: piecesOf(reply).flatMap(cutInto(3)) },
    })),
  },
  'optional-null': {
    title: 'Optional fields are null',
    completion: all(
      put('/system_fingerprint', null),
      put('/service_tier', null),
      put(`${FIRST}/logprobs`, null),
      put(`${FIRST}/message/refusal`, null),
      put(`${FIRST}/message/annotations`, null),
    ),
  },
  'reasoning-in-message': {
    title: 'The message has reasoning beside its text',
    completion: all(put(`${FIRST}/message/reasoning_content`, 'Hm.'), put(`${FIRST}/message/reasoning`, 'Hm.')),
  },
} satisfies Record<string, Modifier>;
