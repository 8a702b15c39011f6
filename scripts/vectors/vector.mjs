// The shape of a vector, which vectors/README.md describes.
/** @import { VectorRequest } from './ask-deployment.mjs' */
/** @import { Wire } from './wire.mjs' */

/**
 * What a right client makes of the answer. `nothing`: nobody can say.
 * @typedef {{ kind: 'text', text: string } | { kind: 'models', models: string[] } | { kind: 'error' } | { kind: 'nothing' }} Expect
 */

/**
 * @typedef {object} Vector
 * @property {string} id
 * @property {string} title
 * @property {'plain' | 'stream' | 'models' | 'other'} mode
 * @property {string} [clause] Absent for a variant, which breaks none.
 * @property {string} [level]
 * @property {readonly string[]} [breaks] Of a fault: every clause that the gateway breaks.
 * @property {string} [needs] The content coding that the client has to accept.
 * @property {string} [step] Of a variant or a fault: the request of the suites.
 * @property {VectorRequest} request
 * @property {Wire} answer
 * @property {Expect} expect
 */

/** @typedef {{ id: string, why: string }} LeftOut */

export const GROUPS = /** @type {const} */ ([
  'client-plain',
  'client-stream',
  'client-models',
  'client-failures',
  'gateway-variants',
  'gateway-faults',
]);
