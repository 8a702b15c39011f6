import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import type { Case, Selection } from '../../suite/case.ts';
import { loadContract } from '../../contract/read-contract.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { loadRequests } from '../../suite/read-suites.ts';
import { lastAnswer } from '../../exchange/reading/answered.ts';
import { replacedOf, roundsOf, viewRun } from './pick-exchanges.ts';
import {
  answeredAttempt,
  COMPLETION,
  failedAttempt,
  failure,
  modelsExchange,
  plainExchange,
  runView,
  streamExchange,
} from '../../../test/kit/exchanges.ts';

const NOTHING = { requests: 0, completions: 0, tokens: 0 };
const chunk = { choices: [{ index: 0, delta: { content: 'a' } }] };

const EVERYTHING: readonly Exchange[] = [
  modelsExchange({ id: 'list', json: { data: [] } }),
  modelsExchange({ id: 'list-refused', status: 401, seeks: 'unauthorized' }),
  modelsExchange({ id: 'list-open', seeks: 'unauthorized' }),
  modelsExchange({ id: 'list-for-edit', seeks: 'refusal', json: { data: [] } }),
  modelsExchange({ id: 'list-or-not', seeks: 'either', json: { data: [] } }),
  plainExchange({ id: 'completion', json: COMPLETION }),
  plainExchange({ id: 'completion-for-edit', seeks: 'refusal', json: COMPLETION }),
  plainExchange({ id: 'completion-or-not', seeks: 'either', json: COMPLETION }),
  plainExchange({ id: 'completion-without-key', seeks: 'unauthorized', json: COMPLETION }),
  plainExchange({ id: 'error-in-200', json: { error: { message: 'x' } } }),
  plainExchange({ id: 'without-choices', json: { id: 'x' } }),
  plainExchange({ id: 'no-json', text: '<html>' }),
  plainExchange({ id: 'refusal', status: 400 }),
  plainExchange({ id: 'nothing', failure: failure('closed') }),
  streamExchange({ id: 'stream', events: [chunk, '[DONE]'] }),
  streamExchange({ id: 'stream-as-json', json: COMPLETION } as never),
  streamExchange({ id: 'stream-for-edit', seeks: 'refusal', events: [chunk, '[DONE]'] }),
  streamExchange({ id: 'stream-or-not', seeks: 'either', events: [chunk, '[DONE]'] }),
  streamExchange({ id: 'json-for-edited-stream', seeks: 'either', text: JSON.stringify({ error: 'x' }) }),
];

const viewOf = (exchanges: readonly Exchange[]) =>
  viewRun(runView({ exchanges }).traffic, loadContract(), { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1' });

function caseOf(id: string, parts: Partial<Case>): Case {
  return { id, suite: 'own', title: id, source: { file: 'f', line: 1 }, over: [], needs: [], expect: [], ...parts };
}

function pick(
  testCase: Case,
  exchanges: readonly Exchange[],
  stepsOf: Plan['stepsOf'] = {},
  { others = [], steps = [] }: { readonly others?: readonly Case[]; readonly steps?: readonly string[] } = {},
): readonly string[] {
  const plan: Plan = {
    cases: [testCase, ...others],
    partial: [],
    steps: steps.map((id) => ({ id }) as Step),
    stepsOf,
    omissions: [],
    least: NOTHING,
    most: NOTHING,
  };
  return roundsOf(testCase, plan, viewOf(exchanges))
    .flat()
    .map(({ id }) => id);
}

describe('selections', () => {
  it.each<Selection>(['streams', '*'])('%s are in the order of the plan, whichever was written first', (name) => {
    const stream = (step: string, round?: number): Exchange => ({
      ...streamExchange({ id: round === undefined ? step : `${step}~round#${round}`, step, events: [chunk, '[DONE]'] }),
      ...(round !== undefined && { round }),
    });
    const sent = [stream('edited'), stream('unplanned'), stream('plain'), stream('edited', 2), stream('plain', 2)];
    const picked = pick(caseOf('own/a', { over: [name] }), sent, {}, { steps: ['plain', 'edited'] });
    expect(picked).toEqual(['plain', 'edited', 'unplanned', 'plain~round#2', 'edited~round#2']);
  });

  it('* leaves out what was not answered, unless the connection was closed instead', () => {
    const kinds = ['refused', 'unresolved', 'tls', 'timeout', 'aborted', 'closed', 'not-http', 'limit'] as const;
    const sent = kinds.map((kind) => plainExchange({ id: kind, failure: failure(kind) }));
    const answer = plainExchange({ id: 'retried', status: 500 });
    const retried = { ...answer, attempts: [...answer.attempts, failedAttempt(failure('aborted'))] };
    expect(pick(caseOf('own/a', { over: ['*'] }), [...sent, retried])).toEqual([
      'closed',
      'not-http',
      'limit',
      'retried',
    ]);
  });

  it.each<[Selection, readonly string[]]>([
    ['*', EVERYTHING.map(({ id }) => id)],
    ['lists', ['list', 'list-or-not']],
    ['replies', ['completion', 'completion-or-not', 'error-in-200', 'without-choices', 'no-json']],
    ['completions', ['completion', 'completion-or-not']],
    ['streams', ['stream', 'stream-as-json', 'stream-or-not']],
  ])('%s', (name, ids) => {
    expect(pick(caseOf('own/a', { over: [name] }), EVERYTHING)).toEqual(ids);
  });

  it('A key in the query may select another form, which no selection judges; its refusal is judged as any', () => {
    const answered = modelsExchange({
      id: 'own-form',
      seeks: 'either',
      request: { key: 'query' },
      json: { models: [] },
    });
    const refused = modelsExchange({ id: 'refused', seeks: 'either', request: { key: 'query' }, status: 401 });
    expect(pick(caseOf('own/a', { over: ['*'] }), [answered, refused])).toEqual(['refused']);
    expect(pick(caseOf('own/a', { over: ['lists'] }), [answered, refused])).toEqual([]);
  });
});

describe('the exchange of a case', () => {
  const base = loadRequests().get('chat');
  if (!base) throw new Error('no chat');
  const ask = { base, edits: [], sample: false, closing: false };
  const exchange = (step: string, status = 200, id = step) => plainExchange({ step, id, status, json: COMPLETION });

  it('is that of its step, answered or not', () => {
    expect(pick(caseOf('own/a', { ask }), [exchange('own/a', 400), exchange('own/b')], { 'own/a': ['own/a'] })).toEqual(
      ['own/a'],
    );
    expect(pick(caseOf('own/a', { ask }), [exchange('own/b')], { 'own/a': ['own/a'] })).toEqual([]);
  });

  it('is that of its cover only if the cover was answered', () => {
    const steps = { 'own/a': ['own/cover', 'own/a'] };
    expect(pick(caseOf('own/a', { ask }), [exchange('own/cover')], steps)).toEqual(['own/cover']);
    expect(pick(caseOf('own/a', { ask }), [exchange('own/cover', 400), exchange('own/a', 400)], steps)).toEqual([
      'own/a',
    ]);
    expect(pick(caseOf('own/a', { ask }), [exchange('own/cover', 400)], steps)).toEqual([]);
  });

  it('is the last one of a repeated step', () => {
    const repeated = caseOf('own/a', { ask: { ...ask, repeat: { until: 429, most: 20 } } });
    expect(
      pick(repeated, [exchange('own/a'), exchange('own/a', 200, 'own/a#2'), exchange('own/a', 429, 'own/a#3')], {
        'own/a': ['own/a'],
      }),
    ).toEqual(['own/a#3']);
  });

  it('is both a stream and the one that confirms it', () => {
    const confirming = caseOf('own/b', { ask: { ...ask, confirms: 'own/a' } });
    expect(pick(confirming, [exchange('own/a'), exchange('own/b')], { 'own/b': ['own/a', 'own/b'] })).toEqual([
      'own/a',
      'own/b',
    ]);
  });

  it('is the whole sample together with the controls, without controls sent afterwards', () => {
    const sampling = caseOf('own/a', { ask: { ...ask, sample: true } });
    const sent = [
      exchange('chat', 404),
      exchange('chat', 200, 'chat~2'),
      { ...exchange('chat', 200, 'chat~after#1'), occasion: 'control-again' as const },
      exchange('own/a#1'),
    ];
    expect(pick(sampling, sent, { 'own/a': ['own/a#1', 'own/a#1-again'] })).toEqual(['chat', 'chat~2', 'own/a#1']);
  });

  it('can be used by another case, by name', () => {
    const over = caseOf('own/b', { over: ['own/a'] });
    expect(pick(over, [exchange('own/a')], { 'own/a': ['own/a'] }, { others: [caseOf('own/a', { ask })] })).toEqual([
      'own/a',
    ]);
    expect(pick(over, [exchange('own/a')], { 'own/a': ['own/a'] })).toEqual(['own/a']);
    expect(pick(over, [exchange('own/a')])).toEqual([]);
  });
});

describe('replaced attempts', () => {
  const cut = (seeks: Exchange['seeks'], mode: 'plain' | 'stream', status = 200): Exchange => {
    const bytes = mode === 'stream' ? `data: ${JSON.stringify(chunk)}\n\n` : '{"choices": [';
    const earlier = [answeredAttempt({ status, text: bytes, end: { kind: 'cut', detail: 'x' } })];
    const parts = { id: mode, seeks, earlier };
    return mode === 'stream'
      ? streamExchange({ ...parts, events: [chunk, '[DONE]'] })
      : plainExchange({ ...parts, json: COMPLETION });
  };
  const replaced = (testCase: Case, exchange: Exchange) =>
    replacedOf(testCase, [exchange], viewOf([exchange])).map(({ attempts }) => attempts.length);

  it('with a 200 are looked at by every case that looks at such answers', () => {
    const streams = caseOf('own/a', { over: ['streams'] });
    expect(replaced(streams, cut('answer', 'stream'))).toEqual([1]);
    expect(replaced(streams, cut('answer', 'stream', 503))).toEqual([]);
    expect(replaced(caseOf('own/a', { over: ['*'] }), cut('answer', 'stream'))).toEqual([]);
  });

  it('of an edit count only if plain: a stream is replaced only if it brought no text', () => {
    const own = caseOf('own/a', {});
    expect(replaced(own, cut('refusal', 'plain'))).toEqual([1]);
    expect(replaced(own, cut('refusal', 'stream'))).toEqual([]);
  });

  it('count as complete if their JSON text came whole', () => {
    const endOf = (text: string): string | undefined => {
      const earlier = [answeredAttempt({ text, end: { kind: 'cut', detail: 'x' } })];
      const exchange = plainExchange({ earlier, json: COMPLETION });
      const [judged] = replacedOf(caseOf('own/a', {}), [exchange], viewOf([exchange]));
      return judged && lastAnswer(judged)?.body.end.kind;
    };
    expect([endOf('{"choices": []}'), endOf('{"choices": [')]).toEqual(['complete', 'cut']);
  });
});
