/** Settings of a command that has these flags, variables and config file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandIo } from '../../src/commands/command-row.ts';
import type { Flags } from '../../src/commands/settings/merge-settings.ts';
import { type Inputs, readInputs, toSettings } from '../../src/commands/settings/read-settings.ts';
import type { Settings } from '../../src/settings.ts';
import { UsageError } from '../../src/usage-error.ts';
import { SETTING_NAMES } from '../../src/settings/setting-names.ts';

const screen = { write: () => undefined, colour: false, live: false, columns: undefined };
const ioOf = (cwd: string, env: Record<string, string>): CommandIo => ({
  cwd,
  env,
  stdout: screen,
  stderr: screen,
  onInterrupt: () => () => undefined,
});

export interface Given {
  readonly flags?: Flags;
  readonly env?: Record<string, string>;
  readonly config?: string;
}

export function inputsIn(cwd: string, { flags = {}, env = {}, config }: Given): Inputs {
  if (config !== undefined) writeFileSync(join(cwd, 'wirecheck.config.yaml'), config);
  return readInputs(SETTING_NAMES, flags, ioOf(cwd, env));
}

export function settingsIn(cwd: string, given: Given): Settings {
  return toSettings(inputsIn(cwd, given), 'https://gateway.example/v1');
}

/** The usage error that these inputs cause. */
export function complaintIn(cwd: string, given: Given): string {
  try {
    settingsIn(cwd, given);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'nothing was wrong';
}
