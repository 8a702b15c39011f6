import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { modifier } from '../../test/kit/compare-runs.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { put } from '../gateway/change.ts';
import { startGateway } from '../gateway/index.ts';
import { quickSettings } from '../../test/kit/real-run.ts';
import { gather } from '../run/run.ts';
import { openRecording } from './read-recording.ts';
import { recordGateway, temporaryFolder } from '../../test/kit/recording.ts';
import { createRecorder } from './write-recording.ts';

function linesOf(text: string): readonly Record<string, unknown>[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function bodyOf({ attempts }: Exchange): string {
  const outcome = attempts.at(-1)?.outcome;
  return outcome?.kind === 'answer' ? Buffer.from(outcome.answer.body.bytes).toString() : '';
}

describe('a recording', () => {
  it('starts with the inputs for judging and ends with the ending of the run', async () => {
    const { file, gathered, settings } = await recordGateway(
      'a.ndjson',
      {},
      { only: ['models/*', 'auth/*', 'chat/reply'] },
    );
    const lines = linesOf(readFileSync(file, 'utf8'));
    expect(lines[0]).toMatchObject({
      kind: 'start',
      format: 'wirecheck-recording',
      version: 3,
      subject: {
        kind: 'gateway',
        keys: [{ role: 'full', hasPrefix: true }],
        settings: { baseUrl: settings.baseUrl, seed: settings.seed },
      },
    });
    expect(lines.at(-1)).toMatchObject({
      kind: 'end',
      ending: { kind: 'complete' },
      subject: { bindings: gathered.traffic.bindings },
    });
    expect(lines.filter(({ kind }) => kind === 'exchange')).toHaveLength(gathered.traffic.exchanges.length);
  });

  it('contains neither a key nor a secret setting in any line', async () => {
    const file = join(temporaryFolder(), 'a.ndjson');
    const gateway = await startGateway({ eventGapMs: 0 });
    const settings = quickSettings(gateway.baseUrl, {
      only: ['auth/*'],
      headers: [{ name: 'x-tenant', value: 'quietly-hidden-tenant', secret: true }],
    });
    await gather(settings, gateway.keys, { recorder: createRecorder(file, false) });
    await gateway.close();
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('quietly-hidden-tenant');
    for (const key of Object.values(gateway.keys)) expect(text).not.toContain(key.slice(-12));
  });

  it.each(['a.ndjson', 'a.ndjson.gz'])(
    'keeps long bodies byte for byte, however they are split while written: %s',
    async (name) => {
      // At every place where it may be cut stands a pair of surrogates or the beginning of a command.
      const long = `${'##[x'.repeat(40_000)}${'👋'.repeat(70_000)}${'a👋#'.repeat(40_000)}`;
      const { file, gathered } = await recordGateway(name, modifier({ completion: put('/note', long) }), {
        only: ['chat/reply'],
      });
      const read: Exchange[] = [];
      for await (const item of (await openRecording(file)).items())
        if (item.kind === 'exchange') read.push(item.exchange);
      expect(read.map(bodyOf)).toEqual(gathered.traffic.exchanges.map(bodyOf));
      expect(read.map(bodyOf).join('')).toContain(long);
      const text = readFileSync(file);
      expect((name.endsWith('.gz') ? gunzipSync(text) : text).includes('##[')).toBe(false);
    },
  );

  it('is compressed if its name ends in .gz, and each line can be read as soon as it is written', async () => {
    const file = join(temporaryFolder(), 'a.ndjson.gz');
    const gateway = await startGateway({ eventGapMs: 0 });
    const recorder = createRecorder(file, false);
    const seen: number[] = [];
    await gather(quickSettings(gateway.baseUrl, { only: ['models/*'] }), gateway.keys, {
      recorder: {
        problem: undefined,
        start: (...start) => recorder.start(...start),
        amend: (amendment) => recorder.amend(amendment),
        end: (traffic) => recorder.end(traffic),
        exchange: (exchange) => {
          recorder.exchange(exchange);
          const lines = linesOf(gunzipSync(readFileSync(file)).toString());
          expect(lines.at(-1)?.['id']).toBe(exchange.id);
          seen.push(lines.length);
        },
      },
    });
    await gateway.close();
    expect(seen.length).toBeGreaterThan(1);
  });

  it('overwrites nothing without force', () => {
    const file = join(temporaryFolder(), 'a.ndjson');
    writeFileSync(file, 'mine');
    expect(() => createRecorder(file, false)).toThrow(
      'already exists: choose another file with --record, or add --force.',
    );
    expect(() => createRecorder(file, true)).not.toThrow();
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it('is not created before there is something to record', () => {
    const file = join(temporaryFolder(), 'deep', 'a.ndjson');
    createRecorder(file, false);
    expect(existsSync(file)).toBe(false);
  });

  it('fails at once if the file cannot be written', () => {
    const file = join(temporaryFolder(), 'a');
    writeFileSync(file, '');
    expect(() => createRecorder(join(file, 'b.ndjson'), false)).toThrow(/Cannot write \S+ \(E\w+\)/);
  });
});
