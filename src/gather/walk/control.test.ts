/** The control of a run, and the model that it calls: reading rules 1, 3, 4 and 5. */
import { describe, expect, it } from 'vitest';
import { jsonReply, textReply } from '../../gateway/answer.ts';
import type { Call } from '../../gateway/call.ts';
import { errorAnswer, refuseIf } from '../../gateway/change-answer.ts';
import { isStream } from '../../gateway/call-tests.ts';
import type { Modifier } from '../../gateway/index.ts';
import { brokenClauses, type Changes, expectationOf, runGateway, withVerdict } from '../../../test/kit/real-run.ts';
import type { Report } from '../../report/report.ts';

const isControl = (call: Call): boolean => call.endpoint === 'chat' && !call.streamed && call.body['max_tokens'] === 16;

const isFirstControl = (call: Call): boolean => isControl(call) && call.attempt === 1;

const TEMPERATURE = ['parameters/temperature-*'];
const FEW = ['models/list', 'chat/reply*', 'streaming/reply', ...TEMPERATURE];

const run = (modifier: Omit<Modifier, 'title'>, changes: Changes = {}): Promise<Report> =>
  runGateway({ modifiers: [{ title: 'x', ...modifier }] }, changes);

/** Refuses every call of these models with a good error. */
const refuses = (status: number, ...models: readonly string[]): NonNullable<Modifier['refuse']> =>
  refuseIf((call) => models.some((model) => call.body['model'] === model), status);

describe('a request that changes only the key', () => {
  const bodyOf = ({ exchanges }: Report, id: string): string | undefined =>
    exchanges.find((exchange) => exchange.id === id)?.body;
  const only = ['chat/reply', 'streaming/reply', 'auth/missing-key*', 'auth/unknown-key*'];

  it.each<[string, Omit<Modifier, 'title'>, string]>([
    ['the control', {}, 'chat'],
    ['the control with another model', { refuse: refuses(404, 'sea-large') }, 'chat~2'],
    ['the control without max_tokens', { refuse: refuseIf((call) => isControl(call)) }, 'chat-bare'],
  ])('has the bytes of %s', async (_, modifier, control) => {
    const report = await run(modifier, { only });
    expect(bodyOf(report, control)).toMatch(/Say hello/);
    expect(bodyOf(report, 'auth/missing-key[chat]')).toBe(bodyOf(report, control));
    expect(bodyOf(report, 'auth/unknown-key[chat]')).toBe(bodyOf(report, control));
    expect(bodyOf(report, 'auth/unknown-key[chat-unknown-model]')).not.toBe(bodyOf(report, control));
    expect(bodyOf(report, 'auth/missing-key[chat-stream]')).toBe(bodyOf(report, 'chat-stream'));
  });
});

describe('the model', () => {
  it('The first listed model that is not deprecated is called and reported', async () => {
    const report = await runGateway({}, { only: ['chat/reply'] });
    expect(report.target.model).toBe('sea-large');
  });

  it('If it does not answer, the next one is called, and everything is judged by that', async () => {
    const report = await run(
      { refuse: refuses(404, 'sea-large') },
      { only: ['models/*', 'chat/reply', ...TEMPERATURE] },
    );
    expect(report.target.model).toBe('sea-small');
    expect(brokenClauses(report)).toEqual(['endpoint.models-callable']);
    expect(report.outcome.exit).toBe(0);
  });

  it('An edit that breaks such a gateway is a failure, since the answered control counts', async () => {
    const report = await run(
      {
        refuse: refuses(404, 'sea-large'),
        answer: (reply, call) => (call.body['temperature'] === 2.000_000_1 ? errorAnswer(500) : reply),
      },
      { only: ['parameters/temperature-out-of-range[just-above]'] },
    );
    expect(brokenClauses(report)).toEqual(['errors.no-server-error']);
    expect(report.exchanges.find(({ id }) => id.startsWith('parameters/'))?.controlAfter).toBe('answered');
  });

  it('If none of them answers, the first one is reported, and its refusal is the finding', async () => {
    const report = await run(
      { refuse: refuses(404, 'sea-large', 'sea-small') },
      { only: ['chat/reply', 'parameters/model-missing[chat]'] },
    );
    expect(report.target.model).toBe('sea-large');
    expect(expectationOf(report, 'chat/reply', 'endpoint.chat-answers')?.verdict).toBe('fail');
    expect(expectationOf(report, 'parameters/model-missing[chat]', 'request.model-required')?.verdict).toBe(
      'inconclusive',
    );
  });

  it('Only the model given by the user is called', async () => {
    const report = await run({ refuse: refuses(404, 'sea-large') }, { model: 'sea-large', only: ['chat/reply'] });
    expect(report.target.model).toBe('sea-large');
    expect(report.exchanges.filter(({ id }) => id.startsWith('chat~'))).toEqual([]);
    expect(report.outcome.exit).toBe(1);
  });
});

describe('max_tokens', () => {
  it('If the control is refused because of it, that is the finding, and the bare control replaces it', async () => {
    const report = await run(
      { refuse: refuseIf((call) => call.body['max_tokens'] !== undefined) },
      { only: ['chat/*', 'parameters/max-tokens-accepted', ...TEMPERATURE] },
    );
    expect(brokenClauses(report)).toEqual(['limits.max-tokens-in-range']);
    expect(report.outcome.exit).toBe(1);
    expect(expectationOf(report, 'chat/reply', 'endpoint.chat-answers')?.verdict).toBe('pass');
    expect(
      expectationOf(report, 'parameters/temperature-out-of-range[just-above]', 'limits.temperature')?.verdict,
    ).toBe('pass');
    const bodies = report.exchanges.filter(({ id }) => id.startsWith('chat/')).map(({ body }) => body ?? '');
    expect(bodies.filter((body) => body.includes('max_tokens'))).toEqual([]);
  });

  it('If only 1 is refused, other requests use the value of the control, even in a partial run', async () => {
    const refuse = refuseIf((call) => call.body['max_tokens'] === 1);
    const whole = await run({ refuse }, { only: ['chat/*', 'parameters/max-tokens-*', 'streaming/*'] });
    expect(brokenClauses(whole)).toEqual(['limits.max-tokens-in-range']);
    const part = await run({ refuse }, { only: ['chat/conversation'] });
    expect(brokenClauses(part)).toEqual([]);
    expect(part.outcome).toMatchObject({ name: 'conforms-in-part', exit: 0 });
  });
});

describe('problems with the control', () => {
  it('A temporary 429 is waited for, and nothing is wrong', async () => {
    const modifier: Omit<Modifier, 'title'> = { only: isFirstControl, before: () => tooMany('0') };
    const report = await run(modifier, { only: FEW });
    expect(report.outcome).toMatchObject({ name: 'conforms-in-part', exit: 0 });
    expect(report.exchanges.find(({ id }) => id === 'chat')?.attempts.map((attempt) => attempt.answer?.status)).toEqual(
      [429, 200],
    );
  });

  it('A permanent 429 leaves everything inconclusive and nothing broken', async () => {
    const report = await run(
      { only: (call) => call.endpoint === 'chat' && call.bearer !== undefined, before: () => tooMany('0') },
      { only: FEW },
    );
    expect(withVerdict(report, 'fail')).toEqual([]);
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3 });
  });

  it('A 429 to every chat request ends the run early, with the reason', async () => {
    const report = await run({
      refuse: refuseIf((call) => call.endpoint === 'chat' && call.bearer !== undefined, 429),
    });
    expect(report.ending).toEqual({ kind: 'rate-limited' });
    expect(report.outcome.exit).toBe(3);
    expect(report.exchanges.length).toBeLessThan(20);
  });

  it('A 429 with too long a wait is not retried', async () => {
    const report = await run({ only: isControl, before: () => tooMany('3600') }, { only: ['chat/reply'] });
    expect(report.exchanges.find(({ id }) => id === 'chat')?.attempts).toHaveLength(1);
    expect(expectationOf(report, 'chat/reply', 'endpoint.chat-answers')?.verdict).toBe('inconclusive');
    expect(report.outcome.exit).toBe(3);
  });

  it('A temporary 503 passes as flaky', async () => {
    const modifier: Omit<Modifier, 'title'> = { only: isFirstControl, before: () => errorAnswer(503) };
    const report = await run(modifier, { only: FEW });
    expect(report.outcome).toMatchObject({ name: 'conforms-in-part', exit: 0 });
    expect(report.cases.find(({ id }) => id === 'chat/reply')).toMatchObject({ verdict: 'pass', flaky: true });
  });

  it('A temporary 503 without an error body is a warning', async () => {
    const modifier: Omit<Modifier, 'title'> = {
      only: isFirstControl,
      before: () => textReply(503, 'text/html', 'x'),
    };
    const report = await run(modifier, { only: [...FEW, 'errors/passing-server-error'] });
    expect(brokenClauses(report)).toEqual(['errors.passing-server-error']);
    expect(report.outcome.exit).toBe(0);
  });

  it('A permanent 503 is a failure', async () => {
    const report = await run(
      {
        only: (call) => call.endpoint === 'chat' && call.bearer !== undefined && !call.bearer.includes('unknown'),
        before: () => errorAnswer(503),
      },
      { only: ['chat/*', 'parameters/model-missing[chat]'] },
    );
    expect(expectationOf(report, 'chat/reply', 'endpoint.chat-answers')?.verdict).toBe('fail');
    expect(expectationOf(report, 'parameters/model-missing[chat]', 'errors.no-server-error')?.verdict).toBe(
      'inconclusive',
    );
    expect(report.outcome.exit).toBe(1);
  });

  it('A completion for an invalid edit is a failure even if the control was not answered', async () => {
    const before: Modifier['before'] = (call) =>
      isControl(call) && call.body['temperature'] === undefined ? errorAnswer(503) : undefined;
    const report = await run(
      { before, refusal: (reason) => (reason.rule === 'temperature-range' ? undefined : reason) },
      { only: ['parameters/temperature-out-of-range[just-above]', 'parameters/top-p-out-of-range[just-above]'] },
    );
    expect(
      expectationOf(report, 'parameters/temperature-out-of-range[just-above]', 'limits.temperature')?.verdict,
    ).toBe('fail');
  });

  it('If a refusal of an edit proves nothing, its error body is still judged', async () => {
    const report = await run(
      {
        before: (call) => (isControl(call) ? errorAnswer(503) : undefined),
        error: (_body, { message }) => ({ error: message }),
      },
      { only: ['parameters/model-missing[chat-stream]', 'chat/unknown-model[chat]', 'errors/not-json[plain-text]'] },
    );
    expect(expectationOf(report, 'errors/not-json[plain-text]', 'endpoint.chat-body-json')?.verdict).toBe(
      'inconclusive',
    );
    expect(expectationOf(report, 'errors/every-error-body[object]', 'errors.object')?.verdict).toBe('fail');
  });
});

describe('an edit that is not refused as such', () => {
  const EDIT = 'parameters/temperature-out-of-range[just-above]';
  const edited = (call: Call): boolean => call.body['temperature'] === 2.000_000_1;
  const about = (clause: string, report: Report) => expectationOf(report, EDIT, clause);

  it.each([401, 402, 408, 429])('A persistent %d is inconclusive', async (status) => {
    const report = await run({ only: edited, before: () => errorAnswer(status) }, { only: [EDIT] });
    expect(about('limits.temperature', report)?.verdict).toBe('inconclusive');
    expect(report.exchanges.find(({ id }) => id === EDIT)?.attempts).toHaveLength(3);
    expect(report.outcome.exit).toBe(3);
  });

  it('A permanent 5xx while the control is answered is a failure', async () => {
    const report = await run({ only: edited, before: () => errorAnswer(500) }, { only: [EDIT] });
    expect(about('errors.no-server-error', report)?.verdict).toBe('fail');
    expect(report.outcome.exit).toBe(1);
  });

  it('A connection closed on every attempt while the control is answered is a failure', async () => {
    const report = await run({ only: edited, before: () => ({ kind: 'hang-up', how: 'reset' }) }, { only: [EDIT] });
    expect(expectationOf(report, 'errors/every-error-body[json]', 'errors.json')?.verdict).toBe('fail');
    expect(report.exchanges.find(({ id }) => id === EDIT)?.attempts).toHaveLength(3);
  });

  it('A 5xx to an edit of a stream proves nothing if streams are not answered at all', async () => {
    const streamed = 'parameters/temperature-out-of-range-streamed';
    const report = await run({ only: isStream, before: () => errorAnswer(500) }, { only: [streamed] });
    expect(expectationOf(report, streamed, 'errors.no-server-error')?.verdict).toBe('inconclusive');
  });

  it.each([
    [2, 2],
    [0, 1],
  ])('With --retries %d, a timeout is inconclusive after %d attempts', async (retries, attempts) => {
    const report = await run(
      { only: edited, before: () => ({ kind: 'silence' }) },
      { only: [EDIT], retries, timeouts: { firstByte: 60 } },
    );
    expect(about('limits.temperature', report)?.verdict).toBe('inconclusive');
    expect(report.exchanges.find(({ id }) => id === EDIT)?.attempts).toHaveLength(attempts);
    expect(report.outcome.exit).toBe(3);
  });
});

function tooMany(wait: string) {
  return jsonReply(429, { error: { message: 'm', type: 't', code: 'c' } }, { 'retry-after': wait });
}
