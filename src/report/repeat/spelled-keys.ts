/** Keys and their headers as a shell spells them. Keys are named by variables or files. */
import type { RepeatedRun } from '../../settings/setting-flags.ts';
import { KEY_VARIABLES } from '../../settings/settings-without-flag.ts';
import type { KeyUse } from '../../suite/case.ts';
import { argument } from '../../text/shell-text.ts';

/** How a shell spells the key, and changes to it. For double quotes. */
export interface SpelledKey {
  readonly whole: string;
  readonly longer: string;
  readonly shorter: string;
}

type Credential = readonly [name: string, value: string] | undefined;

const UNKNOWN_KEY = 'sk-service-unknown-wirecheck';

/** Header name and value of each key, for double quotes, in which the shell replaces variables. */
export const CREDENTIALS: Record<KeyUse, (key: SpelledKey) => Credential> = {
  full: ({ whole }) => ['Authorization', `Bearer ${whole}`],
  restricted: () => ['Authorization', `Bearer $${KEY_VARIABLES.restricted}`],
  exhausted: () => ['Authorization', `Bearer $${KEY_VARIABLES.exhausted}`],
  limited: () => ['Authorization', `Bearer $${KEY_VARIABLES.limited}`],
  second: () => ['Authorization', `Bearer $${KEY_VARIABLES.second}`],
  revoked: () => ['Authorization', `Bearer $${KEY_VARIABLES.revoked}`],
  none: () => undefined,
  empty: () => ['Authorization', 'Bearer '],
  basic: ({ whole }) => basicOf(whole),
  'basic-plain': ({ whole }) => ['Authorization', `Basic ${whole}`],
  'basic-unknown': () => basicOf(UNKNOWN_KEY),
  token: ({ whole }) => ['Authorization', `Token ${whole}`],
  bare: ({ whole }) => ['Authorization', whole],
  'no-prefix': () => ['Authorization', 'Bearer wirecheck0random0key'],
  unknown: () => ['Authorization', `Bearer ${UNKNOWN_KEY}`],
  longer: ({ longer }) => ['Authorization', `Bearer ${longer}`],
  dashed: ({ whole }) => ['Authorization', `Bearer ${whole}-zzz`],
  shorter: ({ shorter }) => ['Authorization', `Bearer ${shorter}`],
  'other-case': ({ whole }) => [
    'Authorization',
    `Bearer sk-service-$(printf %s "${whole}" | sed "s/^sk-service-//" | tr a-zA-Z A-Za-z)`,
  ],
  'other-end': ({ whole }) => ['Authorization', `Bearer $(printf %s "${whole}" | sed -e "s/x$/y/" -e t -e "s/.$/x/")`],
  'prefix-alone': () => ['Authorization', 'Bearer sk-service-'],
  'word-after': ({ whole }) => ['Authorization', `Bearer ${whole} x`],
  'word-before': ({ whole }) => ['Authorization', `x Bearer ${whole}`],
  'word-between': ({ whole }) => ['Authorization', `Bearer x ${whole}`],
  'lower-case-scheme': ({ whole }) => ['Authorization', `bearer ${whole}`],
  'x-api-key': ({ whole }) => ['x-api-key', whole],
  query: () => undefined,
};

function basicOf(key: string): Credential {
  return ['Authorization', `Basic $(printf %s "${key}:${key}" | base64 | tr -d "\\n")`];
}

/** From where the run had it. */
export function spellKey({ settings }: RepeatedRun): SpelledKey {
  const { apiKeyEnv, apiKeyFile } = settings;
  if (typeof apiKeyFile === 'string') {
    const file = argument(apiKeyFile);
    const whole = `$(cat ${file})`;
    return { whole, longer: `${whole}x`, shorter: `$(sed 's/.$//' ${file})` };
  }
  const name = typeof apiKeyEnv === 'string' ? apiKeyEnv : KEY_VARIABLES.full;
  return { whole: `$${name}`, longer: `\${${name}}x`, shorter: `\${${name}%?}` };
}
