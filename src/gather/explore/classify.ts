/** What the contract says of a request: it must be answered, it must not be, or it may be refused. */
import type { Contract } from '../../contract/contract.ts';
import { type Json, type JsonObject, pointerTokens, withoutUndefined } from '../../json.ts';
import type { Spelling } from '../../suite/case.ts';
import { type DrawnRequest, messagesIn, mistakenText, ownHeader, textsIn } from './drawn-request.ts';
import { addedFields, fieldsOf, messageSchema } from './request-schema.ts';
import { changeMessage, plainly, withBody, without } from './change-request.ts';
import { BODY_CLAUSES, isDrawnViolation } from './explore-cases.ts';
import { isPromised } from './texts.ts';

export type RequestClass =
  /** A request in range and well-typed must be answered. */
  | { readonly kind: 'valid' }
  /** The same with unknown fields: answered, as a should. */
  | { readonly kind: 'tolerant'; readonly inMessage: boolean }
  /** One violation that is a must, or a message that is no object: not answered. */
  | { readonly kind: 'invalid'; readonly clause: string }
  /** Not promised: a 4xx is observed, a 5xx is wrong. */
  | { readonly kind: 'open' }
  /** Several violations, or one that is no must. Never sent. */
  | { readonly kind: 'unclear' };

/** Above it, the contract does not promise an answer: few models generate as much. */
export const MOST_TOKENS = 4096;
const MOST_MESSAGES = 50;
/** Bytes. */
export const MOST_BODY = 2048;
/** Bytes for the model and the word, which take the place of their placeholders. */
const ROOM = 100;

export function classify(request: DrawnRequest, contract: Contract): RequestClass {
  const { body } = request;
  const raw = mistakenText(request);
  if (raw !== undefined) return { kind: 'invalid', clause: raw === '' ? BODY_CLAUSES.missing : BODY_CLAUSES.malformed };
  const nulls = Object.keys(body).filter((name) => body[name] === null && fieldsOf(contract).has(name));
  const [issue, ...more] = violationsIn(nulls.reduce(without<Json>, body), contract);
  if (issue) {
    const isDrawn = more.length + nulls.length === 0 && isDrawnViolation(contract)(issue.clause);
    return isDrawn ? { kind: 'invalid', clause: issue.clause } : { kind: 'unclear' };
  }
  if (nulls.length > 0 || isOpen(request)) return { kind: 'open' };
  return unknownFields(request, contract) ?? { kind: 'valid' };
}

/** What the schema of a request finds wrong. */
export function violationsIn(body: JsonObject, contract: Contract): ReturnType<Contract['validate']> {
  // The usual limit of tokens is a placeholder, which is filled in with a number.
  const judged = typeof body['max_tokens'] === 'string' ? without(body, 'max_tokens') : body;
  return contract.validate('v1/chat-completion-request', judged);
}

function isOpen(request: DrawnRequest): boolean {
  const messages = messagesIn(request);
  const tokens = request.body['max_tokens'];
  return (
    messages.length === 0 ||
    messages.length > MOST_MESSAGES ||
    (typeof tokens === 'number' && tokens > MOST_TOKENS) ||
    textsIn(request).some((text) => !isPromised(text)) ||
    sizeOfRequest(request) > MOST_BODY
  );
}

/** Whether it has to arrive as it was sent. What the contract does not promise to take may also be changed. */
export function isForwarded(request: DrawnRequest, contract: Contract): boolean {
  const { kind } = classify(request, contract);
  const isWhole = messagesIn(request).length > 0 && textsIn(request).every(isPromised);
  const hasNull = Object.values(request.body).includes(null);
  return kind === 'valid' || kind === 'tolerant' || (kind === 'open' && isWhole && !hasNull);
}

/** Spellings that take more bytes. */
const LONGER: readonly Spelling[] = ['surrogate-pairs', 'white-space', 'indented', 'escaped-slashes'];

/** Bytes of the body, at most. */
export function sizeOfRequest(request: DrawnRequest): number {
  const text = mistakenText(request) ?? JSON.stringify(request.body);
  const isLonger = LONGER.some((spelling) => request.spellings.includes(spelling));
  const written = isLonger
    ? text.replaceAll(/[^ -~]/g, '\\u0000') + ' '.repeat(text.split(/[,:{}[\]/]/).length * 7)
    : text;
  return Buffer.byteLength(written) + ROOM;
}

function unknownFields(request: DrawnRequest, contract: Contract): RequestClass | undefined {
  const known = fieldsOf(contract);
  const isUnknown = (name: string): boolean => !known.has(name) && !addedFields(contract).includes(name);
  if (Object.keys(request.body).some(isUnknown)) return { kind: 'tolerant', inMessage: false };
  const ofMessage = Object.keys(messageSchema(contract).properties ?? {});
  const has = messagesIn(request).some((message) => Object.keys(message).some((name) => !ofMessage.includes(name)));
  return has ? { kind: 'tolerant', inMessage: true } : undefined;
}

/** Whether a form is of the same kind: a simpler form of an invalid request breaks the same rule. */
export function isLike(form: RequestClass, requestClass: RequestClass): boolean {
  if (requestClass.kind === 'invalid') return form.kind === 'invalid' && form.clause === requestClass.clause;
  if (requestClass.kind === 'tolerant') return form.kind === 'tolerant' || form.kind === 'valid';
  if (requestClass.kind === 'open') return form.kind !== 'invalid' && form.kind !== 'unclear';
  return form.kind === requestClass.kind;
}

/** The clause that a request breaks. */
export function violationIn(request: DrawnRequest | undefined, contract: Contract): string | undefined {
  const requestClass = request && classify(request, contract);
  return requestClass?.kind === 'invalid' ? requestClass.clause : undefined;
}

interface Mended {
  readonly mended: DrawnRequest;
  /** The edit of a case that brings the violation back. */
  readonly edit: JsonObject;
}

/** The request without its violation. */
export function mendRequest(request: DrawnRequest, contract: Contract): Mended {
  const { body } = request;
  const raw = mistakenText(request);
  if (raw !== undefined)
    return { mended: plainly(body), edit: { raw, ...withoutUndefined({ header: ownHeader(request) }) } };
  const [issue] = violationsIn(body, contract);
  const pointer = issue?.pointer ?? '';
  const [field = '', index = '', member = ''] = pointerTokens(pointer);
  if (issue?.mismatch !== 'absent') {
    const rest = field === 'max_tokens' ? { ...body, ...USUAL[field] } : without(body, field);
    const messages = field === 'messages' && { messages: messagesIn(request) };
    const edit = { set: { [`/${field}`]: body[field] ?? null } };
    return { mended: withBody(request, { ...rest, ...messages }), edit };
  }
  if (member === '') return { mended: withBody(request, { ...body, ...USUAL[field] }), edit: { remove: pointer } };
  const mended = changeMessage(request, Number(index), (message) => ({ ...USUAL_MEMBERS, ...message }));
  return { mended, edit: { remove: pointer } };
}

const USUAL_MEMBERS = { role: 'user', content: 'Say hello.' };
const USUAL: Readonly<Record<string, JsonObject>> = {
  model: { model: '${model}' },
  max_tokens: { max_tokens: '${replyTokens}' },
  messages: { messages: [USUAL_MEMBERS] },
};

/** The same for JSON: what is none does not say whether to stream. */
export function clauseBroken(request: DrawnRequest, contract: Contract): string | undefined {
  return request.mistake === undefined ? violationIn(request, contract) : undefined;
}

/** The clause, and the side of a limit. Each is drawn plain and streamed, since gateways check the two in different places. */
export function kindOfViolation(request: DrawnRequest, contract: Contract): string | undefined {
  const clause = clauseBroken(request, contract);
  if (clause === undefined) return undefined;
  const [issue] = violationsIn(request.body, contract);
  const field = issue?.pointer.slice(1) ?? '';
  const value = request.body[field];
  const isBelow = typeof value === 'number' && value < (contract.rules.limits[field]?.minimum ?? -Infinity);
  return isBelow ? `${clause}, below` : clause;
}
