/** From what was gathered at both ends to the report. Pure, so that a recording gives the same report. */
import { loadContract } from '../contract/load-contract.ts';
import type { CheckedRelay } from '../exchange/relay-traffic.ts';
import type { Excuses } from '../report/excuses/apply-excuses.ts';
import type { Report } from '../report/report.ts';
import { judgeRelay } from './judge/judge-relay.ts';
import { chosenCases } from './load-relay-suite.ts';
import { makeRelayReport } from './make-relay-report.ts';

export function reportOnRelay(checked: CheckedRelay, excuses: Excuses = {}): Report {
  const { settings, hasSecondKey, upstreamUrl, traffic } = checked;
  const contract = loadContract('relay');
  const cases = chosenCases(settings);
  const verdicts = judgeRelay(traffic, { cases, contract, settings, hasSecondKey });
  return makeRelayReport({ traffic, cases, verdicts, contract, settings, upstreamUrl, excuses });
}
