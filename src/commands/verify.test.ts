/** `wirecheck verify`: reports that follow from their recordings, and damage of every kind in either file. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAREFUL_PROCESS } from '../../test/kit/clients.ts';
import { runCommand } from '../../test/kit/command.ts';
import { findFreePort } from '../../test/kit/free-port.ts';
import { IS_THOROUGH } from '../../test/kit/thoroughness.ts';
import { checkFile } from '../contract/file-schema.ts';
import type { Report } from '../report/report.ts';
import { sealReport } from '../report/seal-report.ts';
import type { Verification } from '../report/verification/verification.ts';
import { RELAY_KEYS, startSmallRelay } from '../selftest/relays/small-relay.ts';

const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-verify-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const wirecheck = (...args: readonly string[]) => runCommand(args, cwd);
const at = (name: string): string => join(cwd, name);
const readReport = (name: string): Report => JSON.parse(readFileSync(at(name), 'utf8')) as Report;

async function verify(report: string, recording: string, ...flags: readonly string[]) {
  const { exit, stdout, stderr } = await wirecheck('verify', report, recording, '--json', ...flags);
  const verification = (exit === 2 && stdout === '' ? undefined : JSON.parse(stdout)) as Verification;
  if (verification) checkFile('verification', { file: 'stdout', value: verification });
  return { exit, stderr, verification };
}

const kindsOf = ({ differences }: Verification) => new Set(differences.map(({ kind }) => kind));

beforeAll(async () => {
  const made = ['--record', 'run.ndjson.gz', '--reporter', 'json=run.json', '--only', 'errors/*', '--only', 'models/*'];
  const product = ['--product', 'Sea Gateway', '--product-version', '2.4', '--contact', 'qa@sea.example'];
  await wirecheck(
    'demo',
    '--fault',
    'error-code-integer',
    ...made,
    ...product,
    '--title',
    'Audit',
    '--note',
    'For Ada.',
  );
  await wirecheck('demo', '--only', 'models/*', '--record', 'other.ndjson', '--reporter', 'json=other.json');
}, 60_000);

describe('a report follows from its recording', () => {
  it('and the answer says what is not proven', async () => {
    const { exit, stdout } = await wirecheck('verify', 'run.json', 'run.ndjson.gz');
    const { edition, tool } = readReport('run.json');
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect([exit, text]).toEqual([
      0,
      expect.stringContaining(
        `VERIFIED: this report follows from this recording (edition ${edition}, wirecheck ${tool.version}). Not proven: where the recording came from, and who made it.`,
      ),
    ]);
    expect(text).toContain('The report says: DOES NOT CONFORM');
    expect(text).toContain('In the report, and in no recording: title, note, product.');
  });

  it('which has the identity of what was tested', () => {
    const product = { name: 'Sea Gateway', version: '2.4', contact: 'qa@sea.example' };
    expect(readReport('run.json').product).toEqual(product);
  });

  it('whether the recording is compressed or not', async () => {
    writeFileSync(at('plain.ndjson'), gunzipSync(readFileSync(at('run.ndjson.gz'))));
    expect((await verify('run.json', 'plain.ndjson')).exit).toBe(0);
  });

  it.each<[string, readonly string[]]>([
    ['judged again', []],
    ['judged strictly', ['--strict']],
    ['without bodies', ['--no-bodies']],
    ['by a profile that comes along', ['--profile', 'common-servers']],
    ['with a baseline', ['--baseline', 'run.json']],
  ])('%s', async (name, flags) => {
    const file = `${name.replaceAll(' ', '-')}.json`;
    await wirecheck('judge', 'run.ndjson.gz', ...flags, '--reporter', `json=${file}`);
    const given = flags[0] === '--baseline' ? flags : [];
    const { exit, verification } = await verify(file, 'run.ndjson.gz', ...given);
    expect([exit, verification.differences]).toEqual([0, []]);
  });

  it('with waivers, which the report has', async () => {
    await wirecheck('waive', 'errors.code', '--reason', 'Known.', '--until', '2100-01-01');
    await wirecheck('judge', 'run.ndjson.gz', '--waivers', 'wirecheck.waivers.yaml', '--reporter', 'json=waived.json');
    const { exit, verification } = await verify('waived.json', 'run.ndjson.gz');
    expect([exit, verification.differences, verification.report.outcome]).toEqual([0, [], 'conforms-but-waived']);
    expect(verification.notRecorded).toContain('/waivers');
  });

  it('of traffic that somebody else recorded', async () => {
    await wirecheck('export', 'run.ndjson.gz', '--har', 'run.har');
    await wirecheck('judge', 'run.har', '--reporter', 'json=har.json');
    expect((await verify('har.json', 'run.har')).exit).toBe(0);
  });

  it('of a client and of a relay', { timeout: 60_000 }, async () => {
    const kept = (name: string) => ['--record', `${name}.ndjson`, '--reporter', `json=${name}.json`];
    await wirecheck('client', '--only', 'client/plain', ...kept('client'), '--', ...CAREFUL_PROCESS);
    const port = await findFreePort();
    const relay = await startSmallRelay({ upstreamUrl: `http://127.0.0.1:${port}/v1` });
    const flags = [relay.baseUrl, '--upstream-port', String(port), '--only', 'relay/plain', ...kept('relay')];
    await runCommand(['relay', ...flags], cwd, { WIRECHECK_API_KEY: RELAY_KEYS.full });
    await relay.close();
    for (const name of ['client', 'relay']) {
      const { exit, verification } = await verify(`${name}.json`, `${name}.ndjson`);
      expect([exit, verification.differences]).toEqual([0, []]);
    }
    const { exit, verification } = await verify('client.json', 'relay.ndjson');
    expect([exit, kindsOf(verification)]).toEqual([1, new Set(['recording-digest', 'subject'])]);
  });

  it('also if it was rendered with another title', async () => {
    await wirecheck('render', 'run.json', '--title', 'Other', '--reporter', 'json=titled.json');
    expect((await verify('titled.json', 'run.ndjson.gz')).exit).toBe(0);
  });
});

type Change = (report: Report) => unknown;

const fails = (report: Report) => report.cases.find(({ verdict }) => verdict === 'fail');

/** Each is found by the digest, and by the comparison if the digest was made anew. */
const CHANGES: readonly [string, Change][] = [
  [
    'a verdict',
    (report) => Object.assign(fails(report)?.expectations.find((e) => e.verdict === 'fail') ?? {}, { verdict: 'pass' }),
  ],
  [
    'a case that is gone',
    (report) => Object.assign(report, { cases: report.cases.filter((own) => own !== fails(report)) }),
  ],
  [
    'findings that are gone',
    (report) =>
      report.cases.forEach(({ expectations }) => expectations.forEach((own) => Object.assign(own, { findings: [] }))),
  ],
  ['the outcome', (report) => Object.assign(report.outcome, { name: 'conforms', exit: 0 })],
  ['the counts', (report) => Object.assign(report.counts.clauses, { fail: 0 })],
  [
    'the level of a clause',
    (report) => Object.assign(report.clauses.find(({ verdict }) => verdict === 'fail') ?? {}, { level: 'should' }),
  ],
  ['the target', (report) => Object.assign(report.target, { baseUrl: 'https://gateway.example/v1' })],
  ['the day', (report) => Object.assign(report.provenance, { startedAt: '2031-01-01T00:00:00.000Z' })],
  ['the evidence', (report) => Object.assign(report.exchanges.at(-1)?.attempts[0]?.answer?.body ?? {}, { text: '{}' })],
  ['the settings', (report) => Object.assign(report.provenance.settings, { only: ['models/*'] })],
];

describe('an altered report is found', () => {
  it.each(CHANGES)('%s', async (_what, change) => {
    const report = readReport('run.json');
    change(report);
    writeFileSync(at('altered.json'), JSON.stringify(report));
    const found = await verify('altered.json', 'run.ndjson.gz');
    expect([found.exit, found.verification.result]).toEqual([1, 'differs']);
    expect(kindsOf(found.verification)).toContain('report-digest');
    writeFileSync(at('altered.json'), JSON.stringify(sealReport(report)));
    const resealed = await verify('altered.json', 'run.ndjson.gz');
    expect([resealed.exit, resealed.verification.result]).toEqual([1, 'differs']);
    expect(kindsOf(resealed.verification)).not.toContain('report-digest');
  });

  it('and every difference is a sentence', async () => {
    const report = readReport('run.json');
    CHANGES.forEach(([, change]) => change(report));
    writeFileSync(at('altered.json'), JSON.stringify(report));
    const { exit, stdout } = await wirecheck('verify', 'altered.json', 'other.ndjson');
    expect(exit).toBe(1);
    expect(stdout).toMatch(/^NOT VERIFIED: this report does not follow from this recording/);
    expect(stdout).toContain('The report was changed after it was written');
    expect(stdout).toContain('This is not the recording that the report names');
    expect(stdout).toMatch(/and [\d,]+ more differences/);
    const forAgents = await runCommand(['verify', 'altered.json', 'run.ndjson.gz'], cwd, { AI_AGENT: 'one' });
    expect(forAgents.stdout).not.toContain('gateway.example');
  });

  it.each<[string, Change]>([
    ['its title', (report) => Object.assign(report, { title: 'Certified' })],
    ['its product', (report) => Object.assign(report, { product: { name: 'Other' } })],
  ])('unless only %s was changed and the digest made anew: no recording shows that', async (_what, change) => {
    const report = readReport('run.json');
    change(report);
    writeFileSync(at('altered.json'), JSON.stringify(report));
    expect((await verify('altered.json', 'run.ndjson.gz')).exit).toBe(1);
    writeFileSync(at('altered.json'), JSON.stringify(sealReport(report)));
    const { exit, verification } = await verify('altered.json', 'run.ndjson.gz');
    expect([exit, verification.notRecorded.length > 0]).toEqual([0, true]);
  });

  it('and render does not make its digest anew', async () => {
    writeFileSync(at('altered.json'), JSON.stringify({ ...readReport('run.json'), strict: true }));
    await wirecheck('render', 'altered.json', '--title', 'Other', '--reporter', 'json=rendered.json');
    expect((await verify('rendered.json', 'run.ndjson.gz')).exit).toBe(1);
  });
});

describe('an altered recording is found', () => {
  const lines = () =>
    gunzipSync(readFileSync(at('run.ndjson.gz')))
      .toString()
      .trimEnd()
      .split('\n');
  const write = (changed: readonly string[]) => writeFileSync(at('altered.ndjson'), `${changed.join('\n')}\n`);

  it.each<[string, (all: readonly string[]) => readonly string[]]>([
    ['an answer', (all) => all.map((line) => line.replace(/"status":4\d\d/, '"status":500'))],
    ['an error body', (all) => all.map((line) => line.replaceAll(/\\"code\\":\d+/g, String.raw`\"code\":\"x\"`))],
    ['an exchange that is gone', (all) => all.toSpliced(5, 1)],
    ['two exchanges in another order', (all) => [...all.slice(0, 3), all[4] ?? '', all[3] ?? '', ...all.slice(5)]],
    ['a cut at the end', (all) => all.slice(0, -1)],
    ['a line that is not JSON', (all) => all.with(7, '{"kind":')],
    ['the settings', (all) => all.with(0, (all[0] ?? '').replace('"strict":false', '"strict":true'))],
    ['the base URL', (all) => all.map((line) => line.replaceAll('127.0.0.1', 'localhost'))],
    ['a time', (all) => all.map((line) => line.replace(/"startedAt":\d+/, '"startedAt":1700000000000'))],
    ['more lines', (all) => [...all, all.at(-2) ?? '']],
  ])('%s', async (_what, change) => {
    write(change(lines()));
    const { exit, verification } = await verify('run.json', 'altered.ndjson');
    expect([exit, verification.result]).toEqual([1, 'differs']);
    expect(kindsOf(verification)).toContain('recording-digest');
  });

  it('by what it shows, if the report names no recording', async () => {
    const { recordingDigest: _digest, ...report } = readReport('run.json');
    writeFileSync(at('unnamed.json'), JSON.stringify(sealReport(report)));
    expect((await verify('unnamed.json', 'run.ndjson.gz')).exit).toBe(0);
    write(lines().map((line) => line.replace(/"status":4\d\d/, '"status":500')));
    const { exit, verification } = await verify('unnamed.json', 'altered.ndjson');
    expect([exit, kindsOf(verification).has('verdict')]).toEqual([1, true]);
  });

  it('and damage that keeps it from being read is a usage error, if nothing says that it was whole', async () => {
    write(lines().with(7, '{"kind":'));
    const { exit, stderr } = await verify('unnamed.json', 'altered.ndjson');
    expect([exit, stderr]).toEqual([2, 'altered.ndjson:8: this line is not valid JSON. Record again.\n']);
  });
});

describe('another version of wirecheck', () => {
  const made = (changes: Partial<Report>, change: Change = () => undefined): void => {
    const report = { ...readReport('run.json'), ...changes };
    change(report);
    writeFileSync(at('older.json'), JSON.stringify(sealReport(report)));
  };
  const TOOL = { name: 'wirecheck', version: '0.1.9' } as const;

  it('that comes to the same verdicts is verified, and the words are not compared', async () => {
    made({ tool: TOOL, notices: [] }, ({ clauses }) => Object.assign(clauses[0] ?? {}, { summary: 'Other words.' }));
    const { exit, verification } = await verify('older.json', 'run.ndjson.gz');
    expect([exit, verification.compared]).toEqual([0, 'verdicts']);
  });

  it('that comes to other verdicts cannot be compared, and is named', async () => {
    made({ tool: TOOL }, CHANGES[0]?.[1]);
    const { exit, stdout } = await wirecheck('verify', 'older.json', 'run.ndjson.gz');
    expect([exit, stdout.replaceAll(/\s+/g, ' ')]).toEqual([
      2,
      expect.stringMatching(/^NOT COMPARABLE: wirecheck 0\.1\.9 .* Install wirecheck 0\.1\.9, and verify with it\./),
    ]);
  });

  it('that had other tests is told apart by their digest', async () => {
    made({ editionDigest: 'a'.repeat(64) }, CHANGES[0]?.[1]);
    const { exit, stdout } = await wirecheck('verify', 'older.json', 'run.ndjson.gz');
    expect([exit, stdout.replaceAll(/\s+/g, ' ')]).toEqual([2, expect.stringContaining('Verify with the build')]);
  });

  it.each<[string, Change, number]>([
    ['a case that is gone', CHANGES[1]?.[1] ?? (() => undefined), 2],
    ['another target', CHANGES[6]?.[1] ?? (() => undefined), 1],
    ['another day', CHANGES[7]?.[1] ?? (() => undefined), 1],
  ])('is no excuse for %s', async (_what, change, exit) => {
    made({ tool: TOOL }, change);
    expect((await verify('older.json', 'run.ndjson.gz')).exit).toBe(exit);
  });
});

describe('what the report rests on has to be given', () => {
  it('a baseline', async () => {
    const { exit, stderr } = await verify('with-a-baseline.json', 'run.ndjson.gz');
    expect([exit, stderr]).toEqual([
      2,
      'The report was made with the baseline run.json: pass it with --baseline FILE.\n',
    ]);
    const unneeded = await verify('run.json', 'run.ndjson.gz', '--baseline', 'run.json');
    expect([unneeded.exit, unneeded.stderr]).toEqual([2, expect.stringContaining('leave out --baseline')]);
  });

  it('a profile of the user', async () => {
    const profile =
      'profile: acme\nversion: "1"\nbasedOn: v1\nchanges:\n  - { clause: errors.code, level: should, why: Known. }\n';
    writeFileSync(at('acme.yaml'), profile);
    const judged = await wirecheck('judge', 'run.ndjson.gz', '--profile', 'acme.yaml', '--reporter', 'json=acme.json');
    expect(judged.stderr).not.toContain('acme.yaml:');
    const { exit, stderr } = await verify('acme.json', 'run.ndjson.gz');
    expect([exit, stderr]).toEqual([
      2,
      expect.stringMatching(/profile acme with the digest .*: pass it with --profile/),
    ]);
    expect((await verify('acme.json', 'run.ndjson.gz', '--profile', 'acme.yaml')).exit).toBe(0);
    expect((await verify('acme.json', 'run.ndjson.gz', '--profile', 'common-servers')).exit).toBe(2);
  });

  it.each([
    ['files in the wrong order', ['run.ndjson.gz', 'run.json'], /is not JSON: give the report\.json/],
    ['two reports', ['run.json', 'run.json'], /run\.json is a report: name the report first, then the recording/],
    ['no recording', ['run.json', 'none.ndjson'], /there is no such file/],
  ])('%s give one sentence', async (_what, files, message) => {
    const { exit, stderr } = await wirecheck('verify', ...files);
    expect([exit, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('files that somebody made to do harm', () => {
  const first = () =>
    gunzipSync(readFileSync(at('run.ndjson.gz')))
      .toString()
      .split('\n')[0] ?? '';

  it.runIf(IS_THOROUGH)(
    'a recording that unpacks to more than a gibibyte is refused',
    { timeout: 120_000 },
    async () => {
      const part = gzipSync(Buffer.alloc(64 * 1024 ** 2, '\n'));
      writeFileSync(at('bomb.ndjson.gz'), Buffer.concat([gzipSync(`${first()}\n`), ...Array<Buffer>(17).fill(part)]));
      const { exit, stderr } = await verify('run.json', 'bomb.ndjson.gz');
      expect([exit, stderr]).toEqual([
        2,
        'bomb.ndjson.gz has more than 1024 MiB, uncompressed. Pass a smaller recording.\n',
      ]);
    },
  );

  it.each([
    ['nested a million deep', () => `${'['.repeat(1e6)}${']'.repeat(1e6)}`],
    ['with millions of values', () => `[${'1,'.repeat(5e6)}1]`],
  ])('a line or a report %s is refused', async (_what, make) => {
    writeFileSync(at('deep.ndjson'), `${first()}\n{"kind":"amendment","x":${make()}}\n`);
    const recording = await verify('unnamed.json', 'deep.ndjson');
    expect([recording.exit, recording.stderr]).toEqual([
      2,
      expect.stringContaining('nested too deeply, or has too many'),
    ]);
    writeFileSync(at('deep.json'), `{"format":"wirecheck-report","version":2,"x":${make()}}`);
    const report = await verify('deep.json', 'run.ndjson.gz');
    expect([report.exit, report.stderr]).toEqual([2, expect.stringContaining('nested too deeply, or has too many')]);
  });

  it('a report of more than 128 MiB is refused', async () => {
    writeFileSync(at('large.json'), Buffer.alloc(129 * 1024 ** 2, ' '));
    const { exit, stderr } = await verify('large.json', 'run.ndjson.gz');
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining('is too large for a report: it has more than 128 MiB.'),
    ]);
    rmSync(at('large.json'));
  });

  it('a pattern with many stars takes no time', async () => {
    const stars = `${'*a'.repeat(30)}*!`;
    const harmful = first().replace('"only":[', `"only":["${stars}",`);
    expect(harmful).toContain(stars);
    writeFileSync(at('altered.ndjson'), `${harmful}\n`);
    expect((await verify('run.json', 'altered.ndjson')).exit).not.toBe(0);
  });
});
