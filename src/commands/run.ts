/** `wirecheck run BASE_URL` */
import { requireBaseUrl } from './settings/base-url.ts';
import { checkTarget } from './check-target.ts';
import { readChosen } from './choose-cases.ts';
import type { Flags } from './settings/merge-settings.ts';
import { requireKeys } from './settings/read-keys.ts';
import { readInputs } from './settings/read-settings.ts';
import { SETTING_NAMES } from '../settings/setting-names.ts';
import type { Surroundings } from './surroundings.ts';

export async function runCommand(argument: string | undefined, flags: Flags, around: Surroundings): Promise<number> {
  const inputs = readInputs(SETTING_NAMES, flags, around);
  const baseUrl = requireBaseUrl(argument, inputs.env, inputs.config);
  const keys = requireKeys(inputs.merged, inputs.env, inputs.cwd);
  return checkTarget(readChosen(inputs, baseUrl), keys, inputs, around);
}
