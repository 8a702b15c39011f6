/** `wirecheck client` as a whole, with real processes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAREFUL_DRIVER, CAREFUL_PROCESS, script, SILENT_DRIVER } from '../../test/kit/clients.ts';
import { type Ended, runCommand } from '../../test/kit/command.ts';
import type { Report } from '../report/report.ts';
import { loadReport } from './files/user-files.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirecheck-client-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const makeFolder = () => mkdtempSync(join(folder, 'job-'));
const FEW = ['--only', 'client/plain', '--only', 'client/plain-401', '--only', 'client/stream-crlf'];

const LONG = ['--scenario-timeout', '20s'];

const checkSilent = (cwd: string, ...flags: readonly string[]): Promise<Ended> =>
  runCommand(['client', '--driver', ...LONG, ...FEW, ...flags, '--', ...SILENT_DRIVER], cwd, {});
const lastLine = ({ stdout }: Ended) => stdout.trimEnd().split('\n').at(-1);

describe('wirecheck client', { concurrent: true }, () => {
  it('writes the default files, and ends with the verdict', async () => {
    const cwd = makeFolder();
    const ended = await runCommand(['client', ...LONG, ...FEW, '--', ...CAREFUL_PROCESS], cwd, {});
    expect(lastLine(ended)).toMatch(/^CONFORMS IN PART: \d+ of \d+ must clauses judged$/);
    expect(ended.exit).toBe(0);
    expect(readdirSync(join(cwd, 'wirecheck-report')).toSorted()).toEqual([
      'junit.xml',
      'report.html',
      'report.json',
      'report.md',
    ]);
    expect(loadReport('wirecheck-report/report.json', cwd)).toMatchObject({
      subject: 'client',
      target: { client: { name: CAREFUL_PROCESS.join(' '), command: CAREFUL_PROCESS } },
    });
  });

  it('fails with the scenario, what the client said, and a command that repeats it; takes waivers, a baseline and --rerun-failed', async () => {
    const cwd = makeFolder();
    const ended = await checkSilent(cwd);
    expect(ended.exit).toBe(1);
    expect(ended.stdout).toContain('✗ client/plain-401');
    expect(ended.stdout).toMatch(/Scenario +A plain call gets 401/);
    expect(ended.stdout).toMatch(/Actual +success with the text "Sorry\."/);
    expect(ended.stdout).toMatch(
      /Repeat +npx --no-install wirecheck client --driver --only client\/plain-401 --scenario-timeout 20s --out none -- /,
    );
    for (const file of ['report.html', 'report.md', 'junit.xml']) {
      expect(readFileSync(join(cwd, 'wirecheck-report', file), 'utf8'), file).toContain('Sorry.');
    }
    const before = 'wirecheck-report/report.json';
    const shown = await runCommand(['render', before, '--verbose'], cwd);
    expect(shown.stdout).toMatch(/Returned +Sorry\./);
    const github = await runCommand(['render', before, '--reporter', 'github'], cwd);
    expect(github.stdout).toContain('Scenario: A plain call gets 401');
    writeFileSync(
      join(cwd, 'w.yaml'),
      'waivers:\n  - { clause: client.errors-known, reason: known, until: 2999-12-31 }\n',
    );
    const waived = await checkSilent(cwd, '--out', 'none', '--waivers', 'w.yaml');
    expect([waived.exit, lastLine(waived)]).toEqual([0, expect.stringMatching(/^CONFORMS EXCEPT FOR 1 WAIVED/)]);
    const known = await checkSilent(cwd, '--out', 'none', '--baseline', before);
    expect([known.exit, lastLine(known)]).toEqual([0, expect.stringMatching(/^NO NEW VIOLATIONS/)]);
    const again = await checkSilent(cwd, '--out', 'again', '--rerun-failed', before);
    expect(again.exit).toBe(1);
    expect(loadReport('again/report.json', cwd).cases.map(({ id }) => id)).toEqual(['client/plain-401']);
  });

  it('shows no secret, whatever the client prints', async () => {
    const cwd = makeFolder();
    const secret = 'sk-own-5f4dcc3b5aa765d61d8327deb882cf99';
    const leaky = script(
      `console.error(process.env, '${secret}'.split('').join('')); console.log(await call(task).catch(() => task.apiKey))`,
    );
    const ended = await runCommand(['client', ...LONG, '--only', 'client/plain-401', '--', ...leaky], cwd, {
      OPENAI_API_KEY: secret,
      HTTPS_PROXY: 'http://proxy.example',
    });
    expect(ended.exit).toBe(1);
    const files = readdirSync(join(cwd, 'wirecheck-report')).map((file) =>
      readFileSync(join(cwd, 'wirecheck-report', file), 'utf8'),
    );
    for (const text of [ended.stdout, ended.stderr, ...files]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain('proxy.example');
      expect(text).not.toMatch(/sk-service-[0-9A-Za-z]{12}/);
    }
  });

  it('plays the scenarios of a clause', async () => {
    const cwd = makeFolder();
    const args = [
      '--only',
      'client.server-error-known',
      '--skip',
      'client/stream*',
      '--reporter',
      'json=a.json',
      '--driver',
    ];
    expect(await runCommand(['client', ...LONG, ...args, '--', ...CAREFUL_DRIVER], cwd)).toMatchObject({ exit: 0 });
    const ids = loadReport('a.json', cwd).cases.map(({ id }) => id);
    expect(ids.toSorted()).toEqual(['client/models-500', 'client/plain-500', 'client/plain-502-html']);
  });

  it('says what is wrong with the command line', async () => {
    const cwd = makeFolder();
    expect(await runCommand(['client'], cwd)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('The command is missing'),
    });
    expect(await runCommand(['client', '--only', 'client/plian', '--', 'x'], cwd)).toMatchObject({
      exit: 2,
      stderr: '--only client/plian matches no scenario. Did you mean "client/plain"?\n',
    });
    expect(await runCommand(['client', '--only', 'zzz', '--', 'x'], cwd)).toMatchObject({
      exit: 2,
      stderr: '--only zzz matches no scenario. `npx --no-install wirecheck list scenarios` lists the ids.\n',
    });
    expect(await runCommand(['client', '--clients', 'none.yaml'], cwd)).toMatchObject({
      exit: 2,
      stderr: 'Cannot read the clients file none.yaml: there is no such file. Check the name and the folder.\n',
    });
    expect(await runCommand(['client', '--clients', 'c.yaml', '--', 'x'], cwd)).toMatchObject({ exit: 2 });
    writeFileSync(
      join(cwd, 'twice.yaml'),
      'clients:\n  - { name: a, command: [x] }\n  - { name: a, command: [x] }\n  - name: b\n',
    );
    expect((await runCommand(['client', '--clients', 'twice.yaml'], cwd)).stderr).toBe(
      'twice.yaml:3: the name a is already used. Choose another.\ntwice.yaml:4: a client needs command.\n',
    );
  });

  it('checks several clients, and writes a matrix with the evidence of each cell', async () => {
    const cwd = makeFolder();
    const clients = [
      { name: 'Careful', command: CAREFUL_DRIVER, driver: true, version: [process.execPath, '-p', '"1.2.3\\nmore"'] },
      { name: 'Silent one', command: SILENT_DRIVER, driver: true },
    ];
    writeFileSync(join(cwd, 'c.yaml'), JSON.stringify({ clients }));
    const ended = await runCommand(['client', '--clients', 'c.yaml', ...FEW, ...LONG, '--out', 'all'], cwd);
    expect(ended.exit).toBe(1);
    expect(ended.stdout).toMatch(
      /^Careful {5}1\.2\.3 {2}CONFORMS IN PART.*\nSilent one {2}DOES NOT CONFORM.*\n\n1 of 2 clients passed\n$/,
    );
    expect(readdirSync(join(cwd, 'all')).toSorted()).toEqual(['careful', 'clients.html', 'silent-one']);
    const page = readFileSync(join(cwd, 'all/clients.html'), 'utf8');
    expect(page).toContain('<span class="word">silent</span></a>');
    expect(page).toContain('Sorry.');
    expect(page).toContain('␍␊');
    expect(page.match(/<script/g)).toHaveLength(1);
  });
});

it('says why the version of a client is not known, and what to do', async () => {
  const cwd = makeFolder();
  const version = [process.execPath, '-p', "require('no-such-package/package.json').version"];
  const silent = [process.execPath, '-e', ''];
  const clients = [
    { name: 'Missing', command: CAREFUL_DRIVER, driver: true, version },
    { name: 'Nothing', command: CAREFUL_DRIVER, driver: true, version: silent },
    { name: 'Absent', command: CAREFUL_DRIVER, driver: true, version: ['no-such-program'] },
    { name: 'Known', command: CAREFUL_DRIVER, driver: true, version: [process.execPath, '-p', '"1.2.3"'] },
  ];
  writeFileSync(join(cwd, 'c.yaml'), JSON.stringify({ clients }));
  const { exit, stderr } = await runCommand(
    ['client', '--clients', 'c.yaml', '--only', 'client/plain', ...LONG, '--out', 'all'],
    cwd,
  );
  expect(exit).toBe(0);
  const words = 'The report has no version: mend the command in the clients file, or remove it.';
  expect(stderr).toContain(
    `Missing: The version command of this client failed with exit code 1: Error: Cannot find module 'no-such-package/package.json'. ${words}\n`,
  );
  expect(stderr).toContain(`Nothing: The version command of this client printed no version. ${words}\n`);
  expect(stderr).toContain(`Absent: The version command of this client could not be started (ENOENT). ${words}\n`);
  expect(stderr).not.toContain('Known:');
  const noticesOf = (name: string) =>
    (JSON.parse(readFileSync(join(cwd, 'all', name, 'report.json'), 'utf8')) as Report).notices;
  expect(noticesOf('missing')).toMatchObject([{ kind: 'version-unknown', exit: 1 }]);
  expect(noticesOf('known')).toEqual([]);
});

it('explain and list know the scenarios', async () => {
  const explained = await runCommand(['explain', 'client/stream-crlf'], folder);
  expect(explained.stdout).toMatch(/Meets +Lines end with CRLF/);
  expect(explained.stdout).toContain('client.event-grammar (should, part 4)');
  const listed = await runCommand(['list', 'scenarios'], folder);
  expect(listed.stdout).toMatch(/^client\/plain +A plain reply$/m);
  expect(await runCommand(['explain', 'client/stream-clrf'], folder)).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('Did you mean "client/stream-crlf"?'),
  });
});
