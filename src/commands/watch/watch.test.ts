/** `--watch`: rounds follow the gateway, ask little, and end when they should. */
import { request } from 'node:http';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAULTS } from '../../gateway/index.ts';
import { loadReport } from '../files/user-files.ts';
import { runCommand } from '../../../test/kit/command.ts';
import { startable, startWatch } from '../../../test/kit/watched.ts';

const THREE = [FAULTS['error-code-integer'], FAULTS['chat-id-missing'], FAULTS['param-temperature-zero-refused']];

describe('--watch', () => {
  it('asks what is broken whenever the gateway comes back, and everything once nothing is left', async () => {
    const gateway = await startable();
    const { keys } = await gateway.start({ modifiers: THREE });
    const watch = startWatch(['run', gateway.baseUrl, '--strict'], keys.full);
    expect(await watch.round(1)).toMatch(
      /^round 1: \d+ clauses left · \d+ requests, \d+ completions · DOES NOT CONFORM/,
    );
    await watch.url();
    await gateway.stop();
    await watch.says('The gateway is away');
    await gateway.start({ modifiers: THREE.slice(0, 1) });
    expect(await watch.round(2)).toMatch(/^round 2: \d mended, 1 clause left · \d{1,2} requests, \d+ completions$/);
    await gateway.stop();
    await watch.says('The gateway is away');
    await gateway.start();
    expect(await watch.round(3)).toMatch(/^round 3: 1 mended, 0 clauses left · \d{1,2} requests, \d+ completions$/);
    expect(await watch.round(4)).toMatch(/^round 4: 0 clauses left · \d{3} requests, \d+ completions · CONFORMS/);
    await gateway.stop();
    await watch.says('The gateway is away');
    await gateway.start({ modifiers: THREE.slice(0, 1) });
    expect(await watch.round(5)).toMatch(/^round 5: 1 new \(errors\.code\), 1 clause left/);
    watch.stop();
    expect(await watch.ended).toBe(1);
    const { outcome } = loadReport('wirecheck-report/report.json', watch.cwd);
    expect(outcome.exit).toBe(1);
  }, 120_000);

  it('asks again at Enter, at a changed file, and spends no more than all rounds may', async () => {
    const gateway = await startable();
    const { keys } = await gateway.start({ fault: 'param-temperature-zero-refused' });
    const limit = ['--only', 'parameters/temperature*', '--max-completions', '9'];
    const watch = startWatch(['run', gateway.baseUrl, ...limit, '--watch-path', '.'], keys.full);
    await watch.url();
    watch.enter();
    expect(await watch.round(2)).toMatch(/ 1 clause left · /);
    writeFileSync(join(watch.cwd, 'gateway.js'), '');
    await watch.round(3);
    for (let round = 4; round < 12; round += 1) {
      watch.enter();
      if ((await Promise.race([watch.round(round), watch.ended])) === 3) break;
    }
    expect([1, 3]).toContain(await watch.ended);
  }, 60_000);

  it('serves only its own page, and only to this machine', async () => {
    const gateway = await startable();
    const { keys } = await gateway.start({ fault: 'error-code-integer' });
    const watch = startWatch(['run', gateway.baseUrl, '--only', 'errors/*'], keys.full);
    const url = await watch.url();
    const { port, pathname } = new URL(url);
    const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const asked = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
          resolve(answer.resume().statusCode);
        });
        asked.on('error', reject).end(method === 'POST' ? 'errors/every-error-body[code]' : '');
      });
    expect(await ask(pathname)).toBe(200);
    expect(await ask('/')).toBe(404);
    expect(await ask(`${pathname}report.json`)).toBe(404);
    expect(await ask(pathname, { host: 'attacker.example' })).toBe(403);
    expect(await ask(`${pathname}again`, { origin: 'http://attacker.example' }, 'POST')).toBe(403);
    const page = await (await fetch(url)).text();
    expect(page).toContain('Ask again');
    expect(page).not.toContain(keys.full);
    expect(await ask(`${pathname}again`, { origin: url.slice(0, -pathname.length) }, 'POST')).toBe(204);
    expect(await watch.round(2)).toMatch(/1 clause left/);
    watch.stop();
    expect(await watch.ended).toBe(1);
    expect(existsSync(join(watch.cwd, 'wirecheck-report', 'report.json'))).toBe(true);
  }, 60_000);
});

describe('--watch is refused', () => {
  const URL_NEAR = 'http://127.0.0.1:9/v1';

  it('without a terminal', async () => {
    const { exit, stderr } = await runCommand(['run', URL_NEAR, '--watch'], '.', {
      WIRECHECK_API_KEY: 'sk-service-x1y2z3',
    });
    expect([exit, stderr]).toEqual([2, '--watch needs a terminal with a person: without one, leave it out.\n']);
  });

  it.each([
    ['without a browser', [URL_NEAR], [], /no browser: add --no-open/],
    ['with a recording', [URL_NEAR, '--record', 'a.ndjson'], ['--no-open'], /leave out --record/],
    ['with several targets', ['--targets', 'targets.yaml'], ['--no-open'], /one target/],
    ['beyond loopback without a limit', ['https://gateway.example/v1'], ['--no-open'], /--max-completions/],
    ['with a path that is not there', [URL_NEAR, '--watch-path', 'nowhere'], ['--no-open'], /does not exist/],
  ])('%s', async (_when, args, flags, message) => {
    await expect(startWatch(['run', ...args], 'sk-service-x1y2z3', flags).ended).rejects.toThrow(message);
  });
});
