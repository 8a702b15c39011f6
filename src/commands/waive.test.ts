/** `wirecheck waive`: the waivers that it writes, and what a run makes of them. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Gateway } from '../gateway/index.ts';
import type { Report } from '../report/report.ts';
import { type Ended, runCommand as wirecheck } from '../../test/kit/command.ts';
import { FEW, startGoodAndBad } from '../../test/kit/good-and-bad.ts';

let folder: string;
let bad: Gateway;
beforeAll(async () => {
  const { close, ...started } = await startGoodAndBad();
  ({ folder, bad } = started);
  await ask(bad, folder, ['--out', 'before']);
  return close;
});

function ask(gateway: Gateway, cwd: string, args: readonly string[]): Promise<Ended> {
  return wirecheck(['run', gateway.baseUrl, ...FEW, ...args], cwd, { WIRECHECK_API_KEY: gateway.keys.full });
}

const makeFolder = () => mkdtempSync(join(folder, 'job-'));
const reportIn = (cwd: string) => JSON.parse(readFileSync(join(cwd, 'wirecheck-report/report.json'), 'utf8')) as Report;

describe('wirecheck waive', { concurrent: true }, () => {
  const TERMS = ['--reason', 'known: # 1', '--until', '2999-12-31'];

  it('creates a file that a run accepts', async () => {
    const cwd = makeFolder();
    const { exit, stdout } = await wirecheck(
      ['waive', 'errors.code', ...TERMS, '--owner', 'me', '--link', 'https://t.example/1'],
      cwd,
    );
    expect(exit).toBe(0);
    expect(stdout).toMatch(
      /^Waived errors\.code until 2999-12-31: wirecheck\.waivers\.yaml:\d+\nTo apply it, run with --waivers wirecheck\.waivers\.yaml/,
    );
    expect((await ask(bad, cwd, ['--waivers', 'wirecheck.waivers.yaml'])).exit).toBe(0);
    expect(reportIn(cwd).waivers?.entries).toMatchObject([
      { clause: 'errors.code', reason: 'known: # 1', owner: 'me', link: 'https://t.example/1' },
    ]);
  });

  it('appends to the file named in the config, and keeps its comments', async () => {
    const cwd = makeFolder();
    writeFileSync(join(cwd, 'wirecheck.config.yaml'), 'waivers: ours.yaml\n');
    const before = '# ours\nwaivers:\n  # the first\n  - case: auth/* # all\n    reason: r\n    until: 2999-01-01\n';
    writeFileSync(join(cwd, 'ours.yaml'), before);
    const { stdout } = await wirecheck(['waive', 'models/*', ...TERMS], cwd);
    expect(stdout).toBe('Waived models/* until 2999-12-31: ours.yaml:7\n');
    expect(readFileSync(join(cwd, 'ours.yaml'), 'utf8')).toBe(
      `${before}  - case: models/*\n    reason: "known: # 1"\n    until: 2999-12-31\n`,
    );
  });

  it('looks up the case and the clause of a fingerprint in a report', async () => {
    const cwd = makeFolder();
    const { cases } = JSON.parse(readFileSync(join(folder, 'before/report.json'), 'utf8')) as Report;
    const failed = cases.find(({ verdict }) => verdict === 'fail');
    const fingerprint = failed?.expectations.flatMap(({ findings }) => findings)[0]?.fingerprint ?? '';
    const { stdout } = await wirecheck(['waive', fingerprint, '--report', '../before/report.json', ...TERMS], cwd);
    expect(stdout).toMatch(
      /^Waived [^]*\nIt covers a part of 1 cause, in 1 case of \.\.\/before\/report\.json\. errors\.code still counts in 1 case: `wirecheck waive errors\.code` covers all of it\.\n/,
    );
    await ask(bad, cwd, ['--waivers', 'wirecheck.waivers.yaml']);
    expect(reportIn(cwd).waivers?.entries).toMatchObject([
      { case: failed?.id, clause: 'errors.code', fingerprint, state: 'in-use', findings: 1 },
    ]);
  });

  it.each<[string, RegExp]>([
    ['errors.code', /^It covers 1 cause in 1 case of \.\.\/before\/report\.json\.$/m],
    ['errors/every-error-body', /^It covers 1 cause in 1 case of \.\.\/before\/report\.json\.$/m],
    ['auth/unknown-key[models]', /^It covers no cause of \.\.\/before\/report\.json\.$/m],
    ['stream.usage', /^It covers no cause of \.\.\/before\/report\.json\.$/m],
  ])('says how many causes of a report it covers: %s', async (id, sentence) => {
    const { stdout } = await wirecheck(['waive', id, ...TERMS, '--report', '../before/report.json'], makeFolder());
    expect(stdout).toMatch(sentence);
  });

  it('warns that a fingerprint covers one finding only', async () => {
    const { stdout } = await wirecheck(['waive', '0123456789abcdef', ...TERMS], makeFolder());
    expect(stdout).toContain(
      'A fingerprint is one finding of one case. Add --report FILE to see whether there are similar ones.\n',
    );
  });

  it.each<[readonly string[], string]>([
    [['errors.cdoe', ...TERMS], 'No clause, case or fingerprint "errors.cdoe". Did you mean "errors.code"?'],
    [
      ['house.request-id', ...TERMS],
      'No clause, case or fingerprint "house.request-id". `npx --no-install wirecheck list clauses` and `npx --no-install wirecheck list cases` list the ids. A name of your own suite or profile needs --suite or --profile.',
    ],
    [
      ['errors.code', '--until', '2999-12-31'],
      "--reason is missing: say why this is accepted, as in --reason 'fixed in 2.4'.",
    ],
    [
      ['errors.code', '--reason', 'r'],
      'Give either --until DATE (last day of the waiver) or --announced DATE (an announced removal).',
    ],
    [
      ['errors.code', '--reason', 'r', '--until', '2020-01-01'],
      '--until is 2020-01-01, which has passed: give a later day.',
    ],
    [
      ['errors.code', '--reason', 'r', '--until', '2999-02-30'],
      '--until is "2999-02-30": it must be a date such as 2030-12-31.',
    ],
    [
      ['errors.code', '--reason', 'r', '--announced', '2999-01-01'],
      '--announced needs --link URL: give the address of the announcement.',
    ],
    [
      ['errors.code', ...TERMS, '--link', 'x'],
      '--link is "x": it must be an address such as https://tracker.example/123.',
    ],
    [
      ['0123456789abcdef', ...TERMS, '--report', '../before/report.json'],
      '../before/report.json has no finding with the fingerprint 0123456789abcdef.',
    ],
    [
      ['events.webhooks', ...TERMS],
      'events.webhooks cannot be observed over the wire, so no run can break it: do not waive it.',
    ],
  ])('writes nothing on wrong input: %j', async (args, sentence) => {
    const cwd = makeFolder();
    expect(await wirecheck(['waive', ...args], cwd)).toEqual({ exit: 2, stdout: '', stderr: `${sentence}\n` });
    expect(existsSync(join(cwd, 'wirecheck.waivers.yaml'))).toBe(false);
  });

  it('does not add a duplicate waiver', async () => {
    const cwd = makeFolder();
    await wirecheck(['waive', 'errors.code', ...TERMS], cwd);
    const { exit, stderr } = await wirecheck(['waive', 'errors.code', ...TERMS], cwd);
    expect([exit, stderr]).toEqual([2, 'wirecheck.waivers.yaml:10: an entry for this is here already: change it.\n']);
  });
});
