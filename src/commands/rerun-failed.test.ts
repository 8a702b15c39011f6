import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { render } from '../render/index.ts';
import { broken, conforming } from '../../test/kit/sample-reports.ts';
import type { Report } from '../report/report.ts';
import { failedCases } from './rerun-failed.ts';

let cwd: string;
beforeEach(() => void (cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'))));
afterEach(() => rmSync(cwd, { recursive: true }));

function failedIn(report: Report): readonly string[] {
  writeFileSync(join(cwd, 'report.json'), render(report, 'json'));
  return failedCases('report.json', cwd);
}

describe('the cases to run again', () => {
  it('are those that failed or were inconclusive', () => {
    expect(failedIn(broken())).toEqual(['auth/unknown-key[models]', 'parameters/temperature-above-range', 'chat/slow']);
  });

  it('include warnings where these failed the older run', () => {
    expect(failedIn(broken({ strict: true }))).toContain('chat/label');
  });

  it('are a mistake to ask for where there are none: no case run is never a pass', () => {
    expect(() => failedIn(conforming())).toThrow('there is nothing to run again');
  });
});
