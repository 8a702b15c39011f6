/** Each kind of thing that a test file may leave behind is found, named and undone. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { Agent, setGlobalDispatcher } from 'undici';
import { expect, it, vi } from 'vitest';
import { noteState, undoChanges } from './kit/left-behind.ts';

const listen = () => new Promise<void>((resolve) => createServer().listen(0, '127.0.0.1', resolve));
const run = () =>
  new Promise<void>((resolve) => {
    spawn(process.execPath, ['--eval', 'process.stdin.resume()']).once('spawn', resolve);
  });

it.each<[what: string, leave: () => unknown, named: RegExp]>([
  ['a date', () => vi.useFakeTimers({ toFake: ['Date'], now: 0 }), /^fake timers/],
  ['a variable', () => (process.env['WIRECHECK_LEFT'] = 'x'), /^another process\.env\.WIRECHECK_LEFT$/],
  ['no variable', () => delete process.env['PATH'], /^another process\.env\.PATH$/],
  ['another folder', () => process.chdir(tmpdir()), /^another working directory$/],
  ['a listener', () => process.on('SIGUSR2', () => undefined), /^a listener for SIGUSR2 on process$/],
  ['a dispatcher', () => setGlobalDispatcher(new Agent()), /^another global dispatcher of undici$/],
  ['a spy', () => vi.spyOn(process.stdout, 'write'), /^a spy on write/],
  ['a global', () => (globalThis.fetch = () => Promise.reject(new Error('no'))), /^another globalThis\.fetch$/],
  ['a server', listen, /^a server still listening on .*127\.0\.0\.1/],
  ['a process', run, /^a process still running: .*stdin\.resume/],
])('%s', async (_, leave, named) => {
  const before = noteState();
  await leave();
  expect(await undoChanges(before, 50)).toEqual([expect.stringMatching(named)]);
  expect(await undoChanges(before, 5_000)).toEqual([]);
});

it('A file that puts everything back leaves nothing', async () => {
  const before = noteState();
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  vi.spyOn(process.stdout, 'write').mockRestore();
  vi.useRealTimers();
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  await new Promise((resolve) => server.close(resolve));
  expect(await undoChanges(before, 50)).toEqual([]);
});
