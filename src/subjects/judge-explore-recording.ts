/** Judges the recording of an exploration: the same draws, the same answers, the same report. */
import { loadContract } from '../contract/load-contract.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { planExplore } from '../explore/plan-explore.ts';
import { reportOnExplore } from '../explore/report-on-explore.ts';
import { restoreTraffic } from '../recording/recorded-traffic.ts';
import { type RecordedRun, restoreSettings } from '../recording/recording.ts';
import type { Report } from '../report/report.ts';
import { judgedBy, type JudgeOptions } from '../run/judge-recording.ts';

/** A run has a few hundred exchanges, so that all of them are read at once. */
export async function judgeExploreRecording(recorded: RecordedRun, options: JudgeOptions): Promise<Report> {
  const { start } = recorded;
  const settings = judgedBy(restoreSettings(start), options);
  const exchanges = new Map<string, Exchange>();
  for await (const item of recorded.items()) {
    if (item.kind === 'exchange') exchanges.set(item.exchange.id, item.exchange);
    else amend(exchanges, item.amendment);
  }
  const all = [...exchanges.values()];
  const sent = all.filter(({ side }) => side === undefined);
  const traffic = restoreTraffic(start, recorded.end(), sent, settings);
  const calls = all.filter(({ side }) => side === 'upstream');
  const { report } = await reportOnExplore(planExplore(settings), { traffic, calls }, settings, options.excuses);
  const differences = start.contractHash === loadContract().hash ? [] : [{ kind: 'other-contract' } as const];
  return { ...report, notices: [...report.notices, ...differences, ...recorded.notices()] };
}

function amend(exchanges: Map<string, Exchange>, { id, controlAfter }: Pick<Exchange, 'id' | 'controlAfter'>): void {
  const exchange = exchanges.get(id);
  if (exchange && controlAfter) exchanges.set(id, { ...exchange, controlAfter });
}
