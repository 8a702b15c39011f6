import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { render } from '../../render/index.ts';
import { broken } from '../../../test/kit/sample-reports.ts';
import type { Outputs } from './outputs.ts';
import { tellGithub } from './deliver.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'wirecheck-'))));
afterAll(() => rmSync(folder, { recursive: true }));

function tell(env: Record<string, string>, stdout?: Outputs['stdout']) {
  const written = { stdout: '', stderr: '' };
  const screen = (name: keyof typeof written) => ({
    write: (text: string) => void (written[name] += text),
    colour: false,
    live: false,
    columns: undefined,
  });
  const outputs: Outputs = { files: [], ...(stdout && { stdout }) };
  tellGithub(broken(), outputs, { env, stdout: screen('stdout'), stderr: screen('stderr') });
  return written;
}

const ACTIONS = { GITHUB_ACTIONS: 'true' };
const annotations = render(broken(), 'github');

describe('on a GitHub runner', () => {
  it('annotations go to stdout, or to stderr if a format uses stdout', () => {
    expect(tell(ACTIONS)).toEqual({ stdout: annotations, stderr: '' });
    expect(tell(ACTIONS, 'json')).toEqual({ stdout: '', stderr: annotations });
  });

  it('annotations that were requested are not written twice', () => {
    expect(tell(ACTIONS, 'github')).toEqual({ stdout: '', stderr: '' });
  });

  it('the Markdown page is appended to the job summary', () => {
    const summary = join(folder, 'summary.md');
    writeFileSync(summary, 'before\n');
    expect(tell({ GITHUB_STEP_SUMMARY: summary })).toEqual({ stdout: '', stderr: '' });
    expect(readFileSync(summary, 'utf8')).toBe(`before\n${render(broken(), 'markdown')}\n`);
  });

  it('a summary that cannot be written is reported, and changes nothing else', () => {
    const { stdout, stderr } = tell({ ...ACTIONS, GITHUB_STEP_SUMMARY: folder });
    expect(stdout).toBe(annotations);
    expect(stderr).toBe(`Cannot write the job summary ${folder} (EISDIR).\n`);
  });
});

describe('anywhere else', () => {
  it('nothing is written', () => {
    expect(tell({ GITHUB_ACTIONS: 'false', GITHUB_STEP_SUMMARY: '' })).toEqual({ stdout: '', stderr: '' });
  });
});
