/**
 * The cases that drawn requests are judged by, apart from what draws them: they are also listed, explained and waived.
 * Each promises what a clause of the contract promises, at its level.
 */
import type { Contract } from '../contract/contract.ts';
import type { AnyCase, Expectation } from '../suite/case.ts';

export interface Topic extends Pick<AnyCase, 'id' | 'title' | 'expect'> {
  /** A refusal of it proves something only if this was answered. */
  readonly control?: string;
}

const SOURCE = { file: 'src/explore/explore-cases.ts', line: 1 } as const;

const answered = (clause: string): Expectation => ({ clause, check: 'answered', options: {} });
const refused = (clause: string): Expectation => ({ clause, check: 'refused', options: {} });
const NO_SERVER_ERROR: Expectation = { clause: 'errors.no-server-error', check: 'no-server-error', options: {} };

const answeredTopic = (label: string, title: string, clause: string): Topic => ({
  id: `explore/answered[${label}]`,
  title,
  expect: [answered(clause)],
});

export const ANSWERED = {
  plain: answeredTopic('plain', 'Drawn requests that keep the contract are answered', 'endpoint.chat-answers'),
  stream: answeredTopic('stream', 'Drawn requests for a stream that keep the contract are answered', 'stream.answers'),
} as const;

/** Something in a request that a clause of its own promises to be answered. */
export const ANSWERED_ASPECTS = {
  temperature: answeredTopic(
    'temperature',
    'Drawn temperatures within the range are answered',
    'limits.temperature-in-range',
  ),
  'top-p': answeredTopic('top-p', 'Drawn values of top_p within the range are answered', 'limits.top-p-in-range'),
  'max-tokens': answeredTopic(
    'max-tokens',
    'Drawn values of max_tokens within the range are answered',
    'limits.max-tokens-in-range',
  ),
  text: answeredTopic('text', 'Drawn texts with any characters are answered', 'message.any-text'),
  length: answeredTopic('length', 'Drawn texts of ordinary length are answered', 'message.ordinary-length'),
  // No clause speaks of this length, so that a 5xx breaks the one which forbids it.
  long: {
    id: 'explore/answered[long]',
    title: 'Drawn texts of more than 1,000 characters are answered',
    expect: [answered('endpoint.chat-answers'), NO_SERVER_ERROR],
  },
  roles: answeredTopic('roles', 'Drawn messages of every role are answered, in any order', 'message.roles'),
  'consecutive-roles': answeredTopic(
    'consecutive-roles',
    'Drawn messages of one role in a row are answered',
    'request.consecutive-roles',
  ),
  spelling: answeredTopic(
    'spelling',
    'Drawn requests whose JSON is written differently are answered',
    'request.json-spelling',
  ),
  messages: answeredTopic(
    'messages',
    'Drawn conversations of several messages are answered',
    'request.several-messages',
  ),
} as const satisfies Record<string, Topic>;

export const TOLERANT: Readonly<Record<'top' | 'message', Topic>> = {
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

export const MAY_BE_REFUSED: Topic = {
  id: 'explore/may-be-refused',
  title: 'Drawn requests that the contract does not promise to take are not answered with 5xx',
  expect: [NO_SERVER_ERROR],
  control: 'chat',
};

const REFUSED = 'explore/refused';

/** Whether the requests of this case have a violation. */
export function isOfViolation(id: string): boolean {
  return id.startsWith(`${REFUSED}[`);
}

export function refusedTopic(clause: string): Topic {
  return {
    id: `${REFUSED}[${clause}]`,
    title: `Drawn requests that break ${clause} are not answered with a completion`,
    expect: [refused(clause), NO_SERVER_ERROR],
    control: 'chat',
  };
}

/** Of a body that is missing, or that is no JSON object. */
export const BODY_CLAUSES = { missing: 'endpoint.chat-body-required', malformed: 'endpoint.chat-body-json' } as const;

/** All of them. A violation is drawn only if it breaks a must. */
export function listExploreCases(contract: Contract): readonly AnyCase[] {
  const isMust = (clause: string): boolean => contract.clause(clause)?.level === 'must';
  const broken = new Set([...contract.clausesOf('v1/chat-completion-request'), ...Object.values(BODY_CLAUSES)]);
  const topics: readonly Topic[] = [
    ...Object.values(ANSWERED),
    ...Object.values(ANSWERED_ASPECTS),
    ...Object.values(TOLERANT),
    MAY_BE_REFUSED,
    ...[...broken].filter(isMust).map(refusedTopic),
  ];
  return topics.map((topic) => asCase(topic, contract));
}

export function asCase({ id, title, expect }: Topic, contract: Contract): AnyCase {
  return {
    id,
    suite: 'explore',
    title,
    source: SOURCE,
    expect: expect.filter(({ clause }) => (contract.clause(clause)?.level ?? 'none') !== 'none'),
  };
}
