// reports/clients.md: what every client did, as tables.
import { isImplied } from './summarize.mjs';
/** @import { ClientCall, Effect } from '../../build/src/contract/stock-clients.js' */
/** @import { Measurement, Result, Trial } from './measure.mjs' */

/**
 * A call on a gateway: the effect by client, and the clients that it hurts.
 * @typedef {object} Row
 * @property {Trial} trial
 * @property {ClientCall} call
 * @property {Readonly<Record<string, Result['effect']>>} effects
 * @property {readonly string[]} failing
 */

/** @type {Record<Effect, string>} */
const MARKS = {
  throws: 'throws',
  rejects: 'rejects',
  hangs: 'hangs',
  retries: 'retries',
  empty: 'no text',
  part: 'part',
  other: 'other text',
};

/** @param {Measurement} measurement */
export function formatMatrix({ measured, clients, skipped, trials, results, played }) {
  const rows = trials.flatMap((trial) => trial.calls.map((call) => rowOf(trial, call, results)));
  const hurting = rows.filter(({ failing }) => failing.length > 0);
  const harmless = rows.filter(({ failing, trial }) => failing.length === 0 && trial.kind !== 'control');
  /**
   * @param {readonly string[]} heading
   * @param {readonly Row[]} chosen
   * @param {(row: Row) => readonly string[]} cellsOf
   */
  const table = (heading, chosen, cellsOf) => [
    `| deviation | call | ${[...clients.map(({ name }) => name), ...heading].join(' | ')} |`,
    `|---|---|${[...clients, ...heading].map(() => ':-:|').join('')}`,
    ...chosen.map((row) => {
      const cells = [...clients.map(({ id }) => mark(row.effects[id])), ...cellsOf(row)];
      return `| \`${row.trial.id}\`: ${row.trial.title} | ${row.call} | ${cells.join(' | ')} |`;
    }),
  ];
  const faults = hurting.filter(({ trial }) => trial.kind === 'fault');
  const variants = hurting.filter(({ trial }) => trial.kind === 'variant');
  return `${[
    '# Stock clients, measured',
    '',
    `Made by \`npm run clients\` on ${measured}: the drivers in \`clients/\`, with default settings, against the faults and`,
    'variants of the reference gateway that show in an ordinary call. A client is unaffected (·) if the exact text came out.',
    '',
    ...clients.map(({ name, version }) => `- ${name} ${version}`),
    ...Object.entries(skipped).map(([language, reason]) => `- not measured: clients/${language} (${reason})`),
    '',
    '| cell | meaning |',
    '|---|---|',
    '| · | the exact text |',
    '| throws, rejects | the call fails; *rejects*: the client validates the answer and refuses it |',
    '| hangs, retries | no result within 15 seconds, on one request or still retrying |',
    '| no text, part, other text | returned as if all were well |',
    '| – | the client has no such call |',
    '',
    '## Scenarios',
    '',
    'Clauses that a client must or should keep, as `wirecheck client` judges them. Scenarios that every client passes are left out.',
    '*Breaks*: the call fails. *Silent*: a failure of the gateway is returned as if all were well.',
    '',
    ...played,
    '',
    '## Legal answers that a client cannot read',
    '',
    'The last column: by the reading of the contract, whatever breaks an SDK of OpenAI or two families of clients is a should.',
    '',
    ...(variants.length === 0
      ? ['None of the variants that were measured.']
      : table(['should'], variants, ({ failing }) => [isImplied(clients, failing) ? 'yes' : 'no'])),
    '',
    '## Faults that a client cannot bear',
    '',
    ...table([], faults, () => []),
    '',
    '## Without effect on any client',
    '',
    `${harmless.map(({ trial, call }) => `\`${trial.id}\` (${call})`).join(', ')}.`,
  ].join('\n')}\n`;
}

/**
 * @param {Trial} trial
 * @param {ClientCall} call
 * @param {readonly Result[]} results
 * @returns {Row}
 */
function rowOf(trial, call, results) {
  const own = results.filter((result) => result.trial === trial.id && result.call === call);
  const effects = Object.fromEntries(own.map(({ client, effect }) => [client, effect]));
  const failing = own.filter(({ effect }) => effect && effect !== 'unsupported').map(({ client }) => client);
  return { trial, call, effects, failing };
}

/** @param {Result['effect']} effect */
function mark(effect) {
  if (effect === undefined) return '·';
  return effect === 'unsupported' ? '–' : MARKS[effect];
}
