/** Makes ajv when it is needed: loading it takes longer than everything else before the first request. */
import { createRequire } from 'node:module';
import type * as Ajv from 'ajv/dist/2020.js';
import type addFormats from 'ajv-formats';

/** For schemas of this package only. Their form is tested, so it is not looked at again in every run. */
export function createAjv(options: Ajv.Options): Ajv.Ajv2020 {
  const require = createRequire(import.meta.url);
  const module: typeof Ajv = require('ajv/dist/2020.js');
  return new module.Ajv2020({ allErrors: true, strict: false, validateSchema: false, meta: false, ...options });
}

/** Teaches it `date-time`, `date` and `uri`, which our own files use and answers do not. */
export function withFormats(ajv: Ajv.Ajv2020): Ajv.Ajv2020 {
  const require = createRequire(import.meta.url);
  const module: { readonly default: typeof addFormats.default } = require('ajv-formats');
  module.default(ajv, ['date-time', 'date', 'uri']);
  return ajv;
}
