import { describe, expect, it } from 'vitest';
import { loadContract } from '../../contract/read-contract.ts';
import { classify } from './classify.ts';
import type { JsonObject } from '../../json.ts';
import type { Draw, DrawnRequest } from './drawn-request.ts';
import { plainly } from './change-request.ts';
import { isWithin, simplerForms } from './simpler.ts';

const contract = loadContract();
const formsOf = (...requests: readonly DrawnRequest[]) => [
  ...simplerForms({ number: 1, path: '1', requests }, contract),
];
const message = (content: string, role = 'user') => ({ role, content });
const VALID = plainly({
  model: '${model}',
  messages: [message('Be brief.', 'system'), message('שלום ${word}')],
  max_tokens: 5,
  temperature: 1.25,
  stream: true,
});

describe('The simpler forms of a draw', () => {
  it('leave out fields, messages and texts', () => {
    const bodies = formsOf(VALID).map(({ requests: [request] }) => request?.body);
    expect(bodies).toContainEqual({ ...VALID.body, messages: [message('Say hello.')] });
    const { temperature: _left, ...fewer } = VALID.body;
    expect(bodies).toContainEqual({ ...fewer, max_tokens: '${replyTokens}' });
    expect(bodies).toContainEqual({ ...VALID.body, messages: [message('שלום ${word}')] });
    expect(bodies.some((body) => body !== undefined && !('temperature' in body) && 'stream' in body)).toBe(true);
  });

  it('of a violation have the same violation, apart from the second, which has none', () => {
    const invalid = plainly({ ...VALID.body, temperature: 2.5 });
    const [bare, mended, ...others] = formsOf(invalid);
    const { temperature: _wrong, ...rest } = VALID.body;
    expect(mended?.requests.map(({ body }) => body)).toEqual([rest]);
    expect(bare?.requests[0]?.body).toEqual({
      model: '${model}',
      messages: [message('Say hello.')],
      max_tokens: '${replyTokens}',
      temperature: 2.5,
      stream: true,
    });
    for (const { requests } of others) {
      expect(requests.map((request) => classify(request, contract))).toEqual([
        { kind: 'invalid', clause: 'limits.temperature' },
      ]);
    }
  });

  it('of a sequence begin with its first requests, for paths, and then have the last one alone', () => {
    const last = plainly({ ...VALID.body, top_p: 1 });
    const forms = formsOf(VALID, VALID, last).map(({ requests }) => requests);
    expect(forms.slice(0, 2)).toEqual([[VALID], [VALID, VALID]]);
    expect(forms).toContainEqual([last]);
  });

  it('never are the draw itself', () => {
    expect(formsOf(VALID).map(({ requests }) => requests)).not.toContainEqual([VALID]);
  });
});

describe('A form', () => {
  const of = (...requests: readonly DrawnRequest[]): Draw => ({ number: 1, path: '1', requests });
  const isPart = (form: DrawnRequest, larger = VALID): boolean => isWithin(of(form), of(larger), contract);
  const body = (more: JsonObject): DrawnRequest => plainly({ ...VALID.body, ...more });

  it('is part of another if all of it is there, or as usual', () => {
    expect(isPart(body({ messages: [message('Say hello.')] }))).toBe(true);
    expect(isPart(body({ messages: [message('לם')], max_tokens: '${replyTokens}' }))).toBe(true);
    expect(isPart(body({ temperature: 0.5 }))).toBe(true);
  });

  it('is not if anything else is in it, or if it lacks what is required', () => {
    expect(isPart(body({ messages: [message('םל')] }))).toBe(false);
    expect(isPart(body({ temperature: 1.5 }))).toBe(false);
    expect(isPart(body({ top_p: 0.5 }))).toBe(false);
    expect(isPart(plainly({ messages: [message('Say hello.')] }))).toBe(false);
  });
});
