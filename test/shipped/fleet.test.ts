/** A fleet in one run, and in shards as its templates run them: every command as written, in processes of its own. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../src/contract/package-root.ts';
import { type Gateway, startGateway } from '../../src/gateway/index.ts';
import { IS_POSIX } from '../kit/platform.ts';
import type { Report } from '../../src/report/report.ts';
import { type Container, readManifest } from '../kit/kubernetes-manifest.ts';
import { runBash, runProgram } from '../kit/run-program.ts';

const SHARDS = 4;
const FAULTS = [undefined, 'error-code-integer', undefined, 'models-data-missing', undefined, undefined] as const;

let folder: string;
/** The one file that both templates run. */
let bundle: string;
let gateways: Gateway[];
let targets: string;
let env: Record<string, string>;
/** What one run finds. */
let whole: Verdicts;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wirecheck-fleet-'));
  gateways = await Promise.all(
    FAULTS.map((fault) => startGateway({ eventGapMs: 1, ...(fault !== undefined && { fault }) })),
  );
  targets = `targets:\n${gateways.map(({ baseUrl }, at) => `  - { name: gateway ${at}, baseUrl: '${baseUrl}' }\n`).join('')}`;
  const made = join(folder, 'made');
  execFileSync(process.execPath, [join(packageRoot(), 'scripts/bundle/bundle.mjs'), made]);
  bundle = join(made, 'wirecheck.mjs');
  env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    WIRECHECK_ONLY: 'models/*,auth/unknown-key*',
    WIRECHECK_API_KEY: gateways[0]?.keys.full ?? '',
  };
  const cwd = makeFolder();
  const { exit, text } = await runProgram(
    ['node', bundle, 'run', '--targets', 'targets.yaml', '--out', 'reports'],
    cwd,
    env,
  );
  expect(exit, text).toBe(1);
  whole = verdictsIn(join(cwd, 'reports'));
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.close();
  rmSync(folder, { recursive: true });
});

function makeFolder(): string {
  const cwd = mkdtempSync(join(folder, 'job-'));
  writeFileSync(join(cwd, 'targets.yaml'), targets);
  cpSync(`${bundle}.sha256`, join(cwd, 'wirecheck.mjs.sha256'));
  return cwd;
}

/** The outcome and the verdict on each clause, by the name of the target. */
type Verdicts = Readonly<Record<string, readonly unknown[]>>;

function verdictsIn(reports: string): Verdicts {
  const found = readdirSync(reports, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('report.json'))
    .map((file) => JSON.parse(readFileSync(join(reports, file), 'utf8')) as Report);
  const verdicts = found.map(({ target, outcome, clauses }) => [
    target.name ?? '',
    [outcome.name, ...clauses.flatMap(({ id, verdict }) => (verdict ? [`${id} ${verdict}`] : []))],
  ]);
  return Object.fromEntries(verdicts) as Verdicts;
}

const boardIn = (file: string) =>
  (JSON.parse(readFileSync(file, 'utf8')) as { readonly targets: readonly { readonly name: string }[] }).targets.map(
    ({ name }) => name,
  );

const NAMES = FAULTS.map((_fault, at) => `gateway ${at}`);
const read = (template: string) => readFileSync(join(packageRoot(), 'templates', template), 'utf8');

it('One run has a verdict on every target', () => {
  expect(Object.keys(whole).toSorted()).toEqual(NAMES);
  expect(NAMES.map((name) => whole[name]?.[0] === 'does-not-conform')).toEqual(
    FAULTS.map((fault) => fault !== undefined),
  );
});

describe.runIf(IS_POSIX)('the workflow for GitHub', () => {
  interface Step {
    readonly name?: string;
    readonly uses?: string;
    readonly if?: string;
    readonly with?: Record<string, string>;
    readonly env?: Record<string, string>;
    readonly run?: string;
  }
  interface Job {
    readonly needs?: string;
    readonly if?: string;
    readonly strategy?: { readonly 'fail-fast': boolean; readonly matrix: { readonly shard: readonly number[] } };
    readonly steps: readonly Step[];
  }

  it('does not run a file with a different checksum', async () => {
    const { jobs } = parse(read('github-fleet.yml')) as { readonly jobs: { readonly check: Job } };
    const [script = ''] = jobs.check.steps.flatMap(({ run }) => run ?? []);
    const other = join(folder, 'other.mjs');
    writeFileSync(other, 'process.exit(0);');
    const { exit } = await runBash(script, makeFolder(), { ...env, WIRECHECK_URL: pathToFileURL(other).href });
    expect(exit).toBe(1);
  });

  it('finds in shards what one run finds, and shows the board in the summary', async () => {
    const { jobs } = parse(read('github-fleet.yml')) as { readonly jobs: { readonly check: Job; readonly board: Job } };
    const shards = jobs.check.strategy?.matrix.shard ?? [];
    expect(shards).toEqual([1, 2, 3, 4]);
    expect(jobs.check.strategy?.['fail-fast']).toBe(false);
    expect(jobs.board).toMatchObject({ needs: 'check', if: '${{ !cancelled() }}' });
    const artifacts = join(makeFolder(), 'artifacts');
    const variables = { 'vars.WIRECHECK_URL': pathToFileURL(bundle).href };
    const run = async ({ steps }: Job, cwd: string, scope: Record<string, string>, github: Record<string, string>) => {
      const exits: (number | null)[] = [];
      for (const { run: script, env: own = {} } of steps) {
        if (script === undefined) continue;
        expect(script).not.toContain('${{');
        const given = Object.entries(own).map(([name, value]) => [
          name,
          value.replaceAll(/\$\{\{ *([\w.-]+) *\}\}/g, (_all, key: string) => scope[key] ?? ''),
        ]);
        exits.push((await runBash(script, cwd, { ...env, ...github, ...Object.fromEntries(given) })).exit);
      }
      return exits;
    };
    for (const shard of shards) {
      const cwd = makeFolder();
      const scope = {
        'matrix.shard': String(shard),
        'strategy.job-total': String(shards.length),
        'secrets.WIRECHECK_API_KEY': env['WIRECHECK_API_KEY'] ?? '',
        ...variables,
      };
      const [fetched, checked] = await run(jobs.check, cwd, scope, {});
      expect([fetched, [0, 1].includes(checked ?? -1)]).toEqual([0, true]);
      const kept = jobs.check.steps.at(-1);
      expect(kept).toMatchObject({ if: 'always()', with: { name: 'reports-${{ matrix.shard }}', path: 'reports/' } });
      // As the download merges them: no two have a file of the same name.
      cpSync(join(cwd, 'reports'), artifacts, { recursive: true, errorOnExist: true, force: false });
    }
    expect(verdictsIn(artifacts)).toEqual(whole);

    const download = jobs.board.steps.find(({ uses }) => uses?.startsWith('actions/download-artifact@'));
    expect(download?.with).toEqual({ pattern: 'reports-*', path: 'reports', 'merge-multiple': true });
    const cwd = makeFolder();
    cpSync(artifacts, join(cwd, 'reports'), { recursive: true });
    const summary = join(cwd, 'summary.md');
    expect(await run(jobs.board, cwd, variables, { GITHUB_STEP_SUMMARY: summary })).toEqual([0, 1]);
    for (const name of NAMES) expect(readFileSync(summary, 'utf8')).toContain(name);
    expect(boardIn(join(cwd, 'board/board.json')).toSorted()).toEqual(NAMES);
  });
});

describe.runIf(IS_POSIX)('the Jobs for Kubernetes, in which every script is run by Node', () => {
  const resources = readManifest(read('kubernetes-fleet.yaml'));
  const config = resources.find((each) => each.kind === 'ConfigMap');
  const [fleet, board] = resources.filter((each) => each.kind === 'Job');

  it('find in shards what one run finds, and make the board after them', async () => {
    const settings = config?.data ?? {};
    expect(fleet?.spec).toMatchObject({ completionMode: 'Indexed', completions: SHARDS, parallelism: SHARDS });
    expect(settings['SHARDS']).toBe(String(SHARDS));
    const volume = makeFolder();
    symlinkSync(bundle, join(volume, 'wirecheck.mjs'));
    const run = (container: Container | undefined, variables: Record<string, string> = {}) => {
      expect(container?.volumeMounts?.map(({ mountPath }) => mountPath)).toEqual([container?.workingDir]);
      const command = [...(container?.command ?? []), ...(container?.args ?? [])];
      // As Kubernetes does.
      const expanded = command.map((part) =>
        part.replaceAll(/\$\(([A-Z_]+)\)/g, (_all, name: string) => settings[name] ?? ''),
      );
      return runProgram(expanded, volume, { ...env, ...settings, ...variables });
    };
    const { initContainers = [], containers = [] } = board?.spec.template.spec ?? {};
    const waiting = run(initContainers[0]);
    let isOver = false;
    void waiting.then(() => (isOver = true));
    for (let index = 0; index < SHARDS; index++) {
      expect(isOver).toBe(false);
      const { exit, text } = await run(fleet?.spec.template.spec.containers[0], {
        JOB_COMPLETION_INDEX: String(index),
      });
      expect(exit, text).toBe(0);
    }
    expect(verdictsIn(join(volume, 'runs', settings['RUN'] ?? ''))).toEqual(whole);
    expect((await waiting).exit).toBe(0);
    expect((await run(containers[0])).exit).toBe(1);
    expect(boardIn(join(volume, 'board/board.json')).toSorted()).toEqual(NAMES);
  });

  it('make a shard fail that could not do its work', async () => {
    const { command = [], args = [] } = fleet?.spec.template.spec.containers[0] ?? {};
    const cwd = makeFolder();
    const index = { SHARDS: '4', JOB_COMPLETION_INDEX: '0' };
    const variables = { ...env, WIRECHECK_API_KEY: '', RUN: 'a', PROGRAM: bundle, ...index };
    expect((await runProgram([...command, ...args], cwd, variables)).exit).toBe(2);
  });
});
