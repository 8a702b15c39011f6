/** Waivers and baselines on the command line, against the reference gateway. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { FULL_REPORT } from '../../test/kit/reports.ts';
import { type Gateway, startGateway } from '../gateway/index.ts';
import type { Report } from '../report/report.ts';
import { type Ended, runCommand as wirecheck } from '../../test/kit/command.ts';
import { FEW, startGoodAndBad } from '../../test/kit/good-and-bad.ts';

let folder: string;
let good: Gateway;
let bad: Gateway;
beforeAll(async () => {
  const { close, ...started } = await startGoodAndBad();
  ({ folder, good, bad } = started);
  await ask(bad, folder, [...jsonTo('before'), '--record', 'bad.ndjson']);
  await ask(good, folder, [...jsonTo('conforming'), '--record', 'good.ndjson']);
  return close;
});

function ask(gateway: Gateway, cwd: string, args: readonly string[]): Promise<Ended> {
  return wirecheck(['run', gateway.baseUrl, ...FEW, ...args], cwd, { WIRECHECK_API_KEY: gateway.keys.full });
}

/** What was recorded of a gateway, judged as a run would judge it. */
const judgeAgain = (of: 'good' | 'bad', cwd: string, args: readonly string[]): Promise<Ended> =>
  wirecheck(['judge', `../${of}.ndjson`, ...args], cwd, {});
/** Only the file that is read: the others cost more than the run. */
const jsonTo = (out: string) => ['--reporter', `json=${out}/report.json`];

const makeFolder = () => mkdtempSync(join(folder, 'job-'));
const lastLine = ({ stdout }: Ended) => stdout.trimEnd().split('\n').at(-1);
const reportIn = (cwd: string) => JSON.parse(readFileSync(join(cwd, 'wirecheck-report/report.json'), 'utf8')) as Report;

function withWaivers(...entries: string[]): string {
  const cwd = makeFolder();
  writeFileSync(join(cwd, 'w.yaml'), `waivers:\n${entries.map((entry) => `  - { ${entry} }\n`).join('')}`);
  return cwd;
}

describe('--waivers', { concurrent: true }, () => {
  it('passes a run that would fail, and keeps the failure in the report', async () => {
    const cwd = withWaivers('clause: errors.code, reason: known, until: 2999-12-31');
    const ended = await ask(bad, cwd, ['--waivers', 'w.yaml']);
    expect([ended.exit, /Waived: 1 cause in 1 case/.test(ended.stdout)]).toEqual([0, true]);
    expect(lastLine(ended)).toMatch(
      /^CONFORMS EXCEPT FOR 1 WAIVED: 1 must clause broken; \d+ of \d+ must clauses judged$/,
    );
    const report = reportIn(cwd);
    expect(report.counts.cases.fail).toBeGreaterThan(0);
    expect(report.outcome).toMatchObject({ name: 'conforms-but-waived', exit: 0 });
    expect(report.waivers?.entries).toMatchObject([{ clause: 'errors.code', state: 'in-use', line: 2 }]);
  });

  it('excuses nothing after its expiry date, and says so', async () => {
    const cwd = withWaivers('clause: errors.code, reason: known, until: 2020-01-01');
    const ended = await judgeAgain('bad', cwd, ['--waivers', 'w.yaml']);
    expect(ended.exit).toBe(1);
    expect(lastLine(ended)).toMatch(/^DOES NOT CONFORM/);
    expect(ended.stdout).toContain(
      'w.yaml:2: the waiver for errors.code expired on 2020-01-01: the failure counts again.',
    );
  });

  it('counts what the baseline has after its expiry date, as a failure in every format', async () => {
    const cwd = withWaivers('clause: errors.code, reason: known, until: 2020-01-01');
    const both = ['--waivers', 'w.yaml', '--baseline', '../before/report.json', '--reporter', 'junit=junit.xml'];
    const ended = await judgeAgain('bad', cwd, both);
    expect(ended.exit).toBe(1);
    expect(lastLine(ended)).toMatch(/^DOES NOT CONFORM: 1 must clause broken \(.*\); failing: with an expired waiver$/);
    expect(ended.stdout).toMatch(/^Broken: 1 cause in 1 case$/m);
    expect(ended.stdout).not.toContain('In the baseline:');
    expect(ended.stdout).toMatch(/in the baseline of [\d-]+, but its waiver has expired/);
    const junit = readFileSync(join(cwd, 'junit.xml'), 'utf8');
    expect(junit).toMatch(/<testsuites [^>]* failures="1"/);
  });

  it('does not call a waiver unused in a run whose key was refused, or whose control was', async () => {
    const cwd = withWaivers("case: 'auth/unknown-key', reason: known, until: 2999-12-31");
    const key = { WIRECHECK_API_KEY: 'sk-service-of-nobody-0123456789' };
    const line = ['run', good.baseUrl, ...FEW, '--out', 'none', '--waivers', 'w.yaml', '--fail-on-unused-waivers'];
    const refused = await wirecheck(line, cwd, key);
    expect([refused.exit, refused.stdout.includes('is unused')]).toEqual([3, false]);
    const empty = await wirecheck(line, cwd, { WIRECHECK_API_KEY: good.keys.exhausted });
    expect([empty.exit, empty.stdout.includes('is unused')]).toEqual([3, false]);
  });

  it('reports an unused waiver, and fails the run for it only on request', async () => {
    const cwd = withWaivers("case: 'auth/unknown-key', reason: known, until: 2999-12-31");
    const lenient = await judgeAgain('good', cwd, ['--waivers', 'w.yaml']);
    expect(lenient.exit).toBe(0);
    expect(lenient.stdout).toContain(
      'w.yaml:2: the waiver for auth/unknown-key is unused: everything it names passed.',
    );
    const strictly = ['--waivers', 'w.yaml', '--fail-on-unused-waivers', ...jsonTo('wirecheck-report')];
    const harsh = await ask(good, cwd, strictly);
    expect(harsh.exit).toBe(1);
    expect(lastLine(harsh)).toBe('UNUSED WAIVERS: 1 (--fail-on-unused-waivers); nothing else failed');
    expect(reportIn(cwd).outcome).toMatchObject({ name: 'unused-waivers', exit: 1 });
  });

  it('does not report a waiver as unused if its cases were not selected', async () => {
    const cwd = withWaivers("case: 'auth/*', reason: known, until: 2999-12-31");
    const { exit, stdout } = await judgeAgain('good', cwd, ['--waivers', 'w.yaml', '--fail-on-unused-waivers']);
    expect(exit).toBe(0);
    expect(stdout).not.toContain('is unused');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'w.yaml:2: the waiver for auth/* may be unused: nothing it names failed, but not everything was judged.',
    );
    expect((await judgeAgain('good', cwd, ['--waivers', 'w.yaml'])).stdout).not.toContain('unused');
  });
});

describe('--baseline', { concurrent: true }, () => {
  it('accepts findings that are in the baseline', async () => {
    const cwd = makeFolder();
    const ended = await ask(bad, cwd, ['--baseline', '../before/report.json', ...jsonTo('wirecheck-report')]);
    expect(ended.exit).toBe(0);
    expect(lastLine(ended)).toMatch(/^NO NEW VIOLATIONS: 1 known since \d{4}-\d\d-\d\d \(1 must clause broken\)/);
    expect(reportIn(cwd).baseline).toMatchObject({ file: '../before/report.json', sameContract: true, fixed: [] });
  });

  it('fails on new findings, and shows fixed ones', async () => {
    const cwd = makeFolder();
    const worse = await judgeAgain('bad', cwd, ['--baseline', '../conforming/report.json']);
    expect(worse.exit).toBe(1);
    expect(lastLine(worse)).toMatch(/^DOES NOT CONFORM: 1 must clause broken \(\d+ of \d+ judged\)/);
    expect(worse.stdout).toMatch(/ailing: +not in the baseline of /);
    const better = await judgeAgain('good', cwd, ['--baseline', '../before/report.json']);
    expect(better.exit).toBe(0);
    expect(better.stdout).toMatch(/Fixed since \d{4}-\d\d-\d\d: \d+ cases?/);
  });

  it('distinguishes a new case from a regression of the gateway', async () => {
    const cwd = makeFolder();
    const older = JSON.parse(readFileSync(join(folder, 'before/report.json'), 'utf8')) as Report;
    const cases = older.cases.filter(({ id }) => id !== 'errors/every-error-body[code]');
    const provenance = { ...older.provenance, settings: {}, contractHash: '0'.repeat(64) };
    writeFileSync(join(cwd, 'older.json'), JSON.stringify({ ...older, provenance, cases }));
    const { exit, stdout } = await judgeAgain('bad', cwd, ['--baseline', 'older.json']);
    expect(exit).toBe(1);
    expect(stdout).toMatch(/✗ errors\/every-error-body\[code\][^]*Baseline +new case or expectation/);
  });
});

describe('a custom suite', () => {
  const suite = (...ids: string[]) =>
    `suite: own\ntitle: Ours\ncases:\n${ids.map((id) => `  - { id: ${id}, title: T, control: models, key: unknown, expect: [{ clause: errors.refusal-in-form, check: answered }] }\n`).join('')}`;

  it('reports a case added since the baseline as a new case', async () => {
    const cwd = makeFolder();
    const own = ['run', bad.baseUrl, '--suite', join(cwd, 'own.yaml')];
    const ours = (...args: string[]) => wirecheck([...own, ...args], cwd, { WIRECHECK_API_KEY: bad.keys.full });
    writeFileSync(join(cwd, 'own.yaml'), suite('first'));
    await ours(...jsonTo('then'));
    writeFileSync(join(cwd, 'own.yaml'), suite('first', 'second'));
    const { exit, stdout } = await ours('--baseline', 'then/report.json', '--out', 'none');
    expect(exit).toBe(1);
    expect(stdout).toMatch(/~ own\/first[^]*✗ own\/second[^]*Baseline +new case or expectation/);
  });
});

describe('wrong input', { concurrent: true }, () => {
  it.each<[string, readonly string[], string]>([
    [
      'waivers:\n  - clase: errors.code\n',
      ['--waivers', 'f'],
      'f:2: unknown key "clase" in a waiver. Did you mean "case"?',
    ],
    [
      'waivers:\n  - { clause: errors.cdoe, reason: r, until: 2999-12-31 }\n',
      ['--waivers', 'f'],
      'f:2: there is no clause "errors.cdoe". Did you mean "errors.code"?',
    ],
    [
      '',
      ['--waivers', 'none.yaml'],
      'Cannot read the waiver file none.yaml: there is no such file. Check the name and the folder.',
    ],
    ['', ['--fail-on-unused-waivers'], '--fail-on-unused-waivers needs a waiver file: add --waivers FILE.'],
    [
      '',
      ['--baseline', 'none.json'],
      'Cannot read the baseline none.json: there is no such file. Check the name and the folder.',
    ],
    ['waivers: []\n', ['--baseline', 'f'], 'f is not JSON: give the report.json of a run.'],
    ['{"format":"other"}', ['--baseline', 'f'], 'f is not a wirecheck report: give the report.json of a run.'],
    [
      '{"format":"wirecheck-report","version":9}',
      ['--baseline', 'f'],
      'f is a report of version 9; this wirecheck reads version 2. Run the check again, or judge its recording.',
    ],
    ['{"format":"wirecheck-report","version":2}', ['--baseline', 'f'], 'f: a report needs tool.'],
    [
      JSON.stringify(FULL_REPORT).replace('{"kind":"no-occasion","of":"error"}', '"the answer was not an error"'),
      ['--baseline', 'f'],
      'f: reason must be a map.',
    ],
    [
      '{}',
      ['--baseline', 'wirecheck-report/report.json'],
      'The baseline wirecheck-report/report.json would be overwritten by the json report: choose another file with --out or --reporter.',
    ],
  ])('exits with 2 and one sentence, sends nothing and overwrites nothing (row %#)', async (text, args, sentence) => {
    const cwd = makeFolder();
    mkdirSync(join(cwd, 'wirecheck-report'));
    writeFileSync(join(cwd, 'wirecheck-report/report.json'), 'mine');
    writeFileSync(join(cwd, 'f'), text);
    const gateway = await startGateway();
    const ended = await ask(gateway, cwd, args);
    await gateway.close();
    expect(ended).toEqual({ exit: 2, stdout: '', stderr: `${sentence}\n` });
    expect(gateway.requests.count).toBe(0);
    expect(readFileSync(join(cwd, 'wirecheck-report/report.json'), 'utf8')).toBe('mine');
    expect(readdirSync(join(cwd, 'wirecheck-report'))).toEqual(['report.json']);
  });
});
