/** `wirecheck run BASE_URL` */
import { requireBaseUrl } from './settings/base-url.ts';
import { checkTarget } from './check-target.ts';
import { readChosen } from './choose-cases.ts';
import type { Flags } from './settings/merge-settings.ts';
import { requireKeys } from './settings/read-keys.ts';
import { readTold } from './settings/read-settings.ts';
import { SETTING_NAMES } from './settings/settings-table.ts';
import type { Surroundings } from './surroundings.ts';

export async function runCommand(argument: string | undefined, flags: Flags, around: Surroundings): Promise<number> {
  const told = readTold(SETTING_NAMES, flags, around);
  const baseUrl = requireBaseUrl(argument, told.env, told.config);
  const keys = requireKeys(told.merged, told.env, told.cwd);
  return checkTarget(readChosen(told, baseUrl), keys, told, around);
}
