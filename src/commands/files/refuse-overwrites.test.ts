/** What a command reads stays as it is, whatever the names by which its outputs are given. */
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IS_POSIX } from '../../../test/kit/platform.ts';
import { type Gateway, startGateway } from '../../gateway/index.ts';
import { UsageError } from '../../usage-error.ts';
import { execute } from '../command-line.ts';

const FEW = ['--only', 'models/*'];
const AUTH = ['--only', 'auth/unknown-key*'];
const SUITE = `suite: own
title: Ours
cases:
  - id: list
    title: The list is answered.
    request: models
    expect:
      - { clause: endpoint.models-answers, check: answered }
`;

let cwd: string;
let gateway: Gateway;
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'wirecheck-keep-'));
  gateway = await startGateway({ eventGapMs: 1 });
  await wirecheck('demo', ...FEW, '--out', 'old', '--record', 'old.ndjson');
  await wirecheck('demo', ...AUTH, '--out', 'bad', '--fault', 'error-code-integer');
  copyFileSync(join(cwd, 'old.ndjson'), join(cwd, 'new.ndjson'));
  writeFileSync(join(cwd, 'w.yaml'), 'waivers: []\n');
  writeFileSync(join(cwd, 'c.yaml'), '{}\n');
  writeFileSync(join(cwd, 'vars'), 'A=b\n');
  writeFileSync(join(cwd, 'key'), gateway.keys.full);
  writeFileSync(join(cwd, 'pem'), 'x\n');
  writeFileSync(join(cwd, 'own.yaml'), SUITE);
  symlinkSync('w.yaml', join(cwd, 'symbolic'));
  linkSync(join(cwd, 'w.yaml'), join(cwd, 'hard'));
  symlinkSync('.', join(cwd, 'here'));
});
afterAll(async () => {
  await gateway.close();
  rmSync(cwd, { recursive: true });
});

async function wirecheck(...args: readonly string[]): Promise<{ readonly exit: number; readonly sentence?: string }> {
  const screen = { colour: false, live: false, columns: undefined, write: () => undefined };
  const env = { WIRECHECK_API_KEY: gateway.keys.full };
  try {
    return {
      exit: await execute(args, { cwd, env, stdout: screen, stderr: screen, onInterrupt: () => () => undefined }),
    };
  } catch (error) {
    if (error instanceof UsageError) return { exit: 2, sentence: error.message };
    throw error;
  }
}

const run = (...args: readonly string[]) => wirecheck('run', gateway.baseUrl, ...args);

/** Every file below the working folder, and what it holds. */
function everything(folder = cwd): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path} ${statSync(path).ino} ${readFileSync(path, 'utf8')}`)
    .toSorted();
}

async function refuses(command: () => ReturnType<typeof wirecheck>, sentence: string): Promise<void> {
  const [before, asked] = [everything(), gateway.requests.count];
  expect(await command()).toEqual({ exit: 2, sentence });
  expect(everything()).toEqual(before);
  expect(gateway.requests.count).toBe(asked);
}

const PLACE = 'choose another file with';
const REPORTS = '--out or --reporter';

describe('a run', () => {
  it.each<[what: string, args: readonly string[], by?: string]>([
    ['The waiver file w.yaml', ['--waivers', 'w.yaml', '--reporter', 'json=w.yaml']],
    ['The waiver file w.yaml', ['--waivers', 'w.yaml', '--reporter', 'json=./here/../w.yaml']],
    ['The waiver file w.yaml', ['--waivers', 'w.yaml', '--reporter', 'json=here/w.yaml']],
    ['The waiver file w.yaml', ['--waivers', 'w.yaml', '--reporter', 'json=symbolic']],
    ['The waiver file symbolic', ['--waivers', 'symbolic', '--reporter', 'json=w.yaml']],
    ['The waiver file w.yaml', ['--waivers', 'w.yaml', '--reporter', 'json=hard']],
    ['The baseline old/report.json', ['--baseline', 'old/report.json', '--out', 'old']],
    ['The baseline here/old/report.json', ['--baseline', 'here/old/report.json', '--out', 'old']],
    ['The baseline old/report.json', ['--baseline', 'old/report.json', '--reporter', 'html=old/report.json'], 'html'],
    ['The report bad/report.json', ['--rerun-failed', 'bad/report.json', '--reporter', 'html=bad/report.json'], 'html'],
    ['The report bad/report.json', ['--rerun-failed', 'bad/report.json', '--out', 'bad']],
    ['The config file c.yaml', ['--config', 'c.yaml', '--reporter', 'junit=c.yaml'], 'junit'],
    ['The env file vars', ['--env-file', 'vars', '--reporter', 'json=vars']],
    ['The key file key', ['--api-key-file', 'key', '--reporter', 'json=key']],
    ['The OpenAPI description pem', ['--openapi', 'pem', '--reporter', 'json=pem']],
    ['The certificate authority pem', ['--ca', 'pem', '--reporter', 'json=pem']],
    ['The client certificate pem', ['--client-cert', 'pem', '--client-key', 'key', '--reporter', 'json=pem']],
    [
      'The key of the client certificate pem',
      ['--client-cert', 'key', '--client-key', 'pem', '--reporter', 'json=pem'],
    ],
  ])('does not overwrite %s: %j', async (what, args, by = 'json') => {
    const sentence = `${what} would be overwritten by the ${by} report: ${PLACE} ${REPORTS}.`;
    await refuses(() => run(...args), sentence);
  });

  it('does not record over its own inputs, even with permission to replace recordings', async () => {
    await refuses(
      () => run('--waivers', 'w.yaml', '--record', 'w.yaml', '--force', '--out', 'none'),
      `The waiver file w.yaml would be overwritten by the recording: ${PLACE} --record.`,
    );
  });

  it('does not overwrite a custom suite', async () => {
    const suite = join(cwd, 'own.yaml');
    await refuses(
      () => run('--suite', suite, '--reporter', 'json=own.yaml'),
      `The suite file ${suite} would be overwritten by the json report: ${PLACE} ${REPORTS}.`,
    );
  });

  it('does not overwrite the config file in its folder', async () => {
    writeFileSync(join(cwd, 'wirecheck.config.yaml'), '{}\n');
    await refuses(
      () => run('--reporter', 'json=wirecheck.config.yaml'),
      `The config file wirecheck.config.yaml would be overwritten by the json report: ${PLACE} ${REPORTS}.`,
    );
    rmSync(join(cwd, 'wirecheck.config.yaml'));
  });

  it.each<[args: readonly string[], names: string, file: string, flags?: string]>([
    [['--reporter', 'json=a', '--reporter', 'html=a'], 'the json report and the html report', 'a'],
    [['--reporter', 'json=x/a', '--reporter', 'html=here/x/a'], 'the json report and the html report', 'here/x/a'],
    [['--reporter', 'json=a', '--reporter', 'json=a'], 'the json report twice', 'a'],
    [['--out', 'x', '--reporter', 'html=x/report.json'], 'the json report and the html report', 'x/report.json'],
    [['--reporter', 'json=a', '--record', 'a'], 'the json report and the recording', 'a', '--record'],
  ])('does not write two outputs to one file: %j', async (args, names, file, flags = REPORTS) => {
    await refuses(
      () => run(...args),
      `${join(cwd, file)} would hold ${names}: choose another file for one of them with ${flags}.`,
    );
  });

  it.runIf(IS_POSIX)('may write several outputs to a device', async () => {
    const { exit } = await run(...FEW, '--reporter', 'json=/dev/null', '--reporter', 'html=/dev/null');
    expect(exit).toBe(0);
  });

  it('that repeats failed cases leaves the whole report as it is, and writes beside it', async () => {
    const broken = await startGateway({ eventGapMs: 1, fault: 'error-code-integer' });
    const again = () => wirecheck('run', broken.baseUrl, '--rerun-failed', 'wirecheck-report/report.json');
    try {
      await wirecheck('run', broken.baseUrl, ...AUTH);
      const whole = readFileSync(join(cwd, 'wirecheck-report/report.json'), 'utf8');
      expect([(await again()).exit, (await again()).exit]).toEqual([1, 1]);
      expect(readFileSync(join(cwd, 'wirecheck-report/report.json'), 'utf8')).toBe(whole);
      expect(existsSync(join(cwd, 'wirecheck-rerun/report.json'))).toBe(true);
    } finally {
      await broken.close();
    }
  });
});

describe('the other commands', () => {
  it.each<[args: readonly string[], sentence: string]>([
    [
      ['render', 'old/report.json', '--reporter', 'json=old/report.json'],
      `The report old/report.json would be overwritten by the json report: ${PLACE} --reporter.`,
    ],
    [
      ['judge', 'old.ndjson', '--reporter', 'json=old.ndjson', '--force'],
      `The recording old.ndjson would be overwritten by the json report: ${PLACE} ${REPORTS}.`,
    ],
    [
      ['judge', 'old.ndjson', '--baseline', 'old/report.json', '--out', 'old', '--force'],
      `The baseline old/report.json would be overwritten by the json report: ${PLACE} ${REPORTS}.`,
    ],
    [
      ['compare', 'old.ndjson', 'new.ndjson', '--reporter', 'html=new.ndjson'],
      `new.ndjson would be overwritten by the html comparison: ${PLACE} --reporter.`,
    ],
    [
      ['compare', 'old.ndjson', 'new.ndjson', '--waivers', 'w.yaml', '--reporter', 'json=hard'],
      `The waiver file w.yaml would be overwritten by the json comparison: ${PLACE} --reporter.`,
    ],
    [
      ['render', 'old.ndjson', '--reporter', 'har=old.ndjson'],
      `old.ndjson would be overwritten by the har file: ${PLACE} --reporter.`,
    ],
  ])('do not overwrite their inputs: %j', async (args, sentence) => {
    await refuses(() => wirecheck(...args), sentence);
  });

  it('refuse to judge two recordings of the same name into one folder', async () => {
    mkdirSync(join(cwd, 'there'));
    copyFileSync(join(cwd, 'old.ndjson'), join(cwd, 'there/old.ndjson'));
    await refuses(
      () => wirecheck('judge', 'old.ndjson', 'there/old.ndjson', '--out', 'judged'),
      'The reports on old.ndjson and there/old.ndjson would both go to the folder old: judge them one at a time, each with its own --out.',
    );
  });
});
