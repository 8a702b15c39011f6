/** Pages of measurements say what their sources say now, without measuring again. docs/servers.md and vectors have their own tests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../src/contract/package-root.ts';
import { FAULTS, VARIANTS } from '../src/gateway/index.ts';
import { loadScenarios } from '../src/gather/client/scenario.ts';
import { loadAllClauses } from '../src/subjects/subjects.ts';
import { HIDDEN_FAULTS } from '../selftest/explore/hidden-faults.ts';
import { HIDDEN_RELAYS } from '../selftest/explore/hidden-relays.ts';
import { FIXED } from './kit/explored.ts';

interface Bug {
  readonly scenarios: readonly string[];
}
type Played = Readonly<Record<string, string>>;
interface PlayedBug {
  readonly bug: Bug;
  readonly before: Played;
  readonly after: Played;
}

const importScript = (name: string): Promise<unknown> => import(new URL(`../scripts/${name}`, import.meta.url).href);
const { formatBench } = (await importScript('bench/format-bench.mjs')) as {
  readonly formatBench: (measured: unknown) => string;
};
const { BUGS } = (await importScript('bugs/known-bugs.mjs')) as { readonly BUGS: readonly Bug[] };
const { bugsPage } = (await importScript('bugs/page.mjs')) as {
  readonly bugsPage: (played: readonly PlayedBug[], date: string) => string;
};

const read = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');

it('reports/bench.md is made from reports/bench.json', () => {
  expect(formatBench(JSON.parse(read('reports/bench.json')))).toBe(read('reports/bench.md'));
});

it('docs/bugs.md has the bugs that are known, as they are described', () => {
  const page = read('docs/bugs.md');
  const rows = [...page.matchAll(/^\|.*\| (\S+: [^|]*) \| (\S+: [^|]*) \|$/gm)];
  const played = BUGS.map((bug, place) => {
    const [before, after] = [1, 2].map((cell) => ({
      ...Object.fromEntries(bug.scenarios.map((id) => [id, 'pass'])),
      ...Object.fromEntries(
        [...(rows[place]?.[cell] ?? '').matchAll(/`(.+?)`: (\w+)/g)].map(([, id, how]) => [id, how]),
      ),
    }));
    return { bug, before: before ?? {}, after: after ?? {} };
  });
  expect(bugsPage(played, /^Measured on (\S+)\./m.exec(page)?.[1] ?? '')).toBe(page);
});

describe('Stock clients', () => {
  const { clients, measured } = JSON.parse(read('schemas/clients.json')) as {
    readonly clients: Readonly<Record<string, { readonly name: string; readonly version: string }>>;
    readonly measured: string;
  };
  const matrix = read('reports/clients.md');

  it('have one version and one date in the data, the matrix, the picture and the guide', () => {
    expect(matrix).toContain(`on ${measured}: the drivers`);
    expect(read('docs/clients.md')).toContain(`(measured ${measured}, default settings)`);
    for (const { name, version } of Object.values(clients)) {
      expect(matrix).toContain(`\n- ${name} ${version}\n`);
      expect(read('docs/clients.md')).toContain(`(${version})`);
      expect(read('docs/clients.svg')).toContain(`>${version}</text>`);
    }
  });

  it('were tried with faults, variants and scenarios as they are now', () => {
    const titles = new Map([
      ...Object.entries({ ...FAULTS, ...VARIANTS }).map(([id, { title }]) => [id, title] as const),
      ...loadScenarios().map(({ id, title }) => [id, title] as const),
    ]);
    const rows = [...matrix.matchAll(/^\| `(.+?)`: (.*?) \| /gm)];
    expect(rows.length).toBeGreaterThan(100);
    for (const [, id = '', title] of rows) expect([id, title]).toEqual([id, titles.get(id)]);
  });

  it('meet about as many scenarios as the guide says', () => {
    const figure = Number(/about (\d+) scenarios/.exec(read('docs/clients.md'))?.[1]);
    expect(Math.abs(figure - loadScenarios().length)).toBeLessThanOrEqual(5);
  });
});

it.each(['docs/relay.md', 'docs/load.md'])('The table of %s names clauses with their level as they are', (page) => {
  const clauses = new Map(loadAllClauses().map((clause) => [clause.id, clause]));
  const found = [...read(page).matchAll(/\b(must|should): (?:([A-Z].*?) \()?`([\w.-]+)`/g)];
  expect(found.length).toBeGreaterThan(5);
  for (const [, level, summary, id = ''] of found) {
    const clause = clauses.get(id);
    expect([id, level, summary ?? '']).toEqual([
      id,
      clause?.level,
      summary === undefined ? '' : clause?.summary.replace(/\.$/, ''),
    ]);
  }
});

it('The pages on explore have the hidden triggers and the first draws that there are', () => {
  const [, tables = ''] = read('reports/explore.md').split('## Hidden triggers');
  const rows = [...tables.matchAll(/^\| (.+?) \| [\d(–]/gm)].map(([, title]) => title);
  const triggers = { ...HIDDEN_FAULTS, ...HIDDEN_RELAYS };
  expect(rows).toEqual(Object.values(triggers).map(({ title }) => title));
  expect(read('docs/explore.md')).toContain(`the same ${FIXED} draws`);
});
