/** A control that is refused for good: reading rules 1 and 3. Few requests can still show something. */
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  brokenClauses,
  expectationOf,
  quickRun,
  respondJson,
  runGateway,
  serverFor,
} from '../../../test/kit/real-run.ts';
import type { Call } from '../../gateway/call.ts';
import { errorAnswer } from '../../gateway/change-answer.ts';
import { isStream } from '../../gateway/call-tests.ts';
import type { Report } from '../../report/report.ts';

const MODELS = {
  object: 'list',
  data: ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, object: 'model', created: 1, owned_by: 'x' })),
};

const refuse = (response: ServerResponse, status: number): void =>
  respondJson(response, status, { error: { message: 'no', type: 't', code: 'c' } });

/** Lists models for any valid key, and answers every chat request with this status. */
async function runRefusing(status: number): Promise<Report> {
  const origin = await serverFor((request, response) => {
    if (request.url?.endsWith('/models') !== true) return refuse(response, status);
    return request.headers.authorization?.startsWith('Bearer sk-service-') === true
      ? respondJson(response, 200, MODELS)
      : refuse(response, 401);
  });
  return quickRun(`${origin}/v1`);
}

const attemptsOf = (report: Report, id: string): number | undefined =>
  report.exchanges.find((exchange) => exchange.id === id)?.attempts.length;

/** Those that any answer would leave undecided. */
function expectEditsLeftOut(report: Report): void {
  const sent = new Set(report.exchanges.map(({ id }) => id));
  expect(sent).not.toContain('chat/no-content-type');
  expect(sent).not.toContain('parameters/temperature-minimum');
  expect(sent).not.toContain('chat/conversation');
  expect(sent).not.toContain('parameters/in-range-together');
  expect(sent).toContain('chat/only-required-fields');
  expect(sent).toContain('chat/unknown-model[chat]');
  expect(sent).toContain('parameters/temperature-out-of-range[just-above]');
  expect(expectationOf(report, 'chat/no-content-type', 'errors.no-server-error')).toMatchObject({
    verdict: 'inconclusive',
    reason: { kind: 'basis-unanswered' },
  });
}

describe('a control that is refused for good', () => {
  it.each([402, 500])(
    'costs at most 150 requests, without edits that nothing can decide, if every chat request gets %d',
    async (status) => {
      const report = await runRefusing(status);
      expect(report.ending).toEqual({ kind: 'complete' });
      expect(report.cost.used.requests).toBeLessThanOrEqual(150);
      const chats = report.exchanges.filter(({ endpoint, id }) => endpoint === 'chat' && !/^chat(~|$)/.test(id));
      expect(chats.filter(({ attempts }) => attempts.length > 1)).toEqual([]);
      expectEditsLeftOut(report);
    },
  );

  const isPlainChat = (call: Call): boolean => call.endpoint === 'chat' && call.body['stream'] === undefined;

  it('does not keep a stream that is answered from being the control of its own edits', async () => {
    const streamed = 'parameters/temperature-out-of-range-streamed';
    const plain = 'parameters/temperature-out-of-range[just-above]';
    const report = await runGateway(
      {
        modifiers: [
          {
            title: 'x',
            before: (call) => {
              const isEditedStream = isStream(call) && call.body['temperature'] !== undefined;
              return isPlainChat(call) || isEditedStream ? errorAnswer(500) : undefined;
            },
          },
        ],
      },
      { only: [streamed, plain] },
    );
    expect(attemptsOf(report, plain)).toBe(1);
    expect(attemptsOf(report, streamed)).toBe(3);
  });

  it('does not hide a completion for an invalid request', async () => {
    const report = await runGateway(
      {
        modifiers: [
          {
            title: 'x',
            before: (call) =>
              isPlainChat(call) && call.body['temperature'] !== 2.000_000_1 ? errorAnswer(402) : undefined,
            refusal: (reason) => (reason.rule === 'temperature-range' ? undefined : reason),
          },
        ],
      },
      { only: ['parameters/temperature-out-of-range*'] },
    );
    expect(brokenClauses(report)).toContain('limits.temperature');
  });
});

describe('a list that fails', () => {
  const NO_MODEL = { kind: 'no-model', reason: 'no-list' };
  const retriedOf = (report: Report): readonly string[] =>
    report.exchanges.flatMap(({ id, attempts }) => (attempts.length > 1 ? [id] : []));

  it.each([
    [{}, { ...NO_MODEL, chatFails: true }, ['models']],
    [{ model: 'a' }, { kind: 'complete' }, ['models', 'chat']],
  ])('takes the same way if nothing else is answered: with %j, each is sent once', async (changes, ending, retried) => {
    const origin = await serverFor((_request, response) => refuse(response, 503));
    const report = await quickRun(`${origin}/v1`, changes);
    expect(report.ending).toMatchObject(ending);
    expect(report.cost.used.requests).toBeLessThanOrEqual(150);
    expect(retriedOf(report)).toEqual(retried);
    expect(brokenClauses(report)).toContain('endpoint.models-answers');
  });

  const failsToList = (call: Call): boolean => call.endpoint === 'models';

  it('leaves everything on chat as it is: a 5xx there is tried again', async () => {
    const seen = new Set<unknown>();
    const isFirst = ({ endpoint, body }: Call): boolean => {
      const text = JSON.stringify(body['temperature']);
      return endpoint === 'chat' && text !== undefined && seen.size < seen.add(text).size;
    };
    const modifier = {
      title: 'x',
      before: (call: Call) => (failsToList(call) || isFirst(call) ? errorAnswer(503) : undefined),
    };
    const only = ['auth/missing-key*', 'parameters/temperature-out-of-range[just-above]'];
    const report = await runGateway({ modifiers: [modifier] }, { model: 'sea-large', only });
    expect(report.ending).toEqual({ kind: 'complete' });
    expect(attemptsOf(report, 'parameters/temperature-out-of-range[just-above]')).toBe(2);
    expect(attemptsOf(report, 'auth/missing-key[models]')).toBe(1);
  });

  it('does not take it if it is refused because of the rate', async () => {
    const origin = await serverFor((request, response) => refuse(response, request.method === 'GET' ? 429 : 503));
    const report = await quickRun(`${origin}/v1`, { only: ['errors/no-body', 'errors/empty-object'] });
    expect(attemptsOf(report, 'errors/no-body')).toBe(3);
  });
});

it('A 503 that asks to wait holds up nothing once the control has waited for it', async () => {
  const origin = await serverFor((_request, response) => {
    response.setHeader('retry-after', '1');
    refuse(response, 503);
  });
  const began = performance.now();
  const report = await quickRun(`${origin}/v1`, { maxRetryWait: 2_000 });
  expect(report.cost.used.requests).toBeGreaterThan(50);
  // One wait per request would take at least 50 seconds.
  expect(performance.now() - began).toBeLessThan(45_000);
});
