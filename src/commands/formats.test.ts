import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../test/kit/command.ts';
import { COUNTS_IN } from '../../test/kit/counts.ts';
import { FORMAT_NAMES, type FormatName } from '../settings/format-names.ts';
import { junitProblems } from '../../test/kit/junit-schema.ts';
import { commandsIn } from '../../test/kit/github-runner.ts';
import { parseXml } from '../../test/kit/xml.ts';
import type { Report } from '../report/report.ts';

let cwd: string;
beforeAll(() => void (cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'))));
afterAll(() => rmSync(cwd, { recursive: true }));

const wirecheck = (args: readonly string[], env: Record<string, string> = {}) => runCommand(args, cwd, env);

/** Formats that a run writes on demand go to files of these names. */
const ON_DEMAND = ['sarif', 'github', 'badge', 'agent', 'prometheus', 'summary'] as const;
const FILE_OF: Partial<Record<FormatName, string>> = {
  json: 'report.json',
  html: 'report.html',
  junit: 'junit.xml',
  markdown: 'report.md',
  sarif: 'sarif',
  github: 'github',
  badge: 'badge',
  agent: 'agent',
  prometheus: 'prometheus',
  summary: 'summary',
};

const RUNS: readonly (readonly [name: string, exit: number, args: readonly string[]])[] = [
  ['a gateway that conforms', 0, ['demo']],
  ['one that breaks a must', 1, ['demo', '--fault', 'error-code-integer']],
  ['one that breaks a should', 0, ['demo', '--fault', 'stream-no-done']],
  ['the same judged strictly', 1, ['demo', '--fault', 'stream-no-done', '--strict']],
  ['a run that ended early', 3, ['demo', '--max-requests', '20']],
  ['a target that is not there', 3, ['run', 'http://127.0.0.1:1/v1']],
];

describe.each(RUNS)('the report of %s', (name, expected, args) => {
  const folder = name.replaceAll(' ', '-');
  const read = (format: FormatName) => readFileSync(join(cwd, folder, FILE_OF[format] ?? ''), 'utf8');
  let shown: string;

  beforeAll(async () => {
    mkdirSync(join(cwd, folder));
    const asked = ON_DEMAND.flatMap((format) => ['--reporter', `${format}=${folder}/${format}`]);
    const { exit, stdout } = await wirecheck([...args, '--out', folder, ...asked], {
      WIRECHECK_API_KEY: 'sk-service-not-a-real-one',
    });
    expect(exit).toBe(expected);
    shown = stdout;
  });

  it('is written to every file', () => {
    expect(readdirSync(join(cwd, folder)).toSorted()).toEqual(Object.values(FILE_OF).toSorted());
    expect(Object.keys(FILE_OF).toSorted()).toEqual(FORMAT_NAMES.filter((format) => format !== 'terminal').toSorted());
    expect(junitProblems(parseXml(read('junit')))).toEqual([]);
  });

  it('has the same counts in every format', () => {
    const { counts } = JSON.parse(read('json')) as Report;
    for (const [format, countsIn] of Object.entries(COUNTS_IN)) {
      const counted = countsIn(format === 'terminal' ? shown : read(format as FormatName));
      expect({ format, ...counts.cases, ...counted }).toEqual({ format, ...counts.cases });
    }
  });

  it('is rendered from the stored report byte for byte as the run wrote it', async () => {
    const rendered = await Promise.all(
      FORMAT_NAMES.map((format) => wirecheck(['render', `${folder}/report.json`, '--reporter', format])),
    );
    for (const [at, format] of FORMAT_NAMES.entries()) {
      const written = format === 'terminal' ? shown : read(format);
      expect(withoutFiles(rendered[at]?.stdout ?? '') === withoutFiles(written), format).toBe(true);
    }
  });
});

/** Only the run that wrote its files can name them, and only `render` knows the file that it reads. */
function withoutFiles(text: string): string {
  return text.replace(/^(?:Report|Full report): .*\n(?: {12}.*\n)*/m, '').replace(/(?<=^Observed: .*; ).*/m, '');
}

describe('a run on a GitHub runner', () => {
  it('writes annotations and the summary by default, and ends with the verdict', async () => {
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') };
    const { exit, stdout } = await wirecheck(['demo', '--fault', 'error-code-integer', '--out', 'on-github'], env);
    expect(exit).toBe(1);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^DOES NOT CONFORM/);
    const [verdict, ...causes] = commandsIn(stdout);
    expect(verdict).toMatchObject({
      name: 'error',
      properties: { title: expect.stringMatching(/^wirecheck: DOES NOT CONFORM/) as string },
    });
    expect(causes).toMatchObject([{ name: 'error', properties: { title: 'errors.code (must)' } }]);
    expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toBe(
      `${readFileSync(join(cwd, 'on-github/report.md'), 'utf8')}\n`,
    );
  });
});

it('A summary alone names no full report, since the run writes none', async () => {
  const args = ['demo', '--only', 'models/*', '--reporter', 'summary=alone/s.html'];
  const { stdout } = await wirecheck(args);
  expect(readdirSync(join(cwd, 'alone'))).toEqual(['s.html']);
  expect(readFileSync(join(cwd, 'alone/s.html'), 'utf8')).not.toMatch(/full report|report\.html/);
  expect(stdout).toMatch(/^Observed: .*; --verbose lists them$/m);
});

describe('--title and --note', () => {
  it('are written into the reports of a run, and can be given to a stored one', async () => {
    const told = ['--title', 'Audit of Sea', '--note', 'For Ada.\nCall me.'];
    const only = ['--only', 'models/*'];
    expect((await wirecheck(['demo', ...only, '--out', 'told', ...told])).exit).toBe(0);
    const read = (file: string) => readFileSync(join(cwd, 'told', file), 'utf8');
    expect(JSON.parse(read('report.json'))).toMatchObject({ title: 'Audit of Sea', note: 'For Ada.\nCall me.' });
    expect(read('report.html')).toContain('<p class="remark">Call me.</p>');
    expect(read('report.md')).toMatch(/^# Audit of Sea\n/);
    const { stdout } = await wirecheck(['render', 'told/report.json', '--reporter', 'markdown', '--title', 'Second']);
    expect(stdout).toMatch(/^# Second\n/);
    expect(stdout).toContain('> For Ada.');
  });

  it('are refused if nobody would read them', async () => {
    const { exit, stderr } = await wirecheck(['demo', '--title', 'x'.repeat(201)]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('it must be text of at most 200 characters')]);
  });
});
