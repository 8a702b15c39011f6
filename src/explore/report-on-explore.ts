/** The report on an exploration: that of a gateway, and what was drawn and found. */
import { contractOf, UNCHANGED } from '../contract/profile/apply-profile.ts';
import type { Excuses } from '../report/excuses/apply-excuses.ts';
import type { ExploreReport } from '../report/explore-report.ts';
import { requestsOfFinding } from '../report/explored-requests.ts';
import { curlCommand, curlSequence, repeatExplore, repeatRelayExplore } from '../report/repeat/repeat-command.ts';
import type { Report } from '../report/report.ts';
import { reportOnGateway } from '../report/report-on-gateway.ts';
import { RELAY_CHECKS } from '../relay/judge/judge-relay.ts';
import type { Settings } from '../settings.ts';
import type { Cause } from './cause.ts';
import { describeDraws, describeFound } from './describe-explore.ts';
import { type ExploreTraffic, type JudgedExplore, judgeExplore } from './judge-explore.ts';
import type { ExplorePlan } from './plan-explore.ts';
import { relayExploreContract } from './relay/explore-contract.ts';
import { forwardingCases } from './relay/forwarding-cases.ts';

/** The report, and the draws behind its findings, which can be saved as cases. */
export interface ExploreResult {
  readonly report: Report;
  readonly causes: readonly Cause[];
}

export async function reportOnExplore(
  made: ExplorePlan,
  gathered: ExploreTraffic,
  settings: Settings,
  excuses: Excuses = {},
): Promise<ExploreResult> {
  const judged = await judgeExplore(made, gathered, settings);
  const report = makeReport(judged, gathered, settings, excuses);
  const { found } = judged;
  const explore = {
    ...describeDraws(made.draws, gathered, settings),
    ...describeFound(judged.found, gathered, settings, report),
  };
  return { report: { ...withCommands(report, explore), explore }, causes: found.causes };
}

function makeReport(
  { plan, verdicts }: JudgedExplore,
  { traffic, calls }: ExploreTraffic,
  settings: Settings,
  excuses: Excuses,
): Report {
  const url = settings.explore?.upstreamUrl;
  if (url === undefined) {
    return reportOnGateway({ plan, traffic, verdicts, contract: contractOf(settings), settings, excuses });
  }
  return reportOnGateway({
    plan,
    traffic,
    verdicts,
    contract: relayExploreContract(settings),
    settings,
    excuses,
    behind: {
      url,
      calls,
      base: relayExploreContract(UNCHANGED),
      cases: forwardingCases(settings),
      checks: RELAY_CHECKS,
    },
  });
}

/** A relay needs an upstream, and a sequence that is too long for curl needs us. */
function withCommands(report: Report, { findings }: ExploreReport): Report {
  const { target, provenance, exchanges } = report;
  const run = { baseUrl: target.baseUrl, settings: provenance.settings, seed: provenance.seed };
  if (target.upstream) {
    const paths = new Map(findings.map(({ exchange, path }) => [exchange, path]));
    return withUpstreamCommands(report, (id) => repeatRelayExplore(run, paths.get(id)));
  }
  const commands = new Map(
    findings.map((finding) => {
      const requests = requestsOfFinding(exchanges, finding);
      const [single] = requests;
      const isSequence = requests.length > 1 || single?.idle?.connection !== undefined;
      const curl = isSequence ? curlSequence(requests, run) : single && curlCommand(single, run, true);
      return [finding.exchange, curl ?? repeatExplore(run, finding.path)];
    }),
  );
  return {
    ...report,
    exchanges: exchanges.map((exchange) => {
      const command = exchange.repeat === undefined ? commands.get(exchange.id) : undefined;
      return command === undefined ? exchange : { ...exchange, repeat: command };
    }),
    cases: report.cases.map(({ repeat, ...testCase }) => {
      if (testCase.suite !== 'explore' || repeat === undefined || repeat.startsWith('curl')) {
        return { ...testCase, ...(repeat !== undefined && { repeat }) };
      }
      const command = commands.get(testCase.exchange ?? '');
      return { ...testCase, ...(command !== undefined && { repeat: command }) };
    }),
  };
}

/** Every request needs the upstream, so that only a run of ours repeats it. */
function withUpstreamCommands(report: Report, commandOf: (front: string) => string): Report {
  return {
    ...report,
    exchanges: report.exchanges.map(({ repeat, ...exchange }) => ({
      ...exchange,
      ...(repeat !== undefined && { repeat: commandOf(exchange.cause ?? exchange.id) }),
    })),
    cases: report.cases.map(({ repeat: _repeat, ...testCase }) => ({
      ...testCase,
      repeat: commandOf(testCase.exchange ?? ''),
    })),
  };
}
