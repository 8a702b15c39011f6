import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScanner } from '../../exchange/secrets/scanner.ts';
import { render } from '../../render/index.ts';
import { FORMAT_NAMES } from '../../settings/format-names.ts';
import { broken, conforming } from '../../../test/kit/sample-reports.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { guardSecrets, refuseLeaks, refuseOpenSecrets } from './secret-guard.ts';

const RANDOM = 'Qk7Zr2Xw9Lm4Tn6Bv1Cs8Dp3';
const KEY = `sk-service-${RANDOM}`;
const settings = { ...DEFAULT_SETTINGS, baseUrl: 'https://gateway.example/v1' };
const scannerOf = (key: string) => createScanner(settings, { full: key });

const TEXTS = [broken(), conforming()].flatMap((report) =>
  FORMAT_NAMES.map((format) => [format, render(report, format)] as const),
);

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'wirecheck-guard-'))));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the secret guard', () => {
  it.each(FORMAT_NAMES)('accepts a clean report as %s, and rejects one that contains a key', (format) => {
    const text = render(broken(), format);
    expect(scannerOf(KEY).findsIn(text)).toBe(false);
    expect(scannerOf(KEY).findsIn(`${text}${KEY}`)).toBe(true);
    expect(scannerOf(KEY).findsIn(`${text}${RANDOM.slice(1, 21)}`)).toBe(true);
  });

  it.each([
    'sk-service-wirecheck',
    'sk-service-test-gateway',
    'sk-service-conforming-completion-tokens',
    'sk-service-wirecheck-development-key',
    'sk-service-chat-completions-1',
    'my-gateway-example-key',
    'sk-service-authorization-sentence',
    'chat/completions',
  ])('raises no false alarm on a key made of ordinary words: %s', (key) => {
    for (const [format, text] of TEXTS) expect(scannerOf(key).findsIn(text), format).toBe(false);
    if (key.startsWith('sk-service-')) expect(scannerOf(key).findsIn(`no such key: ${key}`)).toBe(true);
  });

  it('deletes and names files that contain a key, compressed or not', async () => {
    const files = ['clean.json', 'plain.json', 'packed.ndjson.gz', 'members.ndjson.gz'].map((name) =>
      join(folder, name),
    );
    const [clean = '', plain = '', packed = '', members = ''] = files;
    writeFileSync(clean, render(broken(), 'json'));
    writeFileSync(plain, `{"text":"no such key: ${KEY}"}`);
    writeFileSync(packed, gzipSync(`{"text":"${Buffer.from(KEY).toString('base64')}"}\n`));
    writeFileSync(members, Buffer.concat([gzipSync('{"text":"'), gzipSync(`${KEY}"}\n`)]));
    await expect(refuseLeaks([...files, join(folder, 'never-written')], scannerOf(KEY), ['stdout'])).rejects.toThrow(
      `a secret was found in ${plain}, ${packed}, ${members}, stdout; it was removed or not shown`,
    );
    expect(files.map((path) => existsSync(path))).toEqual([true, false, false, false]);
    await expect(refuseLeaks([clean], scannerOf(KEY))).resolves.toBeUndefined();
  });

  it('redacts keys in an error', async () => {
    const failing = guardSecrets(scannerOf(KEY), () => Promise.reject(new Error(`cannot read ${KEY}`)));
    const error = await failing.catch((thrown: unknown) => thrown as Error);
    expect(error.message).toBe(`cannot read sk-service-${'*'.repeat(RANDOM.length)}`);
    expect(error.stack).not.toContain(RANDOM);
  });

  it.each([
    [{ baseUrl: `https://gateway.example/${KEY}/v1` }, 'The path of the base URL contains a key'],
    [{ userAgent: `mine ${KEY}` }, 'The User-Agent contains a key'],
    [{ headers: [{ name: 'X-A', value: KEY, secret: false }] }, 'The header X-A contains a key'],
  ])('refuses settings that would show a key in every report: %o', (changes, sentence) => {
    expect(() => refuseOpenSecrets(scannerOf(KEY), { ...settings, ...changes })).toThrow(sentence);
    expect(() => refuseOpenSecrets(scannerOf(KEY), settings)).not.toThrow();
  });
});
