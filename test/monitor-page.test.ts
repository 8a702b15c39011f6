import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../src/contract/package-root.ts';
import { render } from '../src/render/index.ts';
import { conforming } from './kit/sample-reports.ts';

const PAGE = readFileSync(join(packageRoot(), 'docs/fleet.md'), 'utf8');
const [, cronJob = '', rules = ''] = [...PAGE.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text]) => text);
const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;

/** A report with everything that has a metric. */
const REPORT = conforming({
  retries: { attempts: 9, replaced: 0, causes: {} },
  time: { wall: 9, target: 8, pauses: 0, checker: 1, slowest: [] },
  observations: [{ clause: 'stream.timing', case: 'streaming/timing', name: 'first-text-time', value: 250 }],
});

it('the page on monitoring names every metric, and no other', () => {
  const metrics = [...render(REPORT, 'prometheus').matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
  const named = [...PAGE.matchAll(/\bwirecheck_\w+/g)].map(([name]) => name);
  expect([...new Set(named)].toSorted()).toEqual(metrics.toSorted());
});

it('its manifest and its rules are YAML of the right kind', () => {
  expect(parse(cronJob)).toMatchObject({ kind: 'CronJob', spec: { jobTemplate: { spec: { backoffLimit: 0 } } } });
  const { groups } = parse(rules) as { groups: { rules: { alert: string }[] }[] };
  expect(groups.flatMap((group) => group.rules).length).toBe(4);
});

it.skipIf(!hasPromtool)('its rules satisfy promtool (Debian: prometheus; skipped where it is missing)', () => {
  // Older versions of promtool read no rules from stdin.
  const folder = mkdtempSync(join(tmpdir(), 'wirecheck-'));
  writeFileSync(join(folder, 'rules.yaml'), rules);
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', 'rules.yaml'], {
    cwd: folder,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect({ status, said: stderr }).toEqual({ status: 0, said: '' });
  expect(stdout).toContain('SUCCESS: 4 rules found');
});
