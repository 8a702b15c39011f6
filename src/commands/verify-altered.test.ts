/** `wirecheck verify` on altered reports and recordings: each is found. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../test/kit/command.ts';
import { type Change, CHANGES, kindsOf, VerifiedRun } from '../../test/kit/verified-run.ts';
import { isSealed, sealReport } from '../report/seal-report.ts';

const run = new VerifiedRun();
beforeAll(() => run.record(), 60_000);
afterAll(() => run.close());

describe('an altered report is found', () => {
  it.each(CHANGES)('%s', async (_what, change) => {
    const report = run.readReport('run.json');
    change(report);
    run.write('altered.json', JSON.stringify(report));
    expect(isSealed(run.readReport('altered.json'))).toBe(false);
    run.write('altered.json', JSON.stringify(sealReport(report)));
    const resealed = await run.verify('altered.json', 'run.ndjson.gz');
    expect([resealed.exit, resealed.verification.result]).toEqual([1, 'differs']);
    expect(kindsOf(resealed.verification)).not.toContain('report-digest');
  });

  it('and every difference is a sentence', async () => {
    const report = run.readReport('run.json');
    expect(isSealed(report)).toBe(true);
    CHANGES.forEach(([, change]) => change(report));
    run.write('altered.json', JSON.stringify(report));
    const found = await run.verify('altered.json', 'run.ndjson.gz');
    expect([found.exit, found.verification.result]).toEqual([1, 'differs']);
    expect(kindsOf(found.verification)).toContain('report-digest');
    run.write('half.ndjson', run.lines().slice(0, 9).join('\n'));
    const { exit, stdout } = await run.wirecheck('verify', 'altered.json', 'half.ndjson');
    expect(exit).toBe(1);
    expect(stdout).toMatch(/^NOT VERIFIED: this report does not follow from this recording/);
    expect(stdout).toContain('The report was changed after it was written');
    expect(stdout).toContain('This is not the recording that the report names');
    expect(stdout).toMatch(/and [\d,]+ more differences/);
    const forAgents = await runCommand(['verify', 'altered.json', 'run.ndjson.gz'], run.cwd, { AI_AGENT: 'one' });
    expect(forAgents.stdout).not.toContain('gateway.example');
  });

  it.each<[string, Change]>([
    ['its title', (report) => Object.assign(report, { title: 'Certified' })],
    ['its product', (report) => Object.assign(report, { product: { name: 'Other' } })],
  ])('unless only %s was changed and the digest made anew: no recording shows that', async (_what, change) => {
    const report = run.readReport('run.json');
    change(report);
    run.write('altered.json', JSON.stringify(report));
    const found = await run.verify('altered.json', 'run.ndjson.gz');
    expect([found.exit, kindsOf(found.verification)]).toEqual([1, new Set(['report-digest'])]);
    run.write('altered.json', JSON.stringify(sealReport(report)));
    const { exit, verification } = await run.verify('altered.json', 'run.ndjson.gz');
    expect([exit, verification.notRecorded.length > 0]).toEqual([0, true]);
  });

  it('and render does not make its digest anew', async () => {
    run.write('altered.json', JSON.stringify({ ...run.readReport('run.json'), strict: true }));
    await run.wirecheck('render', 'altered.json', '--title', 'Other', '--reporter', 'json=rendered.json');
    expect((await run.verify('rendered.json', 'run.ndjson.gz')).exit).toBe(1);
  });
});

describe('an altered recording is found', () => {
  const write = (changed: readonly string[]) => run.write('altered.ndjson', `${changed.join('\n')}\n`);

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
    write(change(run.lines()));
    const { exit, verification } = await run.verify('run.json', 'altered.ndjson');
    expect([exit, verification.result]).toEqual([1, 'differs']);
    expect(kindsOf(verification)).toContain('recording-digest');
  });

  const flip = (packed: Buffer, at: number) => packed.with(at, (packed[at] ?? 0) ^ 0x10) as Buffer;
  // A byte of a header may say nothing, such as that of the time.
  const inData = (packed: Buffer) => packed.indexOf(Buffer.from([0x1f, 0x8b, 8]), packed.length >> 1) + 40;

  it.each<[string, (packed: Buffer) => Buffer]>([
    ['a flipped byte', (packed) => flip(packed, inData(packed))],
    // Within a part: between two of them, the data would end properly.
    ['a cut', (packed) => packed.subarray(0, inData(packed))],
    ['a flipped byte in its first line', (packed) => flip(packed, 400)],
  ])('%s in gzip data is told in a sentence', async (_what, change) => {
    run.write('damaged.ndjson.gz', change(run.packed()));
    const { exit, stdout } = await run.wirecheck('verify', 'run.json', 'damaged.ndjson.gz');
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect([exit, text]).toEqual([1, expect.stringMatching(/^NOT VERIFIED: .*: 2 differences\. /)]);
    expect(text).toContain('the gzip data of damaged.ndjson.gz is damaged or cut off. Copy it again.');
  });

  it('by what it shows, if the report names no recording, which is found too', async () => {
    const whole = await run.verify('unnamed.json', 'run.ndjson.gz');
    expect([whole.exit, whole.verification.differences]).toEqual([
      1,
      [{ kind: 'no-digest', member: '/recordingDigest' }],
    ]);
    write(run.lines().map((line) => line.replace(/"status":4\d\d/, '"status":500')));
    const { exit, verification } = await run.verify('unnamed.json', 'altered.ndjson');
    expect([exit, kindsOf(verification).has('verdict')]).toEqual([1, true]);
  });

  it('and damage that keeps it from being read is a usage error, if nothing says that it was whole', async () => {
    write(run.lines().with(7, '{"kind":'));
    const { exit, stderr } = await run.verify('unnamed.json', 'altered.ndjson');
    expect([exit, stderr]).toEqual([2, 'altered.ndjson:8: this line is not valid JSON. Record again.\n']);
  });
});
