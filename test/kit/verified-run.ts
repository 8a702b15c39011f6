/** A run with its report and its recording in a folder of its own, for tests of `wirecheck verify`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { checkFile } from '../../src/contract/file-schema.ts';
import type { Report } from '../../src/report/report.ts';
import { sealReport } from '../../src/report/seal-report.ts';
import type { Verification } from '../../src/report/verification/verification.ts';
import { runCommand } from './command.ts';

/** What was done to a report. */
export type Change = (report: Report) => unknown;

export class VerifiedRun {
  readonly cwd = mkdtempSync(join(tmpdir(), 'wirecheck-verify-'));

  /** `run.json` and `run.ndjson.gz`, of a gateway that breaks a clause; `unnamed.json` names no recording. */
  async record(): Promise<void> {
    const files = ['--record', 'run.ndjson.gz', '--reporter', 'json=run.json'];
    const cases = ['--only', 'errors/*', '--only', 'models/*'];
    const product = ['--product', 'Sea Gateway', '--product-version', '2.4', '--contact', 'qa@sea.example'];
    const words = [...product, '--title', 'Audit', '--note', 'For Ada.'];
    await this.wirecheck('demo', '--fault', 'error-code-integer', ...files, ...cases, ...words);
    const { recordingDigest: _digest, ...report } = this.readReport('run.json');
    this.write('unnamed.json', JSON.stringify(sealReport(report)));
  }

  close(): void {
    rmSync(this.cwd, { recursive: true });
  }

  wirecheck(...args: readonly string[]): ReturnType<typeof runCommand> {
    return runCommand(args, this.cwd);
  }

  /** With `--json`. There is no verification after a usage error. */
  async verify(report: string, recording: string, ...flags: readonly string[]) {
    const { exit, stdout, stderr } = await this.wirecheck('verify', report, recording, '--json', ...flags);
    const verification = (exit === 2 && stdout === '' ? undefined : JSON.parse(stdout)) as Verification;
    if (verification) checkFile('verification', { file: 'stdout', value: verification });
    return { exit, stderr, verification };
  }

  readReport(name: string): Report {
    return JSON.parse(readFileSync(join(this.cwd, name), 'utf8')) as Report;
  }

  /** The recording as it is on disk. */
  packed(): Buffer {
    return readFileSync(join(this.cwd, 'run.ndjson.gz'));
  }

  /** The lines of the recording. */
  lines(): readonly string[] {
    return gunzipSync(this.packed()).toString().trimEnd().split('\n');
  }

  write(name: string, content: string | Uint8Array): void {
    writeFileSync(join(this.cwd, name), content);
  }
}

export function kindsOf({ differences }: Verification): ReadonlySet<string> {
  return new Set(differences.map(({ kind }) => kind));
}

const fails = (report: Report) => report.cases.find(({ verdict }) => verdict === 'fail');

/** Each is found by the digest, and by the comparison if the digest was made anew. */
export const CHANGES: readonly (readonly [string, Change])[] = [
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
  ['the sentence of the verdict', (report) => Object.assign(report.outcome, { line: 'CONFORMS' })],
  ['a cause that is gone', (report) => Object.assign(report, { causes: [] })],
  ['the words of a cause', (report) => Object.assign(report.causes?.[0] ?? {}, { actual: 'nothing' })],
  [
    'sentence and causes that are gone',
    (report) => Object.assign(report, { causes: undefined, outcome: { ...report.outcome, line: undefined } }),
  ],
  ['the exit code', (report) => Object.assign(report.outcome, { exit: 0 })],
  ['how many clauses were judged', (report) => Object.assign(report.outcome, { mustJudged: 77 })],
  ['the digest of the edition', (report) => Object.assign(report, { editionDigest: 'a'.repeat(64) })],
  ['the name of the edition', (report) => Object.assign(report, { edition: '2031.1' })],
  ['an edition that is gone', (report) => Object.assign(report, { edition: undefined, editionDigest: undefined })],
  ['the digest of the contract', (report) => Object.assign(report.provenance, { contractHash: 'a'.repeat(64) })],
  ['that it was judged strictly', (report) => Object.assign(report, { strict: true })],
  [
    'the reason of a verdict',
    (report) => Object.assign(expectationWith(report, 'reason'), { reason: { kind: 'no-text' } }),
  ],
  ['the level of an expectation', (report) => Object.assign(expectationWith(report, 'level'), { level: 'observe' })],
  ['the summary of a clause', (report) => Object.assign(report.clauses[0] ?? {}, { summary: 'Other words.' })],
  ['an observation that is gone', (report) => Object.assign(report, { observations: report.observations.slice(1) })],
  [
    'a notice that is new',
    (report) => Object.assign(report, { notices: [...report.notices, { kind: 'other-contract' }] }),
  ],
  [
    'a suite that is said to have changed',
    (report) => Object.assign(report, { notices: [...report.notices, { kind: 'suite-changed', file: 'house.yaml' }] }),
  ],
  ['how the run ended', (report) => Object.assign(report, { ending: { kind: 'interrupted' } })],
  ['the cost', (report) => Object.assign(report.cost.used, { requests: 1 })],
  ['a status', (report) => Object.assign(report.exchanges[0]?.attempts[0]?.answer ?? {}, { status: 418 })],
  ['a command to repeat', (report) => Object.assign(fails(report) ?? {}, { repeat: 'curl http://127.0.0.1' })],
];

function expectationWith(report: Report, member: 'reason' | 'level') {
  return report.cases.flatMap(({ expectations }) => expectations).find((own) => own[member] !== undefined) ?? {};
}
