/** The files for those who work on wirecheck: its own CI, and the forms for issues. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../src/contract/package-root.ts';
import { checkWorkflows } from './kit/check-workflow.ts';

const inRoot = (path: string): string => join(packageRoot(), path);
const read = (path: string): string => readFileSync(inRoot(path), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
};

describe('the workflow of this repository', () => {
  const CI = '.github/workflows/ci.yml';
  const { jobs } = parse(read(CI)) as {
    readonly jobs: {
      readonly tests: {
        readonly strategy: { readonly matrix: { readonly os: readonly string[]; readonly node: readonly number[] } };
      };
    };
  };

  it('is what GitHub reads', () => {
    const folder = mkdtempSync(join(tmpdir(), 'wirecheck-workflow-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'ci.yml'), read(CI).replace('timeout-minutes', 'timeout-hours'));
    const problem = expect.stringContaining("Unexpected value 'timeout-hours'");
    expect(checkWorkflows(inRoot(CI), join(folder, 'ci.yml'))).toEqual(['', problem]);
  });

  it('tries the oldest Node that the package supports, and every later line on Linux and Windows', () => {
    expect(manifest.engines.node).toBe(`>=${read('.node-version').trim().replace(/\.0$/, '')}`);
    expect(jobs.tests.strategy.matrix).toMatchObject({
      os: ['ubuntu-latest', 'windows-latest'],
      node: [20, 22, 24, 26],
    });
  });

  it.each([CI, '.ci/run'])('runs only scripts that exist: %s', (file) => {
    const names = [...read(file).matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(1);
    expect(names.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });
});

it('A build before `npm ci` says what to do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wirecheck-clone-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of ['scripts/build.mjs', 'scripts/root.mjs']) cpSync(inRoot(file), join(folder, file));
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'scripts/build.mjs')], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, 'The packages that the build needs are missing: run `npm ci` first.\n']);
});

describe('a form for issues', () => {
  const FOLDER = '.github/ISSUE_TEMPLATE';
  const forms = readdirSync(inRoot(FOLDER)).filter((file) => file !== 'config.yml');

  interface Field {
    readonly type: string;
    readonly id?: string;
    readonly attributes: { readonly label?: string };
  }

  it.each(forms)('has a name, a description and fields with labels and ids of their own: %s', (file) => {
    const form = parse(read(`${FOLDER}/${file}`)) as Readonly<Record<string, unknown>> & {
      readonly body: readonly Field[];
    };
    expect(form).toMatchObject({ name: expect.any(String) as string, description: expect.any(String) as string });
    const fields = form.body.filter(({ type }) => type !== 'markdown');
    expect(fields.filter(({ attributes }) => !attributes.label)).toEqual([]);
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  });

  it('asks for the recording if a finding is wrong, since it can be judged again', () => {
    expect(read(`${FOLDER}/false-alarm.yml`)).toContain('--record');
  });
});

it('Rules on imports have no look-around, since the linter ignores a rule whose pattern it cannot read', () => {
  expect(read('.oxlintrc.json')).not.toMatch(/\(\?[!=<]/);
});
