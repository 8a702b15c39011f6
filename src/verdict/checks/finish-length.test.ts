import { describe, expect, it } from 'vitest';
import { checkInput, plainExchange, streamExchange } from '../../../test/kit/exchanges.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { holdsIn } from '../check-result.ts';
import { COMPLETION_CHECKS } from './completions.ts';

const { 'finish-length': finishLength } = COMPLETION_CHECKS;

const reply = (limit: number, tokens: number, finish: string): Exchange =>
  plainExchange({
    id: `${limit}/${tokens}/${finish}`,
    request: { body: JSON.stringify({ max_tokens: limit }) },
    json: { choices: [{ message: { content: 'a' }, finish_reason: finish }], usage: { completion_tokens: tokens } },
  });

const stream = (limit: number, finish: string): Exchange =>
  streamExchange({
    request: { body: JSON.stringify({ max_tokens: limit, stream: true }) },
    events: [
      { choices: [{ index: 0, delta: { content: 'a' }, finish_reason: null }] },
      { choices: [{ index: 0, delta: {}, finish_reason: finish }], usage: { completion_tokens: limit } },
      '[DONE]',
    ],
  });

const judge = (...exchanges: readonly Exchange[]) =>
  finishLength.execute({ ...checkInput(reply(1, 1, 'stop')), exchanges });

describe('finish-length', () => {
  it('is broken if replies to two limits reached them exactly and all say stop', () => {
    expect(judge(reply(1, 1, 'stop'), reply(16, 16, 'stop'), reply(64, 3, 'stop'))).toMatchObject({
      kind: 'broken',
      findings: [{ exchange: '1/1/stop', pointer: '/choices/0/finish_reason', moreAnswers: 1 }],
    });
    expect(judge(reply(1, 1, 'stop'), stream(64, 'stop')).kind).toBe('broken');
  });

  it('is broken if only streams, or only plain replies, say stop at two limits', () => {
    const cut = [reply(1, 1, 'length'), reply(4, 4, 'length')];
    expect(judge(...cut, stream(1, 'stop'), stream(4, 'stop')).kind).toBe('broken');
    expect(judge(stream(1, 'length'), stream(4, 'length'), reply(1, 1, 'stop'), reply(4, 4, 'stop')).kind).toBe(
      'broken',
    );
    expect(judge(...cut, stream(4, 'stop'), stream(4, 'stop'))).toEqual(
      holdsIn([...cut, stream(4, 'stop'), stream(4, 'stop')]),
    );
  });

  it('says nothing if the counts are off by one', () => {
    expect(judge(reply(1, 2, 'stop'), reply(4, 5, 'stop')).kind).toBe('skipped');
  });

  it('holds if one of them does not say stop', () => {
    const two = [reply(1, 1, 'stop'), reply(16, 16, 'length')];
    expect(judge(...two)).toEqual(holdsIn(two));
    const three = [reply(1, 1, 'stop'), reply(16, 16, 'max_tokens'), stream(64, 'stop')];
    expect(judge(...three)).toEqual(holdsIn(three));
  });

  it('says nothing of a single limit, which may be chance, or if none was reached', () => {
    expect(judge(reply(1, 1, 'stop'), reply(1, 1, 'stop'))).toMatchObject({
      kind: 'skipped',
      reason: { of: 'two-limits' },
    });
    expect(judge(reply(16, 3, 'stop'), reply(64, 40, 'stop'))).toMatchObject({
      kind: 'skipped',
      reason: { of: 'limit-reached' },
    });
  });
});
