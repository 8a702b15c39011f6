import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkFile } from '../../contract/file-schema.ts';
import { isObject } from '../../json.ts';
import type { Report } from '../../report/report.ts';
import { cannotRead, UsageError } from '../../usage-error.ts';

export function loadReport(file: string, cwd: string): Report {
  const value = readJson(file, cwd);
  if (!isObject(value) || value['format'] !== 'wirecheck-report') {
    throw new UsageError(`${file} is not a wirecheck report: give the report.json of a run.`);
  }
  if (value['version'] !== 1) {
    throw new UsageError(
      `${file} has report format version ${JSON.stringify(value['version'])}, but this wirecheck reads version 1: make the report again.`,
    );
  }
  checkShape(file, value);
  return value as unknown as Report;
}

/** Reports of the first builds of 0.1.0 have sentences where there is data now. */
function checkShape(file: string, value: unknown): void {
  try {
    checkFile('report', { file, value });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message} If another build of wirecheck wrote this report, run the check again.`);
  }
}

function readJson(file: string, cwd: string): unknown {
  let text: string;
  try {
    text = readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw cannotRead('the report', file, error);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is not JSON: give the report.json of a run.`);
  }
}
