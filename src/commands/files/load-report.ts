import { checkFile } from '../../contract/file-schema.ts';
import { isObject } from '../../json.ts';
import type { Report } from '../../report/report.ts';
import { inert } from '../../text/inert.ts';
import { UsageError } from '../../usage-error.ts';
import { readTextFile } from './read-text.ts';

export function loadReport(file: string, cwd: string): Report {
  const value = readJson(file, cwd);
  if (!isObject(value) || value['format'] !== 'wirecheck-report') {
    throw new UsageError(`${file} is not a wirecheck report: give the report.json of a run.`, { code: 'FILE_INVALID' });
  }
  if (value['version'] !== VERSION) {
    throw new UsageError(
      `${file} is a report of version ${inert(JSON.stringify(value['version']) ?? 'none', 40)}; this wirecheck reads version ${VERSION}. Run the check again, or judge its recording.`,
      { code: 'FILE_INVALID' },
    );
  }
  checkFile('report', { file, value });
  return value as unknown as Report;
}

const VERSION: Report['version'] = 2;

function readJson(file: string, cwd: string): unknown {
  const text = readTextFile('the report', file, cwd);
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is not JSON: give the report.json of a run.`, { code: 'FILE_INVALID' });
  }
}
