/** `wirecheck run BASE_URL` */
import { requireBaseUrl } from './base-url.ts';
import { checkTarget } from './check-target.ts';
import { readChosen } from './choose-cases.ts';
import type { Flags } from './merge-settings.ts';
import { requireKeys } from './read-keys.ts';
import { readTold } from './read-settings.ts';
import { SETTING_NAMES } from './settings-table.ts';
import type { Surroundings } from './surroundings.ts';

export async function runCommand(argument: string | undefined, flags: Flags, around: Surroundings): Promise<number> {
  const told = readTold(SETTING_NAMES, flags, around);
  const baseUrl = requireBaseUrl(argument, told.env, told.config);
  const keys = requireKeys(told.merged, told.env, told.cwd);
  return checkTarget(readChosen(told, baseUrl), keys, told, around);
}
