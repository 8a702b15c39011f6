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
import type { CaseEvidence, Gathered } from './evidence.ts';
import type { RelayJudgement } from './judge/judge-relay.ts';
import type { RelayCase } from './relay-case.ts';

/** Exchanges of a case that the report lists at each end. A parallel case has many that are alike. */
const MAX_SHOWN = 6;

export interface RelayReportInput {
  readonly gathered: Gathered;
  readonly judgement: RelayJudgement;
  readonly contract: Contract;
  readonly settings: Settings;
  readonly upstreamUrl: string;
  readonly excuses: Excuses;
}

export function makeRelayReport(input: RelayReportInput): Report {
  const { gathered, judgement, contract, settings, upstreamUrl, excuses } = input;
  const { model, ending, startedAt, endedAt, used, front } = gathered;
  const room = new EvidenceRoom();
  // Also if any free port would do: the commands that repeat a case need one.
  const relay = { ...settings.relay, upstreamPort: Number(new URL(upstreamUrl).port) };
  const described = describeSettings({ ...settings, relay });
  const byCase = new Map(gathered.cases.map((evidence) => [evidence.case.id, evidence]));
  const run = { baseUrl: settings.baseUrl, settings: described, seed: settings.seed };
  const { strict, levels, seed } = settings;
  const time = timeSpent({ exchanges: front, used, startedAt, endedAt }, settings);
  return assembleReport<RelayCase>({
    subject: 'relay',
    target: { baseUrl: settings.baseUrl, ...(model !== undefined && { model }), upstream: { url: upstreamUrl } },
    contract,
    cases: gathered.cases.map((evidence) => evidence.case),
    verdicts: judgement.verdicts,
    detailsOf: ({ id }) => ({ ...detailsOf(byCase.get(id)), repeat: repeatRelayCase(run, id) }),
    exchanges: [...front, ...judgement.upstream].map((exchange) => evidenceOf(exchange, room)),
    strict,
    levels,
    seed,
    settings: described,
    ending,
    notices: [...gathered.notices, ...strangerNotice(gathered), ...overflowNotice(gathered)],
    startedAt,
    endedAt,
    cost: { used, least: used, most: used },
    ...(time && { time }),
    excuses,
  });
}

function detailsOf(evidence: CaseEvidence | undefined): Pick<CaseReport, 'edits' | 'exchange' | 'relay'> {
  const asked = evidence?.asked ?? [];
  if (asked.length === 0) return { edits: [] };
  const front = asked.map((question) => question.front.id);
  const upstream = asked.flatMap(({ calls }) => calls.map(({ id }) => id));
  return {
    edits: [],
    exchange: front[0]!,
    relay: { front: front.slice(0, MAX_SHOWN), upstream: upstream.slice(0, MAX_SHOWN) },
  };
}

function strangerNotice({ strangers: { count, first } }: Gathered): readonly Notice[] {
  if (count === 0) return [];
  return [{ kind: 'strangers', count, first: first.map(({ method, path }) => quoteText(`${method} ${path}`)) }];
}

/** Without it, a gateway whose calls the upstream refuses would seem to be dead. */
function overflowNotice({ overflow }: Gathered): readonly Notice[] {
  return overflow === 0 ? [] : [{ kind: 'overflow', count: overflow }];
}
