/** `wirecheck schema [NAME]` */
import { contractOf } from '../contract/profile/apply-profile.ts';
import { loadProfile } from '../contract/profile/read-profile.ts';
import { OPENAPI, schemaNames, schemaText, schemaValue } from '../contract/published-schemas.ts';
import { writeYaml } from '../contract/yaml/yaml-document.ts';
import { didYouMean } from '../text/suggestion.ts';
import { inert } from '../text/layout.ts';
import { usageError } from '../usage-error.ts';
import { formatJson } from '../json.ts';
import type { Call } from './command-row.ts';

/** Prints a schema; without a name, all of them in one JSON object. */
export function schemaCommand({ args: [name], options, io: { stdout, cwd } }: Call): number {
  const { list = false, json = false, profile } = options;
  const names = schemaNames();
  if (list) {
    stdout.write(json ? formatJson(names) : `${names.join('\n')}\n`);
    return 0;
  }
  const valueOf = profile === undefined ? schemaValue : changedBy(profile, cwd);
  if (name === undefined) {
    stdout.write(formatJson(Object.fromEntries(names.map((each) => [each, valueOf(each)]))));
    return 0;
  }
  // `model` stands for `v1/model` if no other name ends in it.
  const found = names.includes(name) ? [name] : names.filter((candidate) => candidate.endsWith(`/${name}`));
  const [only, another] = found;
  if (only === undefined) {
    const guess = didYouMean(name, names) || ' `wirecheck schema --list` lists them.';
    throw usageError.UNKNOWN_NAME(`Unknown schema "${inert(name, 60)}".${guess}`);
  }
  if (another !== undefined)
    throw usageError.UNKNOWN_NAME(`"${inert(name, 60)}" is ambiguous: give ${found.join(' or ')}.`);
  if (json) stdout.write(formatJson(valueOf(only)));
  else if (profile === undefined) stdout.write(schemaText(only));
  else stdout.write(only === OPENAPI ? writeYaml(valueOf(only)) : formatJson(valueOf(only)));
  return 0;
}

/** A schema of the contract that the profile makes; those of our own files stay as they are. */
function changedBy(profile: string, cwd: string): (name: string) => unknown {
  const contract = contractOf({ levels: {}, profile: loadProfile(profile, cwd) });
  return (name) => (name === OPENAPI ? contract.description : (contract.schemas.get(name) ?? schemaValue(name)));
}
