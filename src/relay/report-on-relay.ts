/** From what was gathered at both ends to the report. Pure, so that a recording gives the same report. */
import type { CheckedRelay } from '../exchange/relay-traffic.ts';
import type { Excuses } from '../report/excuses/apply-excuses.ts';
import type { Report } from '../report/report.ts';
import { judgeRelay } from './judge/judge-relay.ts';
import { chosenCases } from './load-relay-suite.ts';
import { makeRelayReport } from './make-relay-report.ts';
import { loadRelayContract } from './relay-contract.ts';

export function reportOnRelay(checked: CheckedRelay, excuses: Excuses = {}): Report {
  const { settings, hasSecondKey, upstreamUrl, traffic } = checked;
  const contract = loadRelayContract();
  const cases = chosenCases(settings);
  const verdicts = judgeRelay(traffic, { cases, contract, settings, hasSecondKey });
  return makeRelayReport({ traffic, cases, verdicts, contract, settings, upstreamUrl, excuses });
}
