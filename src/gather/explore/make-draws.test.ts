import { describe, expect, it } from 'vitest';
import { SEED } from '../../../test/kit/explored.ts';
import { replaceClauses } from '../../contract/assemble-contract.ts';
import { loadContract } from '../../contract/read-contract.ts';
import { classify, kindOfViolation, sizeOfRequest } from './classify.ts';
import { type Draw, type DrawnRequest, isStreamed, messagesIn, textsIn } from './drawn-request.ts';
import { featuresOf } from './features.ts';
import { makeDraws } from './make-draws.ts';

const contract = loadContract();
const draw = (seed: number, requests: number, completions = 300) =>
  makeDraws(contract, { seed, requests, completions });
const DRAWS = draw(SEED, 300);
/** The default seed of 0.2.0, with which no wrong max_tokens was streamed. */
const OTHER_DRAWS = draw(44_280, 300);
const REQUESTS = DRAWS.flatMap(({ requests }) => requests);
const countMessages = (request: DrawnRequest): number => messagesIn(request).length;
const requestClasses = REQUESTS.map((request) => classify(request, contract));

describe('The list of draws', () => {
  it('is the same whenever it is made, and begins with the draws of a shorter list', () => {
    // Another object of the same contract, for which no list was kept.
    const same = replaceClauses(contract, contract.clauses);
    const [shorter, longer] = [20, 80].map((requests) => makeDraws(same, { seed: SEED, requests, completions: 300 }));
    expect(longer).toEqual(DRAWS.slice(0, longer?.length));
    expect(shorter).toEqual(DRAWS.slice(0, shorter?.length));
  });

  it('differs from seed to seed', () => {
    expect(OTHER_DRAWS).not.toEqual(DRAWS);
  });

  it('has as many requests as were asked for, or a few less', () => {
    expect(REQUESTS.length).toBeLessThanOrEqual(300);
    expect(REQUESTS.length).toBeGreaterThan(290);
  });

  it('has no more requests that may be answered than completions', () => {
    const few = draw(SEED, 300, 50).flatMap(({ requests }) => requests);
    expect(few.filter((request) => classify(request, contract).kind !== 'invalid').length).toBeLessThanOrEqual(50);
  });

  it('has no half character in a text that has to be answered: whoever repeats it would be blamed', () => {
    const valid = [DRAWS, OTHER_DRAWS]
      .flatMap((list) => list.flatMap(({ requests }) => requests))
      .filter((request) => classify(request, contract).kind !== 'open');
    expect(valid.flatMap(textsIn).filter((text) => text.includes('\uFFFD'))).toEqual([]);
  });

  it('has requests of every kind, and none whose kind is unclear', () => {
    expect(new Set(requestClasses.map(({ kind }) => kind))).toEqual(new Set(['valid', 'tolerant', 'invalid', 'open']));
  });

  it('violates every rule that is a must, and has messages that are no objects', () => {
    const clauses = new Set(
      requestClasses.flatMap((requestClass) => (requestClass.kind === 'invalid' ? [requestClass.clause] : [])),
    );
    expect([...clauses].toSorted()).toEqual([
      'endpoint.chat-body-json',
      'endpoint.chat-body-required',
      'limits.max-tokens',
      'limits.temperature',
      'limits.top-p',
      'message.content-required',
      'message.role-required',
      'request.messages-required',
      'request.messages-type',
      'request.model-required',
    ]);
  });

  it('violates each of them plain and streamed, on both sides of a range, with any seed', () => {
    const modesIn = (draws: readonly Draw[]): readonly string[] => {
      const single = draws.flatMap(({ requests }) => (requests.length === 1 ? requests : []));
      const modes = single.flatMap((request) => {
        const kind = kindOfViolation(request, contract);
        return kind === undefined ? [] : [`${kind}${isStreamed(request) ? ', streamed' : ''}`];
      });
      return [...new Set(modes)].toSorted();
    };
    const kinds = [
      'limits.max-tokens, below',
      'limits.temperature',
      'limits.temperature, below',
      'limits.top-p',
      'limits.top-p, below',
      'message.content-required',
      'message.role-required',
      'request.messages-required',
      'request.messages-type',
      'request.model-required',
    ];
    const modes = kinds.flatMap((kind) => [kind, `${kind}, streamed`]).toSorted();
    expect(modesIn(DRAWS)).toEqual(modes);
    expect(modesIn(OTHER_DRAWS)).toEqual(modes);
  });

  it('has long conversations, several unknown fields and a request that is sent twice', () => {
    const names = REQUESTS.map(({ body }) => Object.keys(body).filter((name) => name.startsWith('x_wirecheck_')));
    expect(Math.max(...names.map(({ length }) => length))).toBeGreaterThan(1);
    expect(
      Math.max(...REQUESTS.filter((_, at) => requestClasses[at]?.kind === 'valid').map(countMessages)),
    ).toBeGreaterThan(12);
    const isTwice = ({ requests }: Draw): boolean =>
      requests.length > 1 && JSON.stringify(requests.at(-1)) === JSON.stringify(requests.at(-2));
    expect(DRAWS.some(isTwice)).toBe(true);
    // A cache may answer the very same request.
    for (const { requests } of DRAWS.filter(isTwice)) expect(JSON.stringify(requests.at(-1))).toContain('${word}');
  });

  it('has sequences of two to five requests', () => {
    expect(new Set(DRAWS.map(({ requests }) => requests.length))).toEqual(new Set([1, 2, 3, 4, 5]));
  });

  it('has small bodies, and one in twenty up to 20 KiB', () => {
    const large = REQUESTS.filter((request) => sizeOfRequest(request) > 2048);
    expect(large.length).toBeLessThanOrEqual(REQUESTS.length / 20);
    for (const request of large) expect(sizeOfRequest(request)).toBeLessThan(21_000);
  });

  it('has texts of many kinds', () => {
    const kinds = new Set(
      REQUESTS.flatMap((request) => featuresOf(request, contract))
        .filter(({ group }) => group === 'text')
        .map(({ is }) => is),
    );
    for (const kind of [
      'Hebrew',
      'Han',
      'emoji',
      'combining',
      'joiner',
      'astral',
      'closing tag',
      'JSON first',
      'very long',
      'Windows line break',
      'tab',
      'zero width',
      'skin tone',
      'end of stream',
    ])
      expect(kinds).toContain(kind);
  });
});
