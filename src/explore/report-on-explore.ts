/** The report on an exploration: that of a gateway, and what was drawn and found. */
import type { Contract } from '../contract/contract.ts';
import { contractOf, UNCHANGED } from '../contract/profile/apply-profile.ts';
import type { Excuses } from '../report/excuses/apply-excuses.ts';
import type { ExploredFinding, ExploreReport } from '../report/explore-report.ts';
import { repeatExplore, repeatRelayExplore } from '../report/repeat/repeat-command.ts';
import type { Report } from '../report/report.ts';
import { reportOnGateway } from '../report/report-on-gateway.ts';
import { RELAY_CHECKS } from '../relay/judge/checks.ts';
import type { Settings } from '../settings.ts';
import { classify } from './classify.ts';
import type { Draw } from './drawn-request.ts';
import { featuresOf } from './features.ts';
import type { Cause } from './cause.ts';
import type { Investigation } from './investigate.ts';
import { type ExploreTraffic, type JudgedExplore, judgeExplore } from './judge-explore.ts';
import { formatPath } from './path.ts';
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
  const contract = contractOf(settings);
  const judged = await judgeExplore(made, gathered, settings);
  const report = makeReport(judged, gathered, settings, excuses);
  const { found } = judged;
  const explore = describe(made.draws, found, report, contract);
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

function describe(draws: readonly Draw[], found: Investigation, report: Report, contract: Contract): ExploreReport {
  const requests = draws.flatMap((draw) => draw.requests);
  const kinds = { valid: 0, tolerant: 0, invalid: 0, open: 0 };
  for (const request of requests) {
    const { kind } = classify(request, contract);
    if (kind !== 'unclear') kinds[kind] += 1;
  }
  return {
    draws: draws.length,
    sequences: draws.filter((draw) => draw.requests.length > 1).length,
    kinds,
    ...pairsIn(draws, contract),
    findings: found.causes.map((cause) => describeFinding(cause, report)),
    flaky: [...found.passed.keys()],
    unconfirmed: [...new Set(found.open)],
  };
}

/** Groups of features two by two. */
function pairsIn(draws: readonly Draw[], contract: Contract): Pick<ExploreReport, 'pairs' | 'missing'> {
  const values = new Map<string, Set<string>>();
  const groups = new Set<string>();
  for (const request of draws.flatMap((draw) => draw.requests)) {
    const features = featuresOf(request, contract).toSorted((a, b) => (a.group < b.group ? -1 : 1));
    for (const [index, first] of features.entries()) {
      groups.add(first.group);
      for (const second of features.slice(index + 1)) {
        if (first.group === second.group) continue;
        const name = JSON.stringify([first.group, second.group]);
        values.set(name, (values.get(name) ?? new Set()).add(JSON.stringify([first.is, second.is])));
      }
    }
  }
  const names = [...groups].toSorted();
  const all = names.flatMap((first, index) => names.slice(index + 1).map((second) => [first, second] as const));
  const numberOf = (fields: readonly [string, string]): number => values.get(JSON.stringify(fields))?.size ?? 0;
  return {
    pairs: all.flatMap((fields) => (numberOf(fields) > 0 ? [{ fields, values: numberOf(fields) }] : [])),
    missing: all.filter((fields) => numberOf(fields) === 0),
  };
}

function describeFinding(cause: Cause, { cases }: Report): ExploredFinding {
  const { draw, kept, smallest, path, symptoms, isShrunk, requests, draws, neighbour, difference } = cause;
  const exchanges = new Set(symptoms.map(({ finding }) => finding.exchange));
  const findings = cases.flatMap(({ expectations }) => expectations.flatMap((expectation) => expectation.findings));
  const own = findings.filter(({ exchange }) => exchanges.has(exchange));
  return {
    fingerprints: [...new Set(own.map(({ fingerprint }) => fingerprint))],
    path: formatPath(draw, kept, path),
    length: smallest.requests.length,
    exchange: symptoms[0].exchange,
    isShrunk,
    requests,
    draws: draws.length,
    ...(neighbour && { neighbour: neighbour.exchange }),
    difference: difference.map(({ pointer, failing, passing }) => ({
      pointer,
      ...(failing !== undefined && { failing: JSON.stringify(failing) }),
      ...(passing !== undefined && { passing: JSON.stringify(passing) }),
    })),
  };
}

/** A sequence needs one connection, which no single curl command gives it, and a relay an upstream. */
function withCommands(report: Report, { findings }: ExploreReport): Report {
  const { target, provenance } = report;
  const run = { baseUrl: target.baseUrl, settings: provenance.settings, seed: provenance.seed };
  const paths = new Map(findings.map(({ exchange, path }) => [exchange, path]));
  const commandOf = (id: string): string | undefined => {
    const path = paths.get(id);
    return path === undefined ? undefined : repeatExplore(run, path);
  };
  if (target.upstream) return withUpstreamCommands(report, (id) => repeatRelayExplore(run, paths.get(id)));
  return {
    ...report,
    exchanges: report.exchanges.map((exchange) => {
      const command = exchange.repeat === undefined ? commandOf(exchange.id) : undefined;
      return command === undefined ? exchange : { ...exchange, repeat: command };
    }),
    cases: report.cases.map(({ repeat, ...testCase }) => {
      if (testCase.suite !== 'explore' || repeat === undefined || repeat.startsWith('curl')) {
        return { ...testCase, ...(repeat !== undefined && { repeat }) };
      }
      const command = commandOf(testCase.exchange ?? '');
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
