/** The names of checks in the file of a suite. */
import { isObject } from '../json.ts';
import type { Mistakes } from '../mistakes.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';
import { fileSchema } from './file-schema.ts';
import type { Path, YamlDocument } from './yaml/yaml-document.ts';

interface CheckSchema {
  readonly $defs: {
    readonly CheckName: {
      readonly anyOf: readonly [{ readonly enum: readonly string[] }, { readonly pattern: string }];
    };
  };
}

export function isCheckName(path: Path): boolean {
  return path.at(-1) === 'check' && path.at(-3) === 'expect';
}

/** The message of the schema lists every check. The one here, which has the closest, comes first for its line. */
export function checkNames(document: YamlDocument, mistakes: Mistakes): void {
  const [{ enum: names }, { pattern }] = (JSON.parse(fileSchema('suite')) as CheckSchema).$defs.CheckName.anyOf;
  const own = new RegExp(pattern);
  const visit = (here: unknown, path: readonly (string | number)[]): void => {
    if (Array.isArray(here)) for (const [index, item] of here.entries()) visit(item, [...path, index]);
    if (!isObject(here)) return;
    for (const [name, member] of Object.entries(here)) {
      if (typeof member !== 'string' || !isCheckName([...path, name])) visit(member, [...path, name]);
      else if (!names.includes(member) && !own.test(member)) {
        const guess = didYouMean(member, names) || ' See `wirecheck list checks`.';
        const at = { file: document.file, line: document.lineOf([...path, name]) };
        mistakes.attempt(() => {
          throw new UsageError(`unknown check "${member}".${guess}`, at);
        });
      }
    }
  };
  visit(document.value, []);
}
