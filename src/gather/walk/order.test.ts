/** The order of a run when edits of max_tokens keep the target busy: reading rules 2 and 3. */
import { describe, expect, it } from 'vitest';
import { piece } from '../../gateway/answer.ts';
import type { Call } from '../../gateway/call.ts';
import type { Modifier } from '../../gateway/index.ts';
import { brokenClauses, expectationOf, gatewayFor, quickRun, runGateway } from '../../../test/kit/real-run.ts';
import type { Report } from '../../report/report.ts';

const EDITS = [
  'parameters/max-tokens-below-minimum[zero]',
  'parameters/max-tokens-below-minimum[negative]',
  'parameters/max-tokens-type[string]',
  'parameters/max-tokens-type[fraction]',
  'parameters/max-tokens-type[boolean]',
];

/** These, and some of those that are sent before them. */
const FEW = ['models/list', 'chat/reply*', 'parameters/max-tokens-*', 'parameters/t*-out-of-range*'];

const isPlainEdit = ({ endpoint, streamed, body }: Call): boolean =>
  endpoint === 'chat' && !streamed && [0, -1, '16', 1.5, true].includes(body['max_tokens'] as number);

const idsOf = (report: Report): readonly string[] => report.exchanges.map(({ id }) => id);

const attemptsOf = (report: Report, exchange: string) =>
  report.exchanges.find(({ id }) => id === exchange)?.attempts.map(({ answer }) => answer?.status);

describe('plain edits of max_tokens', () => {
  it('come last, one at a time, and only the control follows', async () => {
    let underWay = 0;
    let most = 0;
    const modifier: Modifier = {
      title: 'counts edits under way',
      only: isPlainEdit,
      before: () => {
        most = Math.max(most, (underWay += 1));
        return undefined;
      },
      answer: (reply) => {
        setTimeout(() => (underWay -= 1), 4);
        return { ...reply, delayMs: 5 };
      },
    };
    const report = await runGateway({ modifiers: [modifier] }, { only: FEW });
    expect(idsOf(report).slice(-6)).toEqual([...EDITS, 'chat/reply-again']);
    expect(most).toBe(1);
    expect(report.outcome).toMatchObject({ name: 'conforms-in-part', exit: 0 });
  });

  it('A target that they keep busy for ever is judged in everything else', async () => {
    let busy = 0;
    // Two slots, as of a small inference server: a reply without end keeps one of them.
    const modifier: Modifier = {
      title: 'two slots',
      only: (call) => call.endpoint === 'chat',
      before: (call) => {
        if (busy >= 2) return { kind: 'silence' };
        if (!isPlainEdit(call)) return undefined;
        busy += 1;
        return { kind: 'silence' };
      },
      refusal: (refusal) => (refusal.rule === 'temperature-range' ? undefined : refusal),
    };
    const report = await runGateway({ modifiers: [modifier] }, { only: FEW, timeouts: { edit: 100, firstByte: 800 } });
    expect(brokenClauses(report)).toEqual(['limits.temperature']);
    expect(report.ending.kind).toBe('stopped-answering');
    const unclear = report.cases.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id);
    expect(unclear.toSorted()).toEqual([...EDITS, 'chat/reply-again'].toSorted());
  });
});

describe('an edit that timed out', () => {
  it('is sent once more when nothing else is under way, before the control', async () => {
    const edit = 'parameters/top-p-out-of-range[just-above]';
    const gateway = await gatewayFor({
      modifiers: [
        {
          title: 'a full queue',
          only: (call) => call.body['top_p'] === 1.000_000_05 && !call.streamed && call.attempt === 1,
          before: () => ({ kind: 'silence' }),
        },
      ],
    });
    const changes = { only: FEW, timeouts: { firstByte: 300 } };
    const report = await quickRun(gateway.baseUrl, changes, { full: gateway.keys.full });
    expect(attemptsOf(report, edit)).toEqual([undefined, 400]);
    expect(expectationOf(report, edit, 'limits.top-p')?.verdict).toBe('pass');
    expect(report.outcome).toMatchObject({ name: 'conforms-in-part', exit: 0 });
    const times = report.exchanges.flatMap(({ id, attempts }) => attempts.map(({ sentAt }) => ({ id, sentAt })));
    const order = times.toSorted((a, b) => a.sentAt - b.sentAt).map(({ id }) => id);
    expect(order.slice(-2)).toEqual([edit, 'chat/reply-again']);
  });

  it('A 5xx in its place is a failure, since the control is answered afterwards', async () => {
    const edit = 'parameters/top-p-out-of-range[just-above]';
    const modifier: Modifier = {
      title: 'x',
      only: (call) => call.body['top_p'] === 1.000_000_05,
      answer: (reply, call) => (call.attempt === 1 ? { kind: 'silence' } : { ...reply, status: 500 }),
    };
    const report = await runGateway({ modifiers: [modifier] }, { only: [edit], timeouts: { firstByte: 300 } });
    expect(attemptsOf(report, edit)).toEqual([undefined, 500, 500]);
    expect(expectationOf(report, edit, 'errors.no-server-error')?.verdict).toBe('fail');
  });
});

describe('a streamed edit of max_tokens', () => {
  it('that is answered with text without end is ended at once, and is a failure', async () => {
    const edit = 'parameters/max-tokens-below-minimum-streamed';
    const modifier: Modifier = {
      title: 'generates for ever',
      only: (call) => call.streamed && call.body['max_tokens'] === 0,
      refusal: () => undefined,
      events: (events) => Array.from({ length: 100_000 }, () => ({ ...piece(events[1]!.bytes), waitMs: 20 })),
    };
    const report = await runGateway({ modifiers: [modifier] }, { only: [edit] });
    expect(attemptsOf(report, edit)).toEqual([200]);
    expect(expectationOf(report, edit, 'limits.max-tokens')?.verdict).toBe('fail');
    const answer = report.exchanges.find(({ id }) => id === edit)?.attempts[0]?.answer;
    expect(answer?.body.end).toEqual({ kind: 'aborted', why: 'text' });
    expect(answer?.stream?.events.length).toBeLessThan(10);
  });
});
