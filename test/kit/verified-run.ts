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

  /** The lines of the recording. */
  lines(): readonly string[] {
    return gunzipSync(readFileSync(join(this.cwd, 'run.ndjson.gz')))
      .toString()
      .trimEnd()
      .split('\n');
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
];
