import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../gateway/index.ts';
import { quickSettings } from '../../test/kit/real-run.ts';
import { writeAsOlder } from '../../test/kit/recording.ts';
import { gather } from '../run/run.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { openRecording } from './read-recording.ts';
import { type RecordedItem, type RecordedRun, restoreSettings } from './recording.ts';
import { createRecorder } from './write-recording.ts';
import { formatNotice } from '../exchange/notice.ts';

let folder: string;
let plain: string;
let packed: Buffer;
let number = 0;

function write(content: string | Uint8Array): string {
  const path = join(folder, String((number += 1)));
  writeFileSync(path, content);
  return path;
}

describe('reading a recording', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'reading-'));
    const gateway = await startGateway({ eventGapMs: 0 });
    const settings = quickSettings(gateway.baseUrl, { only: ['models/*', 'auth/missing-key*'] });
    for (const name of ['a.ndjson', 'a.ndjson.gz']) {
      await gather(settings, { full: gateway.keys.full }, { recorder: createRecorder(join(folder, name), false) });
    }
    await gateway.close();
    plain = readFileSync(join(folder, 'a.ndjson'), 'utf8');
    packed = readFileSync(join(folder, 'a.ndjson.gz'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function readAll(
    path: string,
  ): Promise<{ readonly run: RecordedRun; readonly items: readonly RecordedItem[] }> {
    const run = await openRecording(path, 'it.ndjson');
    const items: RecordedItem[] = [];
    for await (const item of run.items()) items.push(item);
    return { run, items };
  }

  it('reads back a written recording, compressed or not, whatever the file name', async () => {
    const fromPlain = await readAll(write(plain));
    const other = await readAll(write(packed));
    expect(fromPlain.items.length).toBeGreaterThan(5);
    expect(other.items).toHaveLength(fromPlain.items.length);
    expect([fromPlain.run.notices(), other.run.notices()]).toEqual([[], []]);
    expect(fromPlain.run.end()?.ending).toEqual({ kind: 'complete' });
  });

  it('keeps the sentences of an older recording', async () => {
    const sentence = '"notices":["The full key is short."]';
    const older = writeAsOlder(plain, 1).replace('"notices":[]', sentence);
    const { run } = await readAll(write(older));
    expect(run.end()?.notices).toEqual([{ kind: 'recorded', sentence: 'The full key is short.' }]);
  });

  it('reports a truncated last line, and keeps the rest', async () => {
    const lines = plain.trimEnd().split('\n');
    const { run, items } = await readAll(write(lines.slice(0, 4).join('\n').slice(0, -20)));
    expect(items).toHaveLength(2);
    expect(run.notices().map(formatNotice)).toEqual([
      'it.ndjson: line 4 is cut off and was ignored. The rest of the run is missing.',
    ]);
    expect(run.end()).toBeUndefined();
  });

  it('says after which line the file ends, if it ends between two lines', async () => {
    const { run, items } = await readAll(write(`${plain.trimEnd().split('\n').slice(0, 5).join('\n')}\n`));
    expect(items).toHaveLength(4);
    expect(run.notices().map(formatNotice)).toEqual([
      expect.stringMatching(/^it\.ndjson: the file ends after line 5\. /),
    ]);
  });

  it('treats the bytes that a crash left after the last whole line as a truncated line', async () => {
    const [first, second] = plain.split('\n');
    const { run, items } = await readAll(write(`${first}\n${second}\n${'\0'.repeat(4096)}`));
    expect(items).toHaveLength(1);
    expect(run.notices().map(formatNotice)).toEqual([expect.stringMatching(/line 3 is cut off and was ignored/)]);
  });

  it('treats a truncated last line as such even if an editor added a line end', async () => {
    const [first, second, third = ''] = plain.split('\n');
    const { run, items } = await readAll(write(`${first}\n${second}\n${third.slice(0, -9)}\n\n`));
    expect(items).toHaveLength(1);
    expect(run.notices().map(formatNotice)).toEqual([expect.stringMatching(/line 3 is cut off and was ignored/)]);
  });

  it('accepts a last line without a line end', async () => {
    const { run } = await readAll(write(plain.trimEnd()));
    expect(run.notices().map(formatNotice)).toEqual([]);
    expect(run.end()?.ending).toEqual({ kind: 'complete' });
  });

  it('reads truncated gzip data as far as possible', async () => {
    const { run, items } = await readAll(write(packed.subarray(0, packed.length - 30)));
    expect(items.length).toBeGreaterThan(5);
    expect(run.notices().map(formatNotice)).toEqual([
      expect.stringMatching(/^it\.ndjson: the gzip data is damaged or cut off, line \d+ is cut off and was ignored\. /),
    ]);
    const trailer = await readAll(write(packed.subarray(0, packed.length - 4)));
    expect(trailer.run.end()?.ending).toEqual({ kind: 'complete' });
    expect(trailer.run.notices().map(formatNotice)).toEqual([
      'it.ndjson: the gzip data is damaged or cut off, but nothing is missing.',
    ]);
  });

  it.each<[string, (lines: readonly string[]) => string, RegExp]>([
    ['an empty file', () => '', /^it\.ndjson is empty/],
    ['a file of zeros', () => '\0'.repeat(100_000), /^it\.ndjson is not a wirecheck recording/],
    ['a first line that is cut off', ([first = '']) => first.slice(0, -9), /^it\.ndjson is cut off in its first line/],
    ['something else', () => '{"a":1}\n', /^it\.ndjson is not a wirecheck recording/],
    [
      'another version',
      ([first = '']) => first.replace('"version":3', '"version":4'),
      /^it\.ndjson has version 4 of the recording format\. Use a wirecheck that reads it; this one reads versions 1 to 3\.$/,
    ],
    [
      'a line that is no JSON',
      ([first, ...rest]) => [first, '{', ...rest].join('\n'),
      /^it\.ndjson:2: this line is not valid JSON/,
    ],
    [
      'a line of another shape',
      ([first]) => `${first}\n{"kind":"exchange","id":"x"}\n`,
      /^it\.ndjson:2: an exchange needs seeks\.$/,
    ],
    [
      'a kind of line that nobody knows',
      ([first]) => `${first}\n{"kind":"secret"}\n`,
      /^it\.ndjson:2: a line of a recording must be of a known kind, not "secret"\.$/,
    ],
    [
      'two recordings',
      ([first, second]) => `${first}\n${second}\n${first}\n`,
      /^it\.ndjson:3: a second recording starts here/,
    ],
    ['lines after the end', (lines) => [...lines, lines[1]].join('\n'), /there is more after the end/],
  ])('refuses %s, and says where', async (_what, change, message) => {
    await expect(readAll(write(change(plain.trimEnd().split('\n'))))).rejects.toThrow(message);
  });

  it('reports a file that cannot be read', async () => {
    await expect(openRecording(`${folder}/none`, 'none')).rejects.toThrow(
      /Cannot read the file \S+: there is no such file/,
    );
  });

  it('reads the sentence that wirecheck 0.1.0 recorded for a missing description', async () => {
    const lines = writeAsOlder(plain, 1).trimEnd().split('\n');
    const end = JSON.parse(lines.at(-1) ?? '');
    const description = { kind: 'unavailable', source: 'https://x.example/o.json', reason: 'is empty' };
    const older = [...lines.slice(0, -1), JSON.stringify({ ...end, description })].join('\n');
    const { run } = await readAll(write(`${older}\n`));
    expect(run.end()?.description).toEqual({
      kind: 'unavailable',
      source: 'https://x.example/o.json',
      problem: { kind: 'recorded', sentence: { quote: 'is empty', length: 8 } },
    });
  });

  it('gives settings that the recorded run did not have their defaults', () => {
    const { limits: _limits, ...older } = { ...DEFAULT_SETTINGS, baseUrl: 'http://x/v1' };
    const settings = restoreSettings({ settings: { ...older, limits: { depth: 7 } } });
    expect(settings.limits).toEqual({ ...DEFAULT_SETTINGS.limits, depth: 7 });
  });
});
