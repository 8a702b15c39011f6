/** `wirecheck run --targets` with flags that do not fit. */
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/kit/command.ts';
import { FEW, startGoodAndBad, writeTargets } from '../../../test/kit/good-and-bad.ts';
import type { Gateway } from '../../gateway/index.ts';

let folder: string;
let good: Gateway;
beforeAll(async () => {
  const { close, ...started } = await startGoodAndBad();
  ({ folder, good } = started);
  return close;
});

describe('flags', () => {
  const run = (...args: readonly string[]) =>
    runCommand(['run', ...args], writeTargets(folder, [`name: a, baseUrl: '${good.baseUrl}'`]), {
      WIRECHECK_API_KEY: good.keys.full,
    });

  it.each([
    [['--shard', '1/2'], '--shard chooses among several targets: name their file with --targets.'],
    [
      ['--targets', 'targets.yaml', '--shard', '3/2'],
      '--shard is "3/2": it must be a part such as 2/4: I from 1 to N, and N at most 1000.',
    ],
    [
      ['https://x.example/v1', '--targets', 'targets.yaml'],
      '--targets already lists the base URLs: remove the BASE_URL argument.',
    ],
    [
      ['--targets', 'targets.yaml', '--record', 'a.ndjson'],
      '--record is for a single target: leave it out with --targets.',
    ],
    [
      ['--targets', 'targets.yaml', '--json'],
      '--reporter, or --json, is for a single target: leave it out with --targets.',
    ],
    [
      ['--targets', 'none.yaml'],
      'Cannot read the targets file none.yaml: there is no such file. Check the name and the folder.',
    ],
  ])('that do not fit are refused: %j', async (args, message) => {
    expect(await run(...args)).toMatchObject({ exit: 2, stderr: `${message}\n` });
  });

  it('that choose a shard without targets check nothing, and pass', async () => {
    const [first, second] = [
      await run('--targets', 'targets.yaml', '--shard', '1/2', ...FEW),
      await run('--targets', 'targets.yaml', '--shard', '2/2', ...FEW),
    ];
    const empty = [first, second].find(({ stdout }) => !stdout.includes('CONFORMS'));
    expect(empty).toMatchObject({ exit: 0 });
    expect(empty?.stdout).toMatch(/^Shard [12]\/2 has no targets: targets.yaml lists 1. Nothing was sent.\n$/);
  });
});
