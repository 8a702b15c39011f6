/** What the tests of commands to repeat share. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ExchangeReport } from '../../src/report/report.ts';
import { IS_POSIX } from './platform.ts';

export const inShell = promisify(execFile);

/** A machine without curl or a POSIX shell cannot show that the commands work, and says so by the titles of what it passes over. */
export const hasCurl = await inShell('curl', ['--version']).then(
  () => IS_POSIX,
  () => false,
);

export const CHAT_EXCHANGE: ExchangeReport = {
  id: 'x',
  step: 'x',
  endpoint: 'chat',
  mode: 'plain',
  method: 'POST',
  path: '/chat/completions',
  key: 'full',
  headers: [],
  attempts: [],
};
