/** The executable, alone in a folder, with an empty environment. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/contract/package-root.ts';
import { packageVersion } from '../../src/contract/package-files.ts';
import { type Gateway, startGateway } from '../../src/gateway/index.ts';
import type { Report } from '../../src/report/report.ts';
import { CERTIFICATE } from '../kit/certificate.ts';
import { commandsOf, runShipped, type Shipped, tryEveryCommand } from '../kit/every-command.ts';
import { startTlsFront, type TlsFront } from '../kit/tls-front.ts';

const MADE = mkdtempSync(join(tmpdir(), 'wirecheck-executable-'));
const EMPTY = mkdtempSync(join(tmpdir(), 'wirecheck-empty-'));
const NAME = process.platform === 'win32' ? 'wirecheck.exe' : 'wirecheck';
const SHIPPED: Shipped = { program: [join(EMPTY, NAME)], cwd: EMPTY };

let gateway: Gateway;
let secure: TlsFront;

beforeAll(async () => {
  execFileSync(process.execPath, [join(packageRoot(), 'scripts/executable/executable.mjs'), MADE]);
  cpSync(join(MADE, NAME), join(EMPTY, NAME));
  gateway = await startGateway({ faults: ['error-code-integer'] });
  secure = await startTlsFront(gateway.baseUrl);
}, 300_000);

afterAll(async () => {
  secure.close();
  await gateway.close();
  for (const folder of [MADE, EMPTY]) rmSync(folder, { recursive: true, force: true });
});

describe('the executable', { timeout: 300_000 }, () => {
  it('runs every command', async () => {
    const tried = await tryEveryCommand(SHIPPED, gateway);
    expect(tried.filter(({ exit, expected }) => exit !== expected)).toEqual([]);
    expect([...new Set(tried.map(({ command }) => command))].toSorted()).toEqual(
      (await commandsOf(SHIPPED)).toSorted(),
    );
    expect(readFileSync(join(EMPTY, 'page.html'), 'utf8')).toContain('Repeat');
    expect(existsSync(join(EMPTY, '.github/workflows/wirecheck.yml'))).toBe(true);
    expect(tried.find(({ command }) => command === 'init')?.text).toContain('=… wirecheck run');
  });

  it('checks a target that has a host name and speaks TLS', async () => {
    writeFileSync(join(EMPTY, 'ca.pem'), CERTIFICATE);
    const args = ['run', secure.baseUrl, '--ca', 'ca.pem', '--only', 'models/list*', '--out', 'none'];
    const { exit, text } = await runShipped(SHIPPED, args, gateway.keys.full);
    expect(text).toContain('CONFORMS IN PART');
    expect(exit).toBe(0);
  });

  it('reads a YAML description of the target, which a worker parses', async () => {
    cpSync(join(packageRoot(), 'schemas/v1/openapi.yaml'), join(EMPTY, 'openapi.yaml'));
    const only = ['--only', 'versioning/*', '--reporter', 'json=described.json', '--out', 'none'];
    const args = ['run', gateway.baseUrl, '--openapi', 'openapi.yaml', ...only];
    await runShipped(SHIPPED, args, gateway.keys.full);
    const { cases } = JSON.parse(readFileSync(join(EMPTY, 'described.json'), 'utf8')) as Pick<Report, 'cases'>;
    expect(cases.find(({ id }) => id === 'versioning/openapi-description')?.verdict).toBe('pass');
  });

  it('needs no file but its own, and has the licences in it', async () => {
    const { text } = await runShipped(SHIPPED, ['--version']);
    expect(text.trim()).toBe(packageVersion());
    const bytes = readFileSync(join(EMPTY, NAME));
    expect(bytes.includes('undici 7.')).toBe(true);
    expect(statSync(join(MADE, `${NAME}.cdx.json`)).size).toBeGreaterThan(0);
  });
});
