/** Builds the report on a client. */
import type { Contract } from '../contract/contract.ts';
import { assembleReport } from '../report/assemble-report.ts';
import { EvidenceRoom, evidenceOf } from '../report/evidence.ts';
import type { Excuses } from '../report/excuses/apply-excuses.ts';
import { argument } from '../report/repeat/shell-text.ts';
import type { CaseReport, DescribedSettings, Report } from '../report/report.ts';
import type { ClientEvidence, ClientResult } from '../report/client-evidence.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { defaultOf, flagOf, settingOf } from '../settings/setting-names.ts';
import { quoteText } from '../text/quote.ts';
import type { Client, ClientSettings, ClientTraffic, PlayedScenario } from '../exchange/client-traffic.ts';
import type { ClientJudgement } from './judge-client.ts';
import { CLIENT_CHECKS } from './client-checks.ts';
import { askedCalls } from './asked-calls.ts';
import type { Scenario } from './scenario.ts';

export interface ClientReportInput {
  readonly client: Client;
  readonly settings: ClientSettings;
  readonly contract: Contract;
  readonly scenarios: readonly Scenario[];
  readonly traffic: ClientTraffic;
  readonly judged: ClientJudgement;
  readonly excuses: Excuses;
}

/** Characters of a client's output that a report keeps. */
const MAX_SAID = 4096;
const NOTHING = { requests: 0, completions: 0, tokens: 0 };

export function makeClientReport(input: ClientReportInput): Report {
  const { client, settings, contract, scenarios, traffic, judged, excuses } = input;
  const { played, ending, startedAt, endedAt } = traffic;
  const { name, command, version } = client;
  const room = new EvidenceRoom();
  // The requests of the controls are judged even if the controls themselves were not chosen.
  const [first] = played;
  return assembleReport<Scenario>({
    subject: 'client',
    target: {
      baseUrl: first?.baseUrl ?? '',
      client: { name, command, ...(version !== undefined && { version }) },
    },
    contract,
    cases: scenarios,
    verdicts: judged.verdicts,
    checks: CLIENT_CHECKS,
    detailsOf: (scenario) => detailsOf(scenario, input),
    exchanges: played.flatMap(({ exchanges }) => exchanges.map((exchange) => evidenceOf(exchange, room))),
    strict: settings.strict,
    levels: settings.levels,
    seed: DEFAULT_SETTINGS.seed,
    settings: describe(settings),
    ending,
    notices: [],
    startedAt,
    endedAt,
    cost: {
      used: { ...NOTHING, requests: played.reduce((sum, { callCount }) => sum + callCount, 0) },
      least: NOTHING,
      most: NOTHING,
    },
    excuses,
  });
}

function describe({ only, skip, strict, concurrency, scenarioTimeout }: ClientSettings): DescribedSettings {
  return {
    ...(only.length > 0 && { only }),
    ...(skip.length > 0 && { skip }),
    ...(strict && { strict }),
    ...(concurrency !== DEFAULT_SETTINGS.concurrency && { concurrency }),
    ...(isUsual(scenarioTimeout) ? {} : { [flagOf(TIMEOUT)]: formatTimeout(scenarioTimeout) }),
  };
}

const TIMEOUT = 'scenario-timeout';

function isUsual(scenarioTimeout: number): boolean {
  return scenarioTimeout === defaultOf(TIMEOUT);
}

function formatTimeout(scenarioTimeout: number): string {
  return settingOf(TIMEOUT).type.show(scenarioTimeout);
}

const UNSEEN = { said: quoteText(''), complaint: quoteText(''), time: 0, exchanges: [] };

type Details = Pick<CaseReport, 'edits' | 'exchange' | 'repeat' | 'client'>;

function detailsOf(scenario: Scenario, { client, settings, traffic, judged }: ClientReportInput): Details {
  const played = traffic.played.find((known) => known.scenario === scenario.id);
  const result = judged.results.get(scenario.id);
  const repeat = repeatClient(scenario.id, client, settings);
  if (result === undefined) return { edits: [], repeat };
  if (played === undefined || scenario.mode === undefined) {
    return { edits: [], repeat, client: { result, ...UNSEEN } };
  }
  const asked = askedCalls(played, scenario.mode).at(-1);
  return { edits: [], ...(asked && { exchange: asked.id }), repeat, client: evidence(played, scenario, result) };
}

function evidence(
  { answer, text, exchanges }: PlayedScenario,
  { expect }: Scenario,
  result: ClientResult,
): ClientEvidence {
  const exit = 'exit' in answer ? answer.exit : undefined;
  const signal = 'signal' in answer ? answer.signal : undefined;
  return {
    result,
    ...(expect !== 'failure' && { text: text.slice(0, MAX_SAID) }),
    said: quoteText(answer.said, MAX_SAID),
    complaint: quoteText(answer.complaint, MAX_SAID),
    ...(exit !== undefined && { exit }),
    ...(signal !== undefined && { signal }),
    time: Math.round(answer.time),
    exchanges: exchanges.map(({ id }) => id),
  };
}

/** To be pasted into a shell. */
function repeatClient(id: string, { command, isDriver }: Client, settings: ClientSettings): string {
  const { scenarioTimeout } = settings;
  const limit = isUsual(scenarioTimeout) ? [] : [`${flagOf(TIMEOUT)} ${formatTimeout(scenarioTimeout)}`];
  return [
    'wirecheck client',
    ...(isDriver ? ['--driver'] : []),
    `--only ${argument(id)}`,
    ...limit,
    '--out none --',
    ...command.map((word) => argument(word)),
  ].join(' ');
}
