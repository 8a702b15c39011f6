/** Looks at the names of checks in a suite before its schema does. */
import { fileSchema } from '../contract/file-schema.ts';
import type { YamlDocument } from '../contract/yaml/yaml-document.ts';
import { isObject } from '../json.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';

interface CheckSchema {
  readonly $defs: {
    readonly check: { readonly anyOf: readonly [{ readonly enum: readonly string[] }, { readonly pattern: string }] };
  };
}

/** The schema would list every check there is; the nearest one is of more use. */
export function checkNames(document: YamlDocument): void {
  const [{ enum: names }, { pattern }] = (JSON.parse(fileSchema('suite')) as CheckSchema).$defs.check.anyOf;
  const own = new RegExp(pattern);
  const visit = (here: unknown, path: readonly (string | number)[]): void => {
    if (Array.isArray(here)) for (const [index, item] of here.entries()) visit(item, [...path, index]);
    if (!isObject(here)) return;
    for (const [name, member] of Object.entries(here)) {
      const isName = name === 'check' && typeof member === 'string' && path.at(-2) === 'expect';
      if (!isName) visit(member, [...path, name]);
      else if (!names.includes(member) && !own.test(member)) {
        const guess = didYouMean(member, names) || ' `wirecheck list checks` shows all.';
        throw new UsageError(`unknown check "${member}".${guess}`, {
          file: document.file,
          line: document.lineOf([...path, name]),
        });
      }
    }
  };
  visit(document.value, []);
}
