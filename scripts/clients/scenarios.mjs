// The scenarios of `wirecheck client`, played to every stock client.
import { createClientSetup } from '../../build/src/gather/client/client-setup.js';
import { checkClient, DEFAULT_CLIENT_SETTINGS } from '../../build/src/index.js';
import { cleanEnvironment } from './driver.mjs';
/** @import { Report } from '../../build/src/index.js' */
/** @import { ClientResult } from '../../build/src/report/report.js' */
/** @import { StockClient } from './stock.mjs' */

/** @typedef {{ client: StockClient, report: Report }} PlayedClient */

const SETTINGS = { ...DEFAULT_CLIENT_SETTINGS, concurrency: 2, scenarioTimeout: 15_000 };

/**
 * Per client: its report. One client at a time, so that they do not slow each other down.
 * @param {readonly StockClient[]} clients
 * @param {readonly string[]} only
 * @param {(client: StockClient, report: Report) => void} onClient
 */
export async function playScenarios(clients, only, onClient) {
  /** @type {PlayedClient[]} */
  const reports = [];
  for (const client of clients) {
    const { name, version, command, folder } = client;
    const hooks = { setup: createClientSetup(cleanEnvironment()), cwd: folder };
    const report = await checkClient({ name, version, command, isDriver: true }, { ...SETTINGS, only }, hooks);
    reports.push({ client, report });
    onClient(client, report);
  }
  return reports;
}

/** @type {Record<ClientResult, string>} */
const WORDS = {
  pass: '·',
  breaks: 'breaks',
  'wrong-text': 'wrong text',
  silent: 'silent',
  hangs: 'hangs',
  retrying: 'retrying',
  'bad-request': 'bad request',
  unsupported: '–',
  'not-started': '–',
};

/** @param {ClientResult} result */
export function formatResult(result) {
  return WORDS[result];
}

/**
 * Still retrying at the limit is not yet a failure.
 * @param {ClientResult} result
 */
export function isFailing(result) {
  return isOdd(result) && result !== 'retrying';
}

/** @param {ClientResult} result */
function isOdd(result) {
  return !['pass', 'unsupported', 'not-started'].includes(result);
}

/**
 * Every scenario that was played, with the results in the order of the clients.
 * @param {readonly PlayedClient[]} reports
 */
export function listRows(reports) {
  const played = reports.map(({ report }) => new Map(report.cases.map(({ id, client }) => [id, client?.result])));
  const cases = reports[0]?.report.cases ?? [];
  return cases
    .filter(({ id }) => played.some((results) => results.get(id) !== undefined))
    .map(({ id, title }) => ({ id, title, results: played.map((results) => results.get(id) ?? 'not-started') }));
}

/**
 * A table of the scenarios that not every client passes.
 * @param {readonly PlayedClient[]} reports
 */
export function formatScenarios(reports) {
  const rows = listRows(reports);
  const passes = reports.map((_, at) => rows.filter(({ results }) => results[at] === 'pass').length);
  return [
    `| scenario | ${reports.map(({ client }) => client.name).join(' | ')} |`,
    `|---|${reports.map(() => ':-:|').join('')}`,
    ...rows
      .filter(({ results }) => results.some(isOdd))
      .map(({ id, title, results }) => `| \`${id}\`: ${title} | ${results.map(formatResult).join(' | ')} |`),
    `| passed, of ${rows.length} | ${passes.join(' | ')} |`,
  ];
}
