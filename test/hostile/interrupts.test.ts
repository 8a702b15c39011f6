import { describe, expect, it } from 'vitest';
import { IS_POSIX } from '../kit/platform.ts';
import { checkFile } from '../../src/contract/file-schema.ts';
import { startHostileTarget } from './hostile-target.ts';
import { leaksOf } from './leaks.ts';
import { FEWER, startCli } from './run-cli.ts';

/** Honest at first, then silent, so that the run waits until it is interrupted. */
async function silentAfter(calls: number) {
  let silent = () => {};
  const isSilent = new Promise<void>((resolve) => (silent = resolve));
  const target = await startHostileTarget((call) => (call.number <= calls ? call.forward() : silent()));
  return { ...target, isSilent };
}

describe.runIf(IS_POSIX)('an interrupt', { timeout: 120_000 }, () => {
  // By SIGINT: src/cli-process.test.ts.
  it('by SIGTERM ends with 130 and a complete report so far', async () => {
    const target = await silentAfter(10);
    const { child, ended } = startCli(target.baseUrl, target.key, FEWER);
    await target.isSilent;
    child.kill('SIGTERM');
    const { exit, stdout, files, left } = await ended;
    await target.close();
    expect(exit).toBe(130);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('NOT JUDGED: the run was interrupted');
    checkFile('report', { file: 'report.json', value: JSON.parse(files.json ?? '') as unknown });
    expect(files.json).toContain('"kind": "interrupted"');
    expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(leaksOf(`${stdout}${files.json}`, [target.key])).toEqual([]);
  });

  it('sent twice quits at once, and leaves every file complete or absent', async () => {
    const target = await silentAfter(10);
    const { child, ended } = startCli(target.baseUrl, target.key, FEWER);
    await target.isSilent;
    child.stderr.once('data', () => child.kill('SIGINT'));
    child.kill('SIGINT');
    const { exit, files } = await ended;
    await target.close();
    expect(exit).toBe(130);
    if (files.json !== undefined) expect(() => JSON.parse(files.json ?? '') as unknown).not.toThrow();
    if (files.html !== undefined) expect(files.html.trimEnd()).toMatch(/<\/html>$/);
  });
});
