import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { loadContract } from '../src/contract/read-contract.ts';
import { packageRoot } from '../src/contract/package-root.ts';
import type { FaultId } from '../src/gateway/index.ts';
import { renderComparison } from '../src/render/comparison/comparison.ts';
import { foldFindings } from '../src/render/fold.ts';
import { coverageOf } from '../src/render/clause-states.ts';
import { render } from '../src/render/index.ts';
import { verdictLine } from '../src/render/verdict-line.ts';
import { compareRuns } from '../src/report/comparison/compare.ts';
import { type Excuses, readBaseline } from '../src/report/excuses/apply-excuses.ts';
import { readWaivers } from '../src/report/excuses/waivers.ts';
import type { Report } from '../src/report/report.ts';
import { judge, plan } from '../src/run/run.ts';
import { type GatheredFrom, gatherFrom } from '../selftest/in-memory.ts';
import { DEFAULT_SETTINGS } from '../src/settings.ts';
import { observeReport } from '../src/report/comparison/observed-run.ts';
import { loadSuites } from '../src/suite/read-suites.ts';
import { quickSettings } from './kit/real-run.ts';

const FILES = [
  'README.md',
  'docs/audit.md',
  'docs/ci-gate.md',
  'docs/release-check.md',
  'templates/wirecheck.config.yaml',
] as const;

const TEXTS = FILES.map((file) => [file, readFileSync(join(packageRoot(), file), 'utf8')] as const);

/** Every number that the pattern finds in the documents, with its file. */
function figuresIn(pattern: RegExp): readonly (readonly [file: string, number: number])[] {
  return TEXTS.flatMap(([file, text]) =>
    [...text.matchAll(pattern)].map(([, number]) => [file, Number(number?.replaceAll(',', ''))] as const),
  );
}

const runs = new Map<string, Promise<GatheredFrom>>();

/** Each gateway is asked once, however often its answers are judged. */
async function runOf(faults: readonly FaultId[], excuses: Excuses = {}): Promise<Report> {
  const run =
    runs.get(faults.join()) ??
    gatherFrom({
      gateway: { eventGapMs: 1, faults },
      inMemory: true,
      settingsFor: (baseUrl) => quickSettings(baseUrl),
      keysOf: ({ full }) => ({ full }),
    });
  runs.set(faults.join(), run);
  const { gathered, settings } = await run;
  return judge(gathered, settings, undefined, excuses);
}

let report: Report;
let broken: Report;
beforeAll(async () => {
  report = await runOf([]);
  broken = await runOf(['error-code-integer']);
});

/** The lines of the first code block of a page that has the text, without those that only say that something is left out. */
function quotedLines(page: (typeof FILES)[number], text: string): readonly string[] {
  const blocks = TEXTS.find(([file]) => file === page)?.[1].split(/^```.*$/m) ?? [];
  const block = blocks.find((each, index) => index % 2 === 1 && each.includes(text)) ?? '';
  return block.split('\n').filter((line) => !['', '…'].includes(line.trim()));
}

it.each([
  ['requests', /about ([\d,]+)\s+requests/gi, 2],
  ['completions', /about ([\d,]+)\s+completions/gi, 2],
  ['tokens', /about ([\d,]+)\s+(?:completion )?tokens/gi, 1],
] as const)('The documents give one figure for the %s of a run, and it matches a real run', (name, pattern, least) => {
  const figures = figuresIn(pattern);
  expect(figures.length).toBeGreaterThanOrEqual(least);
  expect(new Set(figures.map(([, number]) => number)).size).toBe(1);
  const used = report.cost.used[name];
  for (const [file, number] of figures) expect([file, Math.abs(number - used) <= used * 0.2]).toEqual([file, true]);
});

it('The documents and `init` name one limit of completions, with room for a run', () => {
  const figures = figuresIn(/max-?completions(?:: | |=)(\d+)/gi);
  expect(new Set(figures.map(([file]) => file))).toEqual(
    new Set(['docs/audit.md', 'docs/ci-gate.md', 'templates/wirecheck.config.yaml']),
  );
  const [limit = 0, ...others] = new Set(figures.map(([, number]) => number));
  expect(others).toEqual([]);
  expect(limit).toBeGreaterThan(1.2 * report.cost.used.completions);
});

it('The documents give the right number of must clauses', () => {
  const figures = figuresIn(/CONFORMS(?: IN PART)?: \d+ of (\d+) must/g);
  expect(figures.length).toBeGreaterThan(0);
  for (const figure of figures) expect(figure).toEqual([figure[0], coverageOf(report).all]);
});

it('The audit guide shows the real plan', () => {
  const { least, most, cases, omissions } = plan({ ...DEFAULT_SETTINGS, baseUrl: 'https://a.example/v1' }, []);
  const row = (label: string) => {
    const [, low, high] = new RegExp(`^${label} +([\\d,]+) +[\\d,]+ +([\\d,]+) `, 'm').exec(audit) ?? [];
    return [low, high].map((number) => Number(number?.replaceAll(',', '')));
  };
  const audit = TEXTS.find(([file]) => file === 'docs/audit.md')?.[1] ?? '';
  expect(row('requests')).toEqual([least.requests, most.requests]);
  expect(row('completions charged')).toEqual([least.completions, most.completions]);
  expect(row('tokens generated')).toEqual([least.tokens, most.tokens]);
  const counted = `for ${cases.length - omissions.length} of ${cases.length} cases`;
  expect(audit.includes(counted), `docs/audit.md says "${counted}"`).toBe(true);
});

it('The cost of --detect is within its plan, and that of a run without it is a real one', () => {
  const page = TEXTS.find(([file]) => file === 'docs/audit.md')?.[1] ?? '';
  const costOf = (label: string) => {
    const [, requests, completions] =
      new RegExp(`^\\| ${label} \\| ([\\d,]+) \\| ([\\d,]+) \\|$`, 'm').exec(page) ?? [];
    return [requests, completions].map((number) => Number(number?.replaceAll(',', ''))) as [number, number];
  };
  const { used } = report.cost;
  expect(costOf('without `--detect`')).toEqual([used.requests, used.completions]);
  const audit = figuresIn(/costs ([\d,]+) requests and \d+ completions/g);
  expect(audit).toEqual([['docs/audit.md', used.requests]]);
  for (const detect of [3, 10]) {
    const { least, most } = plan({ ...DEFAULT_SETTINGS, baseUrl: 'https://a.example/v1', detect }, []);
    const [requests, completions] = costOf(`\`--detect 1/${detect}\``);
    expect([requests >= least.requests, requests <= most.requests]).toEqual([true, true]);
    expect([completions >= least.completions, completions <= most.completions]).toEqual([true, true]);
  }
});

it('The failure in the documents has the figures of a real run', () => {
  const entry = foldFindings(broken).find(({ finding }) => finding?.status === 401);
  expect(entry?.expectation.clause).toBe('errors.code');
  const answers = figuresIn(/and in (\d+) more answers/g);
  expect(answers.length).toBeGreaterThan(0);
  for (const figure of answers) expect(figure).toEqual([figure[0], (entry?.answers ?? 0) - 1]);
});

it('The failure in the README is quoted from a real run', () => {
  const shown = render(broken, 'terminal').replaceAll(broken.target.baseUrl, 'https://gateway.example/v1').split('\n');
  for (const line of quotedLines('README.md', 'Requirement')) expect(shown).toContain(line);
});

it('The waived failure in the CI guide is quoted from a real run', async () => {
  const text =
    'waivers: [{ clause: errors.code, reason: numbers until the new error layer, owner: gateway, until: 2030-12-31 }]';
  const contract = loadContract();
  const cases = loadSuites([], contract).flatMap((suite) => suite.cases);
  const waivers = readWaivers(text, 'wirecheck.waivers.yaml', { contract, cases });
  const waived = await runOf(['error-code-integer'], { waivers, today: '2030-01-01' });
  const shown = render(waived, 'terminal').split('\n');
  for (const line of quotedLines('docs/ci-gate.md', 'CONFORMS EXCEPT FOR')) expect(shown).toContain(line);
});

it('The release guide quotes real runs with a baseline', async () => {
  const base = await runOf(['error-code-integer', 'auth-no-key-accepted']);
  const older = { ...base, provenance: { ...base.provenance, startedAt: '2030-03-01T09:12:00.000Z' } };
  const baseline = readBaseline(older, 'last-release/report.json');
  const known = await runOf(['error-code-integer'], { baseline });
  const added = await runOf(['error-code-integer', 'param-temperature-above-accepted'], { baseline });
  const shown = render(added, 'terminal').split('\n');
  const guide = TEXTS.find(([file]) => file === 'docs/release-check.md')?.[1];
  expect(guide).toContain(`| 0 | \`${verdictLine(known)}\` |`);
  expect(guide).toContain(`| 1 | \`${verdictLine(added)}\` |`);
  for (const line of quotedLines('docs/release-check.md', 'new since')) expect(shown).toContain(line);
});

it('The comparison in the release guide is that of two real runs', async () => {
  const newer = await runOf(['chat-usage-missing']);
  const text = renderComparison(
    compareRuns(observeReport(report, 'old.ndjson.gz'), observeReport(newer, 'new')),
    'terminal',
  );
  const guide = TEXTS.find(([file]) => file === 'docs/release-check.md')?.[1] ?? '';
  const compared = /^Compared \d+ cases and \d+ kinds.*?\. Not compared: \d+ of \d+/ms;
  expect(text).toMatch(compared);
  expect(compared.exec(guide)?.[0]).toBe(compared.exec(text)?.[0]);
  // Which answers are named as examples depends on which came first.
  const breaking = (page: string) => /^✗ .*?Fingerprint [^\n]*/ms.exec(page)?.[0].replaceAll(/\s*\([^)]*\)/g, '');
  expect(breaking(guide)).toBe(breaking(text));
});

/** Of headings, as GitHub makes them, and those that the page sets. */
const anchorsOf = (page: string): readonly string[] => [
  ...[...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  ),
  ...[...page.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id),
];

it('The pages link only to files and headings that exist', () => {
  const folder = (name: string) =>
    readdirSync(join(packageRoot(), name))
      .filter((file) => file.endsWith('.md'))
      .map((file) => join(name, file));
  for (const page of [...folder('.'), ...folder('docs'), ...folder('docs/decisions')]) {
    const text = readFileSync(join(packageRoot(), page), 'utf8');
    for (const [, target = '', anchor] of text.matchAll(/\]\(([^)#]+)(?:#([^)]*))?\)/g)) {
      if (target.includes(':')) continue;
      const path = join(packageRoot(), dirname(page), target);
      expect([page, target, existsSync(path)]).toEqual([page, target, true]);
      if (anchor !== undefined && target.endsWith('.md'))
        expect([page, target, anchorsOf(readFileSync(path, 'utf8')).includes(anchor) && anchor]).toEqual([
          page,
          target,
          anchor,
        ]);
    }
  }
});

/** Words of a page, without its blocks of code. */
const wordsIn = (page: string): number =>
  readFileSync(join(packageRoot(), page), 'utf8')
    .replaceAll(/^```.*?^```/gms, '')
    .split(/\s+/).length;

it('The README and the pages that are written by hand are short', () => {
  const GENERATED = ['bugs.md', 'contract.md', 'readings.md', 'servers.md', 'settings.md'];
  const pages = readdirSync(join(packageRoot(), 'docs')).filter(
    (name) => name.endsWith('.md') && !GENERATED.includes(name),
  );
  expect(wordsIn('README.md')).toBeLessThanOrEqual(600);
  expect(pages.length).toBeLessThanOrEqual(11);
  expect(pages.map((name) => wordsIn(`docs/${name}`)).reduce((sum, words) => sum + words)).toBeLessThanOrEqual(13_000);
});

/** After the documented install, the bare name is not found, and npx may download a stranger's package. */
it('Every command to paste starts the installed program', () => {
  const pages = readdirSync(join(packageRoot(), 'docs')).filter((name) => name.endsWith('.md'));
  const commands = ['README.md', 'SECURITY.md', ...pages.map((name) => `docs/${name}`)].flatMap((page) =>
    [...readFileSync(join(packageRoot(), page), 'utf8').matchAll(/^```sh\n(.*?)^```/gms)]
      .flatMap(([, block = '']) => block.split('\n'))
      .filter((line) => /(?:^|[;&|] *|^\w+=\S+ )wirecheck /.test(line))
      .map((line) => `${page}: ${line}`),
  );
  expect(commands).toEqual([]);
});
