import { expect, test } from 'vitest';
import { quoteText } from '../../../text/quote.ts';
import { answeredAttempt, streamExchange } from '../../../../test/kit/exchanges.ts';
import { GOOD, judge, wire } from '../../../../test/kit/streams.ts';

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
  expect(judge('stream.completes', streamExchange({ text }))).toMatchObject({
    findings: [{ mismatch: 'error-event', pointer: '/2', actual }],
  });
});
