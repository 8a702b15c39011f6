import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from './contract/package-root.ts';
import { FAULTS, type GatewayOptions, startGateway, VARIANTS } from './gateway/index.ts';
import { judgeRecording } from './judge-recording.ts';
import { brokenClauses } from './real-run.test.kit.ts';
import { openRecording } from './recording/read-recording.ts';
import { recordGateway } from './recording/recording.test.kit.ts';
import { createRecorder } from './recording/write-recording.ts';
import type { Report } from './report/report.ts';
import { gather, judge } from './run.ts';
import { DEFAULT_SETTINGS } from './settings.ts';

/** Gateways at once: most of the time goes by waiting for the slow ones. */
const PARALLEL = 8;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recordings-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface BothWays {
  readonly live: Report;
  readonly recorded: Report;
}

async function runBothWays(name: string, gatewayOptions: GatewayOptions): Promise<BothWays> {
  const gateway = await startGateway({ eventGapMs: 1, ...gatewayOptions });
  const file = join(folder, `${name}.ndjson.gz`);
  try {
    const settings = {
      ...DEFAULT_SETTINGS,
      baseUrl: gateway.baseUrl,
      forbiddenModel: gateway.forbiddenModel,
      retryPauses: [1, 2],
      maxRetryWait: 2_000,
      timeouts: { attempt: 10_000, connect: 2_000, firstByte: 800, idle: 800, run: 60_000 },
    };
    const gathered = await gather(settings, gateway.keys, { recorder: createRecorder(file, false) });
    return { live: judge(gathered, settings), recorded: await judgeRecording(await openRecording(file, file)) };
  } finally {
    await gateway.close();
  }
}

const SUBJECTS: readonly (readonly [name: string, options: GatewayOptions])[] = [
  ['conforming', {}],
  ...Object.keys(FAULTS).map((id) => [`fault-${id}`, { fault: id as keyof typeof FAULTS }] as const),
  ...Object.keys(VARIANTS).map((id) => [`variant-${id}`, { variant: id as keyof typeof VARIANTS }] as const),
];

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
  it(
    'gives the report and the exit code of the run that made it, on every fault and every variant',
    { timeout: 400_000 },
    async () => {
      const queue = [...SUBJECTS];
      const work = async (): Promise<void> => {
        for (let next = queue.shift(); next; next = queue.shift()) {
          const [name, options] = next;
          const { live, recorded } = await runBothWays(name, options);
          // As text, since comparing reports member by member takes longer than making them.
          if (JSON.stringify(recorded) !== JSON.stringify(live)) expect.soft(recorded, name).toEqual(live);
          expect.soft(recorded.exchanges.length, name).toBeGreaterThan(0);
        }
      };
      await Promise.all(Array.from({ length: PARALLEL }, work));
    },
  );

  it('holds the published description as it was, where one was judged', { timeout: 30_000 }, async () => {
    const openapi = join(packageRoot(), 'schemas/v1/openapi.yaml');
    const { file, gathered, settings } = await recordGateway('a.ndjson', {}, { openapi });
    const report = await judged(file);
    expect(report).toEqual(judge(gathered, settings));
    expect(report.clauses.find(({ id }) => id === 'openapi.version')?.verdict).toBe('pass');
  });

  it('that was broken off is judged as an interrupted run', { timeout: 30_000 }, async () => {
    const { file, gathered } = await recordGateway('a.ndjson');
    rewrite(file, (lines) => lines.slice(0, -40));
    const report = await judged(file);
    expect(report.ending).toEqual({ kind: 'interrupted' });
    expect(report.outcome.exit).toBe(130);
    expect(report.target.model).toBe(gathered.traffic.bindings.model);
    expect(report.cost.used.requests).toBe(report.exchanges.length);
    expect(report.notices).toEqual(['a.ndjson: It has no last line, so the run that made it was broken off.']);
    expect(report.counts.cases.pass).toBeGreaterThan(10);
  });

  it('skips a case that was not planned then, and one that asked for something else', { timeout: 30_000 }, async () => {
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
      const expectations = report.cases.find((one) => one.id === id)?.expectations ?? [];
      expect(expectations.map(({ verdict, reason }) => [verdict, reason])).toContainEqual([
        'skipped',
        'not in this recording',
      ]);
    }
    expect(report.notices).toEqual([
      'The recording was made with other clauses or suites than this wirecheck has: what it does not hold is skipped.',
    ]);
    expect(report.counts.cases.inconclusive).toBe(0);
  });

  it('gives the same verdicts part by part, where it is too long to be held', { timeout: 60_000 }, async () => {
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
        expectations.flatMap(({ findings }) => findings.map((one) => one.fingerprint)),
      );
    expect(fingerprints(report)).toEqual(fingerprints(whole));
    expect(report.exchanges.length).toBeLessThan(5 * whole.exchanges.length);
    const known = new Set(report.exchanges.map(({ id }) => id));
    const shown = report.cases.flatMap(({ expectations }) =>
      expectations.flatMap(({ findings }) => findings.map(({ exchange }) => exchange)),
    );
    expect(shown.every((id) => known.has(id))).toBe(true);
    expect(report.notices.at(-1)).toMatch(/^[\d,]+ exchanges were judged, part by part/);
    const present = (one: Report) => one.observations.filter((observation) => observation.name === 'completion /id');
    expect(present(report)).toEqual(present(whole));
  });

  it('finds an id twice also where a long recording has it in different parts', { timeout: 60_000 }, async () => {
    const { file } = await recordGateway('a.ndjson');
    rewrite(file, (lines) => repeated(lines, 15));
    const report = await judged(file);
    expect(brokenClauses(report)).toEqual(['completion.ids-differ']);
  });
});
