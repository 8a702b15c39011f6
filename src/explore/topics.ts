/** The cases that drawn requests are judged by: what the contract promises for their kind, at the levels of its clauses. */
import type { Contract } from '../contract/contract.ts';
import type { AnyCase, Case, Expectation } from '../suite/case.ts';
import { loadRequests } from '../suite/load-requests.ts';
import { classify, type Standing } from './classify.ts';
import { type DrawnRequest, isStreamed, messagesIn, rolesIn, textsIn } from './drawn-request.ts';

const SOURCE = { file: 'src/explore/topics.ts', line: 1 } as const;

const answered = (clause: string): Expectation => ({ clause, check: 'answered', options: {} });
const refused = (clause: string): Expectation => ({ clause, check: 'refused', options: {} });
const NO_SERVER_ERROR: Expectation = { clause: 'errors.no-server-error', check: 'no-server-error', options: {} };

/** Something in a request that a clause of its own promises to be answered. */
interface Aspect {
  readonly label: string;
  readonly title: string;
  readonly clause: string;
  readonly has: (request: DrawnRequest) => boolean;
}

/** Letters, digits and the marks of a plain sentence. */
const PLAIN = /^(?! )[\w ,.?!]*(?<! )$/;
const ordinary = (text: string): string => text.replaceAll('${word}', '').trim();
const USUAL_LENGTH = 300;
const SHORT_ROW = 3;

const ASPECTS: readonly Aspect[] = [
  {
    label: 'temperature',
    title: 'Drawn temperatures within the range are answered',
    clause: 'limits.temperature-in-range',
    has: ({ body, written }) => typeof body['temperature'] === 'number' && written['temperature'] === undefined,
  },
  {
    label: 'top-p',
    title: 'Drawn values of top_p within the range are answered',
    clause: 'limits.top-p-in-range',
    has: ({ body, written }) => typeof body['top_p'] === 'number' && written['top_p'] === undefined,
  },
  {
    label: 'max-tokens',
    title: 'Drawn values of max_tokens within the range are answered',
    clause: 'limits.max-tokens-in-range',
    has: ({ body }) => typeof body['max_tokens'] === 'number',
  },
  {
    label: 'text',
    title: 'Drawn texts with any characters are answered',
    clause: 'message.any-text',
    has: (request) => textsIn(request).some((text) => !PLAIN.test(text.replaceAll(/ ?\$\{word\} ?/g, ''))),
  },
  {
    label: 'length',
    title: 'Drawn texts of ordinary length are answered',
    clause: 'message.ordinary-length',
    has: (request) => textsIn(request).some((text) => ordinary(text).length > USUAL_LENGTH),
  },
  {
    label: 'roles',
    title: 'Drawn messages of every role are answered, in any order',
    clause: 'message.roles',
    has: (request) => /system|assistant/.test(rolesIn(request)),
  },
  {
    label: 'consecutive-roles',
    title: 'Drawn messages of one role in a row are answered',
    clause: 'request.consecutive-roles',
    // In a longer row, the number may be the reason.
    has: (request) => /\b(\w+) \1\b/.test(rolesIn(request)) && messagesIn(request).length <= SHORT_ROW,
  },
  {
    label: 'spelling',
    title: 'Drawn requests whose JSON is written differently are answered',
    clause: 'request.json-spelling',
    has: ({ written, spellings }) => spellings.length > 0 || Object.keys(written).length > 0,
  },
  {
    label: 'messages',
    title: 'Drawn conversations of several messages are answered',
    clause: 'request.several-messages',
    has: (request) => messagesIn(request).length > 1,
  },
];

interface Topic extends Pick<AnyCase, 'id' | 'title' | 'expect'> {
  /** A refusal of it proves something only if this was answered. */
  readonly control?: string;
}

const ANSWERED: Readonly<Record<'plain' | 'stream', Topic>> = {
  plain: {
    id: 'explore/answered[plain]',
    title: 'Drawn requests that keep the contract are answered',
    expect: [answered('endpoint.chat-answers')],
  },
  stream: {
    id: 'explore/answered[stream]',
    title: 'Drawn requests for a stream that keep the contract are answered',
    expect: [answered('stream.answers')],
  },
};

const OF_ASPECTS = new Map(
  ASPECTS.map(({ label, title, clause }): [string, Topic] => [
    label,
    { id: `explore/answered[${label}]`, title, expect: [answered(clause)] },
  ]),
);

const TOLERANT: Readonly<Record<'top' | 'message', Topic>> = {
  top: {
    id: 'explore/unknown-field[top]',
    title: 'Drawn requests with an unknown field at the top level are answered',
    expect: [answered('tolerance.unknown-request-field'), NO_SERVER_ERROR],
  },
  message: {
    id: 'explore/unknown-field[message]',
    title: 'Drawn requests with an unknown field in a message are answered',
    expect: [answered('tolerance.unknown-message-field'), NO_SERVER_ERROR],
  },
};

const OPEN: Topic = {
  id: 'explore/may-be-refused',
  title: 'Drawn requests that the contract does not promise to take are not answered with 5xx',
  expect: [NO_SERVER_ERROR],
  control: 'chat',
};

function refusedTopic(clause: string): Topic {
  return {
    id: `explore/refused[${clause}]`,
    title: `Drawn requests that break ${clause} are not answered with a completion`,
    expect: [refused(clause), NO_SERVER_ERROR],
    control: 'chat',
  };
}

/** Of a valid request: everything that promises it an answer. */
function topicsOfValid(request: DrawnRequest): readonly Topic[] {
  const own = ASPECTS.filter(({ has }) => has(request)).flatMap(({ label }) => OF_ASPECTS.get(label) ?? []);
  return [ANSWERED[isStreamed(request) ? 'stream' : 'plain'], ...own];
}

/** The topics that an answer to this request supports. */
export function topicsOf(request: DrawnRequest, standing: Standing): readonly Topic[] {
  switch (standing.kind) {
    case 'valid':
      return topicsOfValid(request);
    case 'tolerant':
      return [TOLERANT[standing.inMessage ? 'message' : 'top']];
    case 'invalid':
      return [refusedTopic(standing.clause)];
    case 'open':
    case 'unclear':
      return [OPEN];
  }
}

/**
 * The one topic that a failure of this request belongs to: that of the clause which alone promises an answer to it.
 * `isInSequence`: the requests before it may be the reason.
 */
export function topicOfFailure(request: DrawnRequest, contract: Contract, isInSequence: boolean): Topic {
  const standing = classify(request, contract);
  const [first = OPEN, ...own] = topicsOf(request, standing);
  if (standing.kind !== 'valid' || isInSequence) return first;
  const isLowered = ({ expect: [expectation] }: Topic): boolean =>
    contract.clause(expectation?.clause ?? '')?.level !== 'must';
  const lowered = own.find(isLowered);
  if (lowered) return lowered;
  // Roles and rows need several messages, so that these say more.
  const several = OF_ASPECTS.get('messages');
  const [only, ...more] = own.length > 1 ? own.filter((topic) => topic !== several) : own;
  return only && more.length === 0 ? only : first;
}

/** Of these topics, in a steady order. `steps`: those that each looks at. */
export function casesOfTopics(looked: ReadonlyMap<Topic, readonly string[]>, contract: Contract): readonly Case[] {
  const base = loadRequests(contract).get('chat');
  if (!base) throw new Error('suites/requests.yaml has no chat');
  return [...looked]
    .toSorted(([a], [b]) => (a.id < b.id ? -1 : 1))
    .map(([{ id, title, expect, control }, steps]) => ({
      id,
      suite: 'explore',
      title,
      source: SOURCE,
      expect: expect.filter(({ clause }) => (contract.clause(clause)?.level ?? 'none') !== 'none'),
      ask: { base, edits: [], sample: false, closing: false, ...(control !== undefined && { control }) },
      over: steps,
      needs: [],
    }));
}

export type { Topic };
