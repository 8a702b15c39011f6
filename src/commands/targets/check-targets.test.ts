/** `wirecheck run --targets`, against reference gateways and targets that misbehave. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../../test/kit/command.ts';
import { FEW, startGoodAndBad, writeTargets } from '../../../test/kit/good-and-bad.ts';
import { rawTarget } from '../../../test/kit/raw-target.ts';
import type { Gateway } from '../../gateway/index.ts';
import type { Report } from '../../report/report.ts';
import { execute } from '../command-line.ts';

let folder: string;
let good: Gateway;
let bad: Gateway;
beforeAll(async () => {
  const { close, ...started } = await startGoodAndBad();
  ({ folder, good, bad } = started);
  return close;
});

const fleetOf = (...entries: readonly string[]) => writeTargets(folder, entries);

function check(cwd: string, env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  return runCommand(['run', '--targets', 'targets.yaml', '--out', 'reports', ...args], cwd, env);
}

const reportOf = (cwd: string, target: string) =>
  JSON.parse(readFileSync(join(cwd, 'reports', target, 'report.json'), 'utf8')) as Report;

const textsIn = (cwd: string) =>
  readdirSync(join(cwd, 'reports'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));

async function serve(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

describe('several targets', { concurrent: true }, () => {
  it('get a folder each, with a report that has their name, model, waivers, levels and key variable', async () => {
    const cwd = fleetOf(
      `name: Good One, baseUrl: '${good.baseUrl}', apiKeyEnv: GOOD_KEY, model: sea-small`,
      `name: bad, baseUrl: '\${BAD_URL}', apiKeyEnv: BAD_KEY`,
      `name: waived, baseUrl: '\${BAD_URL}', apiKeyEnv: BAD_KEY, waivers: w.yaml`,
      `name: lenient, baseUrl: '\${BAD_URL}', apiKeyEnv: BAD_KEY, levels: { errors.code: observe }`,
    );
    writeFileSync(join(cwd, 'w.yaml'), 'waivers: [{ clause: errors.code, reason: known, until: 2999-12-31 }]\n');
    const env = { GOOD_KEY: good.keys.full, BAD_KEY: bad.keys.full, BAD_URL: bad.baseUrl };
    const { exit, stdout, stderr } = await check(cwd, env, ...FEW);
    expect(exit).toBe(1);
    expect(stderr).toContain(
      'Wrote one folder per target to reports. To see them on one page: npx --no-install wirecheck board reports\n',
    );
    expect(stdout).toMatch(/^Good One {2}CONFORMS IN PART/m);
    expect(stdout).toMatch(/^bad {7}DOES NOT CONFORM/m);
    expect(stdout).toMatch(/\n3 of 4 targets passed\n$/);
    expect(readdirSync(join(cwd, 'reports')).toSorted()).toEqual(['bad', 'good-one', 'lenient', 'waived']);
    expect(reportOf(cwd, 'good-one').target).toEqual({ name: 'Good One', baseUrl: good.baseUrl, model: 'sea-small' });
    expect(reportOf(cwd, 'waived').outcome.name).toBe('conforms-but-waived');
    expect(reportOf(cwd, 'lenient').outcome.name).toBe('conforms-in-part');
    const variables = (target: string) => [...new Set(JSON.stringify(reportOf(cwd, target)).match(/(GOOD|BAD)_KEY/g))];
    expect([variables('good-one'), variables('bad')]).toEqual([['GOOD_KEY'], ['BAD_KEY']]);
    const keys = [good.keys.full, bad.keys.full];
    expect(textsIn(cwd).filter((text) => keys.some((key) => text.includes(key)))).toHaveLength(0);
  });

  it('say in which file and line a level is changed, in every report', async () => {
    const cwd = fleetOf(
      `name: good, baseUrl: '${good.baseUrl}', apiKeyEnv: GOOD_KEY`,
      `name: bad, baseUrl: '${bad.baseUrl}', apiKeyEnv: BAD_KEY, levels: { errors.code: should }`,
    );
    writeFileSync(join(cwd, 'own.yaml'), '# Ours.\nlevels:\n  endpoint.models-callable: must\n');
    const env = { GOOD_KEY: good.keys.full, BAD_KEY: bad.keys.full };
    expect((await check(cwd, env, ...FEW, '--config', 'own.yaml')).exit).toBe(0);
    const written = (file: string) => readFileSync(join(cwd, 'reports', 'bad', file), 'utf8');
    for (const file of ['report.md', 'report.html', 'junit.xml']) {
      expect(written(file).replaceAll(/[`<>\w/]*code>|`|\\/g, '')).toContain('targets.yaml:3');
    }
    expect(reportOf(cwd, 'bad').profile?.levelPlaces).toEqual({
      'errors.code': { file: 'targets.yaml', line: 3 },
      'endpoint.models-callable': { file: 'own.yaml', line: 3 },
    });
    expect(reportOf(cwd, 'good').profile?.levelPlaces).toEqual({
      'endpoint.models-callable': { file: 'own.yaml', line: 3 },
    });
  });

  it('are not affected by one that is down and one that hangs', async () => {
    const hanging = await rawTarget(() => undefined);
    const cwd = fleetOf(
      `name: hangs, baseUrl: '${hanging.baseUrl}'`,
      `name: down, baseUrl: 'http://127.0.0.1:9/v1'`,
      `name: good, baseUrl: '${good.baseUrl}'`,
    );
    const { exit, stdout } = await check(
      cwd,
      { WIRECHECK_API_KEY: good.keys.full },
      ...FEW,
      // Enough for the good one on a busy machine.
      ...['--first-byte-timeout', '5s', '--retries', '0'],
    );
    expect(exit).toBe(3);
    expect(stdout).toMatch(/^hangs {2}NOT JUDGED/m);
    expect(stdout).toMatch(/^down {3}NOT JUDGED/m);
    expect(stdout).toMatch(/^good {3}CONFORMS IN PART/m);
    expect(reportOf(cwd, 'good').counts.cases.inconclusive).toBe(0);
  });

  it('share the budget of the whole run', async () => {
    const cwd = fleetOf(
      ...['a', 'b', 'c'].map((name) => `name: ${name}, baseUrl: '${good.baseUrl}'`),
      `name: d, baseUrl: '${bad.baseUrl}', apiKeyEnv: BAD_KEY`,
    );
    const env = { WIRECHECK_API_KEY: good.keys.full, BAD_KEY: bad.keys.full };
    const { exit } = await check(cwd, env, '--max-completions', '9', '--only', 'chat/*');
    const used = ['a', 'b', 'c', 'd'].map((name) => reportOf(cwd, name).cost.used.completions);
    expect(used.reduce((sum, number) => sum + number)).toBe(9);
    expect(exit).toBe(3);
  });

  it('on one host are asked one after the other', async () => {
    const names: string[] = [];
    const baseUrl = await serve((request, response) => {
      names.push(String(request.headers['x-target']));
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"no","type":"auth","code":"no"}}');
    });
    const targets = ['a', 'b', 'c'];
    const cwd = fleetOf(
      ...targets.map((name) => `name: ${name}, baseUrl: '${baseUrl}', headers: { X-Target: ${name} }`),
    );
    await check(cwd, { WIRECHECK_API_KEY: 'sk-service-Zt5Yw8Qp2Lk9Vb4Nc7Md' }, '--only', 'models/*', '--retries', '0');
    expect(names.filter((name, index) => name !== names[index - 1])).toEqual(targets);
  });

  it('end together with --max-time', async () => {
    const hanging = await rawTarget(() => undefined);
    const cwd = fleetOf(...['a', 'b', 'c'].map((name) => `name: ${name}, baseUrl: '${hanging.baseUrl}'`));
    const { exit, stdout } = await check(cwd, { WIRECHECK_API_KEY: good.keys.full }, '--max-time', '500ms');
    expect(exit).toBe(3);
    expect(stdout.match(/NOT JUDGED: .*max-time/g)).toHaveLength(3);
  });

  it('are reported as far as they came when interrupted, and the rest is not started', async () => {
    let interrupt = (): void => undefined;
    const hanging = await rawTarget(() => interrupt());
    const cwd = fleetOf(...['a', 'b'].map((name) => `name: ${name}, baseUrl: '${hanging.baseUrl}'`));
    let text = '';
    const screen = { colour: false, live: false, columns: undefined, write: (part: string) => void (text += part) };
    const exit = await execute(['run', '--targets', 'targets.yaml', '--out', 'reports'], {
      cwd,
      env: { WIRECHECK_API_KEY: good.keys.full },
      stdout: screen,
      stderr: screen,
      onInterrupt(handler) {
        interrupt = handler;
        return () => undefined;
      },
    });
    expect(exit).toBe(130);
    expect(text).toContain('0 of 2 targets passed, 1 not started');
    expect(text).toContain('Wrote one folder per started target to reports.');
    expect(reportOf(cwd, 'a').outcome.exit).toBe(130);
  });

  it('never show the key of another: it is redacted, with a notice, and costs nobody a report', async () => {
    const stolen = 'sk-service-Zt5Yw8Qp2Lk9Vb4Nc7Mdx3Hs';
    const spellings = [stolen, Buffer.from(stolen).toString('base64'), encodeURIComponent(stolen), stolen.slice(-22)];
    const baseUrl = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-key': stolen });
      const data = spellings.map((id) => ({ id, object: 'model', owned_by: 'x' }));
      response.end(JSON.stringify({ object: 'list', data }));
    });
    const cwd = fleetOf(
      `name: thief, baseUrl: '${baseUrl}', apiKeyEnv: THIEF_KEY`,
      `name: good, baseUrl: '${good.baseUrl}', apiKeyEnv: GOOD_KEY`,
      `name: same, baseUrl: '${good.baseUrl}', apiKeyEnv: GOOD_KEY`,
      `name: robbed, baseUrl: '${good.baseUrl}', apiKeyEnv: STOLEN_KEY`,
    );
    const env = { THIEF_KEY: 'sk-service-Qk7Zr2Xw9Lm4Tn6Bv1Cs8Dp3', GOOD_KEY: good.keys.full, STOLEN_KEY: stolen };
    const { exit, stdout, stderr } = await check(cwd, env, '--only', 'models/*');
    expect(exit).toBeLessThan(4);
    for (const text of [...textsIn(cwd), stdout, stderr])
      expect(spellings.filter((spelling) => text.includes(spelling))).toEqual([]);
    const notices = ['thief', 'good', 'same', 'robbed'].map((name) => reportOf(cwd, name).notices);
    expect(notices.map((notice) => notice.some(({ kind }) => kind === 'other-key'))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(stderr).toContain("thief: This target's answer contained another target's key");
    expect(reportOf(cwd, 'good').outcome.exit).toBe(0);
  });
});
