import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageVersion } from './contract/package-files.ts';
import { startCli } from '../test/kit/cli.ts';
import { type Ended, runCommand } from '../test/kit/command.ts';

let cwd: string;
beforeAll(() => void (cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'))));
afterAll(() => rmSync(cwd, { recursive: true }));

const wirecheck = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  startCli(args, cwd, env).ended;

/** For what does not depend on the process around it. */
const inProcess = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  runCommand(args, cwd, env);

const KEY = { WIRECHECK_API_KEY: 'sk-service-not-a-real-one' };

describe('wirecheck', { concurrent: true }, () => {
  it('prints its version', async () => {
    expect(await wirecheck(['--version'])).toEqual({ exit: 0, stdout: `${packageVersion()}\n`, stderr: '' });
  });

  it('prints its usage without arguments, and exits with an error', async () => {
    const { exit, stdout, stderr } = await inProcess([]);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain('wirecheck demo');
    // Not an error with a sentence, which would be annotated.
    expect(await wirecheck([], { GITHUB_ACTIONS: 'true' })).toEqual({ exit, stdout, stderr });
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
      'Unknown command "https://a.example/v1". To check a gateway: npx --no-install wirecheck run https://a.example/v1',
    ],
    [['run', '--modle', 'x'], {}, 'Unknown flag --modle. Did you mean "--model"?'],
    [['run', '--model'], {}, '--model needs a value: write it as --model <ID>.'],
    [
      ['explain'],
      {},
      'NAME is missing: an id or name that `wirecheck list` shows, an error code, a profile file, or contract. See npx --no-install wirecheck explain --help',
    ],
    [
      ['run', 'https://a.example/v1', 'auth/a', 'auth/b'],
      {},
      "Too many arguments for `run`: quote globs, as in --only 'auth/*', or see npx --no-install wirecheck run --help",
    ],
    [
      ['run'],
      KEY,
      'No base URL: give one, as in `npx --no-install wirecheck run https://gateway.example/v1`, or set WIRECHECK_BASE_URL, or baseUrl in wirecheck.config.yaml.',
    ],
    [['run', ''], KEY, 'The base URL is empty: give one such as https://gateway.example/v1.'],
    [
      ['run'],
      { ...KEY, WIRECHECK_BASE_URL: '' },
      'No base URL: give one, as in `npx --no-install wirecheck run https://gateway.example/v1`, or set WIRECHECK_BASE_URL, or baseUrl in wirecheck.config.yaml.',
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
      'No clause, case, scenario, suite, check, fault, variant, reading, key, setting, error code or profile is named "errors.cdoe". Did you mean "errors.code"?',
    ],
    // The first of several mistakes.
    [
      ['run', 'https://a.example/v1', '--foo', '--strct', '--timeout', 'abc'],
      {},
      'Unknown flag --foo. See npx --no-install wirecheck run --help',
    ],
    [['explain', '--reply-tokens'], {}, 'Leave out the dashes: wirecheck explain reply-tokens'],
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
      ['selftest', 'gzip', '--pool'],
      {},
      'The self-test is not in the package, since its targets are not. Run `npm run selftest` in a checkout of wirecheck.',
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
    [['demo', '--one-in', '3'], {}, '--one-in needs a fault or a variant: add --fault ID or --variant ID.'],
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
    expect((await inProcess(['run', 'https://a.example/v1', '--config', 'bad.yaml'], KEY)).stderr).toBe(
      'bad.yaml:2: unknown clause "errors.cdoe". Did you mean "errors.code"?\n',
    );
  });

  it('reports an unknown variable', async () => {
    const { exit, stderr } = await inProcess(['plan'], { WIRECHECK_ONYL: 'auth/*' });
    expect(exit).toBe(0);
    expect(stderr).toBe('Ignored the unknown variable WIRECHECK_ONYL. Did you mean "WIRECHECK_ONLY"?\n');
  });
});
