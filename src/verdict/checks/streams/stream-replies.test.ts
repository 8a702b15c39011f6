import { expect, test } from 'vitest';
import { quoteText } from '../../../text/quote.ts';
import { answeredAttempt, checkInput, streamExchange } from '../../../../test/kit/exchanges.ts';
import { GOOD, judge, wire } from '../../../../test/kit/streams.ts';
import { holdsIn } from '../../check-result.ts';
import { STREAM_REPLY_CHECKS } from './stream-replies.ts';

const { 'stream-accept-json': streamAcceptJson } = STREAM_REPLY_CHECKS;

const CUT = { text: wire(GOOD.slice(0, 2)), end: { kind: 'cut', detail: 'other side closed' } } as const;

test('a stream that was truncated once and complete on retry holds, marked flaky', () => {
  const exchange = streamExchange({ events: GOOD, earlier: [answeredAttempt(CUT)] });
  expect(judge('stream.completes', exchange)).toEqual({ kind: 'holds', flaky: true });
});

test('the last attempt counts', () => {
  const exchange = streamExchange({ ...CUT, earlier: [answeredAttempt({ text: wire(GOOD) })] });
  expect(judge('stream.completes', exchange)).toMatchObject({
    kind: 'broken',
    findings: [{ mismatch: 'cut', attempt: 1, actual: { kind: 'stream-cut', count: 2 } }],
  });
});

test('an error in the stream is shown with the event that carries it', () => {
  const text = `${wire(GOOD.slice(0, 2))}event: error\ndata: overloaded\n\n`;
  const actual = { kind: 'error-event', content: { kind: 'error', message: quoteText('overloaded') } };
  expect(judge('stream.no-error', streamExchange({ text }))).toMatchObject({
    findings: [{ mismatch: 'error-event', pointer: '/2', actual }],
  });
});

test('only a stream that was requested with Accept: application/json shows whether it is refused for that', () => {
  const asking = (value: string) =>
    streamExchange({ events: GOOD, seeks: 'answer', request: { headers: [['Accept', value]] } });
  const asked = asking('application/json');
  expect(streamAcceptJson.execute(checkInput(asked))).toEqual(holdsIn([asked]));
  expect(streamAcceptJson.execute(checkInput(asking('text/event-stream')))).toEqual({
    kind: 'skipped',
    reason: { kind: 'no-occasion', of: 'accept-json' },
  });
});
