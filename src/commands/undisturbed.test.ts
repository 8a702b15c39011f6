/** One interrupt while the files are written and the verdict is printed: no command may be without a handler then. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { script } from '../../test/kit/clients.ts';
import { broken } from '../../test/kit/sample-reports.ts';
import { render } from '../render/index.ts';
import { execute } from './command-line.ts';

const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-undisturbed-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const RECORDING = fileURLToPath(new URL('../../test/compatibility/gateway-2.ndjson.gz', import.meta.url));
const NOWHERE = 'http://127.0.0.1:1/v1';

beforeAll(() => {
  writeFileSync(join(cwd, 'a.json'), render(broken(), 'json'));
  writeFileSync(join(cwd, 'targets.yaml'), `targets: [{ name: a, baseUrl: '${NOWHERE}' }]\n`);
  const command = script('').map((word) => JSON.stringify(word));
  writeFileSync(join(cwd, 'clients.yaml'), `clients: [{ name: a, command: [${command.join(', ')}] }]\n`);
});

/** Interrupts at everything that is written to the screen, and returns what was written without a handler. */
async function writtenUnhandled(args: readonly string[]): Promise<{ text: string; unhandled: string }> {
  const handlers = new Set<() => void>();
  let text = '';
  let unhandled = '';
  const write = (part: string): void => {
    text += part;
    if (handlers.size === 0) unhandled += part;
    if (/^Wrote|\n(?:NOT JUDGED|CONFORMS|DOES NOT)/.test(part)) for (const handler of handlers) handler();
  };
  const screen = { colour: false, live: false, columns: undefined, write };
  const env = { WIRECHECK_API_KEY: 'sk-service-Zt5Yw8Qp2Lk9Vb4Nc7Md' };
  const onInterrupt = (handler: () => void) => {
    handlers.add(handler);
    return () => void handlers.delete(handler);
  };
  await execute(args, { cwd, env, stdout: screen, stderr: screen, onInterrupt });
  expect(handlers).toHaveLength(0);
  return { text, unhandled };
}

it.each([
  [['run', NOWHERE], 'NOT JUDGED'],
  [['run', '--targets', 'targets.yaml', '--out', 'fleet'], 'Wrote one folder'],
  [['client', '--clients', 'clients.yaml', '--only', 'client/plain', '--out', 'clients'], 'Wrote clients'],
  [['load', NOWHERE, '--max-completions', '10'], 'NOT JUDGED'],
  [['judge', RECORDING, '--out', 'judged'], 'CONFORM'],
  [['render', 'a.json', '--reporter', 'html=a.html', '--reporter', 'terminal'], 'DOES NOT CONFORM'],
  [['compare', 'a.json', 'a.json', '--reporter', 'json=compared.json'], 'Wrote compared.json'],
  [['board', 'a.json'], 'Wrote wirecheck-board'],
])('wirecheck %s', async (args, last) => {
  const { text, unhandled } = await writtenUnhandled(args);
  expect(text).toContain(last);
  expect(unhandled).not.toContain(last);
  expect(text).not.toContain('Interrupted');
});
