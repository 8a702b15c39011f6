import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeForeign } from '../../run/judge-recording.ts';
import { brokenClauses } from '../../../test/kit/real-run.ts';
import { exportHar } from './har-export.ts';
import { openHar } from './har-import.ts';
import { openRecording } from '../read-recording.ts';
import { recordGateway, temporaryFolder } from '../../../test/kit/recording.ts';

/** Lists, completions, streams and refusals, with several keys. */
const FEW = ['models/*', 'auth/*', 'chat/*', 'streaming/*', 'errors/*'];

describe('a recording as HAR', () => {
  it('has every field that HAR 1.2 requires, and entries in order', async () => {
    const { file, gathered } = await recordGateway('a.ndjson', {}, { only: FEW });
    const { log } = await exportHar(await openRecording(file, file));
    expect(log.version).toBe('1.2');
    expect(log.entries.length).toBeGreaterThanOrEqual(gathered.traffic.exchanges.length);
    const starts = log.entries.map(({ startedDateTime }) => startedDateTime);
    expect(starts).toEqual(starts.toSorted());
    for (const entry of log.entries) {
      expect(Object.keys(entry).toSorted()).toEqual([
        'cache',
        'comment',
        'request',
        'response',
        'startedDateTime',
        'time',
        'timings',
      ]);
      expect(new URL(entry.request.url).pathname).toMatch(/^\/v1\//);
      expect(entry.time).toBeCloseTo(entry.timings.send + entry.timings.wait + entry.timings.receive);
      for (const part of ['cookies', 'headers', 'headersSize', 'bodySize', 'httpVersion']) {
        expect(entry.request).toHaveProperty(part);
        expect(entry.response).toHaveProperty(part);
      }
      expect(entry.response.content.size).toBe(
        Buffer.from(entry.response.content.text, entry.response.content.encoding ?? 'utf8').length,
      );
    }
  });

  it('contains no key, and can be judged again', async () => {
    const { file, key } = await recordGateway('a.ndjson', {}, { only: FEW });
    const har = join(temporaryFolder(), 'a.har');
    writeFileSync(har, JSON.stringify(await exportHar(await openRecording(file, file))));
    expect(readFileSync(har, 'utf8')).not.toContain(key.slice(-12));
    const report = await judgeForeign(await openHar(har, 'a.har'));
    expect(brokenClauses(report)).toEqual([]);
    expect(report.outcome.exit).toBe(0);
  });
});
