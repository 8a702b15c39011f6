/** Run by the build: the code of the built validators. */
import { createRequire } from 'node:module';
import type standaloneCode from 'ajv/dist/standalone/index.js';
import { headOf } from './built-validators.ts';
import { compileWith, type FileSchemaName, schemasOf } from './file-schema.ts';

/** Those whose making takes longest. People read the mistakes of the others. */
export const BUILT: readonly FileSchemaName[] = ['report', 'recording'];

export interface ValidatorCode {
  readonly head: string;
  /** A module whose default export is the validator. It imports parts of ajv. */
  readonly code: string;
}

export function validatorCode(name: FileSchemaName): ValidatorCode {
  const require = createRequire(import.meta.url);
  const module: { readonly default: typeof standaloneCode.default } = require('ajv/dist/standalone');
  // It only says yes or no, so the first error is enough.
  const { ajv, validate } = compileWith(name, {
    allErrors: false,
    messages: false,
    inlineRefs: false,
    code: { source: true, esm: true },
  });
  return { head: headOf(schemasOf(name)), code: module.default(ajv, validate) };
}
