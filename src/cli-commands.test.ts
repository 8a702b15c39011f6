/** What the commands print and write. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { render } from './render/index.ts';
import { type Ended, runCommand } from '../test/kit/command.ts';
import { broken } from '../test/kit/sample-reports.ts';

let cwd: string;
beforeAll(() => void (cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'))));
afterAll(() => rmSync(cwd, { recursive: true }));

/** For what does not depend on the process around it. */
const inProcess = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  runCommand(args, cwd, env);

describe('wirecheck plan', () => {
  let plain: Ended;
  let verbose: Ended;
  beforeAll(async () => {
    plain = await inProcess(['plan']);
    verbose = await inProcess(['plan', '--verbose']);
  });

  it('needs neither base URL nor key, and shows what would be sent and what is left out', () => {
    const { exit, stdout } = plain;
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^requests +\d+ +\d+ +\d+ /m);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('set WIRECHECK_EXHAUSTED_KEY');
  });

  it('is a summary of a few lines, and lists every request only with --verbose', () => {
    const { stdout } = plain;
    expect(stdout.split('\n').length).toBeLessThan(18);
    expect(stdout).not.toContain('POST ');
    expect(stdout).toMatch(/^--verbose lists all \d+ requests/m);
    expect(verbose.stdout).toMatch(/^ {2}chat\/conversation +POST \/chat\/completions$/m);
    expect(verbose.stdout).toMatch(/^ {2}- set WIRECHECK_LIMITED_KEY:\n {4}auth\/limited-key$/m);
  });

  it('counts the requests whose reply has no limit of tokens, and names them with --verbose', () => {
    expect(plain.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'not counted: replies to 2 requests without max_tokens, and to 5 with an invalid max_tokens (stopped after 20 s)',
    );
    expect(verbose.stdout).toMatch(/chat\/only-required-fields +POST \/chat\/completions, unbounded$/m);
  });

  it('counts a valid max_tokens of an own case, and calls none of them invalid or missing', async () => {
    const file = join(cwd, 'house.yaml');
    const caseOf = (id: string, kind: string, tokens: number) =>
      `  - { id: ${id}, title: T, ${kind}: chat, set: { /max_tokens: ${tokens} }, expect: [{ clause: limits.max-tokens, check: refused }] }`;
    const planOf = async (...cases: readonly string[]) => {
      writeFileSync(file, ['suite: house', 'title: House rules', 'cases:', ...cases, ''].join('\n'));
      const { stdout } = await inProcess(['plan', '--suite', file]);
      return stdout.replaceAll(/\s+/g, ' ');
    };
    const valid = await planOf(caseOf('edit', 'control', 5000), caseOf('own', 'request', 7000));
    expect(valid).toMatch(/tokens generated 0 [\d,]+ 12,016 /);
    expect(valid).toContain('not counted: replies to 1 request without max_tokens --verbose');
    const invalid = await planOf(caseOf('edit', 'control', 0), caseOf('own', 'request', 0));
    expect(invalid).toMatch(/tokens generated 0 [\d,]+ 16 /);
    expect(invalid).toContain('1 request without max_tokens, and to 2 with an invalid max_tokens (stopped after 20 s)');
  });

  it('includes cases for an extra key that is set, and excludes cases that are not selected', async () => {
    const { stdout } = await inProcess(['plan', '--json', '--only', 'auth/*'], { WIRECHECK_EXHAUSTED_KEY: 'sk-x' });
    const plan = JSON.parse(stdout) as {
      omissions: { reason: { settings: string[] } }[];
      cases: { id: string }[];
      partial: string[];
    };
    const needed = plan.omissions.flatMap(({ reason }) => reason.settings);
    expect(needed).not.toContain('exhausted-key');
    expect(needed).toContain('limited-key');
    expect(plan.cases.every(({ id }) => id.startsWith('auth/') || plan.partial.includes(id))).toBe(true);
  });
});

describe('wirecheck demo', () => {
  it('says how to restart its gateway, so that the commands in the report work', async () => {
    const args = ['demo', '--only', 'auth/unknown-key[models]', '--fault', 'error-code-integer', '--out', 'none'];
    const { stdout, stderr } = await inProcess(args);
    const [, port = ''] = /curl .*http:\/\/127\.0\.0\.1:(\d+)/.exec(stdout) ?? [];
    expect(port).not.toBe('');
    expect(stderr.split('\n\n')[0]).toBe(
      `The gateway stops after this run. To use a Repeat command, start it again: npx --no-install wirecheck gateway --port ${port} --fault error-code-integer\nThen set WIRECHECK_API_KEY to the full key that it prints.`,
    );
    expect((await inProcess([...args, '--quiet'])).stderr).toBe('');
  });

  it('ends with three next steps, after the verdict, and says nothing else if nothing is broken', async () => {
    const { stdout, stderr } = await inProcess(['demo', '--only', 'models/list', '--out', 'none']);
    expect(stderr).toMatch(
      /^\nNext:\n {2}see the page: .* demo\n {2}check yours: .* run https:.*\n {2}see a broken one: .* demo --fault .*\n$/,
    );
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^CONFORMS/);
  });
});

describe('wirecheck list', { concurrent: true }, () => {
  it('lists everything by name, as text and as JSON', async () => {
    expect((await inProcess(['list'])).stdout).toMatch(/^wirecheck list cases +\d+\n/);
    const { stdout } = await inProcess(['list', '--json']);
    const all = JSON.parse(stdout) as Record<string, { id: string }[]>;
    expect(Object.keys(all)).toEqual([
      'cases',
      'suites',
      'scenarios',
      'relay-cases',
      'load-cases',
      'explore-cases',
      'clauses',
      'checks',
      'faults',
      'variants',
      'settings',
      'profiles',
      'editions',
    ]);
    expect(all['clauses']).toContainEqual(expect.objectContaining({ id: 'errors.code', level: 'must', part: '7' }));
  });

  it('has one line for each entry in a pipe, however long its id is', async () => {
    for (const list of ['cases', 'scenarios', 'faults', 'settings']) {
      const all = JSON.parse((await inProcess(['list', list, '--json'])).stdout) as readonly unknown[];
      const lines = (await inProcess(['list', list])).stdout.trimEnd().split('\n');
      expect(lines).toHaveLength(all.length);
      for (const line of lines) expect(line).toMatch(/^\S.* {2,}\S/);
    }
  });
});

describe('the old name', { concurrent: true }, () => {
  it.each<[old: readonly string[], successor: readonly string[]]>([
    [['contract'], ['explain', 'contract']],
    [
      ['contract', '--profile', 'common-servers'],
      ['explain', 'contract', '--profile', 'common-servers'],
    ],
    [['editions'], ['list', 'editions']],
    [
      ['editions', '--json'],
      ['list', 'editions', '--json'],
    ],
    [
      ['profile', 'common-servers'],
      ['explain', 'common-servers'],
    ],
  ])('%j does the same as %j, and says so', async (old, successor) => {
    const { stderr, ...ended } = await inProcess(old);
    expect(ended).toMatchObject({ exit: 0, stdout: (await inProcess(successor)).stdout });
    expect(stderr).toMatch(/^`wirecheck [a-z]+` works until 1\.0: use `wirecheck [\w ]+`\.\n$/);
  });

  it('profile --suggest drafts a profile, as render does', async () => {
    writeFileSync(join(cwd, 'failed.json'), render(broken(), 'json'));
    const old = await inProcess(['profile', '--suggest', 'failed.json']);
    const { stdout } = await inProcess(['render', 'failed.json', '--reporter', 'profile']);
    expect([old.exit, old.stdout]).toEqual([0, stdout]);
    expect(old.stderr).toContain('use `wirecheck render REPORT --reporter profile`');
  });

  it('export overwrites nothing', async () => {
    writeFileSync(join(cwd, 'there.har'), 'kept');
    const { exit, stderr } = await inProcess(['export', 'none.ndjson', '--har', 'there.har']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('there.har already exists')]);
  });

  it('selftest says where it went', async () => {
    const { exit, stderr } = await inProcess(['selftest', '--pool', 'x']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('Run `npm run selftest`')]);
  });

  it('--parallel is told on stderr, and help does not have it', async () => {
    const { exit, stderr } = await inProcess(['plan', '--parallel', '4']);
    expect([exit, stderr]).toEqual([0, '--parallel works until 1.0: use `wirecheck load`.\n']);
    expect((await inProcess(['run', '--help'])).stdout).not.toContain('--parallel');
  });
});

describe('wirecheck render', () => {
  it('renders a stored report', async () => {
    writeFileSync(join(cwd, 'stored.json'), render(broken(), 'json'));
    const stdout = render(broken(), 'terminal');
    expect(await inProcess(['render', 'stored.json'])).toEqual({ exit: 0, stdout, stderr: '' });
  });

  it('lists the files written to one folder on one line', async () => {
    writeFileSync(join(cwd, 'several.json'), render(broken(), 'json'));
    const args = ['json=some/a.json', 'html=some/b.html', 'junit=some/c.xml', 'badge=d.json'];
    const { stderr } = await inProcess(['render', 'several.json', ...args.flatMap((each) => ['--reporter', each])]);
    expect(stderr).toBe('Wrote a.json, b.html and c.xml to some\nWrote d.json\n');
  });

  it('writes a file without leftovers', async () => {
    writeFileSync(join(cwd, 'report.json'), render(broken(), 'json'));
    expect(await inProcess(['render', 'report.json', '--reporter', 'json=new/copy.json'])).toEqual({
      exit: 0,
      stdout: '',
      stderr: `Wrote ${join('new', 'copy.json')}\n`,
    });
    expect(readdirSync(join(cwd, 'new'))).toEqual(['copy.json']);
  });

  it('refuses a file that is not a report', async () => {
    writeFileSync(join(cwd, 'other.json'), '{"format":"other"}');
    expect((await inProcess(['render', 'other.json'])).stderr).toBe(
      'other.json is not a wirecheck report: give the report.json of a run.\n',
    );
    writeFileSync(join(cwd, 'later.json'), '{"format":"wirecheck-report","version":9}');
    expect((await inProcess(['render', 'later.json'])).stderr).toContain('is a report of version 9');
  });
});
