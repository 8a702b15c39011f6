/** `wirecheck verify`: reports that follow from their recordings, and reports of other versions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAREFUL_PROCESS } from '../../test/kit/clients.ts';
import { runCommand } from '../../test/kit/command.ts';
import { findFreePort } from '../../test/kit/free-port.ts';
import { kindsOf, VerifiedRun } from '../../test/kit/verified-run.ts';
import { sealReport } from '../report/seal-report.ts';
import { RELAY_KEYS, startSmallRelay } from '../../selftest/relays/small-relay.ts';

const run = new VerifiedRun();
beforeAll(() => run.record(), 60_000);
afterAll(() => run.close());

describe('a report follows from its recording', () => {
  it('and the answer says what is not proven', async () => {
    const { exit, stdout } = await run.wirecheck('verify', 'run.json', 'run.ndjson.gz');
    const { edition, tool } = run.readReport('run.json');
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect([exit, text]).toEqual([
      0,
      expect.stringContaining(
        `VERIFIED: this report follows from this recording. Judged by edition ${edition}, wirecheck ${tool.version}. Not proven: where the recording came from, and who made it.`,
      ),
    ]);
    expect(text).toContain('The report says: DOES NOT CONFORM');
    expect(text).toContain('Never in a recording: title, note, product.');
  });

  it('which has the identity of what was tested', () => {
    const product = { name: 'Sea Gateway', version: '2.4', contact: 'qa@sea.example' };
    expect(run.readReport('run.json').product).toEqual(product);
  });

  it('whether the recording is compressed or not', async () => {
    run.write('plain.ndjson', `${run.lines().join('\n')}\n`);
    expect((await run.verify('run.json', 'plain.ndjson')).exit).toBe(0);
  });

  it.each<[string, readonly string[]]>([
    ['judged again', []],
    ['judged strictly', ['--strict']],
    ['without bodies', ['--no-bodies']],
    ['by a profile that comes along', ['--profile', 'common-servers']],
    ['with a baseline', ['--baseline', 'run.json']],
  ])('%s', async (name, flags) => {
    const file = `${name.replaceAll(' ', '-')}.json`;
    await run.wirecheck('judge', 'run.ndjson.gz', ...flags, '--reporter', `json=${file}`);
    const given = flags[0] === '--baseline' ? flags : [];
    const { exit, verification } = await run.verify(file, 'run.ndjson.gz', ...given);
    expect([exit, verification.differences]).toEqual([0, []]);
  });

  it('with waivers, which the report has', async () => {
    await run.wirecheck('waive', 'errors.code', '--reason', 'Known.', '--until', '2100-01-01');
    await run.wirecheck(
      'judge',
      'run.ndjson.gz',
      '--waivers',
      'wirecheck.waivers.yaml',
      '--reporter',
      'json=waived.json',
    );
    const { exit, verification } = await run.verify('waived.json', 'run.ndjson.gz');
    expect([exit, verification.differences, verification.report.outcome]).toEqual([0, [], 'conforms-but-waived']);
    expect(verification.notRecorded).toContain('/waivers');
  });

  it('of traffic that somebody else recorded', async () => {
    await run.wirecheck('render', 'run.ndjson.gz', '--reporter', 'har=run.har');
    await run.wirecheck('judge', 'run.har', '--reporter', 'json=har.json');
    expect((await run.verify('har.json', 'run.har')).exit).toBe(0);
  });

  it('of a client and of a relay', { timeout: 60_000 }, async () => {
    const kept = (name: string) => ['--record', `${name}.ndjson`, '--reporter', `json=${name}.json`];
    await run.wirecheck('client', '--only', 'client/plain', ...kept('client'), '--', ...CAREFUL_PROCESS);
    const port = await findFreePort();
    const relay = await startSmallRelay({ upstreamUrl: `http://127.0.0.1:${port}/v1` });
    const flags = [relay.baseUrl, '--upstream-port', String(port), '--only', 'relay/plain', ...kept('relay')];
    await runCommand(['relay', ...flags], run.cwd, { WIRECHECK_API_KEY: RELAY_KEYS.full });
    await relay.close();
    for (const name of ['client', 'relay']) {
      const { exit, verification } = await run.verify(`${name}.json`, `${name}.ndjson`);
      expect([exit, verification.differences]).toEqual([0, []]);
    }
    const { exit, verification } = await run.verify('client.json', 'relay.ndjson');
    expect([exit, kindsOf(verification)]).toEqual([1, new Set(['recording-digest', 'subject'])]);
  });

  it('also if it was rendered with another title', async () => {
    await run.wirecheck('render', 'run.json', '--title', 'Other', '--reporter', 'json=titled.json');
    expect((await run.verify('titled.json', 'run.ndjson.gz')).exit).toBe(0);
  });
});

describe('another version of wirecheck', () => {
  it('is named, and nothing is compared', async () => {
    const report = { ...run.readReport('run.json'), tool: { name: 'wirecheck', version: '0.1.9' } } as const;
    run.write('older.json', JSON.stringify(sealReport({ ...report, clauses: [] })));
    const { exit, verification } = await run.verify('older.json', 'run.ndjson.gz');
    expect([exit, verification.compared, verification.differences]).toEqual([2, 'nothing', []]);
    const { stdout } = await run.wirecheck('verify', 'older.json', 'run.ndjson.gz');
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /^NOT COMPARABLE: another version of wirecheck made this report\. By its own words, wirecheck 0\.1\.9 with edition .* made this report\. Install wirecheck 0\.1\.9, and verify with it\./,
    );
  });

  it('is no excuse for damage', async () => {
    const tool = { name: 'wirecheck', version: '0.1.9' } as const;
    run.write('older.json', JSON.stringify({ ...run.readReport('run.json'), tool }));
    const { exit, verification } = await run.verify('older.json', 'run.ndjson.gz');
    expect([exit, kindsOf(verification)]).toEqual([1, new Set(['report-digest'])]);
  });
});
