/** The report on a client. Pure, so that a recording gives the same report. */
import { loadContract } from '../../contract/read-contract.ts';
import { COMMAND } from '../../contract/package-files.ts';
import { contractOf } from '../../contract/profile/apply-profile.ts';
import type { CheckedClient, Client, ClientSettings, ClientTraffic, PlayedScenario } from '../../exchange/traffic.ts';
import { isSelected } from '../../plan/select.ts';
import type { Excuses } from '../../report/excuses/apply-excuses.ts';
import { type CaseDetails, describeProfileFile, describeSettings, makeReport } from '../../report/make-report.ts';
import { onlyFlags } from '../../report/repeat/repeat-command.ts';
import type { ClientEvidence, ClientResult, Report } from '../../report/report.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { type DescribedSettings, settingFlags } from '../../settings/setting-flags.ts';
import { defaultOf, flagOf, settingOf } from '../../settings/setting-names.ts';
import { quoteText } from '../../text/quote.ts';
import { argument } from '../../text/shell-text.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import { askedCalls, CLIENT_CHECKS, endOf, judgeClient, playedAs, resultOf } from './client-checks.ts';
import { loadScenarios, type Scenario } from './scenario.ts';

/** Characters of a client's output that a report keeps. */
const MAX_SAID = 4096;
const NOTHING = { requests: 0, completions: 0, tokens: 0 };

export function reportOnClient(checked: CheckedClient, excuses: Excuses = {}): Report {
  const { client, settings, traffic } = checked;
  const { played } = traffic;
  const { name, command, version } = client;
  const contract = contractOf(settings, 'client');
  const cases = loadScenarios().filter(({ id }) => isSelected(settings, id));
  const requests = played.reduce((sum, { callCount }) => sum + callCount, 0);
  return makeReport({
    subject: 'client',
    target: {
      baseUrl: played[0]?.baseUrl ?? '',
      client: { name, command, ...(version !== undefined && { version }) },
    },
    contract,
    base: loadContract('client'),
    cases,
    verdicts: judgeClient({ traffic, contract }, cases, settings.strict),
    checks: CLIENT_CHECKS,
    detailsOf: (scenario, [verdict]) => detailsOf(scenario, verdict, checked),
    // The requests of the controls are judged even if the controls themselves were not chosen.
    exchanges: played.flatMap(({ exchanges }) => exchanges),
    settings,
    described: describe(settings),
    traffic,
    notices: traffic.restarts ? [{ kind: 'driver-restarted', ...traffic.restarts }] : [],
    cost: { used: { ...NOTHING, requests }, least: NOTHING, most: NOTHING },
    excuses,
  });
}

function describe({ levels: _levels, scenarioTimeout, ...settings }: ClientSettings): DescribedSettings {
  const timeout = unusualTimeout(scenarioTimeout);
  return {
    ...describeSettings({ ...DEFAULT_SETTINGS, baseUrl: '', ...settings }),
    ...(timeout !== undefined && { [flagOf(TIMEOUT)]: timeout }),
  };
}

const TIMEOUT = 'scenario-timeout';

function unusualTimeout(milliseconds: number): string | undefined {
  return milliseconds === defaultOf(TIMEOUT) ? undefined : settingOf(TIMEOUT).type.show(milliseconds);
}

const UNSEEN = { said: quoteText(''), complaint: quoteText(''), time: 0, exchanges: [] };

function detailsOf(scenario: Scenario, verdict: Verdict | undefined, checked: CheckedClient): CaseDetails {
  const { client, settings, traffic } = checked;
  const played = playedAs(scenario.id, traffic.played);
  const result = verdict && resultOf(scenario, played, verdict);
  const repeat = repeatClient([...scenariosShowing(verdict, scenario.id, traffic), scenario.id], client, settings);
  if (result === undefined) return { edits: [], repeat };
  if (played === undefined || scenario.mode === undefined) return { edits: [], repeat, client: { result, ...UNSEEN } };
  const asked = askedCalls(played, scenario.mode).at(-1);
  return { edits: [], ...(asked && { exchange: asked.id }), repeat, client: evidence(played, scenario, result) };
}

function evidence(played: PlayedScenario, { expectedResult }: Scenario, result: ClientResult): ClientEvidence {
  const { answer, text, exchanges } = played;
  return {
    result,
    ...(expectedResult !== 'failure' && { text: text.slice(0, MAX_SAID) }),
    said: quoteText(answer.said, MAX_SAID),
    complaint: quoteText(answer.complaint, MAX_SAID),
    ...endOf(answer),
    time: Math.round(answer.time),
    exchanges: exchanges.map(({ id }) => id),
  };
}

/** Other scenarios whose calls show the findings: the requests of a client are judged over all of them. */
function scenariosShowing(verdict: Verdict | undefined, own: string, { played }: ClientTraffic): readonly string[] {
  const shown = new Set(verdict?.findings.map(({ exchange }) => exchange));
  const showing = played.filter(({ exchanges }) => exchanges.some(({ id }) => shown.has(id)));
  return showing.map(({ scenario }) => scenario).filter((id) => id !== own);
}

/** The command can be pasted into a shell. */
function repeatClient(ids: readonly string[], { command, isDriver }: Client, settings: ClientSettings): string {
  const timeout = unusualTimeout(settings.scenarioTimeout);
  return [
    `${COMMAND} client`,
    ...(isDriver ? ['--driver'] : []),
    ...onlyFlags(ids),
    ...settingFlags({ settings: describeProfileFile(settings.profile) }),
    ...(timeout === undefined ? [] : [`${flagOf(TIMEOUT)} ${timeout}`]),
    '--out none --',
    ...command.map((word) => argument(word)),
  ].join(' ');
}
