import { expect, it } from 'vitest';
import type { ExchangeReport } from '../report/exchange-report.ts';
import { formatUpstreamEnd } from './both-ends.ts';
import { renderLanes } from './html/lanes.ts';

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
