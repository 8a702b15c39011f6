import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/contract/package-root.ts';
import { GROUPS } from './kit.ts';

const path = join(packageRoot(), 'SECURITY.md');
const page = readFileSync(path, 'utf8');

const table = [
  '| group | behaviours |',
  '|---|---|',
  ...Object.entries(GROUPS).map(([group, behaviours]) => {
    const names = Object.keys(behaviours).map((name) => `\`${name}\``);
    return `| ${group} (${names.length}) | ${names.join(', ')} |`;
  }),
].join('\n');

const START = '<!-- hostile -->';
const END = '<!-- /hostile -->';

describe('the security page', () => {
  it('names every hostile behaviour of the kit (vitest -u writes it)', async () => {
    const [before, rest = ''] = page.split(START);
    const [, after = ''] = rest.split(END);
    const renewed = [before, START, '\n', table, '\n', END, after].join('');
    await expect(renewed).toMatchFileSnapshot(path);
  });

  it('names only tests that exist', () => {
    const named = [...page.matchAll(/`((?:src|test)\/[\w./-]+\.test\.ts)`/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((file) => !existsSync(join(packageRoot(), file)))).toEqual([]);
  });

  it('has no behaviour twice', () => {
    const names = Object.values(GROUPS).flatMap((behaviours) => Object.keys(behaviours));
    expect(names).toHaveLength(new Set(names).size);
    expect(names.length).toBeGreaterThan(100);
  });
});
