import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../plan/plan.ts';
import { DEFAULT_SETTINGS, type Keys, type Settings } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import { formatProblem } from './description-problem.ts';
import { openDescription } from './fetch-description.ts';
import { createRedactor } from '../secrets/redaction.ts';
import { collectSecrets } from '../secrets/secrets.ts';
import type { Description } from '../traffic.ts';

const KEY = 'sk-service-Qm3vT8xLw2Zp';
const redactorFor = (keys: Keys) =>
  createRedactor(collectSecrets({ ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1:9/v1' }, keys).secrets);
const PLAN = { cases: [{ needs: ['openapi'] }] } as unknown as Plan;

const servers: Server[] = [];
const folders: string[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(
  respond: Respond,
): Promise<{ readonly origin: string; readonly seen: readonly IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    respond(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

function file(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'wirecheck-'));
  folders.push(folder);
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

async function open(openapi: string, changes: Partial<Settings> = {}): Promise<Description | undefined> {
  const settings: Settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1:9/v1', openapi, ...changes };
  const source = await openDescription(PLAN, settings, redactorFor({ full: KEY }));
  return source(new AbortController().signal);
}

/** The sentence that says why there is no description. */
async function problemOf(openapi: string, changes: Partial<Settings> = {}): Promise<string> {
  const description = await open(openapi, changes);
  if (description?.kind !== 'unavailable') throw new Error('The description is available.');
  expect(description.source).toBe(new URL(openapi).href);
  return formatProblem(description.problem);
}

describe('A description at a URL', () => {
  it('is fetched without the key and without headers for the API, and only when it is needed', async () => {
    const { origin, seen } = await serve((_, response) => response.end('{"openapi":"3.0.3"}'));
    const settings: Settings = {
      ...DEFAULT_SETTINGS,
      baseUrl: `${origin}/v1`,
      openapi: `${origin}/openapi.json?full=1`,
      headers: [{ name: 'X-Team', value: 'a-secret-of-the-team', secret: true }],
      userAgent: 'tester',
    };
    const source = await openDescription(PLAN, settings, redactorFor({ full: KEY }));
    expect(seen).toHaveLength(0);
    expect(await source(new AbortController().signal)).toEqual({
      kind: 'document',
      source: `${origin}/openapi.json?full=1`,
      value: { openapi: '3.0.3' },
    });
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /openapi.json?full=1']);
    expect(Object.keys(seen[0]?.headers ?? {}).toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    expect(seen[0]?.headers['user-agent']).toBe('tester');
  });

  it('is not fetched through a redirect', async () => {
    const { origin, seen } = await serve((_, response) => response.writeHead(302, { Location: '/elsewhere' }).end());
    expect(await problemOf(`${origin}/openapi.json`)).toContain('redirect (302)');
    expect(seen).toHaveLength(1);
  });

  it('may be YAML, and compressed', async () => {
    const { origin } = await serve((_, response) =>
      response
        .writeHead(200, { 'Content-Encoding': 'gzip' })
        .end(gzipSync('openapi: 3.0.3\ninfo: { version: 1.0.0 }\n')),
    );
    expect(await open(`${origin}/openapi.yaml`)).toMatchObject({
      kind: 'document',
      value: { openapi: '3.0.3', info: { version: '1.0.0' } },
    });
  });

  it('is redacted if it contains a key', async () => {
    const { origin } = await serve((_, response) => response.end(JSON.stringify({ example: KEY })));
    const description = await open(origin);
    expect(description?.kind).toBe('document');
    expect(JSON.stringify(description)).not.toContain('Qm3vT8xL');
  });

  it.each<[string, Respond, string]>([
    ['another status', (_, response) => response.writeHead(404).end('{}'), 'status 404'],
    ['an empty body', (_, response) => response.end(), 'is empty'],
    [
      'a page for people',
      (_, response) => response.end('<!doctype html>\n<p>a: b</p>\n<p>c: d</p>'),
      'neither valid JSON nor valid YAML',
    ],
    ['a mere text', (_, response) => response.end('hello'), 'is not an object'],
    ['a list', (_, response) => response.end('[1]'), 'is not an object'],
    ['half a document', (_, response) => response.end('{"openapi":'), 'not valid JSON'],
    ['bytes that are no text', (_, response) => response.end(Buffer.from([0x7b, 0xff, 0x7d])), 'not UTF-8'],
    ['no end of nesting', (_, response) => response.end('{"a":'.repeat(100_000)), 'max-depth'],
    ['no end of bytes', (_, response) => response.end(' '.repeat(5_000)), 'max-body'],
    ['YAML that grows', (_, response) => response.end(`a: &a ${'x'.repeat(900)}\nb: [*a, *a, *a, *a, *a]`), 'aliases'],
    ['a closed connection', (request) => request.socket.destroy(), 'closed without an answer'],
    ['silence', () => undefined, 'was not received in time'],
    [
      'a body that breaks off',
      (request, response) => {
        response.writeHead(200, { 'Content-Length': 100 }).write('{');
        response.socket?.end();
        request.resume();
      },
      'was cut off',
    ],
  ])('that returns %s is unavailable, with the reason', async (_, respond, reason) => {
    const { origin } = await serve(respond);
    const limits = { ...DEFAULT_SETTINGS.limits, body: reason === 'max-depth' ? 1_000_000 : 4_000 };
    const timeouts = { ...DEFAULT_SETTINGS.timeouts, firstByte: 500 };
    expect(await problemOf(`${origin}/openapi.json`, { limits, timeouts })).toContain(reason);
  });

  it('is unavailable if nothing is listening', async () => {
    const { origin } = await serve(() => undefined);
    await new Promise((resolve) => servers.splice(0)[0]?.close(resolve));
    expect(await problemOf(origin)).toContain('cannot connect');
  });

  it('is given up when the run has ended', async () => {
    const { origin } = await serve(() => undefined);
    const settings: Settings = { ...DEFAULT_SETTINGS, baseUrl: `${origin}/v1`, openapi: origin };
    const source = await openDescription(PLAN, settings, redactorFor({}));
    expect(await source(AbortSignal.abort())).toMatchObject({
      kind: 'unavailable',
      problem: { kind: 'no-answer', failure: 'aborted' },
    });
  });

  it.each(['http://', 'https://user:word@gateway.example/openapi.json'])('%s is refused as a URL', async (address) => {
    await expect(open(address)).rejects.toThrow(UsageError);
  });
});

describe('A description in a file', () => {
  it.each([
    ['openapi.json', '{"openapi":"3.0.3"}'],
    ['openapi.yaml', 'openapi: 3.0.3\n'],
  ])('%s is read', async (name, text) => {
    const path = file(name, text);
    expect(await open(path)).toEqual({ kind: 'document', source: path, value: { openapi: '3.0.3' } });
  });

  it.each([
    ['broken JSON', '{"openapi":'],
    ['broken YAML', 'a: [\n'],
    ['no object', '- a\n'],
    ['nothing', ''],
    ['too much', `{"a":"${'x'.repeat(5_000)}"}`],
  ])('with %s stops the command before anything is sent', async (_, text) => {
    const path = file('openapi.yaml', text);
    const limits = { ...DEFAULT_SETTINGS.limits, body: 4_000 };
    const settings: Settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1:9/v1', openapi: path, limits };
    await expect(openDescription(PLAN, settings, redactorFor({}))).rejects.toMatchObject({
      name: 'UsageError',
      at: path,
    });
  });

  it('that does not exist stops the command', async () => {
    await expect(open(join(tmpdir(), 'wirecheck-no-such-folder', 'openapi.json'))).rejects.toThrow(
      /^Cannot read the OpenAPI description \S+: there is no such file/,
    );
  });
});

it('A description that no case needs is not fetched', async () => {
  const settings: Settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1:9/v1', openapi: '/no/such/file' };
  const source = await openDescription({ ...PLAN, cases: [] }, settings, redactorFor({}));
  expect(await source(new AbortController().signal)).toBeUndefined();
});
