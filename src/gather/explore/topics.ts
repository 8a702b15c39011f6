/** Which case of an exploration judges a request. */
import type { Contract } from '../../contract/contract.ts';
import { withoutUndefined } from '../../json.ts';
import type { Case } from '../../suite/case.ts';
import { type DrawnRequest, isStreamed, messagesIn, rolesIn, textsIn } from './drawn-request.ts';
import { asCase, type ExploreTopic, refusedTopic, topicOf } from './explore-cases.ts';
import { loadRequests } from '../../suite/read-suites.ts';
import { classify, type RequestClass } from './classify.ts';

/** Letters, digits and the marks of a plain sentence. */
const PLAIN = /^(?! )[\w ,.?!]*(?<! )$/;
export const isPlainText = (text: string): boolean => PLAIN.test(text.replaceAll(/ ?\$\{word\} ?/g, ''));
const USUAL_LENGTH = 300;
const ORDINARY_LENGTH = 1_000;
const isLonger = (request: DrawnRequest, length: number): boolean =>
  textsIn(request).some((text) => text.replaceAll('${word}', '').trim().length > length);
const SHORT_ROW = 3;

type Aspects = Readonly<Record<string, (request: DrawnRequest) => boolean>>;

/** Whether a request has what a case of its own promises an answer for. */
const ASPECTS: Aspects = {
  temperature: ({ body, written }) => typeof body['temperature'] === 'number' && written['temperature'] === undefined,
  'top-p': ({ body, written }) => typeof body['top_p'] === 'number' && written['top_p'] === undefined,
  'max-tokens': ({ body }) => typeof body['max_tokens'] === 'number',
  text: (request) => !textsIn(request).every(isPlainText),
  length: (request) => isLonger(request, USUAL_LENGTH) && !isLonger(request, ORDINARY_LENGTH),
  long: (request) => isLonger(request, ORDINARY_LENGTH),
  roles: (request) => /system|assistant/.test(rolesIn(request)),
  // In a longer row, the number may be the reason.
  'consecutive-roles': (request) => /\b(\w+) \1\b/.test(rolesIn(request)) && messagesIn(request).length <= SHORT_ROW,
  spelling: ({ written, spellings }) => spellings.length > 0 || Object.keys(written).length > 0,
  messages: (request) => messagesIn(request).length > 1,
};

/** Whether it has what a clause leaves open, so that the answer is recorded. */
const OPEN: Aspects = {
  null: ({ body }) => Object.values(body).includes(null),
  'empty-text': (request) => textsIn(request).includes(''),
  'no-messages': (request) => messagesIn(request).length === 0,
};

/** What promises an answer to any valid request of its mode. */
export function generalTopic(request: DrawnRequest): ExploreTopic {
  return topicOf(`answered[${isStreamed(request) ? 'stream' : 'plain'}]`);
}

/** The topics that an answer to this request supports. */
export function topicsOf(request: DrawnRequest, requestClass: RequestClass): readonly ExploreTopic[] {
  if (requestClass.kind === 'tolerant')
    return [topicOf(`unknown-field[${requestClass.inMessage ? 'message' : 'top'}]`)];
  if (requestClass.kind === 'invalid') return [refusedTopic(requestClass.clause)];
  if (requestClass.kind !== 'valid') return [topicOf('may-be-refused'), ...ownTopics('may-be-refused', OPEN, request)];
  // Everything that promises an answer to it.
  return [generalTopic(request), ...ownTopics('answered', ASPECTS, request)];
}

const ownTopics = (id: string, aspects: Aspects, request: DrawnRequest): readonly ExploreTopic[] =>
  Object.keys(aspects).flatMap((name) => (aspects[name]?.(request) ? [topicOf(`${id}[${name}]`)] : []));

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
