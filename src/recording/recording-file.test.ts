import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { digestRecording } from './recording-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'wirecheck-digest-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, bytes: Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};

it('Compressing a recording, at once or line by line, does not change its digest', async () => {
  const lines = ['{"kind":"start"}\n', '{"kind":"end"}\n'];
  const digest = createHash('sha256').update(lines.join('')).digest('hex');
  const forms = [
    Buffer.from(lines.join('')),
    gzipSync(lines.join('')),
    Buffer.concat(lines.map((line) => gzipSync(line))),
  ];
  for (const form of forms) expect(await digestRecording(write('a.ndjson', form))).toBe(digest);
});

it('A small file that unpacks to more than the limit is refused', async () => {
  const bomb = write('bomb.ndjson.gz', gzipSync(Buffer.alloc(4 * 1024 ** 2)));
  const limit = { shown: 'bomb', most: 3 * 1024 ** 2 };
  await expect(digestRecording(bomb, limit)).rejects.toThrow('bomb has more than 3 MiB, uncompressed.');
});
