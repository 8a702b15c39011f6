// `schemas/files/config.schema.json` and `docs/settings.md`, made from the rows. A test keeps the files equal to this.
import { LEVELS } from '../../build/src/contract/contract.js';
import {
  flagWithValue,
  formatDefault,
  inFileOf,
  SETTING_NAMES,
  SHOWN_SETTINGS,
  settingOf,
  shortBefore,
  variableOf,
} from '../../build/src/settings/setting-names.js';
import {
  AGENT,
  BASE_URL,
  CHANGED_LEVELS,
  KEY_SUMMARIES,
  KEY_VARIABLES,
} from '../../build/src/settings/settings-without-flag.js';
import { inAnyCase } from '../../build/src/settings/value-types.js';
import { USAGE_CODES } from '../../build/src/usage-error.js';
/** @import { SettingName } from '../../build/src/settings/setting-names.js' */

/** @typedef {Readonly<Record<string, unknown>>} Schema */

const KEY_ROLES = /** @type {(keyof typeof KEY_VARIABLES)[]} */ (Object.keys(KEY_VARIABLES));

/** @returns {Schema} */
export function configSchema() {
  const rows = SETTING_NAMES.flatMap((name) => {
    const key = inFileOf(name)?.key;
    return key === undefined ? [] : [[key, settingSchema(name)]];
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:wirecheck:schema:files:config',
    title: 'the config file',
    description:
      'wirecheck.config.yaml. Flags override WIRECHECK_* variables, which override this file. ${VAR} is replaced by the variable of that name.',
    type: 'object',
    properties: {
      [BASE_URL.inFile]: {
        description: BASE_URL.summary,
        type: 'string',
        'x-message': 'an address such as https://gateway.example/v1',
        'x-secret': true,
      },
      ...Object.fromEntries(rows),
      [CHANGED_LEVELS.inFile]: {
        description: CHANGED_LEVELS.summary,
        type: 'object',
        additionalProperties: { enum: LEVELS },
      },
    },
    patternProperties: Object.fromEntries(
      KEY_ROLES.map((role) => [
        `^${inAnyCase(role === 'full' ? 'api' : role)}[-_]?${inAnyCase('key')}$`,
        { not: {}, 'x-message': `left out of a file that is shared: set ${KEY_VARIABLES[role]} in the environment` },
      ]),
    ),
    additionalProperties: false,
  };
}

/**
 * @param {SettingName} name
 * @returns {Schema}
 */
function settingSchema(name) {
  const { summary, type, several, mayHold } = settingOf(name);
  const { joinedBy, inverse } = inFileOf(name) ?? {};
  const description = inverse ? `false: ${summary}` : summary;
  const value = { ...type.schema, 'x-message': type.allowed, ...(mayHold && { 'x-secret': true }) };
  if (joinedBy !== undefined) return { description, ...headerMap(joinedBy === '=') };
  if (several === undefined) return { description, ...value };
  return { description, type: ['array', 'string'], items: value, minLength: 1 };
}

/**
 * @param {boolean} isFromEnv
 * @returns {Schema}
 */
function headerMap(isFromEnv) {
  return {
    type: 'object',
    patternProperties: {
      [`^${inAnyCase('authorization')}$`]: {
        not: {},
        'x-message': `left out: the key goes into ${KEY_VARIABLES.full}, so that cases can also send other keys, or none`,
      },
    },
    additionalProperties: isFromEnv
      ? { type: 'string', 'x-message': 'the name of a variable' }
      : { type: 'string', 'x-message': 'text, in quotes if it is a number', 'x-secret': true },
  };
}

const INTRODUCTION = `# Settings

<!-- Generated from src/settings: change the row there, then run \`npm run settings\`. -->

Flags override environment variables, which override \`wirecheck.config.yaml\`, which overrides the defaults.
The environment overrides the env file of \`--env-file\`.

- **Variables**: \`--reply-tokens 8\` is \`WIRECHECK_REPLY_TOKENS=8\`. Several values are separated by commas, headers by
  line breaks. An empty variable counts as unset. A switch takes \`true\` or \`false\`.
- **Off**: \`--no-strict\` turns off a switch that the config file or a variable turned on, and \`--bodies\` turns off
  \`--no-bodies\`. \`none\` switches off any other setting without a default: \`--waivers none\`. A file of that name is
  \`./none\`.
- **Config file**: \`--reply-tokens 8\` is \`replyTokens: 8\`. \`\${VAR}\` is replaced by the environment variable \`VAR\`.
  Several values are a list. Headers are a map from names to values.
- **The key**: whatever names a variable or a file overrides \`${KEY_VARIABLES.full}\`: a flag or a target, then
  \`${variableOf('api-key-env')}\` or \`${variableOf('api-key-file')}\`, then the config file. If the variable that was named is not
  set, the run does not begin.
- **Times** are \`500ms\`, \`30s\`, \`10m\`, \`1h\`, or a number of milliseconds, 100 or more.
- **Sizes** are \`64KiB\`, \`4MiB\`, \`1GiB\`, or a number of bytes.

\`wirecheck list settings\` prints this list, and \`wirecheck explain reply-tokens\` prints one setting. Node 20 also
reads \`--env-file\` itself: if the file does not exist, Node exits with code 9 before wirecheck starts.

## Target and keys

| variable | config file | meaning |
|---|---|---|
`;

const CODES = `
## Codes of usage errors

With exit code 2, the message on stderr ends in one of these codes. The codes never change; the sentences may.

| code | meaning |
|---|---|
`;

/** @returns {string} */
export function settingsPage() {
  const targetAndKeys = [
    [code(BASE_URL.variable), code(BASE_URL.inFile), `${BASE_URL.summary}; \`wirecheck run\` takes it as an argument`],
    ...KEY_ROLES.map((role) => [code(KEY_VARIABLES[role]), '–', KEY_SUMMARIES[role]]),
    [code(AGENT.variable), '–', AGENT.summary],
    ['–', code(CHANGED_LEVELS.inFile), `${CHANGED_LEVELS.summary}: ${LEVELS.join(', ')}`],
  ];
  const groups = [...new Set(SHOWN_SETTINGS.map((name) => settingOf(name).group))].map((group) => {
    const names = SHOWN_SETTINGS.filter((name) => settingOf(name).group === group);
    return `\n## ${group}\n\n| flag | variable | config file | default | meaning |\n|---|---|---|---|---|\n${tableRows(names.map(cellsOf))}`;
  });
  const codes = Object.entries(USAGE_CODES).map(([name, meaning]) => [code(`WIRECHECK_E_${name}`), meaning]);
  return INTRODUCTION + tableRows(targetAndKeys) + groups.join('') + CODES + tableRows(codes);
}

/**
 * @param {SettingName} name
 * @returns {string[]}
 */
function cellsOf(name) {
  const { summary, type, several, otherwise } = settingOf(name);
  const inFile = inFileOf(name);
  const fallback = formatDefault(name);
  const notes = [...(type.range ? [type.range.join(' to ')] : []), ...(several ? ['repeatable'] : [])];
  return [
    code(`${shortBefore(name)}${flagWithValue(name)}`),
    code(variableOf(name)),
    inFile === undefined ? '–' : code(inFile.inverse ? `${inFile.key}: false` : inFile.key),
    fallback === undefined ? '–' : fallback === otherwise ? fallback : code(fallback),
    notes.length === 0 ? summary : `${summary} (${notes.join('; ')})`,
  ];
}

/** @param {string} text */
function code(text) {
  return `\`${text}\``;
}

/** @param {readonly (readonly string[])[]} rows */
function tableRows(rows) {
  return rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |\n`).join('');
}
