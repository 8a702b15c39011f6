/** Loads ajv on first use: it takes longer than everything else before the first request. */
import { createRequire } from 'node:module';
import type * as Ajv from 'ajv/dist/2020.js';
import type addFormats from 'ajv-formats';

/** Takes schemas of this package only. They are tested, so a run does not validate them again. */
export function createAjv(options: Ajv.Options): Ajv.Ajv2020 {
  const require = createRequire(import.meta.url);
  const module: typeof Ajv = require('ajv/dist/2020.js');
  return new module.Ajv2020({ allErrors: true, strict: false, validateSchema: false, meta: false, ...options });
}

/** Adds `date-time`, `date` and `uri`, which only our own files use. */
export function addFormatsTo(ajv: Ajv.Ajv2020): Ajv.Ajv2020 {
  const require = createRequire(import.meta.url);
  const module: { readonly default: typeof addFormats.default } = require('ajv-formats');
  module.default(ajv, ['date-time', 'date', 'uri']);
  return ajv;
}
