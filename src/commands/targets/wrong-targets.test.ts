/** `wirecheck run --targets` with a wrong file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/kit/command.ts';
import { startGoodAndBad, writeTargets } from '../../../test/kit/good-and-bad.ts';
import { rawTarget } from '../../../test/kit/raw-target.ts';
import type { Gateway } from '../../gateway/index.ts';

let folder: string;
let good: Gateway;
beforeAll(async () => {
  const { close, ...started } = await startGoodAndBad();
  ({ folder, good } = started);
  return close;
});

const fleetOf = (...entries: readonly string[]) => writeTargets(folder, entries);

function check(cwd: string, env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  return runCommand(['run', '--targets', 'targets.yaml', '--out', 'reports', ...args], cwd, env);
}

describe('a wrong targets file', () => {
  it.each([
    [
      'name: a, baseUrl: https://x.example/v1, modle: m',
      'targets.yaml:2: unknown key "modle" in a target. Did you mean "model"?',
    ],
    ['name: a', 'targets.yaml:2: a target needs baseUrl.'],
    ['name: a, baseUrl: x.example/v1', 'targets.yaml:2: baseUrl does not start with http:// or https://'],
    ['name: a, baseUrl: http://x.example/v1', 'targets.yaml:2: The key would go to x.example over plain http'],
    ['name: a, baseUrl: "https://${NO_HOST}/v1"', 'targets.yaml:2: ${NO_HOST} is not set in the environment'],
    [
      'name: a, baseUrl: https://x.example/v1, apiKeyEnv: NO_KEY',
      'targets.yaml:2: the variable NO_KEY is not set: set it to the key.',
    ],
    [
      'name: a, baseUrl: https://x.example/v1, apiKey: sk-service-hush',
      'targets.yaml:2: apiKey must be left out of a file that is shared: name the variable that holds it, as apiKeyEnv.',
    ],
    [
      'name: a, baseUrl: https://x.example/v1, apiKeyEnv: sk-service-hush',
      'targets.yaml:2: apiKeyEnv must be the name of a variable, not the key itself.',
    ],
    ['name: "${A}", baseUrl: https://x.example/v1', 'targets.yaml:2: name must be text of at most 100 characters'],
    [
      'name: a, baseUrl: https://x.example/v1, waivers: none.yaml',
      'targets.yaml:2: Cannot read the waiver file none.yaml',
    ],
    [
      'name: a, baseUrl: https://x.example/v1, levels: { errors.cod: must }',
      'targets.yaml:2: unknown clause "errors.cod". Did you mean "errors.code"?',
    ],
  ])('is reported at its line: %s', async (entry, message) => {
    const { exit, stderr } = await check(fleetOf(entry), { WIRECHECK_API_KEY: good.keys.full });
    expect([exit, stderr.slice(0, message.length)]).toEqual([2, message]);
    expect(stderr).not.toContain('hush');
  });

  it('is reported with every mistake and every missing variable of a target', async () => {
    const target = [
      'name: a',
      'baseUrl: "https://${NO_HOST}/v1"',
      'apiKeyEnv: NO_KEY',
      'headersFromEnv: { x-a: "${NO_NAME}" }',
    ];
    const cwd = fleetOf();
    writeFileSync(join(cwd, 'targets.yaml'), `targets:\n  - ${target.join('\n    ')}\n`);
    const { exit, stderr } = await check(cwd, {});
    expect([exit, stderr.split('\n').map((line) => line.split(':').slice(0, 3).join(':'))]).toEqual([
      2,
      [
        'targets.yaml:3: ${NO_HOST} is not set in the environment',
        'targets.yaml:4: the variable NO_KEY is not set',
        'targets.yaml:5: ${NO_NAME} is not set in the environment',
        '',
      ],
    ]);
  });

  it('is reported with every line that has a mistake', async () => {
    const entries = ['name: a, baseUrl: https://x.example/v1, modle: m', 'name: b'];
    const { exit, stderr } = await check(fleetOf(...entries), { WIRECHECK_API_KEY: good.keys.full });
    expect(exit).toBe(2);
    expect(stderr).toMatch(/^targets\.yaml:2: unknown key "modle"[^\n]*\ntargets\.yaml:3: a target needs baseUrl\./);
  });

  it('is reported with mistakes in form and in meaning together', async () => {
    const lines = [
      'targets:',
      '  - name: a',
      '    baseUrl: "https://${NO_HOST}/v1"',
      '    modle: m',
      '    levels: { errors.cod: must }',
      '  - baseUrl: x.example/v1',
      '    apiKeyEnv: NO_KEY',
      '    strict: perhaps',
      '  - name: c',
      '    baseUrl: https://y.example/v1',
      '    profile: none.yaml',
      '    waivers: none.yaml',
      '    headers:',
      '      x-team: a',
      '      authorization: b',
      '  - name: d',
      '    baseUrl: http://y.example/v1',
    ];
    const cwd = fleetOf();
    writeFileSync(join(cwd, 'targets.yaml'), `${lines.join('\n')}\n`);
    const { exit, stderr } = await check(cwd, { WIRECHECK_API_KEY: good.keys.full });
    expect([exit, stderr.trim().split('\n')]).toEqual([
      2,
      [
        expect.stringContaining('targets.yaml:3: ${NO_HOST} is not set'),
        expect.stringContaining('targets.yaml:4: unknown key "modle"'),
        expect.stringContaining('targets.yaml:5: unknown clause "errors.cod"'),
        // The line of the whole target: it has no name. A second mistake in a line mostly follows from the first.
        expect.stringContaining('targets.yaml:6: a target needs name.'),
        expect.stringContaining('targets.yaml:7: the variable NO_KEY is not set'),
        expect.stringContaining('targets.yaml:8: strict must be true or false'),
        expect.stringContaining('targets.yaml:11: Cannot read the profile none.yaml'),
        expect.stringContaining('targets.yaml:12: Cannot read the waiver file none.yaml'),
        expect.stringContaining('targets.yaml:15: headers cannot set authorization'),
        expect.stringContaining('targets.yaml:17: The key would go to y.example over plain http'),
      ],
    ]);
  });

  it('is reported with every mistake of a line that has several', async () => {
    const entry =
      'name: a, baseUrl: https://x.example/v1, waivers: none.yaml, levels: { errors.cod: should, errors.code: musty }';
    const { stderr } = await check(fleetOf(entry), {});
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^targets\.yaml:2: errors\.code must be one of .*, not "musty"\./),
      'targets.yaml:2: unknown clause "errors.cod". Did you mean "errors.code"?',
    ]);
  });

  it('is reported with the mistakes of its waiver files, at the targets that name them', async () => {
    const lines = [
      'targets:',
      '  - name: a',
      '    baseUrl: https://x.example/v1',
      '    waivers: wrong.yaml',
      '    levels: { errors.cod: should }',
      '  - name: b',
      '    baseUrl: https://y.example/v1',
      '    waivers: wrong.yaml',
      '  - name: c',
      '    baseUrl: https://z.example/v1',
      '    modle: m',
    ];
    const cwd = fleetOf();
    writeFileSync(join(cwd, 'targets.yaml'), `${lines.join('\n')}\n`);
    writeFileSync(join(cwd, 'wrong.yaml'), 'waivers:\n  - clause: errors.cod\n    reason: x\n    expires: soon\n');
    const { exit, stderr } = await check(cwd, {});
    const unknown = 'wrong.yaml:2: there is no clause "errors.cod". Did you mean "errors.code"?';
    const soon = 'wrong.yaml:4: unknown key "expires"';
    expect([exit, stderr.trim().split('\n')]).toEqual([
      2,
      [
        expect.stringContaining('targets.yaml:2: No API key'),
        `targets.yaml:4: target a: ${unknown}`,
        expect.stringContaining(`targets.yaml:4: target a: ${soon}`),
        'targets.yaml:5: unknown clause "errors.cod". Did you mean "errors.code"?',
        expect.stringContaining('targets.yaml:6: No API key'),
        `targets.yaml:8: target b: ${unknown}`,
        expect.stringContaining(`targets.yaml:8: target b: ${soon}`),
        expect.stringContaining('targets.yaml:9: No API key'),
        expect.stringContaining('targets.yaml:11: unknown key "modle"'),
      ],
    ]);
  });

  it('names every missing variable at once, and nothing is sent', async () => {
    const silent = await rawTarget(() => undefined);
    const cwd = fleetOf(
      `name: a, baseUrl: '${silent.baseUrl}', apiKeyEnv: KEY_A`,
      `name: b, baseUrl: '${silent.baseUrl}', apiKeyEnv: KEY_B`,
      `name: c, baseUrl: '${silent.baseUrl}', apiKeyEnv: KEY_C`,
    );
    const { exit, stderr } = await check(cwd, { KEY_A: good.keys.full, KEY_C: ' ' });
    expect([exit, stderr]).toEqual([
      2,
      'targets.yaml:3: the variable KEY_B is not set: set it to the key.\ntargets.yaml:4: the variable KEY_C is empty: set it to the key.\n',
    ]);
    expect(silent.connections).toBe(0);
  });

  it('has no name twice', async () => {
    const cwd = fleetOf('name: a, baseUrl: https://x.example/v1', 'name: a, baseUrl: https://y.example/v1');
    const { stderr } = await check(cwd, { WIRECHECK_API_KEY: good.keys.full });
    expect(stderr).toBe('targets.yaml:3: the name a is already used. Choose another.\n');
  });
});
