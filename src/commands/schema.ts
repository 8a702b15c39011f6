/** `wirecheck schema [NAME]`: the JSON Schemas of the contract and of our files, and our OpenAPI description. */
import { schemaNames, schemaText, schemaValue } from '../contract/published-schemas.ts';
import { didYouMean } from '../text/suggestion.ts';
import { inert } from '../text/inert.ts';
import { UsageError } from '../usage-error.ts';
import type { Surroundings } from './surroundings.ts';

export interface SchemaOptions {
  readonly list?: boolean;
  readonly json?: boolean;
}

/** All of them in one JSON object where none is named. */
export function schemaCommand(
  name: string | undefined,
  { list = false, json = false }: SchemaOptions,
  { stdout }: Surroundings,
): number {
  const names = schemaNames();
  if (list) {
    stdout.write(`${names.join('\n')}\n`);
    return 0;
  }
  if (name === undefined) {
    stdout.write(asJson(Object.fromEntries(names.map((one) => [one, schemaValue(one)]))));
    return 0;
  }
  // `model` is as good as `v1/model` where nothing else ends so.
  const found = names.includes(name) ? [name] : names.filter((one) => one.endsWith(`/${name}`));
  const [only, another] = found;
  if (only === undefined) {
    const guess = didYouMean(name, names) || ' `wirecheck schema --list` shows the names.';
    throw new UsageError(`There is no schema "${inert(name, 60)}".${guess}`);
  }
  if (another !== undefined)
    throw new UsageError(`"${inert(name, 60)}" may be ${found.join(' or ')}: give the whole name.`);
  stdout.write(json ? asJson(schemaValue(only)) : schemaText(only));
  return 0;
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
