/** `wirecheck verify` on reports and recordings that were made to deceive, with their digests made anew. */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VerifiedRun } from '../../test/kit/verified-run.ts';
import type { Report } from '../report/report.ts';
import { sealReport } from '../report/seal-report.ts';

const run = new VerifiedRun();
beforeAll(() => run.record(), 60_000);
afterAll(() => run.close());

const OLDER = { name: 'wirecheck', version: '0.1.0' } as const;

/** Digest made anew. */
function forge(changes: Partial<Report>, file = 'forged.json'): void {
  run.write(file, JSON.stringify(sealReport({ ...run.readReport('run.json'), ...changes })));
}

/** A recording of these lines, and a report that names it. */
function record(lines: readonly string[], report: Report = run.readReport('run.json')): void {
  const text = `${lines.join('\n')}\n`;
  run.write('forged.ndjson', text);
  const recordingDigest = createHash('sha256').update(text).digest('hex');
  run.write('forged.json', JSON.stringify(sealReport({ ...report, recordingDigest })));
}

const withStart = (change: (line: string) => string) => run.lines().with(0, change(run.lines()[0] ?? ''));
const naming = (suites: readonly string[]) =>
  withStart((line) => line.replace('"suites":[]', `"suites":${JSON.stringify(suites)}`));

describe('another version is no cover', () => {
  it('for a forged sentence, which is neither verified nor judged again', async () => {
    const { outcome } = run.readReport('run.json');
    forge({ tool: OLDER, outcome: { ...outcome, line: 'CONFORMS: all 77 must clauses judged, none broken' } });
    const { exit, verification } = await run.verify('forged.json', 'run.ndjson.gz');
    expect([exit, verification.result, verification.compared]).toEqual([2, 'not-comparable', 'nothing']);
  });

  it.each(['0.2.0 ', 'latest', '', '0.2'])('and has to be a version: "%s" is none', async (version) => {
    forge({ tool: { name: 'wirecheck', version } });
    const { exit, stderr } = await run.verify('forged.json', 'run.ndjson.gz');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('version')]);
  });
});

describe('how the run was judged', () => {
  it('a lenient report of a strict run is found, and a strict one of a lenient run is told', async () => {
    const flags = ['--only', 'models/*', '--reporter'];
    await run.wirecheck('demo', '--strict', '--record', 'strict.ndjson', ...flags, 'json=strict.json');
    expect((await run.verify('strict.json', 'strict.ndjson')).verification.otherwise).toEqual([]);
    const report = { ...run.readReport('strict.json'), strict: false };
    run.write('lenient.json', JSON.stringify(sealReport(report)));
    const { exit, verification } = await run.verify('lenient.json', 'strict.ndjson');
    expect(exit).toBe(1);
    expect(verification.differences).toContainEqual({
      kind: 'member',
      pointer: '/strict',
      reported: 'false',
      judged: 'true',
    });
    await run.wirecheck('judge', 'run.ndjson.gz', '--strict', '--reporter', 'json=stricter.json');
    const stricter = await run.verify('stricter.json', 'run.ndjson.gz');
    expect([stricter.exit, stricter.verification.otherwise]).toEqual([0, ['strict']]);
  });

  it('the sentence of the report is repeated, whatever else was forged', async () => {
    const { clauses, outcome } = run.readReport('run.json');
    forge({ clauses: clauses.map((clause) => ({ ...clause, level: 'observe' })) });
    const { exit, stdout } = await run.wirecheck('verify', 'forged.json', 'run.ndjson.gz');
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect([exit, text]).toEqual([1, expect.stringContaining(`The report says: ${outcome.line}`)]);
    expect(text).toContain(`wirecheck says: ${outcome.line}`);
  });
});

describe('digests that were removed', () => {
  it.each(['reportDigest', 'recordingDigest'] as const)('%s', async (member) => {
    const report = run.readReport('run.json');
    const without = { ...report, [member]: undefined };
    run.write('forged.json', JSON.stringify(member === 'reportDigest' ? without : sealReport(without)));
    const { exit, verification } = await run.verify('forged.json', 'run.ndjson.gz');
    expect([exit, verification.differences]).toEqual([1, [{ kind: 'no-digest', member: `/${member}` }]]);
  });

  it('are told of a report of the library, which has none', async () => {
    const { reportDigest: _own, recordingDigest: _other, ...report } = run.readReport('run.json');
    run.write('forged.json', JSON.stringify(report));
    const { exit, stdout } = await run.wirecheck('verify', 'forged.json', 'run.ndjson.gz');
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/^VERIFIED WITHOUT DIGESTS: /)]);
    expect(stdout).toContain(`The report says: ${report.outcome.line}`);
  });
});

describe('a recording of a stranger', () => {
  it.each([
    ['is not there', 'nope.yaml', /Cannot find the suite file nope\.yaml, which the recording names: put it there/],
    ['is an address', 'http://127.0.0.1:9/x.yaml', /the suite file http:/],
    ['is a folder', 'folder.yaml', /it is a folder/],
    ['has an escape in its name', '/tmp/\u001b[31m', /Unknown suite "\/tmp\/\\u\{1b\}\[31m"/],
  ])('names a suite that %s', async (_what, suite, message) => {
    mkdirSync(join(run.cwd, 'folder.yaml'), { recursive: true });
    record(naming([suite === 'folder.yaml' ? join(run.cwd, suite) : suite]));
    const { exit, stderr } = await run.wirecheck('verify', 'forged.json', 'forged.ndjson');
    expect([exit, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(stderr).not.toContain('\u001b');
  });

  it('has a member twice', async () => {
    const at = run.lines().findIndex((line) => /"status":4\d\d/.test(line));
    const twice = (run.lines()[at] ?? '').replace(/"status":4\d\d/, String.raw`"st\u0061tus":500,$&`);
    record(run.lines().with(at, twice));
    const { exit, stderr } = await run.verify('forged.json', 'forged.ndjson');
    expect([exit, stderr]).toEqual([2, `forged.ndjson:${at + 1}: an object has a member twice. Record again.\n`]);
  });

  it('has an exchange thousands of times', async () => {
    const [start = '', ...rest] = run.lines();
    const exchange = rest.find((line) => line.includes('"kind":"exchange"')) ?? '';
    record([start, ...Array<string>(5000).fill(exchange), rest.at(-1) ?? '']);
    const { exit, stderr } = await run.verify('forged.json', 'forged.ndjson');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('forged.ndjson:3: an exchange with this id')]);
  });

  it('has millions of blank lines', { timeout: 20_000 }, async () => {
    const blank = gzipSync(Buffer.alloc(32 * 1024 ** 2, '\n'));
    run.write('blank.ndjson.gz', Buffer.concat([gzipSync(`${run.lines()[0]}\n`), blank]));
    const { exit, verification } = await run.verify('run.json', 'blank.ndjson.gz');
    expect([exit, JSON.stringify(verification.differences)]).toEqual([1, expect.stringContaining('blank lines')]);
  });
});

it('A product without a name, or with an endless one, is refused as by the flag', async () => {
  for (const name of ['', ' ', 'x'.repeat(201)]) {
    forge({ product: { name } });
    expect((await run.verify('forged.json', 'run.ndjson.gz')).exit).toBe(2);
  }
});
