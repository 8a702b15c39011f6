import { describe, expect, it } from 'vitest';
import { quoteText } from '../../text/quote.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import {
  ANSWERED_CONTROL,
  type RunParts,
  checkInput,
  failure,
  modelsExchange,
  plainExchange,
} from '../../../test/kit/exchanges.ts';
import { holdsIn } from '../check-result.ts';
import { MODEL_CHECKS } from './models.ts';
import { ANSWER_CHECKS } from './answers.ts';
import { KEY_CHECKS } from './keys.ts';
import { COMPLETION_CHECKS } from './completions.ts';

const { 'absent-from-list': absentFromList } = MODEL_CHECKS;

const { 'max-tokens-accepted': maxTokensAccepted } = COMPLETION_CHECKS;

const { 'bearer-accepted': bearerAccepted, 'key-prefix': keyPrefix, 'key-not-accepted': keyNotAccepted } = KEY_CHECKS;

const { 'base-address': baseAddress } = ANSWER_CHECKS;

const LIST = modelsExchange({ json: { data: [{ id: 'alpha' }, { id: 'beta' }] } });
const REFUSED_LIST = modelsExchange({ status: 401 });

describe('absent-from-list', () => {
  const judge = (forbiddenModel: string, list: Exchange = LIST) =>
    absentFromList.execute(checkInput(list, { run: { settings: { forbiddenModel } } }));

  it('holds if the forbidden model is not listed', () => {
    expect(judge('gamma')).toEqual({ kind: 'holds' });
  });

  it('is broken if the forbidden model is listed', () => {
    expect(judge('beta')).toMatchObject({
      kind: 'broken',
      findings: [{ pointer: '/data/1/id', actual: { kind: 'value', value: quoteText('beta') } }],
    });
  });

  it('is inconclusive without a list, and skipped without a name', () => {
    expect(judge('beta', modelsExchange({ json: {} })).kind).toBe('inconclusive');
    expect(judge('beta', modelsExchange({ status: 500 })).kind).toBe('inconclusive');
    expect(absentFromList.execute(checkInput(LIST)).kind).toBe('skipped');
  });
});

describe('bearer-accepted', () => {
  const judge = (...exchanges: Exchange[]) => bearerAccepted.execute(checkInput([], { run: { exchanges } }));
  const without = (status: number) => modelsExchange({ step: 'none', status, request: { key: 'none' } });
  const bare = (status: number) => modelsExchange({ step: 'bare-key', status, request: { key: 'bare' } });

  it('holds if a request with the key was answered, or refused for another reason', () => {
    expect(judge(LIST)).toEqual(holdsIn([LIST]));
    const forbidden = modelsExchange({ status: 403 });
    expect(judge(forbidden, without(401))).toEqual(holdsIn([forbidden]));
    expect(judge(modelsExchange({ status: 500 }), ANSWERED_CONTROL)).toEqual(holdsIn([ANSWERED_CONTROL]));
  });

  it('is inconclusive if requests with and without a key get the same refusal, or none without a key was sent', () => {
    const reason = { kind: 'key-unanswered', status: 400 };
    const refused = modelsExchange({ status: 400 });
    expect(judge(refused, without(400))).toEqual({ kind: 'inconclusive', reason });
    expect(judge(refused, without(429))).toEqual({ kind: 'inconclusive', reason });
    expect(judge(refused)).toEqual({ kind: 'inconclusive', reason });
    const broken = plainExchange({ status: 401, sent: {}, request: { key: 'none' } });
    expect(judge(refused, without(400), broken)).toEqual({ kind: 'inconclusive', reason });
  });

  it('is broken if only the bare key is accepted', () => {
    expect(judge(REFUSED_LIST, bare(200))).toMatchObject({ kind: 'broken', findings: [{ exchange: 'models' }] });
  });

  const onConnection = (exchange: Exchange, attempt: number, connection: number, sentAt: number): Exchange => ({
    ...exchange,
    attempts: exchange.attempts.map((each, place) => (place === attempt ? { ...each, connection, sentAt } : each)),
  });
  /** Refused on connection 1, which carried the list, and sent again on a new one. */
  const retried = (place: number, status = 400, connection = 10 + place): Exchange => {
    const refused = plainExchange({ id: `chat#${place}`, status, earlier: plainExchange({ status: 401 }).attempts });
    return onConnection(onConnection(refused, 0, 1, 10 * place), 1, connection, 10 * place + 1);
  };
  const used = onConnection(LIST, 0, 1, 0);

  it('is broken if two answers refuse the key on a used connection, and a new one takes it', () => {
    const actual = { kind: 'key-lost' };
    expect(judge(used, retried(1), retried(2))).toMatchObject({ kind: 'broken', findings: [{ attempt: 0, actual }] });
    expect(judge(used, retried(1))).toEqual(holdsIn([used]));
  });

  it('A 401 that stays, that another trouble follows, or that came on a new connection shows no lost key', () => {
    for (const status of [401, 429, 503]) expect(judge(used, retried(1), retried(2, status))).toEqual(holdsIn([used]));
    expect(judge(used, retried(1), retried(2, 400, 1))).toEqual(holdsIn([used]));
    expect(judge(LIST, retried(1), onConnection(retried(2), 0, 3, 20))).toEqual(holdsIn([LIST]));
  });

  it('A key that ended in mid-run is not lost by connections', () => {
    const traffic = { ending: { kind: 'key-ended', status: 401 } } as const;
    const exchanges = [used, retried(1), retried(2)];
    expect(bearerAccepted.execute(checkInput([], { run: { exchanges, traffic } }))).toEqual(holdsIn([used]));
  });

  it('is inconclusive if the key is refused either way, or nothing answers', () => {
    expect(judge(REFUSED_LIST, bare(401))).toEqual({
      kind: 'inconclusive',
      reason: { kind: 'run-ended', ending: { kind: 'key-refused', status: 401 } },
    });
    expect(judge(modelsExchange({ failure: failure('refused') })).kind).toBe('inconclusive');
  });

  it('The list was not requested if the run is complete; otherwise the run ended first', () => {
    expect(judge()).toEqual({ kind: 'inconclusive', reason: { kind: 'list-not-requested' } });
    const ending = { kind: 'interrupted' } as const;
    expect(bearerAccepted.execute(checkInput([], { run: { traffic: { ending } } }))).toEqual({
      kind: 'inconclusive',
      reason: { kind: 'run-ended', ending },
    });
  });
});

describe('key-prefix', () => {
  const judge = (hasPrefix: boolean, exchange: Exchange = LIST) =>
    keyPrefix.execute(checkInput([exchange], { run: { traffic: { keys: [{ role: 'full', hasPrefix }] } } }));

  it('holds for an accepted key with the prefix', () => {
    expect(judge(true)).toEqual(holdsIn([LIST]));
  });

  it('is broken by an accepted key without the prefix, and never shows the key', () => {
    expect(judge(false)).toMatchObject({ kind: 'broken', findings: [{ actual: { kind: 'no-prefix' } }] });
  });

  it('is inconclusive for a key that was not accepted', () => {
    expect(judge(false, REFUSED_LIST).kind).toBe('inconclusive');
    expect(judge(false, modelsExchange({ request: { key: 'none' } })).kind).toBe('inconclusive');
  });
});

describe('base-address', () => {
  const judge = (baseUrl: string, exchange: Exchange = LIST) =>
    baseAddress.execute(checkInput(exchange, { run: { settings: { baseUrl } } }));

  it('holds if the last segment is v1', () => {
    expect(judge('https://example.test/v1')).toEqual(holdsIn([LIST]));
    expect(judge('https://example.test/api/v1/')).toEqual(holdsIn([LIST]));
  });

  it.each(['https://v1.example.test', 'https://example.test/v1/api', 'https://example.test/api?v=/v1'])(
    'is broken by %s',
    (url) => {
      expect(judge(url).kind).toBe('broken');
    },
  );

  it('is inconclusive if the API does not answer', () => {
    expect(judge('https://example.test/api', modelsExchange({ status: 404 })).kind).toBe('inconclusive');
  });
});

describe('key-not-accepted', () => {
  const inQuery = (status: number) => modelsExchange({ step: 'key-in-query', status, request: { key: 'query' } });
  const judge = (exchange: Exchange, run: RunParts = {}) =>
    keyNotAccepted.execute(checkInput(exchange, { control: LIST, run }));

  it('holds for a refusal while the control is answered', () => {
    expect(judge(inQuery(401))).toEqual({ kind: 'holds' });
    expect(keyNotAccepted.execute(checkInput(inQuery(401), { control: REFUSED_LIST })).kind).toBe('inconclusive');
  });

  it('is broken by a 200', () => {
    expect(judge(inQuery(200))).toMatchObject({ kind: 'broken', findings: [{ mismatch: 'accepted' }] });
  });

  it('does not blame the query if the list is open to everyone', () => {
    const open = modelsExchange({ step: 'missing-key', request: { key: 'none' } });
    expect(judge(inQuery(200), { exchanges: [open] }).kind).toBe('skipped');
  });

  it.each([429, 500])('is inconclusive for %i', (status) => {
    expect(judge(inQuery(status)).kind).toBe('inconclusive');
  });
});

describe('max-tokens-accepted', () => {
  const judge = (withoutMaxTokens: boolean, ...exchanges: Exchange[]) => {
    const bindings = { sample: [], replyTokens: 16, briefTokens: 1, streamTokens: 64, withoutMaxTokens };
    return maxTokensAccepted.execute(checkInput([], { run: { exchanges, traffic: { bindings } } }));
  };

  it('holds if the control was answered', () => {
    expect(judge(false, ANSWERED_CONTROL)).toEqual(holdsIn([ANSWERED_CONTROL]));
  });

  it('is broken if the control was answered only without max_tokens', () => {
    expect(judge(true, plainExchange({ status: 400 }))).toMatchObject({
      kind: 'broken',
      findings: [{ actual: { kind: 'status', status: 400 } }],
    });
  });

  it('is inconclusive if the control was not answered at all', () => {
    expect(judge(false, plainExchange({ status: 400 })).kind).toBe('inconclusive');
    expect(judge(false).kind).toBe('inconclusive');
  });
});
