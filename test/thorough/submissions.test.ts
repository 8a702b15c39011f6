/** `wirecheck verify --submission`: results that count, and all the reasons why others do not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VerifiedRun } from '../kit/verified-run.ts';
import { packageVersion } from '../../src/contract/package-files.ts';
import { digestNow, loadEditions } from '../../src/contract/editions.ts';
import type { Report } from '../../src/report/report.ts';
import { sealReport } from '../../src/report/seal-report.ts';
import { judgeSubmission } from '../../src/report/verification/submission.ts';

const run = new VerifiedRun();
const NAMED = ['--product', 'Sea | Gateway', '--contact', 'qa@sea.example'];
const SAID = [...NAMED, '--product-version', '2.4', '--note', 'defaults'];
/** Until the newest edition is cut, nothing counts. */
const isDraft = loadEditions()[0]?.cut === undefined;
const always = (reasons: readonly string[]) => [...(isDraft ? ['draft'] : []), ...reasons].toSorted();

async function demo(name: string, ...flags: readonly string[]): Promise<void> {
  const files = ['--record', `${name}.ndjson`, '--reporter', `json=${name}.json`];
  expect((await run.wirecheck('demo', ...files, ...flags)).exit).not.toBe(2);
}

/** The reasons for the report, with its recording. */
async function submit(name: string, recording = name, ...flags: readonly string[]) {
  const { exit, verification } = await run.verify(`${name}.json`, `${recording}.ndjson`, '--submission', ...flags);
  return { exit, reasons: verification.submission?.reasons.map(({ kind }) => kind).toSorted() };
}

const change = (changes: Partial<Report>) =>
  run.write('forged.json', JSON.stringify(sealReport({ ...run.readReport('good.json'), ...changes })));

beforeAll(async () => {
  run.write('waivers.yaml', 'waivers:\n  - clause: errors.code\n    reason: Known.\n    until: 2100-01-01\n');
  run.write('levels.yaml', 'levels:\n  errors.code: should\n');
  await demo('good', ...SAID);
}, 60_000);
afterAll(() => run.close());

describe('a result that counts', () => {
  it.each([
    ['of a gateway that breaks a clause', ['--fault', 'error-code-integer']],
    ['of a strict run', ['--strict']],
    ['of a run that asks more often', ['--detect', '1/2']],
    ['of a run with token counts', ['--counts']],
    ['of a run with few bodies', ['--no-bodies']],
  ])('%s', async (_title, flags) => {
    await demo('counts', ...SAID, '--force', ...flags);
    expect(await submit('counts')).toEqual({ exit: isDraft ? 1 : 0, reasons: always([]) });
  });

  it('has its row', async () => {
    await demo('row', ...SAID, '--fault', 'error-code-integer');
    const { clauses, ...rest } = run.readReport('row.json');
    const challenged = clauses.map((clause) =>
      clause.id === 'errors.json' ? { ...clause, challenged: '2026-11-19' } : clause,
    );
    const report = { ...rest, clauses: challenged, edition: '2026.1' };
    const cut = { ...digestNow(), date: '2026-11-19' };
    const editions = [
      { edition: '2026.2', changes: [] },
      { edition: '2026.1', cut, changes: [] },
    ];
    const verified = { result: 'verified', tool: report.tool, recordedBy: report.tool.version } as const;
    expect(judgeSubmission(report, verified, editions)).toEqual({
      reasons: [],
      row: {
        ...{ name: 'Sea | Gateway', version: '2.4', contact: 'qa@sea.example' },
        ...{ edition: '2026.1', broken: ['errors.code'], challenged: ['errors.json'], note: 'defaults' },
        ...{ judged: report.outcome.mustJudgedInLine, of: report.outcome.mustClausesInLine },
        date: report.provenance.startedAt.slice(0, 10),
      },
    });
  });
});

describe('a result that does not count', () => {
  it.each([
    ['with cases chosen', ['smaller'], ['--only', 'models/*']],
    ['with cases left out', ['smaller'], ['--skip', 'auth/*']],
    ['that was interrupted', ['interrupted', 'not-judged', 'smaller'], ['--max-requests', '5']],
    ['by a profile', ['profile'], ['--profile', 'common-servers']],
    ['with waivers', ['waivers'], ['--waivers', 'waivers.yaml']],
    ['with a baseline', ['baseline', 'not-verified'], ['--baseline', 'good.json']],
    ['with changed levels', ['profile'], ['--config', 'levels.yaml']],
    ['with some suites only', ['suites'], ['--suite', 'models', '--suite', 'auth']],
  ])('%s', async (_title, reasons, flags) => {
    await demo('bad', ...SAID, '--force', ...flags);
    expect(await submit('bad')).toEqual({ exit: 1, reasons: always(reasons) });
  });

  it.each([
    ['a name, a version, a contact and the settings', [], '--product, --product-version, --contact, --note.'],
    [
      'the number of a release',
      [...NAMED, '--product-version', 'main-dirty', '--note', '-'],
      'with --product-version.',
    ],
  ])('without %s', async (_title, flags, said) => {
    await demo('unnamed', '--force', ...flags);
    expect(await submit('unnamed')).toEqual({ exit: 1, reasons: always(['unnamed']) });
    const { stdout } = await run.wirecheck('verify', 'unnamed.json', 'unnamed.ndjson', '--submission');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(said);
  });

  it('of too few answers for a verdict', async () => {
    await demo('short', ...SAID, '--max-total', '20KiB');
    expect((await submit('short')).reasons).toContain('not-judged');
  });

  it('of a HAR file, and of a recording by another version', async () => {
    const version = packageVersion();
    const lines = readFileSync(join(run.cwd, 'good.ndjson'), 'utf8');
    run.write('older.ndjson', lines.replace(`"version":"${version}"`, '"version":"0.2.0"'));
    await run.wirecheck('render', 'good.ndjson', '--reporter', 'har=har.ndjson');
    for (const name of ['older', 'har']) {
      await run.wirecheck('judge', `${name}.ndjson`, ...SAID, '--reporter', `json=${name}.json`);
      expect((await submit(name)).reasons).toContain('other-wirecheck');
    }
  });

  it('of another subject than a gateway', async () => {
    const report = run.readReport('good.json');
    const verified = { result: 'verified', tool: report.tool, recordedBy: report.tool.version } as const;
    for (const other of [{ subject: 'load' }, { subject: 'relay' }, { explore: {} }]) {
      const { reasons } = judgeSubmission({ ...report, ...other } as Report, verified, []);
      expect(reasons.map(({ kind }) => kind)).toContain('other-check');
    }
  });

  it('of another version of wirecheck, of a changed report, and without digests', async () => {
    change({ tool: { name: 'wirecheck', version: '0.1.0' } });
    expect((await submit('forged', 'good')).reasons).toEqual(always(['not-verified', 'other-wirecheck']));
    change({ outcome: { ...run.readReport('good.json').outcome, name: 'conforms-in-part' } });
    expect((await submit('forged', 'good')).reasons).toEqual(always(['not-verified']));
    const { reportDigest: _own, recordingDigest: _other, ...bare } = run.readReport('good.json');
    run.write('bare.json', JSON.stringify(bare));
    expect((await submit('bare', 'good')).reasons).toEqual(always(['no-digests']));
  });

  it('of an older edition, of one that is not known, or of other tests', () => {
    const report = run.readReport('good.json');
    const verified = { result: 'verified', tool: report.tool, recordedBy: report.tool.version } as const;
    const old = { edition: '2026.1', cut: { ...digestNow(), date: '2026-11-19' }, changes: [] };
    const newer = { ...old, edition: '2026.2', cut: { ...old.cut, digest: 'a'.repeat(64) } };
    const reasons = (edition: string) =>
      judgeSubmission({ ...report, edition }, verified, [newer, old]).reasons.map(({ kind }) => kind);
    expect(reasons('2026.1')).toEqual(['old-edition']);
    expect(reasons('2026.1-draft')).toEqual(['draft']);
    expect(reasons('2027.1')).toEqual(['draft']);
    expect(reasons('2026.2')).toEqual(['changed-tests']);
  });
});
