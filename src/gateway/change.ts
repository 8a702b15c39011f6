/** Builds changes, so that most modifiers are one line: `completion: put('/usage/total_tokens', 3)`. */
import {
  type Answer,
  type Piece,
  type Refusal,
  type Reply,
  type Rule,
  asRaw,
  bytesOf,
  piece,
  piecesOf,
  refusalReply,
  textReply,
} from './answer.ts';
import type { Call } from './call.ts';
import { type Json, type JsonObject, isObject, itemsOf } from './json.ts';
import { refusal } from './refusals.ts';

export type Change = (value: JsonObject) => JsonObject;

/** Sets the value at a JSON pointer; `*` means every item of an array. A path that leads nowhere changes nothing. */
export function put(pointer: string, value: Json): Change {
  return alter(pointer, () => value);
}

export function drop(pointer: string): Change {
  return alter(pointer, () => undefined);
}

/** Replaces the value at a pointer with the result of the function; undefined removes it. */
export function alter(pointer: string, change: (old: Json | undefined) => Json | undefined): Change {
  const path = pointer.split('/').slice(1);
  return (value) => {
    const changed = at(value, path, change);
    return isObject(changed) ? changed : value;
  };
}

/** Applies several changes in turn. */
export function all(...changes: readonly Change[]): Change {
  return (value) => changes.reduce((changed, change) => change(changed), value);
}

function at(
  value: Json | undefined,
  path: readonly string[],
  change: (old: Json | undefined) => Json | undefined,
): Json | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return change(value);
  if (Array.isArray(value)) {
    return (value as readonly Json[]).flatMap((item, index) => {
      if (name !== '*' && Number(name) !== index) return [item];
      const changed = at(item, rest, change);
      return changed === undefined ? [] : [changed];
    });
  }
  if (!isObject(value)) return value;
  const changed = at(value[name], rest, change);
  const { [name]: _old, ...others } = value;
  // An existing member keeps its position.
  if (changed === undefined) return others;
  return name in value ? { ...value, [name]: changed } : { ...others, [name]: changed };
}

type ChunksHook = (chunks: readonly JsonObject[]) => readonly JsonObject[];

/** Every chunk of a stream. `fromEnd`: -1 for the last one. */
export function eachChunk(change: (chunk: JsonObject, at: number, fromEnd: number) => JsonObject): ChunksHook {
  return (chunks) => chunks.map((chunk, at_) => change(chunk, at_, at_ - chunks.length));
}

/** The chunk at an index; a negative one counts from the end. */
export function chunkAt(index: number, change: Change): ChunksHook {
  return (chunks) => chunks.map((chunk, at_) => (at_ === place(index, chunks.length) ? change(chunk) : chunk));
}

/** Inserts a chunk before the given index; -1 means after all chunks. */
export function insertChunk(index: number, make: (model: JsonObject) => JsonObject): ChunksHook {
  return (chunks) => chunks.toSpliced(place(index, chunks.length + 1), 0, make(chunks[0] ?? {}));
}

type EventsHook = (events: readonly Piece[]) => readonly Piece[];

/** The text of every event. */
export function eachEvent(change: (text: string, at: number) => string): EventsHook {
  return (events) => events.map(({ bytes, waitMs }, at_) => ({ bytes: change(String(bytes), at_), waitMs }));
}

export function eventAt(index: number, change: (text: string) => string): EventsHook {
  return (events) =>
    events.map((event, at_) =>
      at_ === place(index, events.length) ? { ...event, bytes: change(String(event.bytes)) } : event,
    );
}

/** Inserts text before the event at the given index; -1 means after `[DONE]`. */
export function insertEvent(index: number, bytes: string): EventsHook {
  return (events) => events.toSpliced(place(index, events.length + 1), 0, piece(bytes));
}

function place(index: number, length: number): number {
  return index < 0 ? length + index : index;
}

/** Accepts calls that should be refused for one of these reasons. */
export function letPass(...rules: readonly Rule[]): (reason: Refusal) => Refusal | undefined {
  return (reason) => (rules.includes(reason.rule) ? undefined : reason);
}

/** Refuses for these reasons, or for any reason, with another status. */
export function refuseWith(status: number, ...rules: readonly Rule[]): (reason: Refusal) => Refusal {
  return (reason) =>
    rules.length === 0 || rules.includes(reason.rule)
      ? refusal(reason.rule, status, reason.code, reason.message)
      : reason;
}

/** Redirects to a help page instead of refusing for one of these reasons. */
export function redirect(...rules: readonly Rule[]): (reason: Refusal) => Refusal {
  return (reason) =>
    rules.includes(reason.rule) ? { ...reason, status: 302, headers: { location: '/help' } } : reason;
}

/** Refuses valid calls. */
export function refuseIf(
  test: (call: Call) => boolean,
  status = 400,
  message = 'This is not supported.',
): (call: Call) => Refusal | undefined {
  return (call) => (test(call) ? refusal('invented', status, 'unsupported', message) : undefined);
}

type AnswerHook = (reply: Reply) => Answer;

/** Changes the answers with status 200 to some of the calls. */
export function onSuccess(test: (call: Call) => boolean, change: AnswerHook): (reply: Reply, call: Call) => Answer {
  return (reply, call) => (reply.status === 200 && test(call) ? change(reply) : reply);
}

export function setStatus(status: number): (reply: Reply) => Reply {
  return (reply) => ({ ...reply, status });
}

export function setHeader(name: string, value: string): (reply: Reply) => Reply {
  return (reply) => ({ ...reply, headers: { ...reply.headers, [name]: value } });
}

/** Changes only answers with this status. */
export function onStatus(status: number, change: AnswerHook): AnswerHook {
  return (reply) => (reply.status === status ? change(reply) : reply);
}

export function onErrors(change: AnswerHook): AnswerHook {
  return (reply) => (reply.status >= 400 ? change(reply) : reply);
}

/** Replaces the body, or changes its text, and keeps the status. */
export function replaceBody(contentType: string, text: string | ((body: string) => string)): (reply: Reply) => Reply {
  return (reply) =>
    textReply(reply.status, contentType, typeof text === 'string' ? text : text(String(bytesOf(piecesOf(reply)))));
}

/** Changes the text of JSON bodies. */
export function changeJson(change: (text: string) => string): (reply: Reply) => Reply {
  return onJson((reply) => ({ ...reply, body: { pieces: [piece(change(String(bytesOf(piecesOf(reply)))))] } }));
}

/** Writes members before all others of a JSON object. */
export const prefixMembers = (members: string): ((reply: Reply) => Reply) =>
  changeJson((text) => text.replace('{', `{${members}`));

/** Changes only answers with a JSON body. */
export function onJson(change: (reply: Reply) => Reply): (reply: Reply) => Reply {
  return (reply) => ('json' in reply.body ? change(reply) : reply);
}

/** Letters beyond ASCII, as JSON may spell them. */
export function escapeLetters(text: string): string {
  return text.replaceAll(/[\u0080-\uFFFF]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Changes the text of the head, including its blank line. */
export function changeHead(change: (head: string) => string): (reply: Reply) => Answer {
  return (reply) => asRaw(reply, { head: change });
}

/** Sends half of the announced body, then closes the connection. */
export function cutBody(reply: Reply): Reply {
  const bytes = bytesOf(piecesOf(reply));
  const pieces = [piece(bytes.subarray(0, bytes.length >> 1))];
  return { ...setHeader('content-length', String(bytes.length))(reply), body: { pieces }, ending: 'cut' };
}

/** A well-formed error with any status. */
export function errorAnswer(status: number, code = 'unavailable', message = 'The gateway cannot answer now.'): Reply {
  return refusalReply(refusal('invented', status, code, message));
}

export const isModels = (call: Call): boolean => call.endpoint === 'models';
export const isChat = (call: Call): boolean => call.endpoint === 'chat';
export const isPlain = (call: Call): boolean => call.endpoint === 'chat' && !call.streamed;
export const isStream = (call: Call): boolean => call.endpoint === 'chat' && call.streamed;

/** The body is written like this. */
export const isWritten =
  (pattern: RegExp) =>
  (call: Call): boolean =>
    isChat(call) && pattern.test(call.text ?? '');

export const hasNumber =
  (field: string, test: (value: number) => boolean) =>
  (call: Call): boolean => {
    const value = call.body[field];
    return typeof value === 'number' && test(value);
  };

export const messagesOf = ({ body }: Call): readonly Json[] => itemsOf(body['messages']);

const inMessages =
  (field: string) =>
  (call: Call): readonly (Json | undefined)[] =>
    messagesOf(call).map((message) => (isObject(message) ? message[field] : undefined));

export const rolesOf = inMessages('role');
export const contentsOf = inMessages('content');

/** Separated by spaces. */
export const roleList = (call: Call): string => rolesOf(call).map(String).join(' ');

/** Some message has such a text. */
export const says =
  (pattern: RegExp) =>
  (call: Call): boolean =>
    contentsOf(call).some((content) => typeof content === 'string' && pattern.test(content));

const FIELDS = ['model', 'messages', 'max_tokens', 'temperature', 'top_p', 'stream'];

/** Fields of a request that the contract does not have. */
export const unknownFields = (body: JsonObject): readonly string[] =>
  Object.keys(body).filter((name) => !FIELDS.includes(name));

/** The message has a field that the contract does not have. */
export const hasUnknownMember = (message: Json): boolean =>
  isObject(message) && Object.keys(message).some((name) => name !== 'role' && name !== 'content');
