import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../exchange/exchange.ts';
import {
  ANSWERED_CONTROL,
  COMPLETION,
  checkInput,
  failure,
  plainExchange,
  streamExchange,
} from '../../../test/kit/exchanges.ts';
import { refused, REFUSAL_CHECKS } from './refusals.ts';

const { 'unknown-model': unknownModel } = REFUSAL_CHECKS;

const judge = (exchange: Exchange) => refused.execute(checkInput(exchange, { control: ANSWERED_CONTROL }));
const withoutControl = (exchange: Exchange) =>
  refused.execute(checkInput(exchange, { control: plainExchange({ status: 500 }) }));

describe('refused', () => {
  it('holds for a 4xx while the control is answered', () => {
    expect(judge(plainExchange({ status: 400 }))).toEqual({ kind: 'holds' });
    expect(judge(plainExchange({ status: 422 }))).toEqual({ kind: 'holds' });
  });

  it('is inconclusive while the control is not answered', () => {
    expect(withoutControl(plainExchange({ status: 400 })).kind).toBe('inconclusive');
  });

  it('is broken by a completion, whatever the control got', () => {
    const expected = { kind: 'broken', findings: [{ mismatch: 'completion', actualType: '2xx' }] };
    expect(judge(plainExchange({ json: COMPLETION }))).toMatchObject(expected);
    expect(withoutControl(plainExchange({ json: COMPLETION }))).toMatchObject(expected);
    expect(withoutControl(streamExchange({ text: JSON.stringify(COMPLETION) }))).toMatchObject(expected);
    expect(judge(plainExchange({ status: 202, text: '' }))).toMatchObject(expected);
  });

  it('is broken by an error with a success status, plain or streamed', () => {
    const expected = { kind: 'broken', findings: [{ mismatch: 'error-in-success' }] };
    expect(judge(plainExchange({ json: { error: { message: 'No.' } } }))).toMatchObject(expected);
    expect(judge(streamExchange({ events: [{ error: { message: 'No.' } }] }))).toMatchObject(expected);
    expect(judge(streamExchange({ text: 'event: error\ndata: {}\n\n' }))).toMatchObject(expected);
  });

  it('is inconclusive for an error with a success status, or an empty stream, if the control is not answered', () => {
    expect(withoutControl(plainExchange({ json: { error: { message: 'No.' } } })).kind).toBe('inconclusive');
    expect(withoutControl(streamExchange({ events: [{ error: { message: 'No.' } }] })).kind).toBe('inconclusive');
    expect(withoutControl(streamExchange({ text: 'data: {"error":{}}' })).kind).toBe('inconclusive');
  });

  it.each([
    ['a web page', { headers: { 'content-type': 'text/html' }, text: '<!doctype html><title>Sign in</title>' }],
    ['an empty object', { json: {} }],
  ])('takes %s for no completion if the control gets nothing better', (_what, parts) => {
    expect(withoutControl(plainExchange(parts)).kind).toBe('inconclusive');
    expect(withoutControl(streamExchange({ text: '', ...parts })).kind).toBe('inconclusive');
    const alike = checkInput(plainExchange(parts), { control: plainExchange(parts) });
    expect(refused.execute(alike).kind).toBe('inconclusive');
    expect(judge(plainExchange(parts)).kind).toBe('broken');
  });

  it('takes headers for no completion if the time was up before any text', () => {
    const end = { kind: 'limit', limit: 'idle-timeout' } as const;
    const waited = { kind: 'inconclusive', reason: { kind: 'no-answer', limit: 'idle-timeout' } };
    expect(judge(plainExchange({ text: ' \n', end }))).toMatchObject(waited);
    expect(judge(streamExchange({ text: ': wait\n\n', end }))).toMatchObject(waited);
    expect(judge(streamExchange({ events: [{ choices: [{ delta: { role: 'assistant' } }] }], end }))).toMatchObject(
      waited,
    );
    expect(judge(plainExchange({ text: '{"choices":', end })).kind).toBe('broken');
    expect(judge(streamExchange({ events: [{ choices: [{ delta: { content: 'x' } }] }], end })).kind).toBe('broken');
    expect(judge(plainExchange({ text: '' })).kind).toBe('broken');
  });

  it('is not fooled by a null error', () => {
    expect(judge(plainExchange({ json: { ...COMPLETION, error: null } }))).toMatchObject({
      findings: [{ mismatch: 'completion' }],
    });
  });

  it('is broken by a redirect', () => {
    expect(withoutControl(plainExchange({ status: 307 }))).toMatchObject({ findings: [{ mismatch: 'redirect' }] });
  });

  it.each([401, 402, 408, 429, 500, 503])('is inconclusive for %i', (status) => {
    expect(judge(plainExchange({ status })).kind).toBe('inconclusive');
  });

  it('leaves a 5xx to its own clause', () => {
    expect(judge(plainExchange({ status: 500 }))).toMatchObject({
      reason: { kind: 'see-clause', clause: 'errors.no-server-error' },
    });
  });

  it('is inconclusive without an answer', () => {
    expect(judge(plainExchange({ failure: failure('closed') })).kind).toBe('inconclusive');
  });
});

describe('unknown-model', () => {
  it('holds for a refusal and is broken by a reply from another model', () => {
    const judgeModel = (exchange: Exchange) =>
      unknownModel.execute(checkInput(exchange, { control: ANSWERED_CONTROL }));
    expect(judgeModel(plainExchange({ status: 404 }))).toEqual({ kind: 'holds' });
    expect(judgeModel(plainExchange({ json: COMPLETION })).kind).toBe('broken');
    expect(judgeModel(plainExchange({ status: 500 })).kind).toBe('inconclusive');
  });
});
