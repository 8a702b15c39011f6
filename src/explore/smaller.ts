/** Smaller forms of a draw, from the boldest to the most careful. */
import type { Contract } from '../contract/contract.ts';
import type { Json, JsonObject } from '../json.ts';
import { classify, type Standing } from './classify.ts';
import { type Draw, type DrawnRequest, messagesIn, plainly, withBody, without } from './drawn-request.ts';
import { requestSchema } from './request-schema.ts';

/** What stands in the control, or says as little. */
const USUAL_MESSAGE = { role: 'user', content: 'Say hello.' } as const;
const USUAL_TOKENS = '${replyTokens}';

/** The list depends on the draw alone, so that a path of places in it leads to the same request again. */
export function smallerForms({ number, requests }: Draw, contract: Contract): readonly Draw[] {
  const [last, ...earlier] = requests.toReversed();
  if (!last) return [];
  const before = earlier.toReversed();
  const usual = usualRequest(last, contract);
  const shorter = [
    ...(before.length > 1 ? [[last], [...before.slice(-1), last]] : before.length === 1 ? [[last]] : []),
    ...(before.length > 0 ? [[...before.map((request) => plainest(request, contract)), last]] : []),
    ...before.map((_, index) => [...before.toSpliced(index, 1), last]),
    ...before.flatMap((request, index) =>
      smallerRequests(request, contract).map((form) => [...before.toSpliced(index, 1, form), last]),
    ),
    ...(before.length > 0 ? [[...before, usual]] : []),
    ...smallerRequests(last, contract).map((form) => [...before, form]),
  ];
  const own = JSON.stringify(requests);
  const forms = new Map(shorter.map((form) => [JSON.stringify(form), { number, requests: form }]));
  return [...forms].flatMap(([text, form]) => (text === own ? [] : [form]));
}

/** The usual request in its place, if that may be answered in the same way. */
function plainest(request: DrawnRequest, contract: Contract): DrawnRequest {
  const usual = usualRequest(request, contract);
  return isLike(classify(usual, contract), classify(request, contract)) ? usual : request;
}

function usualRequest(request: DrawnRequest, contract: Contract): DrawnRequest {
  return withBody(plainly(request.body), { ...bareBody(request, contract), messages: [USUAL_MESSAGE] });
}

/** Without everything that may be left out. The limit of tokens stays, since somebody pays for the reply. */
function bareBody({ body }: DrawnRequest, contract: Contract): JsonObject {
  const kept = new Set(['model', ...(requestSchema(contract).required ?? []), ...addedNames(contract)]);
  const members = Object.entries(body).filter(([name]) => kept.has(name));
  return { ...Object.fromEntries(members), ...('max_tokens' in body && { max_tokens: USUAL_TOKENS }) };
}

function addedNames({ rules }: Contract): readonly string[] {
  return Object.keys(rules.added).map((pointer) => pointer.split('/')[1] ?? '');
}

/** Those of the same kind: a smaller form of an invalid request breaks the same rule. */
function smallerRequests(request: DrawnRequest, contract: Contract): readonly DrawnRequest[] {
  const standing = classify(request, contract);
  const forms = request.raw === undefined ? formsOf(request, contract) : [];
  return forms.filter((form) => isLike(classify(form, contract), standing));
}

function isLike(form: Standing, standing: Standing): boolean {
  if (standing.kind === 'invalid') return form.kind === 'invalid' && form.clause === standing.clause;
  if (standing.kind === 'tolerant') return form.kind === 'tolerant' || form.kind === 'valid';
  if (standing.kind === 'open') return form.kind !== 'invalid' && form.kind !== 'unclear';
  return form.kind === standing.kind;
}

function formsOf(request: DrawnRequest, contract: Contract): readonly DrawnRequest[] {
  const { body } = request;
  const messages = messagesIn(request);
  const withMessages = (list: readonly JsonObject[]) => withBody(request, { ...body, messages: list });
  return [
    { ...request, written: {}, spellings: [] },
    usualRequest(request, contract),
    withBody(request, { ...bareBody(request, contract), messages }),
    withMessages([USUAL_MESSAGE]),
    ...fieldsLess(request, contract),
    ...(messages.length > 0 ? messagesLess(messages).map(withMessages) : []),
    ...request.spellings.map((spelling) => ({
      ...request,
      spellings: request.spellings.filter((other) => other !== spelling),
    })),
    ...Object.keys(request.written).map((name) => ({
      ...request,
      written: Object.fromEntries(Object.entries(request.written).filter(([other]) => other !== name)),
    })),
    ...simplerNumbers(request),
  ];
}

function fieldsLess(request: DrawnRequest, contract: Contract): readonly DrawnRequest[] {
  const { body } = request;
  const kept = new Set(['model', 'messages', ...addedNames(contract)]);
  const required = requestSchema(contract).required ?? [];
  return Object.keys(body)
    .filter((name) => !kept.has(name) && !required.includes(name))
    .flatMap((name) =>
      name === 'max_tokens'
        ? [withBody(request, { ...body, [name]: USUAL_TOKENS })]
        : [withBody(request, without(body, name)), ...flatter(request, name)],
    );
}

/** A simple value of an unknown field, or what is inside. */
function flatter(request: DrawnRequest, name: string): readonly DrawnRequest[] {
  const value = request.body[name];
  if (typeof value !== 'object' || value === null) return [];
  const inside: readonly Json[] = Object.values(value as JsonObject);
  return [0, ...inside].map((simple) => withBody(request, { ...request.body, [name]: simple }));
}

function messagesLess(messages: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const half = Math.ceil(messages.length / 2);
  const lists =
    messages.length === 1
      ? []
      : [messages.slice(-1), messages.slice(0, 1), messages.slice(0, half), messages.slice(half)];
  const change = (edit: (message: JsonObject) => JsonObject): readonly (readonly JsonObject[])[] => [
    messages.map(edit),
    ...messages.map((message, index) => messages.with(index, edit(message))),
  ];
  return [
    ...lists,
    ...change(withUsual('content')),
    ...change(withUsual('role')),
    ...(messages.length === 1 ? [] : messages.map((_, index) => messages.toSpliced(index, 1))),
    ...change(({ role, content }) => ({
      ...(role !== undefined && { role }),
      ...(content !== undefined && { content }),
    })),
    ...messages.flatMap((message, index) =>
      shorterTexts(message['content']).map((content) => messages.with(index, { ...message, content })),
    ),
  ];
}

const withUsual =
  (name: 'role' | 'content') =>
  (message: JsonObject): JsonObject =>
    name in message ? { ...message, [name]: USUAL_MESSAGE[name] } : message;

/** Below so many characters, each of them is tried. */
const FEW = 6;
/** Above it, the length itself may be the reason. */
const LONG = 300;
/** Parts of a text that are cut off, the largest first. */
const PARTS = [2, 4, 8, 16, 32];

function shorterTexts(content: Json | undefined): readonly string[] {
  if (typeof content !== 'string' || content === USUAL_MESSAGE.content) return [];
  const plain = content.replaceAll(/ ?\$\{word\} ?/g, '');
  const points = Array.from(plain);
  const size = points.length;
  const cuts = PARTS.map((part) => Math.floor(size / part)).filter((cut) => cut > 0);
  const parts =
    size <= FEW
      ? points.map((_, index) => points.toSpliced(index, 1))
      : cuts.flatMap((cut) => [points.slice(0, size - cut), points.slice(cut)]);
  const even = size > LONG ? ['x'.repeat(plain.length)] : [];
  return [plain, ...even, ...parts.map((part) => part.join(''))].filter((text) => text !== content && text !== '');
}

function simplerNumbers(request: DrawnRequest): readonly DrawnRequest[] {
  return Object.entries(request.body).flatMap(([name, value]) => {
    if (typeof value !== 'number' || name in request.written) return [];
    return [Math.trunc(value), Math.round(value * 10) / 10, Math.round(value * 100) / 100]
      .filter((simple) => simple !== value)
      .map((simple) => withBody(request, { ...request.body, [name]: simple }));
  });
}
