import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startGateway } from './gateway/index.ts';
import {
  compareRuns,
  createRecorder,
  DEFAULT_SETTINGS,
  gather,
  judgeRecording,
  observeRecording,
  observeReport,
  openRecording,
  renderComparison,
  type Report,
  run,
  runRelay,
  type Settings,
  startRelayUpstream,
  UsageError,
} from './index.ts';
import { temporaryFolder } from '../test/kit/recording.ts';

async function recordRun(file: string, only: readonly string[], fault?: 'chat-usage-missing'): Promise<Report> {
  const gateway = await startGateway({ eventGapMs: 0, ...(fault && { fault }) });
  try {
    const settings = { ...DEFAULT_SETTINGS, baseUrl: gateway.baseUrl, only };
    return await run(settings, { full: gateway.keys.full }, { recorder: createRecorder(file) });
  } finally {
    await gateway.close();
  }
}

describe('the library', () => {
  it.each([undefined, '', ' '])(
    'takes a key that is not set (%j) for a mistake, before anything is sent',
    async (full) => {
      const settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1:1/v1' };
      await expect(run(settings, { full })).rejects.toThrow(UsageError);
      await expect(run(settings, { full })).rejects.toMatchObject({ code: 'WIRECHECK_E_KEY_MISSING' });
    },
  );

  it.each([
    [{ full: 'a\nb' }, 'The key full contains a line break: give one key, on one line.'],
    [
      { full: 'sk-service-é' },
      'The key full contains non-ASCII characters, which a header cannot carry: copy it again.',
    ],
    [{ full: 'sk-service-a', second: 'Bearer sk' }, /^The key second starts with Bearer: /],
    [{ full: 'sk-service-a', revoked: 7 as unknown as string }, 'The key revoked is not a string: give the key.'],
  ])('says what is wrong with a key, as the command does: %j', async (keys, message) => {
    const settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1:1/v1' };
    const mistake = { name: 'UsageError', code: 'WIRECHECK_E_KEY_INVALID' };
    const started = await startRelayUpstream(settings, { full: 'sk-service-a' });
    try {
      for (const start of [
        () => run(settings, keys),
        () => gather(settings, keys),
        () => startRelayUpstream(settings, keys),
        () => runRelay(settings, keys, started),
      ]) {
        await expect(start()).rejects.toThrow(message);
        await expect(start()).rejects.toMatchObject(mistake);
      }
    } finally {
      await started.upstream.close();
    }
  });

  it('takes an empty extra key for a mistake, and one that is undefined for none', async () => {
    const settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1:1/v1' };
    const empty = run(settings, { full: 'sk-service-a', second: '' });
    await expect(empty).rejects.toThrow('The key second is empty: give the key, or leave it out.');
    const report = await run({ ...settings, only: ['models/list'] }, { full: 'sk-service-a', second: undefined });
    expect(report.outcome.exit).toBe(3);
  });

  it('takes a missing base URL for a mistake, also of a relay', async () => {
    const settings = { ...DEFAULT_SETTINGS } as Settings;
    const mistake = { name: 'UsageError', code: 'WIRECHECK_E_BASE_URL_MISSING' };
    await expect(run(settings, { full: 'sk-service-a' })).rejects.toMatchObject(mistake);
    await expect(startRelayUpstream(settings, { full: 'sk-service-a' })).rejects.toMatchObject(mistake);
  });

  it('names settings of the library, and no flags', async () => {
    const settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://gateway.example/v1' };
    await expect(run(settings, { full: 'sk-service-a' })).rejects.toThrow(/allow it with allowHttp: true\.$/);
  });

  it('records a run, judges it again and compares it with another, as the release check does', async () => {
    const folder = temporaryFolder();
    const [before, now] = [join(folder, 'old.ndjson.gz'), join(folder, 'new.ndjson')];
    const report = await recordRun(before, ['chat/*']);
    const broken = await recordRun(now, ['chat/*'], 'chat-usage-missing');
    expect(broken.causes).toMatchObject([{ verdict: 'warn', clause: 'completion.usage-present' }]);
    expect(await judgeRecording(await openRecording(before))).toEqual(report);
    expect([report.causes, report.outcome.line]).toEqual([
      [],
      expect.stringMatching(/^CONFORMS IN PART: \d+ of \d+ must/),
    ]);

    const older = await observeRecording(() => openRecording(before), 'old');
    const newer = await observeRecording(() => openRecording(now), 'new');
    const comparison = compareRuns(older, newer);
    expect(comparison.exit).toBe(1);
    expect(comparison.changes[0]).toMatchObject({ kind: 'breaking', place: { pointer: '/usage' } });
    expect(renderComparison(comparison, 'markdown')).toContain('/usage');
    expect(compareRuns(observeReport(report, 'report'), older).counts).toMatchObject({ breaking: 0, warning: 0 });
  });

  it('does not overwrite an existing recording', async () => {
    const file = join(temporaryFolder(), 'old.ndjson');
    await recordRun(file, ['models/list']);
    expect(() => createRecorder(file)).toThrow(UsageError);
  });
});
