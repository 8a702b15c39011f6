/** The report on a relay, from both of its ends. Pure, so that a recording gives the same report. */
import type { Exchange } from '../../exchange/exchange.ts';
import type { Notice } from '../../exchange/notice.ts';
import type { AskedCase, CheckedRelay, RelayTraffic } from '../../exchange/traffic.ts';
import { type CaseDetails, describeSettings, describeTarget, makeReport } from '../../report/make-report.ts';
import type { Excuses } from '../../report/excuses/apply-excuses.ts';
import { repeatRelayCases } from '../../report/repeat/repeat-command.ts';
import { exchangesBehind } from '../../report/repeat/shown-exchanges.ts';
import type { Report } from '../../report/report.ts';
import { timeSpent } from '../../report/time-spent.ts';
import { quoteText } from '../../text/quote.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import { callsBoth, judgeRelay, RELAY_CHECKS } from './judge/judge-relay.ts';
import { readAsked } from './judge/both-ends.ts';
import { CONTROL, chosenCases, loadRelayCases, loadRelayContract, mayHarm } from './read-relay-suite.ts';

/** Exchanges of a case that the report lists at each end. A parallel case has many that are alike. */
const MAX_SHOWN = 6;

export function reportOnRelay(checked: CheckedRelay, excuses: Excuses = {}): Report {
  const { settings, upstreamUrl, fallbackUrl, traffic } = checked;
  const { model, used, front, upstream } = traffic;
  const { baseUrl, seed } = settings;
  const contract = loadRelayContract(settings);
  const cases = chosenCases(settings);
  // Also if any free port would do: the commands that repeat a case need one.
  const portOf = (url: string): number => Number(new URL(url).port);
  const fallback = fallbackUrl === undefined ? {} : { fallbackPort: portOf(fallbackUrl) };
  const relay = { ...settings.relay, upstreamPort: portOf(upstreamUrl), ...fallback };
  const described = describeSettings({ ...settings, relay });
  return makeReport({
    subject: 'relay',
    target: describeTarget(baseUrl, model, upstreamUrl),
    contract,
    base: loadRelayContract(),
    cases,
    verdicts: judgeRelay(checked, cases, contract),
    checks: RELAY_CHECKS,
    detailsOf: ({ id }, own) => ({
      ...detailsOf(id, traffic),
      repeat: repeatRelayCases({ baseUrl, settings: described, seed }, [...casesShowing(own, id, traffic), id]),
    }),
    exchanges: [...front, ...upstream],
    settings,
    described,
    traffic,
    notices: [
      ...traffic.notices,
      ...otherRequestsNotice(traffic),
      ...(traffic.overflow === 0 ? [] : [{ kind: 'overflow', count: traffic.overflow } as const]),
      ...fallbackNotice(checked),
    ],
    cost: { used, least: used, most: used },
    time: timeSpent({ ...traffic, exchanges: front }, settings),
    excuses,
  });
}

function detailsOf(id: string, traffic: RelayTraffic): CaseDetails {
  const { cases, upstream } = traffic;
  const asked = cases.find((known) => known.case === id)?.asked ?? [];
  const [first] = asked;
  if (first === undefined) return { edits: [] };
  const calls = asked.flatMap((front) => upstream.filter(({ cause }) => cause === front).map((call) => call.id));
  const wordless = countWordless(asked, traffic);
  return {
    edits: [],
    exchange: first,
    relay: { front: asked.slice(0, MAX_SHOWN), upstream: calls.slice(0, MAX_SHOWN), ...(wordless > 0 && { wordless }) },
  };
}

/** Calls that may belong to these questions, although the gateway lost the word which would say so. */
function countWordless(asked: readonly string[], { front, upstream, otherRequests }: RelayTraffic): number {
  const { chatsAt = [] } = otherRequests;
  const lost = front
    .filter(({ id }) => asked.includes(id) && !upstream.some(({ cause }) => cause === id))
    .map((exchange) => readAsked(exchange, []));
  return chatsAt.filter((at) => lost.some(({ sentAt, endedAt }) => sentAt <= at && at <= endedAt)).length;
}

/** Other cases whose calls show the findings: a case may look at all calls of a run. */
function casesShowing(verdicts: readonly Pick<Verdict, 'findings'>[], id: string, traffic: RelayTraffic) {
  const { cases, front, upstream, ending } = traffic;
  const shown = new Set(verdicts.flatMap(({ findings }) => findings.flatMap(exchangesBehind)));
  const causes = new Set(
    [...front, ...upstream].filter((call) => shown.has(call.id)).map((call) => call.cause ?? call.id),
  );
  const isStop = ending.kind === 'not-recovered' && ending.control !== undefined && causes.has(ending.control);
  const explained = new Set([...(isStop ? causes : []), ...cases.flatMap(({ unrecovered = [] }) => unrecovered)]);
  const unexplained = [...causes].filter((cause) => !explained.has(cause));
  const harming = unexplained.flatMap((cause) => harmBefore(cause, front));
  const also = new Set([...harming, ...((isStop && ending.inFlight) || [])]);
  const isShowing = ({ asked, unrecovered = '' }: AskedCase) =>
    [...asked, unrecovered].some((call) => causes.has(call));
  const others = cases.filter((each) => each.case !== id && (also.has(each.case) || isShowing(each)));
  return others.map((each) => each.case);
}

/** A control repeats nothing by itself: a failure before it, or a client that left, may be why its reply is wrong. */
function harmBefore(control: string, front: readonly Exchange[]): readonly string[] {
  const at = front.findIndex(({ id, step }) => id === control && step === CONTROL);
  const before = front.slice(0, Math.max(0, at)).map(({ step }) => step);
  const harmful = new Set(loadRelayCases().flatMap((each) => (mayHarm(each) ? [each.id] : [])));
  const since = before.slice(before.lastIndexOf(CONTROL) + 1).filter((step) => harmful.has(step));
  return since.length > 0 ? since : before.filter((step) => harmful.has(step)).slice(-1);
}

function otherRequestsNotice({ otherRequests: { count, first } }: RelayTraffic): readonly Notice[] {
  if (count === 0) return [];
  const counts = new Map<string, number>();
  for (const { method, path, count: own = 1 } of first) {
    const name = `${method} ${path}`;
    counts.set(name, (counts.get(name) ?? 0) + own);
  }
  const listed = [...counts.keys()].map((name) => quoteText(name));
  return [{ kind: 'other-requests', count, first: listed, counts: [...counts.values()] }];
}

function fallbackNotice({ fallbackUrl, traffic: { upstream, model } }: CheckedRelay): readonly Notice[] {
  const hasNone = fallbackUrl !== undefined && model !== undefined && !callsBoth(upstream);
  return hasNone ? [{ kind: 'no-fallback' }] : [];
}
