import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/contract/package-root.ts';
import type { Behaviour } from './behaviour.ts';
import { GROUPS } from './kit.ts';

const path = join(packageRoot(), 'SECURITY.md');
const page = readFileSync(path, 'utf8');

const rowOf = ([name, { does, to, exit }]: [string, Behaviour]): string =>
  `| \`${name}\` | ${does} | ${to} | ${[exit].flat().join(' or ')} |`;

const table = [
  '| behaviour | the target … | in answer to | exit |',
  '|---|---|---|---|',
  ...Object.values(GROUPS).flatMap((behaviours) => Object.entries(behaviours).map(rowOf)),
].join('\n');

const START = '<!-- hostile -->';
const END = '<!-- /hostile -->';

describe('the page on security', () => {
  it('has every hostile behaviour of the kit, and how a run against it ends (vitest -u writes it)', async () => {
    const [before, rest = ''] = page.split(START);
    const [, after = ''] = rest.split(END);
    const renewed = [before, START, '\n', table, '\n', END, after].join('');
    await expect(renewed).toMatchFileSnapshot(path);
  });

  it('names only tests that are there', () => {
    const named = [...page.matchAll(/`(src\/[\w./-]+)`/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((file) => !existsSync(join(packageRoot(), file)))).toEqual([]);
  });

  it('has no behaviour twice', () => {
    const names = Object.values(GROUPS).flatMap((behaviours) => Object.keys(behaviours));
    expect(names).toHaveLength(new Set(names).size);
    expect(names.length).toBeGreaterThan(100);
  });
});
