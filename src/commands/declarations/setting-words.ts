/** Help of flags that mean something else in one command. */
import { DEFAULT_FILE_LIST, FORMAT_LIST } from '../../settings/format-names.ts';

export type SettingWords = Partial<Record<string, string>>;

/** Flags whose meaning differs in commands that write no files by default. */
export const WITHOUT_DEFAULT_FILES: SettingWords = {
  reporter: `format to write (${FORMAT_LIST}); without =FILE it goes to stdout, and everything else to stderr (repeatable; default: terminal)`,
  out: `folder for the default files: ${DEFAULT_FILE_LIST} (default: no files)`,
};

export const FOR_RECORDINGS: SettingWords = {
  ...WITHOUT_DEFAULT_FILES,
  profile:
    "judge by this profile: a file with changes to v1, or a profile of wirecheck's such as common-servers (default: the profile of the recorded run)",
};

export const FOR_CLIENTS: SettingWords = {
  only: 'play only scenarios whose id matches, such as client/stream*, or that judge a clause, such as client.errors-known (repeatable)',
  skip: 'skip scenarios whose id matches (repeatable)',
  concurrency: 'scenarios at the same time (1 to 64; default: 4)',
  'rerun-failed': 'play only the scenarios that failed or were inconclusive in this report.json',
  'last-failed':
    'play only the scenarios that failed or were inconclusive in the last run: in report.json of the usual folder',
};

export const FOR_RELAYS: SettingWords = {
  only: 'run only cases whose id matches, such as relay/stream*, or that judge a clause, such as relay.pieces (repeatable)',
  requests: 'with --explore: requests to draw (1 to 10000; default: 300)',
  seed: 'with --explore: seed of the draws, or random (default: fixed for each version)',
};

export const FOR_LOAD: SettingWords = {
  only: 'judge only cases whose id matches, such as load/*, or that judge a clause, such as load.text (repeatable)',
  concurrency: 'the most calls in flight (1 to 256; default: 64, with --during 8)',
  seed: 'seed of the calls; the same seed sends the same calls (default: fixed for each version)',
  recovery: 'how long to wait for an answer to one call at a time after the load (default: 60s)',
  'upstream-port':
    'port of the scripted upstream; without it the target answers by itself, and --max-completions is required',
  'max-completions': 'end the run after this many charged completions; required without --upstream-port',
};

export const FOR_EXPLORE: SettingWords = {
  seed: 'seed of the draws, or random; the same seed draws the same requests (default: fixed for each version)',
  'max-completions':
    'the most completions that a conforming gateway charges, with the controls; asking again may take those of --shrink-completions besides (6 or more; default: 300)',
};
