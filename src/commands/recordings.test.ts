import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../gateway/index.ts';
import { runCommand } from '../../test/kit/command.ts';

let cwd: string;

const wirecheck = (...args: readonly string[]) => runCommand(args, cwd);
const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

const STRICTLY = fileURLToPath(new URL('../../test/recordings/phantomllm.ndjson.gz', import.meta.url));

describe('recordings on the command line', () => {
  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'));
    const only = ['--only', 'errors/*', '--only', 'models/*', '--reporter'];
    await wirecheck('demo', ...only, 'json=old/report.json', '--record', 'old.ndjson.gz');
    const faulty = ['--fault', 'error-code-integer', '--record', 'new.ndjson'];
    await wirecheck('demo', ...only, 'json=new/report.json', ...faulty);
  });
  afterAll(() => rmSync(cwd, { recursive: true }));

  it('give the verdict and the exit code of their runs', async () => {
    const conforming = await wirecheck('judge', 'old.ndjson.gz');
    expect([conforming.exit, lastLine(conforming.stdout)]).toEqual([
      0,
      expect.stringMatching(/^CONFORMS IN PART: \d+ of \d+ must clauses judged/),
    ]);
    const broken = await wirecheck('judge', 'new.ndjson', '--reporter', 'json');
    expect(broken.exit).toBe(1);
    expect(JSON.parse(broken.stdout)).toEqual(JSON.parse(read('new/report.json')));
  });

  it('are judged in turn, and the worst exit code counts', async () => {
    const { exit, stdout } = await wirecheck('judge', 'old.ndjson.gz', 'new.ndjson', '--out', 'both', '--quiet');
    expect(exit).toBe(1);
    expect(
      stdout
        .split('\n')
        .filter((line) => /^(?:old|new|CONFORMS|DOES)/.test(line))
        .map((line) => line.split(':')[0]),
    ).toEqual(['old.ndjson.gz', 'CONFORMS IN PART', 'new.ndjson', 'DOES NOT CONFORM']);
    expect(JSON.parse(read('both/old/report.json'))).toEqual(JSON.parse(read('old/report.json')));
    expect(existsSync(join(cwd, 'both/new/report.html'))).toBe(true);
  });

  it('are made if a secret header contains the address of the target', async () => {
    const gateway = await startGateway();
    const flags = ['--only', 'models/list', '--record', 'origin.ndjson', '--out', 'origin'];
    const env = { WIRECHECK_API_KEY: gateway.keys.full, ORIGIN: `from ${gateway.baseUrl} with hunter2-hunter2` };
    const { exit } = await runCommand(['run', gateway.baseUrl, ...flags, '--header-env', 'x-origin=ORIGIN'], cwd, env);
    await gateway.close();
    expect(exit).toBe(0);
    expect(read('origin.ndjson')).toContain(gateway.baseUrl);
    expect(read('origin.ndjson')).not.toContain('hunter2');
  });

  it('overwrite no file without --force', async () => {
    const before = read('old/report.json');
    for (const args of [
      ['demo', '--out', 'none', '--record', 'new.ndjson'],
      ['judge', 'new.ndjson', '--out', 'old'],
      ['judge', 'new.ndjson', '--reporter', 'json=old/report.json'],
      ['export', 'new.ndjson', '--har', 'old/report.json'],
    ]) {
      const { exit, stderr } = await wirecheck(...args);
      expect([exit, stderr]).toEqual([2, expect.stringMatching(/already exists: .*--force/)]);
    }
    expect(read('old/report.json')).toBe(before);
    writeFileSync(join(cwd, 'mine.json'), 'mine');
    expect((await wirecheck('judge', 'old.ndjson.gz', '--reporter', 'json=mine.json', '--force')).exit).toBe(0);
    expect(read('mine.json')).not.toBe('mine');
  });

  it('of a run with suites of its own name the files that are read', async () => {
    const suite = join(cwd, 'house.yaml');
    writeFileSync(
      suite,
      'suite: house\ntitle: House\ncases:\n  - { id: one, title: One, request: models, expect: [{ clause: list.data, check: schema, schema: v1/model-list }] }\n',
    );
    await wirecheck('demo', '--suite', suite, '--out', 'own', '--record', 'own.ndjson', '--quiet');
    const { exit, stderr } = await wirecheck('judge', 'own.ndjson');
    expect([exit, stderr]).toEqual([0, `The recording names 1 suite file, read from this disk: ${suite}.\n`]);
    expect((await wirecheck('judge', 'old.ndjson.gz')).stderr).toBe('');
  });

  it('are judged without touching the default report folder', async () => {
    await wirecheck('judge', 'old.ndjson.gz');
    expect(existsSync(join(cwd, 'wirecheck-report'))).toBe(false);
  });

  it('are compared in every format, and a regression fails the comparison', async () => {
    const files = ['html=c.html', 'json=c.json', 'markdown=c.md', 'junit=c.xml', 'sarif=c.sarif', 'github=c.txt'];
    const reporters = files.flatMap((file) => ['--reporter', file]);
    // A comparison overwrites its output, as a run does.
    writeFileSync(join(cwd, 'c.json'), 'older');
    const { exit, stdout } = await wirecheck('compare', 'old.ndjson.gz', 'new.ndjson', ...reporters);
    expect(exit).toBe(1);
    expect(lastLine(stdout)).toMatch(/^BREAKING CHANGES: \d+ breaking, /);
    const { changes, exit: stored } = JSON.parse(read('c.json')) as {
      changes: { kind: string; place: { pointer: string } }[];
      exit: number;
    };
    expect(stored).toBe(1);
    expect(changes[0]).toMatchObject({ kind: 'breaking', place: { pointer: '/error/code' } });
    expect(read('c.md')).toContain('/error/code');
    expect(read('c.html')).toContain('/error/code');
  });

  it('and reports can be compared with each other', async () => {
    const { exit } = await wirecheck('compare', 'old/report.json', 'old.ndjson.gz');
    expect(exit).toBe(0);
    expect((await wirecheck('compare', 'old/report.json', 'new/report.json')).exit).toBe(1);
  });

  it('are judged strictly on request', async () => {
    const broken = (args: readonly string[]) =>
      wirecheck('judge', STRICTLY, ...args).then(({ stdout }) => lastLine(stdout));
    expect(await broken([])).not.toContain('should');
    expect(await broken(['--strict'])).toContain('should clauses (--strict)');
  });

  it('are not written to a folder', async () => {
    const { exit, stderr } = await wirecheck('demo', '--record', '.', '--out', 'none');
    expect([exit, stderr]).toEqual([
      2,
      expect.stringMatching(/^--record names .* which is a folder: name a file in it/),
    ]);
  });

  it('convert to a HAR file that can be judged', async () => {
    expect((await wirecheck('render', 'new.ndjson', '--reporter', 'har=new.har')).exit).toBe(0);
    const { exit, stdout } = await wirecheck('judge', 'new.har');
    expect(exit).toBe(1);
    expect(lastLine(stdout)).toMatch(/^DOES NOT CONFORM/);
    expect((await wirecheck('render', 'new.ndjson', '--reporter', 'har')).stdout).toBe(read('new.har'));
  });

  it('convert to HAR even if truncated, without any mention of judging', async () => {
    writeFileSync(join(cwd, 'cut.ndjson'), read('new.ndjson').split('\n').slice(0, 4).join('\n'));
    const { exit, stderr } = await wirecheck('render', 'cut.ndjson', '--reporter', 'har=cut.har');
    expect([exit, stderr]).toEqual([0, expect.stringContaining('the file ends after line 4')]);
    expect(stderr).not.toContain('judged');
  });

  it.each<[string, readonly string[], string]>([
    ['a report is judged', ['judge', 'old/report.json'], 'is a report, not a recording'],
    ['a report is exported', ['render', 'old/report.json', '--reporter', 'har'], 'export the recording of the run'],
    [
      'a conversion has another reporter beside it',
      ['render', 'old/report.json', '--reporter', 'profile', '--reporter', 'html=x.html'],
      'take no other beside them',
    ],
    ['there is no file', ['judge', 'none.ndjson'], 'none.ndjson: there is no such file.'],
    [
      'a file is something else',
      ['judge', 'other.txt'],
      'is not a wirecheck recording, a wirecheck report or a HAR file',
    ],
    ['a file is empty', ['compare', 'empty.txt', 'new.ndjson'], 'empty.txt is empty'],
    [
      'several recordings are to be one report',
      ['judge', 'new.ndjson', 'old.ndjson.gz', '--reporter', 'json'],
      '--reporter takes one recording only',
    ],
    [
      'the reports on two recordings would have one folder',
      ['judge', 'new.ndjson', 'old/../new.ndjson', '--out', 'twins'],
      'The reports on new.ndjson and old/../new.ndjson would both go to the folder new: judge them one at a time',
    ],
    [
      '--fail-on is mistyped',
      ['compare', 'old.ndjson.gz', 'new.ndjson', '--fail-on', 'brekaing'],
      '--fail-on is "brekaing": it must be "breaking", "warning" or "drift".',
    ],
    [
      'a reporter is mistyped',
      ['compare', 'old.ndjson.gz', 'new.ndjson', '--reporter', 'htlm'],
      'Did you mean "html"?',
    ],
  ])('give a one-sentence error if %s', async (_what, args, message) => {
    writeFileSync(join(cwd, 'other.txt'), 'something else');
    writeFileSync(join(cwd, 'empty.txt'), '');
    const { exit, stderr } = await wirecheck(...args);
    expect(exit).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr.trim()).not.toContain('\n');
  });
});

describe('wirecheck schema', () => {
  it('prints every schema and the OpenAPI description, together or one by one', async () => {
    const all = JSON.parse((await wirecheck('schema')).stdout) as Record<string, object>;
    const names = (await wirecheck('schema', '--list')).stdout.trimEnd().split('\n');
    expect(Object.keys(all)).toEqual(names);
    expect(names).toEqual(
      expect.arrayContaining(['openapi', 'v1/chat-completion-request', 'wire/chunk', 'files/recording']),
    );
    expect(all['openapi']).toMatchObject({ openapi: '3.0.3', info: { version: '1.0.0' } });
    expect(JSON.parse((await wirecheck('schema', 'v1/model')).stdout)).toEqual(all['v1/model']);
    expect((await wirecheck('schema', 'openapi')).stdout).toMatch(/^openapi: .?3\.0\.3/m);
    expect(JSON.parse((await wirecheck('schema', 'openapi', '--json')).stdout)).toEqual(all['openapi']);
  });

  it('accepts a short name if it is unambiguous', async () => {
    expect((await wirecheck('schema', 'chunk')).exit).toBe(0);
    expect((await wirecheck('schema', 'model-list')).stderr).toBe(
      '"model-list" is ambiguous: give v1/model-list or wire/model-list.\n',
    );
    expect((await wirecheck('schema', 'recordin')).stderr).toContain('Unknown schema "recordin".');
  });
});
