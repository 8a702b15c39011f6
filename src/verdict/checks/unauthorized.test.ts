import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Json } from '../../json.ts';
import { ANSWERED_CONTROL, checkInput, failure, modelsExchange, plainExchange } from '../../../test/kit/exchanges.ts';
import { KEY_CHECKS } from './keys.ts';

const { unauthorized } = KEY_CHECKS;

const judge = (exchange: Exchange, control = ANSWERED_CONTROL) =>
  unauthorized.execute(checkInput(exchange, { control }));
const withStatus = (status: number) => modelsExchange({ status, request: { key: 'unknown' } });
const UNANSWERED = plainExchange({ status: 500 });

describe('unauthorized', () => {
  it('holds for a 401 while the control is answered', () => {
    expect(judge(withStatus(401))).toEqual({ kind: 'holds' });
    expect(judge(withStatus(401), UNANSWERED).kind).toBe('inconclusive');
  });

  it.each([200, 302])('is broken by %i, whatever the control got', (status) => {
    expect(judge(withStatus(status), UNANSWERED)).toMatchObject({
      findings: [{ mismatch: 'status', expected: { kind: 'status', status: 401 } }],
    });
  });

  it.each([400, 402, 403, 404])('is broken by %i only while the control is answered', (status) => {
    expect(judge(withStatus(status)).kind).toBe('broken');
    expect(judge(withStatus(status), UNANSWERED).kind).toBe('inconclusive');
  });

  describe('without an answered control', () => {
    const refused = (status: number) => plainExchange({ step: 'chat', status, sent: {} });
    const keyless = (status: number) => plainExchange({ step: 'none', status, sent: {}, request: { key: 'none' } });
    const malformed = plainExchange({ step: 'malformed', status: 422, sent: '{', request: { key: 'none' } });
    const judgeAfter = (control: Exchange, exchange: Exchange, others: readonly Exchange[] = []) =>
      unauthorized.execute(checkInput(exchange, { control, run: { exchanges: [control, ...others] } })).kind;

    it('is broken by another refusal than 401 if the key of the run got 401', () => {
      expect(judgeAfter(refused(401), malformed)).toBe('broken');
      expect(judgeAfter(refused(401), keyless(401))).toBe('inconclusive');
    });

    it('is broken by it if the key got 403, and the same request without a key did not', () => {
      expect(judgeAfter(refused(403), malformed, [keyless(401)])).toBe('broken');
      expect(judgeAfter(refused(403), malformed, [keyless(403)])).toBe('inconclusive');
      expect(judgeAfter(refused(403), keyless(403))).toBe('inconclusive');
    });

    it('is inconclusive if the control was refused for another reason', () => {
      expect(judgeAfter(refused(400), malformed, [keyless(401)])).toBe('inconclusive');
    });

    it('knows from the end of the run that the key was refused', () => {
      const traffic = { ending: { kind: 'key-refused', status: 401 } } as const;
      expect(unauthorized.execute(checkInput(malformed, { run: { traffic } })).kind).toBe('broken');
    });
  });

  describe('a reply from a cache', () => {
    const reply = (id: string | undefined, content: string) => ({
      ...(id !== undefined && { id }),
      choices: [{ message: { role: 'assistant', content } }],
    });
    const control = plainExchange({ step: 'chat', sent: {}, json: reply('a', 'Hello') });
    const actualOf = (json: Json) => {
      const exchange = plainExchange({ step: 'none', sent: {}, json, request: { key: 'none' } });
      const result = unauthorized.execute(checkInput(exchange, { control, run: { exchanges: [control] } }));
      return result.kind === 'broken' && result.findings[0]?.actual;
    };

    it('is told by its id, or by its text if it has none', () => {
      const cached = { kind: 'cached-reply', exchange: 'chat', request: 'chat' };
      expect(actualOf(reply('a', 'Hello'))).toEqual(cached);
      expect(actualOf(reply(undefined, 'Hello'))).toEqual(cached);
      expect(actualOf(reply('b', 'Hello'))).toMatchObject({ kind: 'answer' });
      expect(actualOf(reply(undefined, 'Hi'))).toMatchObject({ kind: 'answer' });
    });
  });

  it.each([408, 429, 500])('is inconclusive for %i', (status) => {
    expect(judge(withStatus(status)).kind).toBe('inconclusive');
  });

  it('says of a revoked key when it was revoked, at the latest', () => {
    const accepted = modelsExchange({ status: 200, request: { key: 'revoked' } });
    expect(judge(accepted)).toMatchObject({ findings: [{ expected: { kind: 'revoked-key-refused' } }] });
    expect(judge(modelsExchange({ status: 401, request: { key: 'revoked' } }))).toEqual({ kind: 'holds' });
  });

  it('is inconclusive without an answer', () => {
    expect(judge(modelsExchange({ failure: failure('timeout') })).kind).toBe('inconclusive');
  });
});
