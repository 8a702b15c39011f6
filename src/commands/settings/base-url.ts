/** The address of the target: from the argument, the variable or the config file. */
import { checkAddress, type GivenAddress } from '../../run/check-address.ts';
import { COMMAND } from '../../contract/package-files.ts';
import { UsageError } from '../../usage-error.ts';
import type { ConfigFile } from './config-file.ts';
import { BASE_URL } from '../../settings/settings-without-flag.ts';

export function findBaseUrl(
  argument: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  config: ConfigFile | undefined,
): string | undefined {
  const given = fromArgument(argument) ?? fromVariable(env) ?? fromFile(config);
  return given === undefined ? undefined : checkAddress(given);
}

/** `command`: the one that needs it. */
export function requireBaseUrl(command: string, ...sources: Parameters<typeof findBaseUrl>): string {
  const found = findBaseUrl(...sources);
  if (found !== undefined) return found;
  throw new UsageError(
    `No base URL: give one, as in \`${COMMAND} ${command} https://gateway.example/v1\`, or set ${BASE_URL.variable}, or ${BASE_URL.inFile} in wirecheck.config.yaml.`,
    { code: 'BASE_URL_MISSING' },
  );
}

function fromArgument(text: string | undefined): GivenAddress | undefined {
  return text === undefined ? undefined : { text, name: 'The base URL' };
}

/** An empty variable counts as unset, as with every setting. */
function fromVariable(env: Readonly<Record<string, string | undefined>>): GivenAddress | undefined {
  const text = env[BASE_URL.variable];
  return text === undefined || text.trim() === '' ? undefined : { text, name: `The base URL in ${BASE_URL.variable}` };
}

function fromFile(config: ConfigFile | undefined): GivenAddress | undefined {
  const value = config?.values[BASE_URL.inFile];
  if (config === undefined || value === undefined) return undefined;
  return { text: value as string, name: BASE_URL.inFile, at: config.placeOf(BASE_URL.inFile) };
}
