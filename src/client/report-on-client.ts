/** From what was gathered about a client to the report on it. Pure, so that a recording gives the same report. */
import { loadContract } from '../contract/load-contract.ts';
import type { CheckedClient } from '../exchange/client-traffic.ts';
import { isSelected } from '../plan/select.ts';
import type { Excuses } from '../report/excuses/apply-excuses.ts';
import type { Report } from '../report/report.ts';
import { judgeClient } from './judge-client.ts';
import { makeClientReport } from './make-client-report.ts';
import { loadScenarios } from './scenario.ts';

export function reportOnClient({ client, settings, traffic }: CheckedClient, excuses: Excuses = {}): Report {
  const contract = loadContract('client');
  const all = loadScenarios(contract);
  const scenarios = all.filter(({ id }) => isSelected(settings, id));
  const judged = judgeClient({ traffic, scenarios, all, contract, ...settings });
  return makeClientReport({ client, settings, contract, scenarios, traffic, judged, excuses });
}
