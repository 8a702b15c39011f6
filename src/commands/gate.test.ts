/** Waivers and baselines on the command line, against the reference gateway. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FULL_REPORT } from '../../test/kit/reports.ts';
import { type Gateway, startGateway } from '../gateway/index.ts';
import type { Report } from '../report/report.ts';
import { type Ended, runCommand as wirecheck } from '../../test/kit/command.ts';

const FEW = ['--only', 'auth/unknown-key*', '--only', 'models/*'];

let folder: string;
let good: Gateway;
let bad: Gateway;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wirecheck-gate-'));
  good = await startGateway({ eventGapMs: 1 });
  bad = await startGateway({ eventGapMs: 1, fault: 'error-code-integer' });
  await ask(bad, folder, ['--out', 'before']);
});
afterAll(async () => {
  await good.close();
  await bad.close();
  rmSync(folder, { recursive: true });
});

function ask(gateway: Gateway, cwd: string, args: readonly string[]): Promise<Ended> {
  return wirecheck(['run', gateway.baseUrl, ...FEW, ...args], cwd, { WIRECHECK_API_KEY: gateway.keys.full });
}

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
      /^CONFORMS EXCEPT FOR 1 WAIVED: 1 must clause broken, in 1 case; \d+ of \d+ must clauses judged$/,
    );
    const report = reportIn(cwd);
    expect(report.counts.cases.fail).toBeGreaterThan(0);
    expect(report.outcome).toMatchObject({ name: 'conforms-but-waived', exit: 0 });
    expect(report.waivers?.entries).toMatchObject([{ clause: 'errors.code', state: 'in-use', line: 2 }]);
  });

  it('excuses nothing after its expiry date, and says so', async () => {
    const ended = await ask(bad, withWaivers('clause: errors.code, reason: known, until: 2020-01-01'), [
      '--waivers',
      'w.yaml',
    ]);
    expect(ended.exit).toBe(1);
    expect(lastLine(ended)).toMatch(/^DOES NOT CONFORM/);
    expect(ended.stdout).toContain(
      'w.yaml:2: the waiver for errors.code expired on 2020-01-01: the failure counts again.',
    );
  });

  it('reports an unused waiver, and fails the run for it only on request', async () => {
    const cwd = withWaivers("case: 'auth/unknown-key', reason: known, until: 2999-12-31");
    const lenient = await ask(good, cwd, ['--waivers', 'w.yaml']);
    expect(lenient.exit).toBe(0);
    expect(lenient.stdout).toContain(
      'w.yaml:2: the waiver for auth/unknown-key is unused: everything it names passed.',
    );
    const harsh = await ask(good, cwd, ['--waivers', 'w.yaml', '--fail-on-unused-waivers']);
    expect(harsh.exit).toBe(1);
    expect(lastLine(harsh)).toBe('UNUSED WAIVERS: 1 (--fail-on-unused-waivers); nothing else failed');
    expect(reportIn(cwd).outcome).toMatchObject({ name: 'unused-waivers', exit: 1 });
  });

  it('does not report a waiver as unused if its cases were not selected', async () => {
    const cwd = withWaivers("case: 'auth/*', reason: known, until: 2999-12-31");
    const { exit, stdout } = await ask(good, cwd, ['--waivers', 'w.yaml', '--fail-on-unused-waivers']);
    expect(exit).toBe(0);
    expect(stdout).not.toContain('is unused');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'w.yaml:2: the waiver for auth/* may be unused: nothing it names failed, but not everything was judged.',
    );
    expect((await ask(good, cwd, ['--waivers', 'w.yaml'])).stdout).not.toContain('unused');
  });
});

describe('--baseline', { concurrent: true }, () => {
  it('accepts findings that are in the baseline', async () => {
    const cwd = makeFolder();
    const ended = await ask(bad, cwd, ['--baseline', '../before/report.json']);
    expect(ended.exit).toBe(0);
    expect(lastLine(ended)).toMatch(
      /^NO NEW VIOLATIONS: 1 known since \d{4}-\d\d-\d\d \(1 must clause broken, in 1 case\)/,
    );
    expect(reportIn(cwd).baseline).toMatchObject({ file: '../before/report.json', sameContract: true, fixed: [] });
  });

  it('fails on new findings, and shows fixed ones', async () => {
    const cwd = makeFolder();
    await ask(good, cwd, []);
    cpSync(join(cwd, 'wirecheck-report/report.json'), join(cwd, 'good.json'));
    const worse = await ask(bad, cwd, ['--baseline', 'good.json']);
    expect(worse.exit).toBe(1);
    expect(lastLine(worse)).toMatch(
      /^DOES NOT CONFORM: 1 must clause broken, in 1 case \(\d+ of \d+ judged\), not in the baseline of /,
    );
    const better = await ask(good, cwd, ['--baseline', '../before/report.json']);
    expect(better.exit).toBe(0);
    expect(better.stdout).toMatch(/Fixed since \d{4}-\d\d-\d\d: \d+ findings/);
  });

  it('distinguishes a new case from a regression of the gateway', async () => {
    const cwd = makeFolder();
    const older = JSON.parse(readFileSync(join(folder, 'before/report.json'), 'utf8')) as Report;
    const cases = older.cases.filter(({ id }) => id !== 'errors/every-error-body[code]');
    const provenance = { ...older.provenance, settings: {}, contractHash: '0'.repeat(64) };
    writeFileSync(join(cwd, 'older.json'), JSON.stringify({ ...older, provenance, cases }));
    const { exit, stdout } = await ask(bad, cwd, ['--baseline', 'older.json']);
    expect(exit).toBe(1);
    expect(stdout).toMatch(/✗ errors\/every-error-body\[code\][^]*Baseline +new case or expectation/);
  });
});

describe('a custom suite', () => {
  const suite = (...ids: string[]) =>
    `suite: own\ntitle: Ours\ncases:\n${ids.map((id) => `  - { id: ${id}, title: T, control: models, key: unknown, expect: [{ clause: errors.refusal-in-form, check: answered }] }\n`).join('')}`;

  it('reports a case added since the baseline as a new case', async () => {
    const cwd = makeFolder();
    const ours = (...args: string[]) =>
      wirecheck(['run', bad.baseUrl, '--suite', join(cwd, 'own.yaml'), ...args], cwd, {
        WIRECHECK_API_KEY: bad.keys.full,
      });
    writeFileSync(join(cwd, 'own.yaml'), suite('first'));
    await ours('--out', 'then');
    writeFileSync(join(cwd, 'own.yaml'), suite('first', 'second'));
    const { exit, stdout } = await ours('--baseline', 'then/report.json');
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
      'Cannot read the report none.json: there is no such file. Check the name and the folder.',
    ],
    ['waivers: []\n', ['--baseline', 'f'], 'f is not JSON: give the report.json of a run.'],
    ['{"format":"other"}', ['--baseline', 'f'], 'f is not a wirecheck report: give the report.json of a run.'],
    [
      '{"format":"wirecheck-report","version":9}',
      ['--baseline', 'f'],
      'f has report format version 9, but this wirecheck reads version 1: make the report again.',
    ],
    [
      '{"format":"wirecheck-report","version":1}',
      ['--baseline', 'f'],
      'f: a report needs tool. If another build of wirecheck wrote this report, run the check again.',
    ],
    [
      JSON.stringify(FULL_REPORT).replace('{"kind":"no-occasion","of":"error"}', '"the answer was not an error"'),
      ['--baseline', 'f'],
      'f: reason must be a map. If another build of wirecheck wrote this report, run the check again.',
    ],
    [
      '{}',
      ['--baseline', 'wirecheck-report/report.json'],
      'The baseline wirecheck-report/report.json would be overwritten by the json report: choose another file with --out or --reporter.',
    ],
  ])('exits with 2 and one sentence, sends nothing and overwrites nothing: %j %j', async (text, args, sentence) => {
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

describe('wirecheck waive', { concurrent: true }, () => {
  const TERMS = ['--reason', 'known: # 1', '--until', '2999-12-31'];

  it('creates a file that a run accepts', async () => {
    const cwd = makeFolder();
    const { exit, stdout } = await wirecheck(
      ['waive', 'errors.code', ...TERMS, '--owner', 'me', '--link', 'https://t.example/1'],
      cwd,
    );
    expect(exit).toBe(0);
    expect(stdout).toMatch(
      /^Waived errors\.code until 2999-12-31: wirecheck\.waivers\.yaml:\d+\nTo apply it, run with --waivers wirecheck\.waivers\.yaml/,
    );
    expect((await ask(bad, cwd, ['--waivers', 'wirecheck.waivers.yaml'])).exit).toBe(0);
    expect(reportIn(cwd).waivers?.entries).toMatchObject([
      { clause: 'errors.code', reason: 'known: # 1', owner: 'me', link: 'https://t.example/1' },
    ]);
  });

  it('appends to the file named in the config, and keeps its comments', async () => {
    const cwd = makeFolder();
    writeFileSync(join(cwd, 'wirecheck.config.yaml'), 'waivers: ours.yaml\n');
    const before = '# ours\nwaivers:\n  # the first\n  - case: auth/* # all\n    reason: r\n    until: 2999-01-01\n';
    writeFileSync(join(cwd, 'ours.yaml'), before);
    const { stdout } = await wirecheck(['waive', 'models/*', ...TERMS], cwd);
    expect(stdout).toBe('Waived models/* until 2999-12-31: ours.yaml:7\n');
    expect(readFileSync(join(cwd, 'ours.yaml'), 'utf8')).toBe(
      `${before}  - case: models/*\n    reason: "known: # 1"\n    until: 2999-12-31\n`,
    );
  });

  it('looks up the case and the clause of a fingerprint in a report', async () => {
    const cwd = makeFolder();
    const { cases } = JSON.parse(readFileSync(join(folder, 'before/report.json'), 'utf8')) as Report;
    const failed = cases.find(({ verdict }) => verdict === 'fail');
    const fingerprint = failed?.expectations.flatMap(({ findings }) => findings)[0]?.fingerprint ?? '';
    const { stdout } = await wirecheck(['waive', fingerprint, '--report', '../before/report.json', ...TERMS], cwd);
    expect(stdout).toMatch(
      /^Waived [^]*\nIt covers 1 finding of \.\.\/before\/report\.json\. \d+ others of errors\.code still count: `wirecheck waive errors\.code` covers them all\.\n/,
    );
    await ask(bad, cwd, ['--waivers', 'wirecheck.waivers.yaml']);
    expect(reportIn(cwd).waivers?.entries).toMatchObject([
      { case: failed?.id, clause: 'errors.code', fingerprint, state: 'in-use', findings: 1 },
    ]);
  });

  it.each<[string, RegExp]>([
    ['errors.code', /^It covers \d+ findings of \.\.\/before\/report\.json\.$/m],
    ['errors/every-error-body', /^It covers \d+ findings of \.\.\/before\/report\.json\.$/m],
    ['auth/unknown-key[models]', /^It covers no finding of \.\.\/before\/report\.json\.$/m],
    ['stream.usage', /^It covers no finding of \.\.\/before\/report\.json\.$/m],
  ])('says how many findings of a report it covers: %s', async (id, sentence) => {
    const { stdout } = await wirecheck(['waive', id, ...TERMS, '--report', '../before/report.json'], makeFolder());
    expect(stdout).toMatch(sentence);
  });

  it('warns that a fingerprint covers one finding only', async () => {
    const { stdout } = await wirecheck(['waive', '0123456789abcdef', ...TERMS], makeFolder());
    expect(stdout).toContain(
      'A fingerprint is one finding of one case. Add --report FILE to see whether there are similar ones.\n',
    );
  });

  it.each<[readonly string[], string]>([
    [['errors.cdoe', ...TERMS], 'No clause, case or fingerprint "errors.cdoe". Did you mean "errors.code"?'],
    [
      ['errors.code', '--until', '2999-12-31'],
      "--reason is missing: say why this is accepted, as in --reason 'fixed in 2.4'.",
    ],
    [
      ['errors.code', '--reason', 'r'],
      'Give either --until DATE (last day of the waiver) or --announced DATE (an announced removal).',
    ],
    [
      ['errors.code', '--reason', 'r', '--until', '2020-01-01'],
      '--until is 2020-01-01, which has passed: give a later day.',
    ],
    [
      ['errors.code', '--reason', 'r', '--until', '2999-02-30'],
      '--until is "2999-02-30": it must be a date such as 2030-12-31.',
    ],
    [
      ['errors.code', '--reason', 'r', '--announced', '2999-01-01'],
      '--announced needs --link URL: give the address of the announcement.',
    ],
    [
      ['errors.code', ...TERMS, '--link', 'x'],
      '--link is "x": it must be an address such as https://tracker.example/123.',
    ],
    [
      ['0123456789abcdef', ...TERMS, '--report', '../before/report.json'],
      '../before/report.json has no finding with the fingerprint 0123456789abcdef.',
    ],
    [
      ['events.webhooks', ...TERMS],
      'events.webhooks cannot be observed over the wire, so no run can break it: do not waive it.',
    ],
  ])('writes nothing on wrong input: %j', async (args, sentence) => {
    const cwd = makeFolder();
    expect(await wirecheck(['waive', ...args], cwd)).toEqual({ exit: 2, stdout: '', stderr: `${sentence}\n` });
    expect(existsSync(join(cwd, 'wirecheck.waivers.yaml'))).toBe(false);
  });

  it('does not add a duplicate waiver', async () => {
    const cwd = makeFolder();
    await wirecheck(['waive', 'errors.code', ...TERMS], cwd);
    const { exit, stderr } = await wirecheck(['waive', 'errors.code', ...TERMS], cwd);
    expect([exit, stderr]).toEqual([2, 'wirecheck.waivers.yaml:10: already waived here: change this entry.\n']);
  });
});
