/** Mistakes: bodies that are not JSON or not an object, and what a request with a violation is without it. */
import type { Contract } from '../../contract/contract.ts';
import { type JsonObject, pointerTokens } from '../../json.ts';
import { classify, violationsIn } from './classify.ts';
import { type DrawnRequest, isStreamed, messagesIn, plainly, withBody, without } from './drawn-request.ts';

/** Bodies that are not JSON, or not an object. */
const MISTAKES: readonly ((text: string) => string)[] = [
  (text) => text.slice(0, -1),
  (text) => `${text}garbage`,
  (text) => `${text.slice(0, -1)},}`,
  (text) => `[${text}]`,
  (text) => text.replace(':', '='),
  (text) => text.replaceAll('"', "'"),
  () => '"Say hello."',
  () => 'null',
  () => '',
];

export const MOST_MISTAKES = MISTAKES.length;

/** `way`: the number of the mistake. */
export function makeMistake({ body }: DrawnRequest, way: number): DrawnRequest {
  return { body, written: {}, spellings: [], raw: MISTAKES[way]?.(JSON.stringify(body)) ?? '' };
}

/** The number of the mistake. */
export function mistakeIn({ body, raw }: DrawnRequest): number {
  const text = JSON.stringify(body);
  return MISTAKES.findIndex((mistake) => mistake(text) === raw);
}

/** The same mistake in another body. */
export function withMistake(request: DrawnRequest, body: JsonObject): DrawnRequest {
  return makeMistake(plainly(body), mistakeIn(request));
}

/** What was to be sent. */
export function bodyOfMistake({ body }: DrawnRequest): DrawnRequest {
  return plainly(body);
}

interface Mended {
  readonly mended: DrawnRequest;
  /** The edit of a case that brings the violation back. */
  readonly edit: JsonObject;
}

/** The request without its violation. */
export function mendRequest(request: DrawnRequest, contract: Contract): Mended {
  const { body, raw } = request;
  if (raw !== undefined) return { mended: bodyOfMistake(request), edit: { raw } };
  const [issue] = violationsIn(body, contract);
  const pointer = issue?.pointer ?? '';
  const [field = '', index = '', member = ''] = pointerTokens(pointer);
  if (issue?.mismatch !== 'absent') {
    const rest = field === 'max_tokens' ? { ...body, ...USUAL[field] } : without(body, field);
    return { mended: withBody(request, rest), edit: { set: { [pointer]: body[field] ?? null } } };
  }
  if (member === '') return { mended: withBody(request, { ...body, ...USUAL[field] }), edit: { remove: pointer } };
  const messages = messagesIn(request).map((message, at) =>
    String(at) === index ? { ...USUAL_MEMBERS, ...message } : message,
  );
  return { mended: withBody(request, { ...body, messages }), edit: { remove: pointer } };
}

const USUAL_MEMBERS = { role: 'user', content: 'Say hello.' };
const USUAL: Readonly<Record<string, JsonObject>> = {
  model: { model: '${model}' },
  max_tokens: { max_tokens: '${replyTokens}' },
  messages: { messages: [USUAL_MEMBERS] },
};

/** The clause that a request breaks. Undefined if it keeps all, or is no JSON: then it does not say whether to stream. */
export function clauseBroken(request: DrawnRequest, contract: Contract): string | undefined {
  if (request.raw !== undefined) return undefined;
  const requestClass = classify(request, contract);
  return requestClass.kind === 'invalid' ? requestClass.clause : undefined;
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

/** Plain instead of streamed, or streamed instead of plain. */
export function inOtherMode(request: DrawnRequest): DrawnRequest {
  const rest = without(request.body, 'stream');
  return withBody(request, isStreamed(request) ? rest : { ...rest, stream: true });
}
