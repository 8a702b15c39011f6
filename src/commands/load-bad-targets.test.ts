/** `wirecheck load` on targets that are down, hang, refuse everything, or fail in the ramp: exit code, reason and remedy. */
import { createServer, request, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../test/kit/command.ts';
import { KEYS, startGateway } from '../gateway/index.ts';

const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-bad-load-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const ENV = { WIRECHECK_API_KEY: KEYS.full };
const LOCAL = 'http://127.0.0.1:9/v1';
const COST = ['--max-completions', '100'];
/** Calls end a stage, never its time, however busy the machine is. */
const SHORT = ['--stages', '4', '--concurrency', '4', '--duration', '60s', '--recovery', '1s', '--seed', '1'];
const QUICK = { loadPace: 0.02 };

async function withServer(listener: RequestListener, check: (baseUrl: string) => Promise<void>): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await check(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('A target that cannot be loaded ends with exit code 3', () => {
  it('because it is down', async () => {
    const { exit, stdout } = await runCommand(['load', LOCAL, ...COST, '--out', 'none'], cwd, ENV);
    expect(exit).toBe(3);
    expect(stdout).toMatch(/\nNOT JUDGED: the target could not be reached\n$/);
    expect(stdout).toContain(`Cannot connect to ${LOCAL}`);
  });

  it('because it answers 429 to everything, also when it is asked again as it wants', async () => {
    let asked = 0;
    const refuse: RequestListener = (_request, response) => {
      asked += 1;
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '0.01' });
      response.end('{"error":{"message":"Too many.","type":"t","code":"c"}}');
    };
    await withServer(refuse, async (baseUrl) => {
      const { exit, stdout } = await runCommand(['load', baseUrl, ...COST, '--out', 'none'], cwd, ENV);
      expect(exit).toBe(3);
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
        'answered a single call with 429 (Too many.), before any load. Run again later, or use a key with higher limits.',
      );
      expect(stdout).toMatch(/\nNOT JUDGED: a single call got 429 before any load\n$/);
      expect(stdout).not.toContain('In flight');
      expect(asked).toBe(3);
    });
  });

  it('because chat hangs', async () => {
    const models = '{"object":"list","data":[{"id":"m","object":"model","owned_by":"o"}]}';
    const hang: RequestListener = ({ method }, response) => {
      if (method === 'GET') response.writeHead(200, { 'content-type': 'application/json' }).end(models);
    };
    await withServer(hang, async (baseUrl) => {
      const { exit, stdout } = await runCommand(['load', baseUrl, ...COST, '--timeout', '1s'], cwd, ENV);
      expect(exit).toBe(3);
      expect(stdout).toMatch(/\nNOT JUDGED: no chat request with the key was answered\n$/);
      expect(stdout).toContain('or raise --timeout');
      expect(stdout).toContain('Report:');
    });
  });
});

describe('A target that fails in the ramp', () => {
  /** Forwards to the reference gateway until `isOver`. */
  async function withFading(
    fade: (answered: number, response: Parameters<RequestListener>[1]) => boolean,
    args: readonly string[],
  ): Promise<{ readonly exit: number | null; readonly stdout: string }> {
    const gateway = await startGateway({ eventGapMs: 0 });
    let answered = 0;
    const forward: RequestListener = (incoming, response) => {
      if (fade(answered, response)) return;
      answered += 1;
      const { url = '', method, headers } = incoming;
      const { origin } = new URL(gateway.baseUrl);
      const outgoing = request(`${origin}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      });
      outgoing.on('error', () => response.destroy());
      incoming.pipe(outgoing);
    };
    let result = { exit: null as number | null, stdout: '' };
    await withServer(forward, async (baseUrl) => {
      const line = ['load', baseUrl, ...SHORT];
      result = await runCommand([...line, '--out', 'none', ...args], cwd, ENV, QUICK);
    });
    await gateway.close();
    return result;
  }

  it('because it goes down does not recover, and the advice names the stage', async () => {
    const { exit, stdout } = await withFading((answered, { socket }) => {
      if (answered < 12) return false;
      socket?.destroy();
      return true;
    }, COST);
    expect(exit).toBe(1);
    expect(stdout).toMatch(/\nBROKEN FROM 1 IN FLIGHT: .*load\.recovery/);
    // Nothing is lower than one at a time.
    expect(stdout).toContain('stopped answering at 1 in flight. Read its log and restart it. Then run again.\n');
  });

  it('because it blocks unknown keys is not judged, and is not sent them with --skip load/unknown-key', async () => {
    let isBlocking = false;
    const block = (answered: number, response: Parameters<RequestListener>[1]): boolean => {
      isBlocking ||= answered > 12 && response.req.headers.authorization !== `Bearer ${KEYS.full}`;
      if (!isBlocking) return false;
      response.writeHead(403, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"m","type":"t","code":"c"}}');
      return true;
    };
    // Three unknown keys, one in twelve calls, and then twenty valid ones are refused in the first stage.
    const blocked = await withFading(block, ['--max-completions', '240']);
    expect(blocked.exit).toBe(3);
    expect(blocked.stdout).toContain('or run again with --skip');
    expect(blocked.stdout).toMatch(
      /\nNOT JUDGED: the target began to refuse valid calls after calls with unknown keys\n$/,
    );
    isBlocking = false;
    expect((await withFading(block, [...COST, '--skip', 'load/unknown-key'])).exit).toBe(0);
  });

  it('because it blocks them near the end of a short stage is not judged either', async () => {
    let unknown = 0;
    // The sixth is the last of the ramp, and still gets 401.
    const block = (_answered: number, response: Parameters<RequestListener>[1]): boolean => {
      const isBlocking = unknown >= 6;
      if (response.req.headers.authorization !== `Bearer ${KEYS.full}`) unknown += 1;
      if (!isBlocking) return false;
      response.writeHead(403, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"m","type":"t","code":"c"}}');
      return true;
    };
    const { exit, stdout } = await withFading(block, COST);
    expect(stdout).toMatch(/\nNOT JUDGED: the target began to refuse valid calls after calls with unknown keys\n$/);
    expect(exit).toBe(3);
  });
});

it('Too small a budget is the reason why it holds no higher', async () => {
  const gateway = await startGateway({ eventGapMs: 0 });
  const { exit, stdout } = await runCommand(['load', gateway.baseUrl, ...COST, '--out', 'none'], cwd, ENV, QUICK);
  await gateway.close();
  expect(exit).toBe(0);
  expect(stdout).toContain('64: not reached: no kind of call had 30 answers\n');
  expect(stdout).toMatch(/: 0 of \d+ answers broken \(too few answers at 4 to 64: raise --max-completions\)\n$/);
});
