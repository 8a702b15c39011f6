/** `wirecheck verify`: files that have to be given, and files that somebody made to do harm. */
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IS_THOROUGH } from '../../test/kit/thoroughness.ts';
import { VerifiedRun } from '../../test/kit/verified-run.ts';
import { sealReport } from '../report/seal-report.ts';

const run = new VerifiedRun();
beforeAll(() => run.record(), 60_000);
afterAll(() => run.close());

describe('what the report rests on has to be given', () => {
  it('a baseline', async () => {
    await run.wirecheck('judge', 'run.ndjson.gz', '--baseline', 'run.json', '--reporter', 'json=compared.json');
    const { exit, stderr } = await run.verify('compared.json', 'run.ndjson.gz');
    expect([exit, stderr]).toEqual([
      2,
      'The report was made with the baseline run.json: pass it with --baseline FILE.\n',
    ]);
    const unneeded = await run.verify('run.json', 'run.ndjson.gz', '--baseline', 'run.json');
    expect([unneeded.exit, unneeded.stderr]).toEqual([2, expect.stringContaining('leave out --baseline')]);
  });

  it('a profile of the user', async () => {
    const profile =
      'profile: acme\nversion: "1"\nbasedOn: v1\nchanges:\n  - { clause: errors.code, level: should, why: Known. }\n';
    run.write('acme.yaml', profile);
    const judged = await run.wirecheck(
      'judge',
      'run.ndjson.gz',
      '--profile',
      'acme.yaml',
      '--reporter',
      'json=acme.json',
    );
    expect(judged.stderr).not.toContain('acme.yaml:');
    const { exit, stderr } = await run.verify('acme.json', 'run.ndjson.gz');
    expect([exit, stderr]).toEqual([
      2,
      expect.stringMatching(/profile acme with the digest .*: pass it with --profile/),
    ]);
    expect((await run.verify('acme.json', 'run.ndjson.gz', '--profile', 'acme.yaml')).exit).toBe(0);
    expect((await run.verify('acme.json', 'run.ndjson.gz', '--profile', 'common-servers')).exit).toBe(2);
  });

  it('and a report that hides the profile of its run is found', async () => {
    const kept = ['--only', 'errors/*', '--record', 'own.ndjson', '--reporter', 'json=own.json'];
    await run.wirecheck('demo', '--profile', 'common-servers', ...kept);
    expect((await run.verify('own.json', 'own.ndjson')).exit).toBe(0);
    const { profile: _profile, ...report } = run.readReport('own.json');
    run.write('own.json', JSON.stringify(sealReport(report)));
    expect((await run.verify('own.json', 'own.ndjson')).exit).toBe(1);
  });

  it.each([
    ['files in the wrong order', ['run.ndjson.gz', 'run.json'], /run\.json is a report: name the report first/],
    ['no report', ['run.ndjson.gz', 'run.ndjson.gz'], /is not JSON: give the report\.json/],
    ['a file of another kind', ['run.json', 'junit.xml'], /junit\.xml is not a wirecheck recording/],
    ['an empty file', ['run.json', 'empty.ndjson'], /empty\.ndjson is empty/],
    ['two reports', ['run.json', 'run.json'], /run\.json is a report: name the report first, then the recording/],
    ['no recording', ['run.json', 'none.ndjson'], /there is no such file/],
  ])('%s give one sentence', async (_what, files, message) => {
    run.write('junit.xml', '<testsuites/>');
    run.write('empty.ndjson', '');
    const { exit, stderr } = await run.wirecheck('verify', ...files);
    expect([exit, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('files that somebody made to do harm', () => {
  const first = () => run.lines()[0] ?? '';

  it.runIf(IS_THOROUGH)(
    'a recording that unpacks to more than a gibibyte is refused',
    { timeout: 120_000 },
    async () => {
      const part = gzipSync(Buffer.alloc(64 * 1024 ** 2, '\n'));
      run.write('bomb.ndjson.gz', Buffer.concat([gzipSync(`${first()}\n`), ...Array<Buffer>(17).fill(part)]));
      const { exit, stderr } = await run.verify('run.json', 'bomb.ndjson.gz');
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
    run.write('deep.ndjson', `${first()}\n{"kind":"amendment","x":${make()}}\n`);
    const recording = await run.verify('unnamed.json', 'deep.ndjson');
    expect([recording.exit, recording.stderr]).toEqual([
      2,
      expect.stringContaining('nested too deeply, or has too many'),
    ]);
    run.write('deep.json', `{"format":"wirecheck-report","version":2,"x":${make()}}`);
    const report = await run.verify('deep.json', 'run.ndjson.gz');
    expect([report.exit, report.stderr]).toEqual([2, expect.stringContaining('nested too deeply, or has too many')]);
  });

  it('a report of more than 128 MiB is refused', async () => {
    run.write('large.json', '');
    truncateSync(join(run.cwd, 'large.json'), 129 * 1024 ** 2);
    const { exit, stderr } = await run.verify('large.json', 'run.ndjson.gz');
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining('Cannot read the report large.json: it has more than 128 MiB.'),
    ]);
    run.write('large.json', '');
  });

  it('a pattern with many stars takes no time', async () => {
    const stars = `${'*a'.repeat(30)}*!`;
    const harmful = first().replace('"only":[', `"only":["${stars}",`);
    expect(harmful).toContain(stars);
    run.write('altered.ndjson', `${harmful}\n`);
    expect((await run.verify('run.json', 'altered.ndjson')).exit).not.toBe(0);
  });
});
