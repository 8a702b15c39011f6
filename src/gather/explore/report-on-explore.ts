/** The report on an exploration: that of a gateway, and what was drawn and found. */
import type { Contract } from '../../contract/contract.ts';
import { contractOf, UNCHANGED } from '../../contract/profile/apply-profile.ts';
import type { Traffic } from '../../exchange/traffic.ts';
import { type Json, withoutUndefined } from '../../json.ts';
import { bindValue } from '../../plan/bind-request.ts';
import type { Bindings } from '../../plan/plan.ts';
import { makeRequestWord } from '../../plan/request-word.ts';
import { RELAY_CHECKS } from '../relay/judge/judge-relay.ts';
import { groupBy } from '../../report/counts.ts';
import type { Excuses } from '../../report/excuses/apply-excuses.ts';
import type { DrawnDifference, ExploredFinding, ExploreReport } from '../../report/explore-report.ts';
import { requestsOfFinding } from '../../report/explored-requests.ts';
import { curlCommand, curlSequence, repeatExplore, repeatRelayExplore } from '../../report/repeat/repeat-command.ts';
import { reportOnGateway } from '../../report/make-report.ts';
import type { Report } from '../../report/report.ts';
import type { Settings } from '../../settings.ts';
import type { DrawCause } from './cause.ts';
import { classify, clauseBroken } from './classify.ts';
import { type Draw, isStreamed } from './drawn-request.ts';
import { forwardingCases, relayExploreContract } from './explore-cases.ts';
import { featuresOf, violationOf } from './features.ts';
import { makeDraws } from './make-draws.ts';
import { limitOfAsking } from './ask-again.ts';
import { type ExploreTraffic, type Investigation, judgeExplore } from './judge-explore.ts';
import { type PlannedDraws, stepIdOf } from './plan-explore.ts';
import { USUAL_TOKENS } from './simpler.ts';

/** The report, and the draws behind its findings, which can be saved as cases. */
export interface ExploreResult {
  readonly report: Report;
  readonly causes: readonly DrawCause[];
}

export async function reportOnExplore(
  made: PlannedDraws,
  gathered: ExploreTraffic,
  settings: Settings,
  excuses: Excuses = {},
): Promise<ExploreResult> {
  const { plan, verdicts, found } = await judgeExplore(made, gathered, settings);
  const { traffic, calls } = gathered;
  const given = { plan, traffic, verdicts, settings, excuses };
  const url = settings.explore?.upstreamUrl;
  const behind = url !== undefined && {
    contract: relayExploreContract(settings),
    behind: {
      url,
      calls,
      base: relayExploreContract(UNCHANGED),
      cases: forwardingCases(settings),
      checks: RELAY_CHECKS,
    },
  };
  const report = reportOnGateway({ ...given, contract: contractOf(settings), ...behind });
  const drawn = describeDraws(made.draws, traffic, settings);
  const explore = { ...drawn, ...describeFound(found, traffic, settings, report) };
  return { report: { ...withCommands(report, explore), explore }, causes: found.causes };
}

/** A relay needs an upstream, so that only a run of ours repeats it, and a sequence that is too long for curl needs us. */
function withCommands(report: Report, { findings }: ExploreReport): Report {
  const { target, provenance, exchanges, cases } = report;
  const run = { ...target, ...provenance };
  if (target.upstream) {
    const paths = new Map(findings.map(({ exchange, path }) => [exchange, path]));
    const commandOf = (front = ''): string => repeatRelayExplore(run, paths.get(front));
    return {
      ...report,
      exchanges: exchanges.map((exchange) => {
        const { repeat, id, cause = id } = exchange;
        return repeat === undefined ? exchange : { ...exchange, repeat: commandOf(cause) };
      }),
      cases: cases.map((testCase) => ({ ...testCase, repeat: commandOf(testCase.exchange) })),
    };
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
    exchanges: exchanges.map((exchange) => ({
      ...exchange,
      ...withoutUndefined({ repeat: exchange.repeat ?? commands.get(exchange.id) }),
    })),
    cases: cases.map(({ repeat, ...testCase }) => {
      const isRight = testCase.suite !== 'explore' || repeat === undefined || repeat.startsWith('curl');
      const command = isRight ? repeat : commands.get(testCase.exchange ?? '');
      return { ...testCase, ...withoutUndefined({ repeat: command }) };
    }),
  };
}

export function describeDraws(draws: readonly Draw[], traffic: Traffic, settings: Settings): Drawn {
  const contract = contractOf(settings);
  const ids = new Set(traffic.exchanges.map(({ id }) => id));
  const sent = draws
    .map((draw) => ({ ...draw, requests: draw.requests.filter((_, place) => ids.has(stepIdOf(draw, place))) }))
    .filter(({ requests }) => requests.length > 0);
  const requests = sent.flatMap((draw) => draw.requests);
  const unsent = countRequests(withoutBudget(draws, settings, contract)) - requests.length;
  const kinds = { valid: 0, tolerant: 0, invalid: 0, open: 0 };
  for (const request of requests) {
    const { kind } = classify(request, contract);
    if (kind !== 'unclear') kinds[kind] += 1;
  }
  return {
    draws: sent.length,
    sequences: sent.filter((draw) => draw.requests.length > 1).length,
    ...(unsent > 0 && { unsent }),
    kinds,
    ...pairsIn(sent, contract),
  };
}

function countRequests(draws: readonly Draw[]): number {
  return draws.reduce((sum, { requests }) => sum + requests.length, 0);
}

/** A list may also end a few requests early, where a sequence does not fit in. */
const LONGEST_SEQUENCE = 5;

/** All that would have been drawn if completions cost nothing. */
function withoutBudget(draws: readonly Draw[], { seed, explore }: Settings, contract: Contract): readonly Draw[] {
  const { requests = 0, path } = explore ?? {};
  const isWhole = path !== undefined || countRequests(draws) + LONGEST_SEQUENCE > requests;
  return isWhole ? draws : makeDraws(contract, { seed, requests, completions: Infinity });
}

type Drawn = Omit<ExploreReport, keyof Found>;
type Found = Pick<ExploreReport, 'findings' | 'flaky' | 'unconfirmed' | 'askingLimit'>;

export function describeFound(found: Investigation, traffic: Traffic, settings: Settings, report: Report): Found {
  return {
    findings: found.causes.map((cause) => describeFinding(cause, report, traffic.bindings)),
    flaky: inOrder(found.passed.keys()),
    unconfirmed: inOrder(found.open.map(({ draw }) => draw.number)),
    ...(found.open.length > 0 && { askingLimit: limitOfAsking(found.open, traffic, settings) }),
  };
}

/** Numbers of draws, each once. */
function inOrder(numbers: Iterable<number>): readonly number[] {
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}

/** An example is `no role` with `no content`: a request has one violation at most. */
const isTwoViolations = (groups: readonly [string, string]): boolean =>
  groups.every((group) => group.startsWith('no '));

/** Groups of features two by two, and each clause that was violated with a stream. */
function pairsIn(draws: readonly Draw[], contract: Contract): Pick<ExploreReport, 'pairs' | 'missing'> {
  const requests = draws
    .flatMap((draw) => draw.requests)
    .map((request) => {
      // A body that is no JSON has no fields.
      const features = featuresOf(request, contract).filter(({ group }) => group !== 'mistake');
      const byGroup = groupBy(features, ({ group }) => group);
      return { request, features, byGroup, clause: clauseBroken(request, contract) };
    });
  const groups = [...new Set(requests.flatMap(({ features }) => features.map(({ group }) => group)))].toSorted();
  const violated = [...new Set(requests.flatMap(({ clause }) => clause ?? []))].toSorted();
  const all = [
    ...groups.flatMap((first, index) =>
      groups.slice(index + 1).map((second) => ({
        fields: [first, second] as const,
        values: requests.flatMap(({ byGroup }) => {
          const others = byGroup.get(second) ?? [];
          return (byGroup.get(first) ?? []).flatMap((value) =>
            others.map((other) => JSON.stringify([value.is, other.is])),
          );
        }),
      })),
    ),
    ...violated.map((broken) => ({
      fields: ['stream', `violation of ${broken}`] as const,
      values: requests.flatMap(({ request, features, clause }) =>
        clause === broken && isStreamed(request) ? [violationOf(clause, features).is] : [],
      ),
    })),
  ];
  return {
    pairs: all.flatMap(({ fields, values }) => (values.length > 0 ? [{ fields, values: new Set(values).size }] : [])),
    missing: all.flatMap(({ fields, values }) => (values.length > 0 || isTwoViolations(fields) ? [] : [fields])),
  };
}

function describeFinding(cause: DrawCause, { cases, provenance }: Report, bindings: Bindings): ExploredFinding {
  const { smallest, symptoms, isShrunk, requests, draws, intermittent, neighbour, difference, beside, alike } = cause;
  const exchanges = new Set(symptoms.map(({ finding }) => finding.exchange));
  const findings = cases.flatMap(({ expectations }) => expectations.flatMap((expectation) => expectation.findings));
  const own = findings.filter(({ exchange }) => exchanges.has(exchange));
  const asSent = (side: 'failing' | 'passing', value: Json | undefined, exchange: string): Partial<DrawnDifference> => {
    if (value === undefined || (value === USUAL_TOKENS && bindings.withoutMaxTokens)) return {};
    return { [side]: JSON.stringify(bindValue(value, bindings, makeRequestWord(provenance.seed, exchange))) };
  };
  return {
    fingerprints: [...new Set(own.map(({ fingerprint }) => fingerprint))],
    path: smallest.path,
    length: smallest.requests.length,
    exchange: symptoms[0].exchange,
    isShrunk,
    requests,
    draws: draws.length,
    ...withoutUndefined({ intermittent, silence: symptoms[0].silence, neighbour: neighbour?.exchange }),
    difference: difference.map(({ pointer, failing, passing }) => ({
      pointer,
      ...asSent('failing', failing, symptoms[0].exchange),
      ...asSent('passing', passing, neighbour?.exchange ?? ''),
    })),
    ...(beside.length > 0 && {
      beside: beside.map(({ pointer, failing }) => ({ pointer, ...asSent('failing', failing, symptoms[0].exchange) })),
    }),
    ...(alike && { alike: alike.others.map(({ exchange }) => exchange.id) }),
  };
}
