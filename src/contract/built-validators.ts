/**
 * Validators of the files that wirecheck reads most, stored in `dist/` by the build: ajv takes more than a second to make
 * the one of a report. They only say whether a value is sound; what is wrong with one, the validators of
 * `file-schema.ts` tell.
 */
import { runInThisContext } from 'node:vm';
import { findPackageFile } from './package-files.ts';
import { hashOfText } from './yaml/yaml-snapshot.ts';

export type IsSoundValue = (value: unknown) => boolean;

export const builtValidatorFile = (name: string): string => `dist/validators/${name}.js`;

/** The first line of a built validator. A schema that was changed after the build has a different one. */
export function headOf(schemas: readonly string[]): string {
  return `// ${hashOfText(schemas.join('\n'))}\n`;
}

/** Undefined if the build made none from these schemas. */
export function findBuiltValidator(name: string, schemas: readonly string[]): IsSoundValue | undefined {
  const text = findPackageFile(builtValidatorFile(name));
  return text?.startsWith(headOf(schemas)) ? evaluate(text) : undefined;
}

/** As text, since the one-file bundle has no modules that it could load. */
function evaluate(text: string): IsSoundValue {
  return runInThisContext(`(() => {${text}\nreturn validator.default;})()`) as IsSoundValue;
}
