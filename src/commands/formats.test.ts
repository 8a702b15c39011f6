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

const CONFORMS = /^CONFORMS: \d+ of \d+ must clauses judged, none broken$/;
const RUNS: readonly (readonly [name: string, exit: number, verdict: RegExp, line: string])[] = [
  ['a gateway that conforms', 0, CONFORMS, 'demo'],
  ['one that breaks a must', 1, /^DOES NOT CONFORM: 1 must /, 'demo --fault error-code-integer --only errors/*'],
  [
    'one that breaks a should',
    0,
    /^CONFORMS IN PART, WITH 1 WARNING: /,
    'demo --fault stream-no-done --only streaming/*',
  ],
  ['the same judged strictly', 1, /^DOES NOT .* should /, 'demo --fault stream-no-done --only streaming/* --strict'],
  ['a run that ended early', 3, /^NOT JUDGED: /, 'demo --max-requests 20 --only auth/* --only errors/*'],
  ['a target that is not there', 3, /^NOT JUDGED: /, 'run http://127.0.0.1:1/v1 --only auth/*'],
];

it('render takes a folder for the report in it', async () => {
  await wirecheck('demo --only models/* --out shown'.split(' '));
  const { exit, stdout, stderr } = await wirecheck(['render', 'shown']);
  expect([exit, stderr]).toEqual([0, '']);
  expect(stdout).toBe((await wirecheck(['render', 'shown/report.json'])).stdout);
  mkdirSync(join(cwd, 'empty'));
  expect((await wirecheck(['render', 'empty'])).stderr).toContain(
    `Cannot read the report ${join('empty', 'report.json')}: there is no such file.`,
  );
});

describe.each(RUNS)('the report of %s', (name, expected, verdict, line) => {
  const folder = name.replaceAll(' ', '-');
  const read = (format: FormatName, from = folder) => readFileSync(join(cwd, from, FILE_OF[format] ?? ''), 'utf8');
  let shown: string;

  beforeAll(async () => {
    mkdirSync(join(cwd, folder));
    const asked = ON_DEMAND.flatMap((format) => ['--reporter', `${format}=${folder}/${format}`]);
    const { exit, stdout } = await wirecheck([...line.split(' '), '--out', folder, ...asked], {
      WIRECHECK_API_KEY: 'sk-service-not-a-real-one',
    });
    expect(exit).toBe(expected);
    shown = stdout;
  });

  it('ends with its verdict on the screen', () => {
    expect(shown.trimEnd().split('\n').at(-1)).toMatch(verdict);
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
    const again = `${folder}-again`;
    const asked = FORMAT_NAMES.map((format) =>
      format === 'terminal' ? format : `${format}=${again}/${FILE_OF[format]}`,
    );
    const { stdout } = await wirecheck(['render', `${folder}/report.json`, '--reporter', asked.join(',')]);
    for (const format of FORMAT_NAMES) {
      const [written, rendered] = format === 'terminal' ? [shown, stdout] : [read(format), read(format, again)];
      expect(withoutFiles(rendered) === withoutFiles(written), format).toBe(true);
    }
  });
});

/** Only the run that wrote its files can name them, and only `render` knows the file that it reads. */
function withoutFiles(text: string): string {
  return text
    .replace(/^(?:Report|Full report): .*\n(?: {12}.*\n)*/m, '')
    .replace(/(?<=^Recorded: .*; ).*/m, '')
    .replaceAll(/\n{3,}/g, '\n\n');
}

describe('a run on a GitHub runner', () => {
  it('writes annotations and the summary by default, and ends with the verdict', async () => {
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') };
    const args = ['demo', '--fault', 'error-code-integer', '--only', 'errors/*', '--out', 'on-github'];
    const { exit, stdout } = await wirecheck(args, env);
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

it('A summary alone names no full report, since the run writes none; a badge follows the name of its file', async () => {
  const args = [
    'demo',
    '--only',
    'models/*',
    '--reporter',
    'summary=alone/s.html,badge=alone/b.svg,badge=alone/b.json',
  ];
  const { stdout } = await wirecheck(args);
  expect(readdirSync(join(cwd, 'alone')).toSorted()).toEqual(['b.json', 'b.svg', 's.html']);
  expect(readFileSync(join(cwd, 'alone/b.svg'), 'utf8')).toMatch(/^<svg .*>conforms in part<\/text>/s);
  expect(readFileSync(join(cwd, 'alone/b.json'), 'utf8')).toContain('"message":"conforms in part"');
  expect(readFileSync(join(cwd, 'alone/s.html'), 'utf8')).not.toMatch(/full report|report\.html/);
  expect(stdout).toMatch(/^Recorded: .*; --verbose lists them$/m);
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
