/** What depends on the process: signals, colours, bugs, a closed output. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageVersion } from './contract/package-files.ts';
import { render } from './render/index.ts';
import { startCli } from '../test/kit/cli.ts';
import { type Ended } from '../test/kit/command.ts';
import { IS_POSIX } from '../test/kit/platform.ts';
import { broken } from '../test/kit/sample-reports.ts';

let cwd: string;
beforeAll(() => void (cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'))));
afterAll(() => rmSync(cwd, { recursive: true }));

const wirecheck = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  startCli(args, cwd, env).ended;

const KEY = { WIRECHECK_API_KEY: 'sk-service-not-a-real-one' };

it('On a GitHub runner, an error is also an annotation, on one line that its text cannot break', async () => {
  writeFileSync(join(cwd, 'odd.yaml'), 'levels: { "errors.cdoe\\n::error::b %0A": should }\n');
  const { exit, stderr } = await wirecheck(['plan', '--config', 'odd.yaml'], { GITHUB_ACTIONS: 'true' });
  expect(exit).toBe(2);
  expect(stderr).toMatch(/^odd\.yaml:1: .* \[WIRECHECK_E_UNKNOWN_NAME\]\n::error title=wirecheck::odd\.yaml:1: .*\n$/);
  expect(stderr.match(/^::error/gm)).toHaveLength(1);
});

it('A report is rendered in colour if forced', async () => {
  writeFileSync(join(cwd, 'report.json'), render(broken(), 'json'));
  const { exit, stdout, stderr } = await wirecheck(['render', 'report.json'], { FORCE_COLOR: '1' });
  expect([exit, stderr]).toEqual([0, '']);
  expect(stdout).toContain('\u001b[31m');
  expect(stripVTControlCharacters(stdout)).toBe(render(broken(), 'terminal'));
});

describe.runIf(IS_POSIX)('an interrupt', () => {
  // By SIGTERM, after some answers: test/hostile/interrupts.test.ts.
  const TERMINAL = { NODE_OPTIONS: '--import=data:text/javascript,process.stdin.isTTY=true' };

  it.each([
    ['SIGINT', 1, KEY],
    // By the terminal that is closed, and by its shell.
    ['SIGHUP', 2, { ...KEY, ...TERMINAL }],
  ] as const)('by %s ends a run with 130 and still writes the report so far', async (signal, times, env) => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
    const { child, ended } = startCli(['run', baseUrl, '--out', signal], cwd, env);
    silent.once('request', () => Array.from({ length: times }, () => child.kill(signal)));
    const { exit, stdout, stderr } = await ended;
    silent.closeAllConnections();
    silent.close();
    expect(stderr).toContain('Interrupted');
    // Into a pipe.
    expect(stdout).not.toContain('\u001b');
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      'NOT JUDGED: the run was interrupted before the target answered anything',
    );
    expect(exit).toBe(130);
    expect(JSON.parse(readFileSync(join(cwd, signal, 'report.json'), 'utf8'))).toMatchObject({
      ending: { kind: 'interrupted' },
    });
  });

  /** As it would come while the files are written: after the first of them. */
  const interruptAfter = (file: string, signal: string): Record<string, string> => {
    const text = `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const rename = fs.renameSync;
fs.renameSync = (from, to) => {
  rename(from, to);
  if (to.endsWith('${file}')) process.kill(process.pid, '${signal}');
};
syncBuiltinESMExports();
`;
    return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(text)}` };
  };

  it('while the files are written changes nothing; NO_COLOR overrides FORCE_COLOR', async () => {
    const env = { ...KEY, ...interruptAfter('report.json', 'SIGTERM'), FORCE_COLOR: '1', NO_COLOR: '1' };
    const { exit, stdout, stderr } = await wirecheck(['run', 'http://127.0.0.1:1/v1', '--out', 'whole'], env);
    expect(exit).toBe(3);
    expect(stderr).not.toContain('Interrupted');
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('NOT JUDGED: the target could not be reached');
    expect(stdout).not.toContain('\u001b');
    expect(readdirSync(join(cwd, 'whole')).toSorted()).toEqual([
      'junit.xml',
      'report.html',
      'report.json',
      'report.md',
    ]);
  });

  it('while a stored report is rendered leaves no file out', async () => {
    writeFileSync(join(cwd, 'stored.json'), render(broken(), 'json'));
    const reporters = ['--reporter', 'html=shown/a.html', '--reporter', 'markdown=shown/b.md'];
    const { exit, stderr } = await wirecheck(
      ['render', 'stored.json', ...reporters],
      interruptAfter('a.html', 'SIGINT'),
    );
    expect([exit, stderr]).toEqual([0, 'Wrote a.html and b.md to shown\n']);
    expect(readdirSync(join(cwd, 'shown')).toSorted()).toEqual(['a.html', 'b.md']);
  });

  it('closes a gateway that delays its answers, after it printed how to check it', async () => {
    const modifiers = ['--fault', 'error-code-integer', '--variant', 'gzip', '--one-in', '3/connection'];
    const { child, ended } = startCli(['gateway', '--latency', '80ms', ...modifiers], cwd, {});
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
    const { child, ended } = startCli(['list', '--json'], cwd, {});
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ exit: 0, stderr: '' });
  });
});
