import { expect, it } from 'vitest';
import type { ExchangeReport } from '../report/report.ts';
import { formatClientEnd, formatUpstreamEnd } from './request-text.ts';
import { renderLanes } from './html/drawings.ts';

function exchangeAt(sentAt: number): ExchangeReport {
  const answer = { status: 200, headersAt: 10, endAt: 20, body: { bytes: 5, end: { kind: 'complete' } } };
  return { attempts: [{ sentAt, answer }] } as unknown as ExchangeReport;
}

it('An upstream call from before the request, as behind a cache, has no negative times and its place on the axis', () => {
  const ends = { front: exchangeAt(100), upstream: [exchangeAt(40)] };
  expect(formatUpstreamEnd(ends)).toBe(
    '1 call, received 60 ms before the request: 200 50 ms before the request, 5 bytes, ended 40 ms before the request',
  );
  const { text } = renderLanes(ends);
  expect(text.match(/<\/text\s*>/g)).toHaveLength(4);
  const bars = [...text.matchAll(/class="lane"\s+x="([\d.]+)%"/g)].map(([, x]) => Number(x));
  expect(bars[1]).toBe(1);
  expect(bars[0]).toBeGreaterThan(50);
});

it.each([
  [{ kind: 'closed', code: 'UND_ERR_SOCKET', detail: 'other side closed' }, 'the connection closed without an answer'],
  [{ kind: 'refused', code: 'ECONNREFUSED', detail: 'connect ECONNREFUSED ::1:1' }, 'no connection (ECONNREFUSED)'],
])('A client without an answer is told why in plain words, not in those of a library: %s', (failure, text) => {
  const front = { attempts: [{ sentAt: 0, failure }] } as unknown as ExchangeReport;
  expect(formatClientEnd({ front, upstream: [] })).toBe(text);
});

it('Calls that the gateway may have made for the request are told, although they have lost its word', () => {
  const ends = { front: exchangeAt(0), upstream: [] };
  expect(formatUpstreamEnd(ends)).toBe('no call');
  expect(formatUpstreamEnd({ ...ends, wordless: 1 })).toBe(
    'no call with a word of this request; 1 call without any arrived meanwhile and was refused: the gateway may drop or rewrite messages',
  );
  expect(formatUpstreamEnd({ ...ends, wordless: 2 })).toContain(
    '2 calls without any arrived meanwhile and were refused',
  );
});

it('A stream that was cut says so at the front, and in the words of the script at the upstream', () => {
  const cutAt = (side: 'upstream' | undefined, detail: string): ExchangeReport => {
    const body = { bytes: 5, end: { kind: 'cut', detail } };
    const answer = { status: 200, headersAt: 10, endAt: 20, body, stream: { eventCount: 7 } };
    return { side, attempts: [{ sentAt: 0, answer }] } as unknown as ExchangeReport;
  };
  const ends = {
    front: cutAt(undefined, 'UND_ERR_SOCKET: other side closed'),
    upstream: [cutAt('upstream', 'reset on purpose')],
  };
  expect(formatClientEnd(ends)).toBe('200 after 10 ms, 7 events, connection closed after 20 ms');
  expect(formatUpstreamEnd(ends)).toContain('7 events, reset on purpose after 20 ms');
});
