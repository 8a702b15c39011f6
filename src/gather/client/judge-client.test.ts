/** Clients judged on data: what each check passes and what it finds, without a process or a server. */
import { describe, expect, it } from 'vitest';
import { plainExchange } from '../../../test/kit/exchanges.ts';
import { loadContract } from '../../contract/read-contract.ts';
import type { Exchange, SentRequest } from '../../exchange/exchange.ts';
import type { ClientAnswer, ClientTraffic, PlayedScenario } from '../../exchange/traffic.ts';
import { CALL_CHECKS, judgeClient, playedAs, resultOf } from './client-checks.ts';
import { loadScenarios } from './scenario.ts';

const CONTRACT = loadContract('client');
const ALL = loadScenarios();
const TEXT = 'The word is tide.';
const SAID = { said: TEXT, complaint: '', time: 12 };
const RETURNED: ClientAnswer = { ...SAID, kind: 'returned' };
const GAVE_UP: ClientAnswer = { said: '', complaint: 'Error: no', time: 12, kind: 'failed', exit: 1 };

const JSON_TYPE = ['Content-Type', 'application/json'] as const;
const BODY = { model: 'sea-small', messages: [{ role: 'user', content: 'Which word is it?' }] };

function call(id: string, request: Partial<SentRequest> = {}, sentAt = 0): Exchange {
  const made = plainExchange({ id, sent: BODY, request: { headers: [JSON_TYPE], ...request } });
  return { ...made, side: 'client', attempts: made.attempts.map((attempt) => ({ ...attempt, sentAt })) };
}

interface Play {
  readonly answer?: ClientAnswer;
  readonly calls?: readonly Exchange[];
}

function played(scenario: string, { answer = RETURNED, calls = [call(scenario)] }: Play = {}): PlayedScenario {
  const baseUrl = 'http://127.0.0.1:1/v1';
  return { scenario, baseUrl, answer, text: TEXT, callCount: calls.length, limit: 5_000, exchanges: calls };
}

/** The verdict on one scenario, after a plain control that passes unless it is played differently. */
function judge(id: string, ...own: readonly PlayedScenario[]) {
  const hasControl = own.some(({ scenario }) => scenario === 'client/plain');
  const traffic: ClientTraffic = {
    played: [...(hasControl ? [] : [played('client/plain')]), ...own],
    ending: { kind: 'complete' },
    startedAt: 0,
    endedAt: 1,
  };
  const scenario = ALL.find((each) => each.id === id);
  if (!scenario) throw new Error(`There is no scenario ${id}.`);
  const [verdict] = judgeClient({ traffic, contract: CONTRACT }, [scenario]);
  if (!verdict) throw new Error(`${id} was not judged.`);
  const result = resultOf(scenario, playedAs(id, traffic.played), verdict);
  return { result, ...verdict };
}

describe('What comes of a scenario', () => {
  it.each([
    ['pass', 'client/plain-unknown-at-top', {}],
    ['wrong-text', 'client/plain-unknown-at-top', { answer: { ...RETURNED, said: 'The word' } }],
    ['breaks', 'client/plain-unknown-at-top', { answer: GAVE_UP }],
    ['hangs', 'client/plain-unknown-at-top', { answer: { ...SAID, kind: 'timed-out', wasAlone: true } }],
    ['wrong-text', 'client/plain-unknown-at-top', { calls: [] }],
    ['not-started', 'client/plain-unknown-at-top', { answer: GAVE_UP, calls: [] }],
    ['breaks', 'client/plain-unknown-at-top', { answer: { ...SAID, kind: 'failed' }, calls: [] }],
    ['pass', 'client/plain-401', { answer: GAVE_UP }],
    ['silent', 'client/plain-401', {}],
    ['hangs', 'client/plain-401', { answer: { ...SAID, kind: 'timed-out', wasAlone: true } }],
    [
      'retrying',
      'client/plain-401',
      { answer: { ...SAID, kind: 'timed-out', wasAlone: true }, calls: [call('a'), call('b')] },
    ],
    ['breaks', 'client/plain-401', { answer: { ...SAID, kind: 'flooded' } }],
    ['unsupported', 'client/plain-401', { answer: { ...SAID, kind: 'unsupported' } }],
    ['not-started', 'client/plain-401', { answer: { ...SAID, kind: 'not-started', code: 'ENOENT' } }],
  ] satisfies [string, string, Play][])('is %s in %s for %o', (result, id, play) => {
    expect(ALL.map((scenario) => scenario.id)).toContain(id);
    expect(judge(id, played(id, play)).result).toBe(result);
  });

  it('is skipped where a simpler call of the kind already fails', () => {
    const broken = played('client/plain', { answer: GAVE_UP });
    expect(judge('client/plain-401', broken, played('client/plain-401')).verdict).toBe('skipped');
  });
});

type CallCheckName = keyof typeof CALL_CHECKS;
const scenarioOf = (check: CallCheckName): string =>
  ALL.find(({ expect: [expectation] }) => expectation.check === check)?.id ?? '';
const sending = (request: Partial<SentRequest>, sentAt = 0) =>
  played('client/plain-401', { answer: GAVE_UP, calls: [call('first'), call('second', request, sentAt)] });
const body = (value: object) => ({ body: JSON.stringify({ ...BODY, ...value }) });

/** A call that breaks the clause, and what is found. */
const BREAKS: Partial<Record<CallCheckName, readonly [Partial<SentRequest>, mismatch: string]>> = {
  bearer: [{ key: 'basic', headers: [JSON_TYPE, ['Authorization', 'Basic …']] }, 'value'],
  'content-type': [{ headers: [] }, 'absent'],
  'json-body': [{ body: '{' }, 'type'],
  fields: [body({ messages: 'hi' }), 'type'],
  limits: [body({ temperature: 7 }), 'range'],
};

describe.each(Object.entries(BREAKS))('The check %s', (name, [request, mismatch]) => {
  const id = scenarioOf(name as CallCheckName);

  it('passes a client whose requests keep the contract', () => {
    expect(judge(id, sending(body({ temperature: 1 })))).toMatchObject({ result: 'pass', verdict: 'pass' });
  });

  it('finds a single request that does not', () => {
    expect(judge(id, sending(request))).toMatchObject({
      result: 'bad-request',
      findings: [{ mismatch, exchange: 'second' }],
    });
  });
});

it('A body that is not UTF-8 is found, and one that is too large to keep is not judged', () => {
  const { body: _body, ...request } = call('x').request;
  const unread = (why: SentRequest['unread'] & string) => {
    const exchange = { ...call('x'), request: { ...request, unread: why } };
    return judge(scenarioOf('json-body'), played('client/plain-401', { answer: GAVE_UP, calls: [exchange] }));
  };
  expect(unread('not-utf8').findings).toMatchObject([{ actualType: 'not-utf8' }]);
  expect(unread('too-large').verdict).toBe('pass');
});

const OBSERVED: Partial<Record<CallCheckName, Partial<SentRequest>>> = {
  'unknown-fields': body({ seed: 1 }),
  headers: { headers: [JSON_TYPE, ['X-Mine', '1']] },
  'other-endpoints': { endpoint: 'other', path: '/responses' },
};

it.each(Object.entries(OBSERVED))(
  'The observation %s shows what a client does beyond the contract',
  (name, request) => {
    const id = scenarioOf(name as CallCheckName);
    const [usual, unusual] = [observations(id, sending({})), observations(id, sending(request))];
    expect(unusual).not.toEqual(usual);
  },
);

it('Retries are counted, and timed where the server asks to wait', () => {
  const retries = observations(scenarioOf('retries'), sending({}));
  expect(JSON.stringify(retries)).toContain('2');
  const asked = ALL.find(({ behaviours }) => behaviours.includes('retry-after'))?.id ?? '';
  const calls = [call('a'), call('b', {}, 1_200)];
  expect(JSON.stringify(observations(scenarioOf('retry-after'), played(asked, { answer: GAVE_UP, calls })))).toContain(
    '1.2',
  );
});

const observations = (id: string, ...own: readonly PlayedScenario[]) => judge(id, ...own).observations;

it('Every check of calls has an example', () => {
  const shown = [...Object.keys(BREAKS), ...Object.keys(OBSERVED), 'retries', 'retry-after'];
  expect(shown.toSorted()).toEqual(Object.keys(CALL_CHECKS).toSorted());
});
