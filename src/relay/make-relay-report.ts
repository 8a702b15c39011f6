/** Builds the report of a run with both ends. */
import type { Contract } from '../contract/contract.ts';
import type { Notice } from '../exchange/notice.ts';
import { assembleReport } from '../report/assemble-report.ts';
import { describeSettings } from '../report/describe-settings.ts';
import { EvidenceRoom, evidenceOf } from '../report/evidence.ts';
import type { Excuses } from '../report/excuses/apply-excuses.ts';
import { repeatRelayCase } from '../report/repeat/repeat-command.ts';
import type { CaseReport, Report } from '../report/report.ts';
import { timeSpent } from '../report/time-spent.ts';
import type { Settings } from '../settings.ts';
import { quoteText } from '../text/quote.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { RelayTraffic } from '../exchange/relay-traffic.ts';
import { RELAY_CHECKS } from './judge/checks.ts';
import type { RelayCase } from './relay-case.ts';

/** Exchanges of a case that the report lists at each end. A parallel case has many that are alike. */
const MAX_SHOWN = 6;

export interface RelayReportInput {
  readonly traffic: RelayTraffic;
  readonly cases: readonly RelayCase[];
  readonly verdicts: readonly Verdict[];
  readonly contract: Contract;
  readonly settings: Settings;
  readonly upstreamUrl: string;
  readonly excuses: Excuses;
}

export function makeRelayReport(input: RelayReportInput): Report {
  const { traffic, cases, verdicts, contract, settings, upstreamUrl, excuses } = input;
  const { model, ending, startedAt, endedAt, used, front, upstream } = traffic;
  const room = new EvidenceRoom();
  // Also if any free port would do: the commands that repeat a case need one.
  const relay = { ...settings.relay, upstreamPort: Number(new URL(upstreamUrl).port) };
  const described = describeSettings({ ...settings, relay });
  const run = { baseUrl: settings.baseUrl, settings: described, seed: settings.seed };
  const { strict, levels, seed } = settings;
  const time = timeSpent({ exchanges: front, used, startedAt, endedAt }, settings);
  return assembleReport<RelayCase>({
    subject: 'relay',
    target: { baseUrl: settings.baseUrl, ...(model !== undefined && { model }), upstream: { url: upstreamUrl } },
    contract,
    cases,
    verdicts,
    checks: RELAY_CHECKS,
    detailsOf: ({ id }) => ({ ...detailsOf(id, traffic), repeat: repeatRelayCase(run, id) }),
    exchanges: [...front, ...upstream].map((exchange) => evidenceOf(exchange, room)),
    strict,
    levels,
    seed,
    settings: described,
    ending,
    notices: [...traffic.notices, ...otherRequestsNotice(traffic), ...overflowNotice(traffic)],
    startedAt,
    endedAt,
    cost: { used, least: used, most: used },
    ...(time && { time }),
    excuses,
  });
}

function detailsOf(id: string, { cases, upstream }: RelayTraffic): Pick<CaseReport, 'edits' | 'exchange' | 'relay'> {
  const asked = cases.find((known) => known.case === id)?.asked ?? [];
  const [first] = asked;
  if (first === undefined) return { edits: [] };
  const calls = asked.flatMap((front) => upstream.filter(({ cause }) => cause === front).map((call) => call.id));
  return {
    edits: [],
    exchange: first,
    relay: { front: asked.slice(0, MAX_SHOWN), upstream: calls.slice(0, MAX_SHOWN) },
  };
}

function otherRequestsNotice({ otherRequests: { count, first } }: RelayTraffic): readonly Notice[] {
  if (count === 0) return [];
  return [{ kind: 'other-requests', count, first: first.map(({ method, path }) => quoteText(`${method} ${path}`)) }];
}

/** Without it, a gateway whose calls the upstream refuses would seem to be dead. */
function overflowNotice({ overflow }: RelayTraffic): readonly Notice[] {
  return overflow === 0 ? [] : [{ kind: 'overflow', count: overflow }];
}
