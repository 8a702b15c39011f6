/** What the contract says of a request: it must be answered, it must not be, or it may be refused. And which case judges that. */
import type { Contract } from '../../contract/contract.ts';
import { type JsonObject, pointerTokens, withoutUndefined } from '../../json.ts';
import type { Case, Spelling } from '../../suite/case.ts';
import {
  type DrawnRequest,
  fieldsOf,
  isStreamed,
  messagesIn,
  plainly,
  messageSchema,
  mistakenText,
  rolesIn,
  textsIn,
  withBody,
  without,
  changeMessage,
  addedFields,
} from './drawn-request.ts';
import { asCase, BODY_CLAUSES, type ExploreTopic, refusedTopic, topicOf } from './explore-cases.ts';
import { isPromised } from './texts.ts';
import { loadRequests } from '../../suite/load-suites.ts';

export type RequestClass =
  /** A request in range and well-typed must be answered. */
  | { readonly kind: 'valid' }
  /** The same with unknown fields: answered, as a should. */
  | { readonly kind: 'tolerant'; readonly inMessage: boolean }
  /** One violation that is a must: not answered. */
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
  const { required } = contract.rules;
  if (nulls.length > 0) return nulls.some((name) => required.includes(name)) ? { kind: 'unclear' } : { kind: 'open' };
  const [issue, ...more] = violationsIn(body, contract);
  if (issue) {
    const isMust = contract.clause(issue.clause)?.level === 'must';
    return more.length === 0 && isMust ? { kind: 'invalid', clause: issue.clause } : { kind: 'unclear' };
  }
  if (isOpen(request)) return { kind: 'open' };
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
  if (raw !== undefined) return { mended: plainly(body), edit: { raw } };
  const [issue] = violationsIn(body, contract);
  const pointer = issue?.pointer ?? '';
  const [field = '', index = '', member = ''] = pointerTokens(pointer);
  if (issue?.mismatch !== 'absent') {
    const rest = field === 'max_tokens' ? { ...body, ...USUAL[field] } : without(body, field);
    return { mended: withBody(request, rest), edit: { set: { [pointer]: body[field] ?? null } } };
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

/** Plain instead of streamed, or streamed instead of plain. */
export function inOtherMode(request: DrawnRequest): DrawnRequest {
  const rest = without(request.body, 'stream');
  return withBody(request, isStreamed(request) ? rest : { ...rest, stream: true });
}

/** Letters, digits and the marks of a plain sentence. */
const PLAIN = /^(?! )[\w ,.?!]*(?<! )$/;
const ordinary = (text: string): string => text.replaceAll('${word}', '').trim();
const USUAL_LENGTH = 300;
const ORDINARY_LENGTH = 1_000;
const isLonger = (request: DrawnRequest, length: number): boolean =>
  textsIn(request).some((text) => ordinary(text).length > length);
const SHORT_ROW = 3;

/** Whether a request has what a case of its own promises an answer for. */
const ASPECTS = {
  temperature: ({ body, written }) => typeof body['temperature'] === 'number' && written['temperature'] === undefined,
  'top-p': ({ body, written }) => typeof body['top_p'] === 'number' && written['top_p'] === undefined,
  'max-tokens': ({ body }) => typeof body['max_tokens'] === 'number',
  text: (request) => textsIn(request).some((text) => !PLAIN.test(text.replaceAll(/ ?\$\{word\} ?/g, ''))),
  length: (request) => isLonger(request, USUAL_LENGTH) && !isLonger(request, ORDINARY_LENGTH),
  long: (request) => isLonger(request, ORDINARY_LENGTH),
  roles: (request) => /system|assistant/.test(rolesIn(request)),
  // In a longer row, the number may be the reason.
  'consecutive-roles': (request) => /\b(\w+) \1\b/.test(rolesIn(request)) && messagesIn(request).length <= SHORT_ROW,
  spelling: ({ written, spellings }) => spellings.length > 0 || Object.keys(written).length > 0,
  messages: (request) => messagesIn(request).length > 1,
} satisfies Record<string, (request: DrawnRequest) => boolean>;

const ASPECT_NAMES = Object.keys(ASPECTS) as readonly (keyof typeof ASPECTS)[];

/** What promises an answer to any valid request of its mode. */
export function generalTopic(request: DrawnRequest): ExploreTopic {
  return topicOf(`answered[${isStreamed(request) ? 'stream' : 'plain'}]`);
}

/** Everything that promises an answer to a valid request. */
function topicsOfValid(request: DrawnRequest): readonly ExploreTopic[] {
  const own = ASPECT_NAMES.filter((name) => ASPECTS[name](request)).map((name) => topicOf(`answered[${name}]`));
  return [generalTopic(request), ...own];
}

/** The topics that an answer to this request supports. */
export function topicsOf(request: DrawnRequest, requestClass: RequestClass): readonly ExploreTopic[] {
  switch (requestClass.kind) {
    case 'valid':
      return topicsOfValid(request);
    case 'tolerant':
      return [topicOf(`unknown-field[${requestClass.inMessage ? 'message' : 'top'}]`)];
    case 'invalid':
      return [refusedTopic(requestClass.clause)];
    case 'open':
    case 'unclear':
      return [topicOf('may-be-refused')];
  }
}

/** The topics of a request that is refused as its control is: nothing special about it is the reason. */
export function topicsOfUsual(request: DrawnRequest, requestClass: RequestClass): readonly ExploreTopic[] {
  if (requestClass.kind === 'tolerant') return [];
  return requestClass.kind === 'valid' ? [generalTopic(request)] : topicsOf(request, requestClass);
}

/**
 * The one topic that a failure of this request belongs to: that of the clause which alone promises an answer to it.
 * `isInSequence`: the requests before it may be the reason.
 */
export function topicOfFailure(request: DrawnRequest, contract: Contract, isInSequence: boolean): ExploreTopic {
  const requestClass = classify(request, contract);
  const [first = generalTopic(request), ...own] = topicsOf(request, requestClass);
  if (requestClass.kind !== 'valid' || isInSequence) return first;
  const isLowered = ({ expect: [expectation] }: ExploreTopic): boolean =>
    contract.clause(expectation?.clause ?? '')?.level !== 'must';
  const lowered = own.find(isLowered);
  if (lowered) return lowered;
  // Roles and rows need several messages, so that these say more.
  const several = topicOf('answered[messages]');
  const [only, ...more] = own.length > 1 ? own.filter((topic) => topic !== several) : own;
  return only && more.length === 0 ? only : first;
}

/** A topic, and exchanges that it looks at. */
export interface LookedAt {
  readonly topic: ExploreTopic;
  readonly ids: readonly string[];
}

/** A case for each topic, with all that it looks at. The order is steady. */
export function casesOfTopics(looked: readonly LookedAt[], contract: Contract): readonly Case[] {
  const base = loadRequests(contract).get('chat');
  if (!base) throw new Error('suites/requests.yaml has no chat');
  const topics = new Map(looked.map(({ topic }) => [topic.id, topic]));
  return [...topics.values()]
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((topic) => ({
      ...asCase(topic, contract),
      ask: { base, edits: [], sample: false, closing: false, ...withoutUndefined({ control: topic.control }) },
      over: looked.flatMap(({ topic: { id }, ids }) => (id === topic.id ? ids : [])),
      needs: [],
    }));
}
