// The checks of a suite are registries, not types: their names and options are added to the types that leave them open.
/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of this name */
import { CALL_CHECKS } from '../../build/src/gather/client/client-checks.js';
import { RELAY_CHECKS } from '../../build/src/gather/relay/judge/judge-relay.js';
import { LOAD_CHECKS } from '../../build/src/gather/load/load-checks.js';
import { CHECKS } from '../../build/src/verdict/checks/index.js';

/** @typedef {import('./schema.mjs').Schema} Schema */
/** @typedef {import('./schema.mjs').Described} Described */
/** @typedef {import('../../build/src/verdict/check.js').Check} Check */

/** By the name of the schema. @type {Readonly<Record<string, (definitions: Record<string, Schema>) => object>>} */
const ADDITIONS = {
  suite: ({ NamedCheck, ExpectEntry }) => ({
    NamedCheck: { ...NamedCheck, anyOf: [{ enum: Object.keys(CHECKS) }, { pattern: OWN_CHECK }] },
    ExpectEntry: {
      ...ExpectEntry,
      ...COMPLETE_OR_SCHEMA,
      allOf: [WITHOUT_OPTIONS, ...withOptions().map(allowOptions)],
    },
  }),
  'client-suite': ({ CallCheckName }) => ({
    CallCheckName: { ...CallCheckName, enum: Object.keys(CALL_CHECKS) },
  }),
  'relay-suite': ({ RelayExpectation }) => ({
    RelayExpectation: {
      ...RelayExpectation,
      properties: { ...RelayExpectation?.properties, check: { type: 'string', enum: Object.keys(RELAY_CHECKS) } },
    },
  }),
  'load-suite': ({ LoadExpectation }) => ({
    LoadExpectation: {
      ...LoadExpectation,
      properties: { ...LoadExpectation?.properties, check: { type: 'string', enum: Object.keys(LOAD_CHECKS) } },
    },
  }),
  'explore-suite': ({ ExploreExpectation }) => ({
    ExploreExpectation: {
      ...ExploreExpectation,
      properties: {
        ...ExploreExpectation?.properties,
        check: { type: 'string', enum: [...new Set([...Object.keys(CHECKS), ...Object.keys(RELAY_CHECKS)])] },
      },
    },
  }),
};

/** @param {string} name @param {Described} described @returns {Described} */
export function addChecks(name, { root, definitions }) {
  return { root, definitions: { ...definitions, ...ADDITIONS[name]?.(definitions) } };
}

const OWN_CHECK = '^[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*$';

/** An expectation has a clause and a check, or nothing but a schema. */
const COMPLETE_OR_SCHEMA = {
  if: { anyOf: [{ not: { required: ['schema'] } }, { required: ['clause'] }] },
  then: { title: 'an expectation', required: ['clause', 'check'] },
  else: {
    title: 'an expectation with a schema alone',
    properties: { schema: true },
    additionalProperties: false,
  },
};

/** @returns {[name: string, check: Check][]} */
function withOptions() {
  return Object.entries(/** @type {Record<string, Check>} */ (CHECKS)).filter(([, { options }]) => options);
}

const WITHOUT_OPTIONS = {
  if: {
    required: ['check'],
    properties: { check: { not: { anyOf: [{ enum: withOptions().map(([name]) => name) }, { pattern: '/' }] } } },
  },
  then: {
    title: 'an expectation whose check has no options',
    properties: { clause: true, check: true, level: true },
    additionalProperties: false,
  },
};

/** @param {[name: string, check: Check]} check */
function allowOptions([name, { options, requires }]) {
  return {
    if: { required: ['check'], properties: { check: { const: name } } },
    then: {
      title: `an expectation with the check ${name}`,
      ...(requires && { required: requires }),
      properties: { clause: true, check: true, level: true, ...options },
      additionalProperties: false,
    },
  };
}
