import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../src/contract/package-root.ts';
import type { GatewayOptions } from '../src/gateway/index.ts';
import { openRecording } from '../src/recording/read-recording.ts';
import { createRecorder } from '../src/recording/write-recording.ts';
import type { Report } from '../src/report/report.ts';
import { judgeRecording } from '../src/run/judge-recording.ts';
import { type Gathered, judge } from '../src/run/run.ts';
import { gatherFrom } from '../selftest/in-memory.ts';
import type { Settings } from '../src/settings.ts';
import { brokenClauses, quickSettings } from './kit/real-run.ts';
import { IS_THOROUGH } from './kit/thoroughness.ts';

interface Recorded {
  readonly lines: readonly string[];
  readonly settings: Settings;
  readonly gathered: Gathered;
}

let folder: string;
/** Of a gateway that conforms, and of one whose error codes are numbers. */
let conforming: Recorded;
let faulty: Recorded;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recording-'));
  conforming = await record({});
  faulty = await record({ fault: 'error-code-integer' });
});
afterAll(() => rmSync(folder, { recursive: true }));

async function record(gateway: GatewayOptions, changes: Partial<Settings> = {}): Promise<Recorded> {
  const file = join(folder, 'recorded.ndjson');
  const { gathered, settings } = await gatherFrom({
    gateway,
    inMemory: true,
    settingsFor: (baseUrl) => quickSettings(baseUrl, changes),
    keysOf: ({ full }) => ({ full }),
    record: () => createRecorder(file, true),
  });
  return { lines: readFileSync(file, 'utf8').trimEnd().split('\n'), settings, gathered };
}

async function judged(lines: readonly string[]): Promise<Report> {
  return judgedText(`${lines.join('\n')}\n`);
}

async function judgedText(text: string): Promise<Report> {
  const file = join(folder, 'a.ndjson');
  writeFileSync(file, text);
  return judgeRecording(await openRecording(file, 'a.ndjson'));
}

/** How often a run is repeated to be larger than a recording that is judged whole: that is 1,000 exchanges. */
const LARGE = 8;

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
    const { lines, gathered, settings } = await record({}, { openapi, only: ['versioning/*', 'models/*'] });
    const report = await judged(lines);
    expect(report).toEqual(judge(gathered, settings));
    expect(report.clauses.find(({ id }) => id === 'openapi.version')?.verdict).toBe('pass');
  });

  it('that is truncated is judged as far as it goes, and not failed for the missing requests', async () => {
    const { lines, gathered } = conforming;
    const report = await judged(lines.slice(0, -40));
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
    const { lines } = faulty;
    const cuts = [lines.length - 1, 80, 40, 1].map((count) => `${lines.slice(0, count).join('\n')}\n`);
    const whole = lines.join('\n');
    const exits: number[] = [];
    for (const content of [...cuts, whole.slice(0, -1), whole.slice(0, -2000)]) {
      exits.push((await judgedText(content)).outcome.exit);
    }
    expect(exits).toEqual([1, 1, 1, 3, 1, 1]);
  });

  it('that is truncated never shows a violation because of that, wherever it is cut', async () => {
    const { lines } = conforming;
    for (let count = 1; count < lines.length; count += IS_THOROUGH ? 6 : 18) {
      const report = await judged(lines.slice(0, count));
      expect([count, report.outcome.exit, brokenClauses(report)]).toEqual([count, 3, []]);
    }
  });

  it('of an interrupted run is not judged to its end, unless it has violations: judging was not interrupted', async () => {
    for (const [{ lines }, exit] of [
      [conforming, 3],
      [faulty, 1],
    ] as const) {
      const end = JSON.parse(lines.at(-1) ?? '') as object;
      const cut = [...lines.slice(0, 40), JSON.stringify({ ...end, ending: { kind: 'interrupted' } })];
      expect(await judged(cut)).toMatchObject({ ending: { kind: 'interrupted' }, outcome: { exit } });
    }
  });

  it('skips a case that was not planned at the time, or that sent another request', async () => {
    const [first = '', ...rest] = conforming.lines;
    const start = JSON.parse(first) as { contractHash: string; subject: { steps: Record<string, string> } };
    delete start.subject.steps['parameters/top-p-out-of-range[just-below]'];
    start.subject.steps['chat/charset'] = 'another';
    start.contractHash = 'f'.repeat(64);
    const others = rest.filter((line) => !line.includes('"top-p-out-of-range[just-below]"'));
    const report = await judged([JSON.stringify(start), ...others]);
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
    const { lines, gathered, settings } = faulty;
    const whole = judge(gathered, settings);
    const renamed = (line: string, time: number) =>
      line.replaceAll('chatcmpl-', `chat${String(time).padStart(4, '0')}-`);
    const report = await judged(repeated(lines, LARGE, renamed));
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

  it('that is large and truncated reports its cost so far, and a duplicate id across its parts', async () => {
    const { lines, gathered } = conforming;
    const report = await judged(repeated(lines, LARGE).slice(0, -1));
    expect(report.ending).toEqual({ kind: 'recording-cut' });
    expect(report.target.model).toBe(gathered.traffic.bindings.model);
    const { requests, completions, tokens } = gathered.traffic.used;
    const used = { requests: LARGE * requests, completions: LARGE * completions, tokens: LARGE * tokens };
    expect(report.cost.used).toEqual(used);
    expect(brokenClauses(report)).toEqual(['completion.ids-differ']);
  });
});
