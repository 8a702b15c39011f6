/** What modifiers ask of a call. */
import type { Call } from './call.ts';
import { type Json, type JsonObject, isObject, itemsOf } from './json.ts';

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
export const hasUnknownMember = (message: unknown): boolean =>
  isObject(message) && Object.keys(message).some((name) => name !== 'role' && name !== 'content');
