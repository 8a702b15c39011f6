/** `wirecheck schema [NAME]` */
import { COMMAND } from '../contract/package-files.ts';
import { contractOf } from '../contract/profile/apply-profile.ts';
import { loadProfile } from '../contract/profile/read-profile.ts';
import { OPENAPI, schemaNames, schemaText, schemaValue } from '../contract/published-schemas.ts';
import { writeYaml } from '../contract/yaml/yaml-document.ts';
import { requireName } from '../text/suggestion.ts';
import { inert } from '../text/layout.ts';
import { usageError } from '../usage-error.ts';
import { formatJson } from '../json.ts';
import type { Call } from './command-row.ts';

/** Prints a schema; without a name, all of them in one JSON object. */
export function schemaCommand({ args: [name], options, io: { stdout, cwd } }: Call): void {
  const { list = false, json = false, profile } = options;
  const names = schemaNames();
  if (list) {
    stdout.write(json ? formatJson(names) : `${names.join('\n')}\n`);
    return;
  }
  const valueOf = profile === undefined ? schemaValue : changedBy(profile, cwd);
  if (name === undefined) {
    stdout.write(formatJson(Object.fromEntries(names.map((each) => [each, valueOf(each)]))));
    return;
  }
  // `model` stands for `v1/model` if no other name ends in it.
  const found = names.includes(name) ? [name] : names.filter((candidate) => candidate.endsWith(`/${name}`));
  if (found.length > 1) throw usageError.UNKNOWN_NAME(`"${inert(name, 60)}" is ambiguous: give ${found.join(' or ')}.`);
  const otherwise = `\`${COMMAND} schema --list\` lists them.`;
  const only = found[0] ?? requireName('Unknown schema', name, names, { otherwise });
  if (json) stdout.write(formatJson(valueOf(only)));
  else if (profile === undefined) stdout.write(schemaText(only));
  else stdout.write(only === OPENAPI ? writeYaml(valueOf(only)) : formatJson(valueOf(only)));
}

/** A schema of the contract that the profile makes; those of our own files stay as they are. */
function changedBy(profile: string, cwd: string): (name: string) => unknown {
  const contract = contractOf({ levels: {}, profile: loadProfile(profile, cwd) });
  return (name) => (name === OPENAPI ? contract.description : (contract.schemas.get(name) ?? schemaValue(name)));
}
