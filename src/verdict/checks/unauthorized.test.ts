import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../exchange/exchange.ts';
import { ANSWERED_CONTROL, checkInput, failure, modelsExchange, plainExchange } from '../../../test/kit/exchanges.ts';
import { unauthorized } from './unauthorized.ts';

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
