import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../src/contract/package-root.ts';
import { judgeRecording } from '../src/run/judge-recording.ts';
import { brokenClauses } from './kit/real-run.ts';
import { openRecording } from '../src/recording/read-recording.ts';
import { recordGateway } from './kit/recording.ts';
import type { Report } from '../src/report/report.ts';
import { judge } from '../src/run/run.ts';

async function judged(file: string): Promise<Report> {
  return judgeRecording(await openRecording(file, 'a.ndjson'));
}

/** The lines of a recording, changed and written back. */
function rewrite(file: string, change: (lines: readonly string[]) => readonly string[]): void {
  writeFileSync(file, `${change(readFileSync(file, 'utf8').trimEnd().split('\n')).join('\n')}\n`);
}

/** The same exchanges over and over, each with an id of its own. */
function repeated(
  lines: readonly string[],
  times: number,
  changeBody = (text: string, _time: number) => text,
): readonly string[] {
  const [first = '', ...rest] = lines;
  const last = rest.pop() ?? '';
  const more = Array.from({ length: times }, (_, time) =>
    rest.map((line) => (time === 0 ? line : changeBody(line, time).replace(/"id":"([^"]*)"/, `"id":"$1~${time}"`))),
  );
  return [first, ...more.flat(), last];
}

describe('a recording judged offline', () => {
  it('contains the published description unchanged, if one was judged', async () => {
    const openapi = join(packageRoot(), 'schemas/v1/openapi.yaml');
    const { file, gathered, settings } = await recordGateway('a.ndjson', {}, { openapi });
    const report = await judged(file);
    expect(report).toEqual(judge(gathered, settings));
    expect(report.clauses.find(({ id }) => id === 'openapi.version')?.verdict).toBe('pass');
  });

  it('that is truncated is judged as far as it goes, and not failed for the missing requests', async () => {
    const { file, gathered } = await recordGateway('a.ndjson');
    rewrite(file, (lines) => lines.slice(0, -40));
    const report = await judged(file);
    expect(report.ending).toEqual({ kind: 'recording-cut' });
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3 });
    expect(report.target.model).toBe(gathered.traffic.bindings.model);
    expect(report.cost.used.requests).toBe(report.exchanges.length);
    expect(report.notices).toEqual([
      { kind: 'recording-cut', file: 'a.ndjson', line: expect.any(Number), isLineCut: false, isGzipCut: false },
    ]);
    expect(report.counts.cases.pass).toBeGreaterThan(10);
    const unasked = report.cases.flatMap(({ expectations }) =>
      expectations.flatMap(({ verdict, reason }) => (verdict === 'inconclusive' ? [reason] : [])),
    );
    expect(unasked).toContainEqual({ kind: 'run-ended', ending: { kind: 'recording-cut' } });
  });

  it('that is truncated fails for the violations it contains, wherever it is cut', async () => {
    const { file } = await recordGateway('a.ndjson', { fault: 'error-code-integer' });
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const cuts = [lines.length - 1, 80, 40, 1].map((count) => `${lines.slice(0, count).join('\n')}\n`);
    const whole = lines.join('\n');
    const exits: number[] = [];
    for (const content of [...cuts, whole.slice(0, -1), whole.slice(0, -2000)]) {
      writeFileSync(file, content);
      exits.push((await judged(file)).outcome.exit);
    }
    expect(exits).toEqual([1, 1, 1, 3, 1, 1]);
  });

  it('that is truncated never shows a violation because of that, wherever it is cut', async () => {
    const { file } = await recordGateway('a.ndjson');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    for (let count = 1; count < lines.length; count += 6) {
      writeFileSync(file, `${lines.slice(0, count).join('\n')}\n`);
      const report = await judged(file);
      expect([count, report.outcome.exit, brokenClauses(report)]).toEqual([count, 3, []]);
    }
  });

  it.each([
    [undefined, 3],
    ['error-code-integer', 1],
  ] as const)(
    'of an interrupted run with the fault %s exits with %i: judging was not interrupted',
    async (fault, exit) => {
      const { file } = await recordGateway('a.ndjson', fault && { fault });
      rewrite(file, (lines) => {
        const end = JSON.parse(lines.at(-1) ?? '') as object;
        return [...lines.slice(0, 40), JSON.stringify({ ...end, ending: { kind: 'interrupted' } })];
      });
      expect(await judged(file)).toMatchObject({ ending: { kind: 'interrupted' }, outcome: { exit } });
    },
  );

  it('skips a case that was not planned at the time, or that sent another request', async () => {
    const { file } = await recordGateway('a.ndjson');
    rewrite(file, ([first = '', ...rest]) => {
      const start = JSON.parse(first) as { contractHash: string; steps: Record<string, string> };
      delete start.steps['parameters/top-p-out-of-range[just-below]'];
      start.steps['chat/charset'] = 'another';
      start.contractHash = 'f'.repeat(64);
      return [JSON.stringify(start), ...rest.filter((line) => !line.includes('"top-p-out-of-range[just-below]"'))];
    });
    const report = await judged(file);
    for (const id of ['parameters/top-p-out-of-range[just-below]', 'chat/charset']) {
      const expectations = report.cases.find((testCase) => testCase.id === id)?.expectations ?? [];
      expect(expectations.map(({ verdict, reason }) => [verdict, reason])).toContainEqual([
        'skipped',
        { kind: 'not-recorded' },
      ]);
    }
    expect(report.notices).toEqual([{ kind: 'other-contract' }]);
    expect(report.counts.cases.inconclusive).toBe(0);
  });

  it('gives the same verdicts in parts if it is too large for memory', async () => {
    const { file, gathered, settings } = await recordGateway('a.ndjson', { fault: 'error-code-integer' });
    const whole = judge(gathered, settings);
    const renamed = (line: string, time: number) =>
      line.replaceAll('chatcmpl-', `chat${String(time).padStart(4, '0')}-`);
    rewrite(file, (lines) => repeated(lines, 20, renamed));
    const report = await judged(file);
    const verdicts = ({ cases }: Report) =>
      cases.map(({ id, expectations }) => [id, expectations.map(({ clause, verdict }) => [clause, verdict])]);
    expect(verdicts(report)).toEqual(verdicts(whole));
    expect(report.outcome).toEqual(whole.outcome);
    const fingerprints = ({ cases }: Report) =>
      cases.flatMap(({ expectations }) =>
        expectations.flatMap(({ findings }) => findings.map((finding) => finding.fingerprint)),
      );
    expect(fingerprints(report)).toEqual(fingerprints(whole));
    expect(report.exchanges.length).toBeLessThan(5 * whole.exchanges.length);
    const known = new Set(report.exchanges.map(({ id }) => id));
    const shown = report.cases.flatMap(({ expectations }) =>
      expectations.flatMap(({ findings }) => findings.map(({ exchange }) => exchange)),
    );
    expect(shown.every((id) => known.has(id))).toBe(true);
    expect(report.notices.at(-1)).toMatchObject({ kind: 'evidence-thinned' });
    const present = (judged: Report) =>
      judged.observations.filter((observation) => 'of' in observation && observation.of === 'completion /id');
    expect(present(report)).toEqual(present(whole));
  });

  it('that is large and truncated reports its cost so far', async () => {
    const { file, gathered } = await recordGateway('a.ndjson');
    rewrite(file, (lines) => repeated(lines, 12).slice(0, -1));
    const report = await judged(file);
    expect(report.ending).toEqual({ kind: 'recording-cut' });
    expect(report.target.model).toBe(gathered.traffic.bindings.model);
    const { requests, completions, tokens } = gathered.traffic.used;
    expect(report.cost.used).toEqual({ requests: 12 * requests, completions: 12 * completions, tokens: 12 * tokens });
  });

  it('finds a duplicate id across the parts of a large recording', async () => {
    const { file } = await recordGateway('a.ndjson');
    rewrite(file, (lines) => repeated(lines, 15));
    const report = await judged(file);
    expect(brokenClauses(report)).toEqual(['completion.ids-differ']);
  });
});
