/** The page of measured servers follows from the recordings, and the recordings stay small. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../src/contract/package-root.ts';
import { openRecording } from '../src/recording/read-recording.ts';

const FOLDER = join(packageRoot(), 'reports/servers');
const MAX_EACH = 60_000;
const MAX_ALL = 1_500_000;

const script = new URL('../scripts/servers/make-pages.mjs', import.meta.url).href;
const { makePages } = (await import(script)) as {
  readonly makePages: () => Promise<{
    readonly pages: Readonly<Record<string, string>>;
    readonly mostCompletions: number;
  }>;
};

const { pages, mostCompletions } = await makePages();
const recordings = readdirSync(FOLDER).filter((file) => file.endsWith('.ndjson.gz'));

describe('the measured servers', () => {
  it.each(Object.keys(pages))('%s is made from the recordings by `npm run servers`', async (file) => {
    await expect(pages[file]).toMatchFileSnapshot(join(packageRoot(), file));
  });

  it('are at least eight with a recipe, and each broken clause leads to its evidence', () => {
    expect(recordings.length).toBeGreaterThanOrEqual(8);
    const links = [
      ...(pages['docs/servers.md'] ?? '').matchAll(/\]\(\.\.\/(reports\/servers\/[\w-]+\.md)#([\w.-]+)\)/g),
    ];
    expect(links.length).toBeGreaterThan(50);
    for (const [, file = '', clause] of links) expect(pages[file]).toContain(`<a id="${clause}"></a>`);
  });

  /** Our gateway and the stock proxies before it show that v1 can be kept; README and docs/profiles.md speak of the others. */
  it('break something by v1 and by common-servers, except for the control and the reverse proxies', () => {
    const row = /^\| \[[^|]*\]\(#([\w-]+)\) \|[^|]*\| ([\w ]+) \| [\d-]+ \| (\d+) \| (\d+) \| (\d+) \|$/gm;
    const rows = [...(pages['docs/servers.md'] ?? '').matchAll(row)].map(
      ([, name, about, must, should, common]) => [name, about, Number(must), Number(should), Number(common)] as const,
    );
    expect(rows[0]).toEqual(['reference', 'control', 0, 0, 0]);
    const proxies = rows.filter(([, about]) => about === 'reverse proxy');
    expect(proxies.map(([name, , must, , common]) => [name, must, common])).toEqual([
      ['nginx', 0, 0],
      ['apache', 0, 0],
      ['envoy', 0, 0],
    ]);
    const others = rows.slice(1 + proxies.length);
    expect(others.length).toBe(14);
    for (const [name, , must, , common] of others) expect([name, must > 0, common > 0]).toEqual([name, true, true]);
  });

  it.each(['README.md', 'docs/audit.md'])('cost at most as many completions as %s says', (file) => {
    const text = readFileSync(join(packageRoot(), file), 'utf8').replaceAll(/\s+/g, ' ');
    const [, first, second] =
      /up to (\d+) if it answers everything|answers everything costs up to (\d+)/.exec(text) ?? [];
    const figure = Number(first ?? second);
    expect([mostCompletions <= figure, figure <= 1.2 * mostCompletions]).toEqual([true, true]);
  });

  it('leave no page behind', () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.md'));
    expect(files.filter((file) => !(`reports/servers/${file}` in pages))).toEqual([]);
  });

  it('have small recordings', () => {
    const sizes = recordings.map((file) => statSync(join(FOLDER, file)).size);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_EACH);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_ALL);
  });

  it.each(recordings)('were asked on loopback: %s', async (file) => {
    const { start } = await openRecording(join(FOLDER, file), file);
    expect(start.settings.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  });
});
