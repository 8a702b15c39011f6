import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { metricProblems } from '../../test/kit/metric-reading.ts';
import { excused } from '../../test/kit/excused-reports.ts';
import { POISONS, poisoned } from '../../test/kit/poisoned-reports.ts';
import { broken, clause, conforming, expectation, oneCase } from '../../test/kit/sample-reports.ts';
import { render } from './index.ts';

const metrics = (report = broken()): string => render(report, 'prometheus');
const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;

describe('metrics', () => {
  it('have one gauge per clause and verdict, counts, cost, times and the time of the run', () => {
    const text = metrics();
    const target = 'target="https://gateway.example/v1"';
    expect(text).toContain(
      `wirecheck_clause{${target},clause="errors.code",level="must",verdict="fail",excused="false"} 1`,
    );
    expect(text).toContain(`wirecheck_exit_code{${target},outcome="does-not-conform"} 1`);
    for (const name of [
      'cases',
      'clauses',
      'requests',
      'tokens',
      'duration_seconds',
      'run_timestamp_seconds',
      'info',
    ]) {
      expect(text).toMatch(new RegExp(`^wirecheck_${name}\\{.*\\} [\\d.]+$`, 'm'));
    }
  });

  it('have the level at which a clause is broken', () => {
    const clauses = [clause('errors.code', { verdict: 'warn' })];
    const cases = [oneCase('own/a', [expectation('errors.code', { level: 'should', verdict: 'warn' })])];
    expect(metrics(conforming({ clauses, cases }))).toContain('clause="errors.code",level="should",verdict="warn"');
  });

  it('have the time to the first text, in seconds, or say why not', () => {
    const linesWith = (...values: readonly (number | 'checker-late')[]) => {
      const observed = { clause: 'stream.timing', case: 'streaming/timing', name: 'first-text-time' } as const;
      const text = metrics(conforming({ observations: values.map((value) => ({ ...observed, value })) }));
      expect(metricProblems(text)).toEqual([]);
      return text.split('\n').filter((line) => line.includes('first_text'));
    };
    expect(linesWith(250)).toContainEqual(expect.stringMatching(/^wirecheck_first_text_seconds\{.*\} 0.25$/));
    expect(linesWith('checker-late')).toEqual([
      '# Without wirecheck_first_text_seconds: wirecheck itself was too late to measure it.',
    ]);
    expect(linesWith()).toEqual(['# Without wirecheck_first_text_seconds: no stream with text was measured.']);
  });

  it('tell failures that do not count apart', () => {
    expect(metrics(excused())).toMatch(/verdict="fail",excused="true"/);
    expect(metrics(excused())).toMatch(/verdict="fail",excused="false"/);
  });

  it.each(Object.entries(POISONS))('keep to the format with %s in every text', (_name, poison) => {
    expect(metricProblems(metrics(poisoned(broken(), poison)))).toEqual([]);
  });

  it.skipIf(!hasPromtool)('satisfy promtool (Debian: prometheus; skipped where it is missing)', () => {
    for (const report of [broken(), conforming(), poisoned(broken(), '"\\\n{}')]) {
      const { status, stderr, stdout } = spawnSync('promtool', ['check', 'metrics'], {
        input: metrics(report),
        encoding: 'utf8',
      });
      expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' });
    }
  });
});
