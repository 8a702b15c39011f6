import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageVersion } from './contract/package-files.ts';
import { packageRoot } from './contract/package-root.ts';
import { render } from './render/index.ts';
import { type Ended, runCommand } from '../test/kit/command.ts';
import { IS_POSIX } from '../test/kit/platform.ts';
import { broken } from '../test/kit/sample-reports.ts';

/** What is tested is what people run: `npm test` builds it first. */
const CLI = join(packageRoot(), 'dist/cli.js');

let cwd: string;
beforeAll(() => void (cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'))));
afterAll(() => rmSync(cwd, { recursive: true }));

function start(args: readonly string[], env: Record<string, string>): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [CLI, ...args], { cwd, env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const ended = new Promise<Ended>((resolve) => child.on('close', (exit) => resolve({ exit, stdout, stderr })));
  return { child, ended };
}

const wirecheck = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> => start(args, env).ended;

/** For what does not depend on the process around it. */
const inProcess = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  runCommand(args, cwd, env);

const KEY = { WIRECHECK_API_KEY: 'sk-service-not-a-real-one' };

describe('wirecheck', { concurrent: true }, () => {
  it('prints its version', async () => {
    expect(await wirecheck(['--version'])).toEqual({ exit: 0, stdout: `${packageVersion()}\n`, stderr: '' });
  });

  it('prints its usage without arguments, and exits with an error', async () => {
    const { exit, stdout, stderr } = await wirecheck([]);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain('wirecheck demo');
  });

  it.each([
    [['--help']],
    [['help', 'run']],
    ...['run', 'demo', 'plan', 'list', 'explain', 'gateway', 'render'].map((name) => [[name, '--help']]),
  ])('prints help with examples: %j', async (args) => {
    const { exit, stdout, stderr } = await inProcess(args);
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/Examples:\n {2}\S/);
  });

  it.each<[readonly string[], Record<string, string>, string]>([
    [['rnu'], {}, 'Unknown command "rnu". Did you mean "run"?'],
    [
      ['https://a.example/v1'],
      {},
      'Unknown command "https://a.example/v1". To check a gateway: wirecheck run https://a.example/v1',
    ],
    [['run', '--modle', 'x'], {}, 'Unknown flag --modle. Did you mean "--model"?'],
    [['run', '--model'], {}, '--model needs a value: write it as --model <ID>.'],
    [['explain'], {}, 'NAME is missing. See `wirecheck explain --help`.'],
    [
      ['run', 'https://a.example/v1', 'auth/a', 'auth/b'],
      {},
      "Too many arguments for `run`: quote globs, as in --only 'auth/*', or see `wirecheck run --help`.",
    ],
    [
      ['run'],
      KEY,
      'No base URL: give one, as in `wirecheck run https://gateway.example/v1`, or set WIRECHECK_BASE_URL, or baseUrl in wirecheck.config.yaml.',
    ],
    [['run', ''], KEY, 'The base URL is empty: give one such as https://gateway.example/v1.'],
    [
      ['run'],
      { ...KEY, WIRECHECK_BASE_URL: '' },
      'No base URL: give one, as in `wirecheck run https://gateway.example/v1`, or set WIRECHECK_BASE_URL, or baseUrl in wirecheck.config.yaml.',
    ],
    [
      ['run', 'https://a.example/v1'],
      {},
      'No API key: set WIRECHECK_API_KEY, or use --api-key-env NAME or --api-key-file FILE.',
    ],
    [
      ['run', 'http://a.example/v1'],
      KEY,
      'The key would go to a.example over plain http, where anyone on the network can read it: use https, or allow it with --allow-http.',
    ],
    [
      ['run', 'https://a.example/v1', '--header', 'authorization: x'],
      KEY,
      '--header cannot set authorization: set WIRECHECK_API_KEY instead, so that cases can also send other keys, or none.',
    ],
    [['run', 'https://a.example/v1', '--only', 'atuh/*'], KEY, '--only atuh/* matches no case. Did you mean "auth/*"?'],
    [['run', 'https://a.example/v1', '--suite', 'atuh'], KEY, 'Unknown suite "atuh". Did you mean "auth"?'],
    [['run', 'https://a.example/v1', '--reporter', 'jsno'], KEY, 'Unknown reporter "jsno". Did you mean "json"?'],
    [
      ['run', 'https://a.example/v1', '--rerun-failed', 'none.json'],
      KEY,
      'Cannot read the report none.json: there is no such file. Check the name and the folder.',
    ],
    [
      ['demo', '--fault', 'error-code-intger'],
      {},
      'Unknown fault "error-code-intger". Did you mean "error-code-integer"?',
    ],
    [['list', 'clause'], {}, 'Unknown list "clause". Did you mean "clauses"?'],
    [
      ['explain', 'errors.cdoe'],
      {},
      'No clause, case, suite, check, fault, variant, test client or setting is named "errors.cdoe". Did you mean "errors.code"?',
    ],
    [['explain', '--reply-tokens'], {}, 'Leave out the dashes: wirecheck explain reply-tokens'],
    [['selftest', 'gzip', '--matrix', '.'], {}, 'Cannot write . (it is a folder): choose another file with --matrix.'],
    [['--hlep'], {}, 'Unknown flag --hlep. Did you mean "--help"?'],
    [['help', 'rnu'], {}, 'Unknown command "rnu". Did you mean "run"?'],
    [['run', '--strict=false'], KEY, '--strict takes no value: write --no-strict to turn it off.'],
    [
      ['run', '--max-completions 40'],
      KEY,
      '--max-completions and its value were passed as one argument: write --max-completions=VALUE, or pass them separately.',
    ],
    [['run', '--strict=yes'], KEY, '--strict takes no value: remove the value.'],
    [
      ['run', 'localhost:8080/v1'],
      KEY,
      'The base URL does not start with http:// or https://: write https://localhost:8080/v1, or http:// if it has no TLS.',
    ],
    [
      ['selftest', 'zzz'],
      {},
      'Unknown fault, variant, client or relay "zzz". `wirecheck list` with faults, variants, test-clients or test-relays has them.',
    ],
    [['demo', '--fault', 'gzip'], {}, 'gzip is a variant, not a fault: use --variant gzip.'],
    [
      ['demo', '--variant', 'error-code-integer'],
      {},
      'error-code-integer is a fault, not a variant: use --fault error-code-integer.',
    ],
    [['gateway', '--port', '99999'], {}, '--port is "99999": it must be a whole number from 0 to 65535.'],
    [
      ['gateway', '--latency', 'soon'],
      {},
      '--latency is "soon": it must be 0 or a time above zero such as 500ms, 30s or 10m (a bare number is milliseconds, 100 or more).',
    ],
    [['gateway', '--seed', 'x'], {}, '--seed is "x": it must be a whole number from 0 to 4294967295.'],
    [
      ['gateway', '--fault', 'error-code-integer', '--one-in', '3/client'],
      {},
      '--one-in is "3/client": it must be a whole number from 2 to 1000, alone or followed by /request or /connection.',
    ],
    [['demo', '--one-in', '3'], {}, '--one-in needs a --fault or a --variant that one of the replicas has.'],
    [
      ['render', 'none.json'],
      {},
      'Cannot read the report none.json: there is no such file. Check the name and the folder.',
    ],
  ])('exits with 2 and one sentence for %j', async (args, env, sentence) => {
    expect(await inProcess(args, env)).toEqual({ exit: 2, stdout: '', stderr: `${sentence}\n` });
  });

  it('refuses a key on the command line, says why, and does not show it', async () => {
    for (const args of [['--api-key', 'sk-hush'], ['--api-key=sk-hush'], ['--restricted-key=sk-hush']]) {
      const { exit, stderr } = await inProcess(['run', 'https://a.example/v1', ...args]);
      expect(exit).toBe(2);
      expect(stderr).toMatch(
        /^Unknown flag --\w+-key: every user of the machine can read a key on the command line\. Set WIRECHECK_\w+_KEY/,
      );
      expect(stderr).not.toContain('hush');
    }
  });

  it('names the file and line of an error in the config file', async () => {
    writeFileSync(join(cwd, 'bad.yaml'), 'model: x\nlevels: { errors.cdoe: should }\n');
    expect((await wirecheck(['run', 'https://a.example/v1', '--config', 'bad.yaml'], KEY)).stderr).toBe(
      'bad.yaml:2: unknown clause "errors.cdoe". Did you mean "errors.code"?\n',
    );
  });

  it('reports an unknown variable', async () => {
    const { exit, stderr } = await wirecheck(['plan'], { WIRECHECK_ONYL: 'auth/*' });
    expect(exit).toBe(0);
    expect(stderr).toBe('Ignored the unknown variable WIRECHECK_ONYL. Did you mean "WIRECHECK_ONLY"?\n');
  });
});

describe('wirecheck plan', { concurrent: true }, () => {
  it('needs neither base URL nor key, and shows what would be sent and what is left out', async () => {
    const { exit, stdout } = await inProcess(['plan']);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^requests +\d+ +\d+$/m);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('set WIRECHECK_EXHAUSTED_KEY');
  });

  it('is a summary of a few lines, and lists every request only with --verbose', async () => {
    const { stdout } = await inProcess(['plan']);
    expect(stdout.split('\n').length).toBeLessThan(18);
    expect(stdout).not.toContain('POST ');
    expect(stdout).toMatch(/^--verbose lists all \d+ requests/m);
    const verbose = await inProcess(['plan', '--verbose']);
    expect(verbose.stdout).toMatch(/^ {2}chat\/conversation +POST \/chat\/completions$/m);
    expect(verbose.stdout).toMatch(/^ {2}- set WIRECHECK_LIMITED_KEY:\n {4}auth\/limited-key$/m);
  });

  it('counts the requests whose reply has no limit of tokens, and names them with --verbose', async () => {
    const { stdout } = await inProcess(['plan']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'not counted: replies to 2 requests without max_tokens, and to 5 with an invalid max_tokens (stopped after 20 s)',
    );
    const verbose = await inProcess(['plan', '--verbose']);
    expect(verbose.stdout).toMatch(/chat\/only-required-fields +POST \/chat\/completions, unbounded$/m);
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

describe('on a GitHub runner', { concurrent: true }, () => {
  const GITHUB = { GITHUB_ACTIONS: 'true' };

  it('an error is also an annotation, on one line that its text cannot break', async () => {
    expect(await wirecheck(['run', 'http://gateway.example/v1'], { ...GITHUB, ...KEY })).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/^[^:\n].*\n::error title=wirecheck::.*plain http.*\n$/) as string,
    });
    writeFileSync(join(cwd, 'odd.yaml'), 'model: "a\\n::error::b %0A"\n');
    const { stderr } = await wirecheck(['plan', '--config', 'odd.yaml'], GITHUB);
    expect(stderr.match(/^::error/gm)).toHaveLength(1);
    expect(stderr.trimEnd().split('\n')).toHaveLength(2);
  });

  it('usage printed for missing arguments is not annotated', async () => {
    expect((await wirecheck([], GITHUB)).stderr).not.toContain('::error');
  });
});

describe('wirecheck demo', () => {
  it('says how to restart its gateway, so that the commands in the report work', async () => {
    const args = ['demo', '--only', 'auth/unknown-key[models]', '--fault', 'error-code-integer', '--out', 'none'];
    const { stdout, stderr } = await inProcess(args);
    const [, port = ''] = /curl .*http:\/\/127\.0\.0\.1:(\d+)/.exec(stdout) ?? [];
    expect(port).not.toBe('');
    expect(stderr).toBe(
      `The gateway stops after this run. To use a Repeat command, start it again: wirecheck gateway --port ${port} --fault error-code-integer\n\n`,
    );
    expect((await inProcess([...args, '--quiet'])).stderr).toBe('');
  });

  it('does not say so if nothing is broken', async () => {
    expect((await inProcess(['demo', '--only', 'models/list', '--out', 'none'])).stderr).toBe('');
  });
});

describe('wirecheck list', { concurrent: true }, () => {
  it('lists everything by name, as text and as JSON', async () => {
    expect((await inProcess(['list'])).stdout).toMatch(/^wirecheck list cases +\d+ cases$/m);
    const { stdout } = await inProcess(['list', '--json']);
    const all = JSON.parse(stdout) as Record<string, { id: string }[]>;
    expect(Object.keys(all)).toEqual([
      'cases',
      'suites',
      'scenarios',
      'clauses',
      'checks',
      'faults',
      'variants',
      'test-clients',
      'test-relays',
      'settings',
    ]);
    expect(all['clauses']).toContainEqual(expect.objectContaining({ id: 'errors.code', level: 'must', part: '7' }));
  });
});

it('wirecheck selftest tries the faults, variants and clients that are named', async () => {
  const { exit, stdout } = await inProcess(['selftest', 'gzip', 'client-max-tokens-zero', 'client-process']);
  expect(stdout).toBe('variants left alone 1/1 · faulty clients caught 1/1 · odd clients left alone 1/1\n');
  expect(exit).toBe(0);
});

describe('wirecheck render', () => {
  it('renders a stored report, in colour only if forced', async () => {
    writeFileSync(join(cwd, 'report.json'), render(broken(), 'json'));
    const plain = await wirecheck(['render', 'report.json']);
    expect(plain).toEqual({ exit: 0, stdout: render(broken(), 'terminal'), stderr: '' });
    expect((await wirecheck(['render', 'report.json'], { FORCE_COLOR: '1' })).stdout).toContain('\u001b[31m');
    expect((await wirecheck(['render', 'report.json'], { FORCE_COLOR: '1', NO_COLOR: '1' })).stdout).toBe(plain.stdout);
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
    expect((await inProcess(['render', 'later.json'])).stderr).toContain('report format version 9');
  });
});

// Windows ends a process at once, whatever the signal.
describe.runIf(IS_POSIX)('an interrupt', () => {
  it('ends a run with 130 and still writes the report so far', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
    const { child, ended } = start(['run', baseUrl, '--out', 'interrupted'], KEY);
    silent.once('request', () => child.kill('SIGINT'));
    const { exit, stdout, stderr } = await ended;
    silent.closeAllConnections();
    silent.close();
    expect(stderr).toContain('Interrupted');
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('NOT JUDGED: the run was interrupted');
    expect(exit).toBe(130);
    expect(JSON.parse(readFileSync(join(cwd, 'interrupted/report.json'), 'utf8'))).toMatchObject({
      ending: { kind: 'interrupted' },
    });
  });

  it('closes a gateway that delays its answers', async () => {
    const { child, ended } = start(['gateway', '--latency', '80ms'], {});
    const asked = new Promise<number>((resolve, reject) => {
      child.stdout?.once('data', (text: Buffer) => {
        const baseUrl = /http:\S+/.exec(String(text))?.[0] ?? '';
        const began = performance.now();
        fetch(`${baseUrl}/models`).then(() => resolve(performance.now() - began), reject);
      });
    });
    // Timers may fire a millisecond early.
    expect(await asked).toBeGreaterThanOrEqual(79);
    child.kill('SIGTERM');
    expect((await ended).exit).toBe(0);
  });

  it('closes the gateway, after it printed how to check it', async () => {
    const modifiers = ['--fault', 'error-code-integer', '--variant', 'gzip', '--one-in', '3/connection'];
    const { child, ended } = start(['gateway', ...modifiers], {});
    child.stdout?.once('data', () => child.kill('SIGTERM'));
    const { exit, stdout } = await ended;
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^Fault error-code-integer is on: .* \(breaks errors\.code\)$/m);
    expect(stdout).toMatch(/^Variant gzip is on: .* \(unusual but legal\)$/m);
    expect(stdout).toMatch(/^Only on one of 3 replicas; each connection goes to a replica chosen at random\.$/m);
    expect(stdout).toMatch(
      /^ {2}WIRECHECK_API_KEY=sk-service-\w+ npx --no-install wirecheck run http:\/\/127\.0\.0\.1:\d+\/v1$/m,
    );
    expect(stdout).toMatch(/^ {2}WIRECHECK_API_KEY=sk-service-\w+ \\$/m);
    expect(stdout).toMatch(/^ {2}npx --no-install wirecheck run http:\/\/127\.0\.0\.1:\d+\/v1 --forbidden-model \S+$/m);
  });
});

describe('a bug', () => {
  it('exits with 70 even if it cannot be described', async () => {
    const sabotage = 'process.stderr.write=process.cwd=()=>{throw%20new%20Error()}';
    const { exit } = await wirecheck(['plan'], { NODE_OPTIONS: `--import=data:text/javascript,${sabotage}` });
    expect(exit).toBe(70);
  });

  it('exits with 70, is called a bug, and shows no keys', async () => {
    const sabotage = 'process.cwd=()=>{throw%20new%20Error(process.env.WIRECHECK_API_KEY)}';
    const { exit, stdout, stderr } = await wirecheck(['plan'], {
      ...KEY,
      NODE_OPTIONS: `--import=data:text/javascript,${sabotage}`,
    });
    expect([exit, stdout]).toEqual([70, '']);
    expect(stderr).toMatch(/^This is a bug in wirecheck/);
    expect(stderr).toContain(`wirecheck ${packageVersion()}, Node ${process.version}`);
    expect(stderr).toContain('Error: (key)\n    at ');
    expect(stderr).not.toContain(KEY.WIRECHECK_API_KEY);
  });
});

describe('output that nobody reads', () => {
  it('does not change the exit code', async () => {
    const { child, ended } = start(['list', '--json'], {});
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ exit: 0, stderr: '' });
  });
});
