import { describe, expect, it } from 'vitest';
import { drawn } from '../../../test/kit/failing-draws.ts';
import { loadContract } from '../../contract/read-contract.ts';
import { casesOfTopics, topicOfFailure, topicsOf } from './topics.ts';
import { classify } from './classify.ts';
import type { DrawnRequest } from './drawn-request.ts';
import { listExploreCases } from './explore-cases.ts';

const contract = loadContract();
const supportedBy = (request: DrawnRequest): readonly string[] =>
  topicsOf(request, classify(request, contract)).map(({ id }) => id);
const failureOf = (request: DrawnRequest, isInSequence = false): string =>
  topicOfFailure(request, contract, isInSequence).id;

describe('The answer to a drawn request supports', () => {
  it.each([
    [drawn(), ['explore/answered[plain]']],
    [drawn({ stream: true }), ['explore/answered[stream]']],
    [drawn({ temperature: 1.3 }), ['explore/answered[plain]', 'explore/answered[temperature]']],
    [drawn({ temperature: 3 }), ['explore/refused[limits.temperature]']],
    [drawn({ x_wirecheck_note: 1 }), ['explore/unknown-field[top]']],
    [drawn({ messages: [] }), ['explore/may-be-refused', 'explore/may-be-refused[no-messages]']],
    [drawn({ messages: [{ role: 'user', content: 'é' }] }), ['explore/answered[plain]', 'explore/answered[text]']],
  ])('%j: %j', (request, ids) => {
    expect(supportedBy(request)).toEqual(ids);
  });
});

describe('A failure belongs to', () => {
  it('the one clause that promises its answer', () => {
    expect(failureOf(drawn({ temperature: 1.3 }))).toBe('explore/answered[temperature]');
    expect(failureOf(drawn())).toBe('explore/answered[plain]');
  });

  it('chat as a whole if two clauses promise it, or requests before it may be the reason', () => {
    expect(failureOf(drawn({ temperature: 1.3, top_p: 0.5 }))).toBe('explore/answered[plain]');
    expect(failureOf(drawn({ temperature: 1.3 }), true)).toBe('explore/answered[plain]');
  });

  it('a length that is ordinary, or beyond it to chat as a whole and to 5xx', () => {
    const saying = (size: number) => drawn({ messages: [{ role: 'user', content: 'x'.repeat(size) }] });
    expect([701, 1_501].map((size) => failureOf(saying(size)))).toEqual([
      'explore/answered[length]',
      'explore/answered[long]',
    ]);
    const clauses = topicOfFailure(saying(1_501), contract, false).expect.map(({ clause }) => clause);
    expect(clauses).toEqual(['endpoint.chat-answers', 'errors.no-server-error']);
  });

  it('roles rather than the number of messages', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Say hello.' },
    ];
    expect(failureOf(drawn({ messages }))).toBe('explore/answered[roles]');
  });
});

it('Every topic is a case that is listed, at the level of its clause', () => {
  const listed = listExploreCases(contract);
  const requests = [drawn(), drawn({ stream: true, top_p: 0.2 }), drawn({ max_tokens: 0 }), drawn({ messages: [] })];
  const topics = requests.flatMap((request) => topicsOf(request, classify(request, contract)));
  for (const testCase of casesOfTopics(
    topics.map((topic) => ({ topic, ids: ['explore/1'] })),
    contract,
  )) {
    const known = listed.find(({ id }) => id === testCase.id);
    expect(known?.expect, testCase.id).toEqual(testCase.expect);
  }
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
});
