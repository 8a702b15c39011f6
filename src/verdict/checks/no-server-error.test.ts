import { describe, expect, it } from 'vitest';
import {
  answeredAttempt,
  checkInput,
  failure,
  plainExchange,
  type ExchangeParts,
} from '../../../test/kit/exchanges.ts';
import { ERROR_CHECKS } from './errors.ts';

const { 'no-server-error': noServerError } = ERROR_CHECKS;

const judge = (parts: ExchangeParts) => noServerError.execute(checkInput(plainExchange(parts)));

describe('no-server-error', () => {
  it('holds for every answer other than a 5xx', () => {
    expect(judge({ status: 200 })).toEqual({ kind: 'holds' });
    expect(judge({ status: 404, seeks: 'refusal' })).toEqual({ kind: 'holds' });
  });

  it('is flaky if a 5xx went away on retry', () => {
    expect(judge({ status: 400, earlier: [answeredAttempt({ status: 500 })] })).toEqual({ kind: 'holds', flaky: true });
  });

  it('is broken by a 5xx to a valid request', () => {
    expect(judge({ status: 500, seeks: 'answer' })).toMatchObject({
      findings: [{ mismatch: 'status', actualType: '5xx' }],
    });
  });

  it('is broken by a 5xx to an edit only while the control is still answered', () => {
    expect(judge({ status: 500, seeks: 'refusal', controlAfter: 'answered' }).kind).toBe('broken');
    expect(judge({ status: 500, seeks: 'refusal', controlAfter: 'unanswered' }).kind).toBe('inconclusive');
    expect(judge({ status: 500, seeks: 'any' }).kind).toBe('inconclusive');
  });

  it('is inconclusive without an answer', () => {
    expect(judge({ failure: failure('closed') }).kind).toBe('inconclusive');
  });
});
