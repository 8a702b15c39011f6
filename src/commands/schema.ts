/** `wirecheck schema [NAME]` */
import { schemaNames, schemaText, schemaValue } from '../contract/published-schemas.ts';
import { didYouMean } from '../text/suggestion.ts';
import { inert } from '../text/inert.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandIo } from './command-io.ts';
import { formatJson } from './format-json.ts';

export interface SchemaOptions {
  readonly list?: boolean;
  readonly json?: boolean;
}

/** Without a name: all of them in one JSON object. */
export function schemaCommand(
  name: string | undefined,
  { list = false, json = false }: SchemaOptions,
  { stdout }: CommandIo,
): number {
  const names = schemaNames();
  if (list) {
    stdout.write(json ? formatJson(names) : `${names.join('\n')}\n`);
    return 0;
  }
  if (name === undefined) {
    stdout.write(formatJson(Object.fromEntries(names.map((each) => [each, schemaValue(each)]))));
    return 0;
  }
  // `model` stands for `v1/model` if no other name ends in it.
  const found = names.includes(name) ? [name] : names.filter((candidate) => candidate.endsWith(`/${name}`));
  const [only, another] = found;
  if (only === undefined) {
    const guess = didYouMean(name, names) || ' `wirecheck schema --list` lists them.';
    throw new UsageError(`Unknown schema "${inert(name, 60)}".${guess}`, { code: 'UNKNOWN_NAME' });
  }
  if (another !== undefined)
    throw new UsageError(`"${inert(name, 60)}" is ambiguous: give ${found.join(' or ')}.`, { code: 'UNKNOWN_NAME' });
  stdout.write(json ? formatJson(schemaValue(only)) : schemaText(only));
  return 0;
}
