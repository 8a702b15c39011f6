/** `--profile` and `--profile-digest`, or the levels of the config file: the contract that a command judges by. */
import { type ChosenContract, contractOf } from '../../contract/profile/apply-profile.ts';
import type { Profile } from '../../contract/profile/profile.ts';
import { loadProfile } from '../../contract/profile/read-profile.ts';
import type { Settings } from '../../settings.ts';
import { CHANGED_LEVELS } from '../../settings/settings-without-flag.ts';
import { inert } from '../../text/inert.ts';
import { UsageError } from '../../usage-error.ts';
import { type ConfigFile, levelsOf } from './config-file.ts';
import type { Merged } from './merge-settings.ts';

interface Given {
  readonly merged: Merged;
  readonly config: ConfigFile | undefined;
  readonly cwd: string;
}

export function chooseContract({ merged, config, cwd }: Given): ChosenContract {
  const levels = levelsOf(config);
  const profile = chooseProfile(merged, cwd);
  if (!profile) return { levels };
  if (Object.keys(levels).length > 0) {
    throw new UsageError(`${CHANGED_LEVELS.inFile} cannot be used with a profile. Make them changes of the profile.`, {
      ...config?.placeOf(CHANGED_LEVELS.inFile),
      code: 'CONFLICT',
    });
  }
  return { levels, profile };
}

/** Every request asks for as many tokens as the profile wants at least. */
export function fitTokens(
  chosen: ChosenContract,
  { replyTokens, streamTokens }: Pick<Settings, 'replyTokens' | 'streamTokens'>,
): Partial<Settings> {
  if (!chosen.profile) return {};
  const { minimum = 1 } = contractOf(chosen).rules.limits['max_tokens'] ?? {};
  return { replyTokens: Math.max(replyTokens, minimum), streamTokens: Math.max(streamTokens, minimum) };
}

/** Undefined without `--profile`. */
export function chooseProfile(merged: Merged, cwd: string): Profile | undefined {
  const name = merged.get('profile');
  const pinned = merged.get('profile-digest');
  if (name === undefined) {
    if (pinned === undefined) return undefined;
    throw new UsageError('--profile-digest pins a profile: name it with --profile.', {
      ...merged.origin('profile-digest')?.at,
      code: 'CONFLICT',
    });
  }
  const profile = loadProfile(name, cwd, merged.origin('profile')?.at);
  if (pinned === undefined || pinned === profile.digest) return profile;
  throw new UsageError(
    `The profile ${inert(name, 100)} has the digest ${profile.digest}, not the one of --profile-digest. Review its changes, then pin the new digest.`,
    { code: 'CONFLICT' },
  );
}
