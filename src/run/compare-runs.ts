/** Two files of any kind that can be judged, compared. */
import { clearReadings } from '../exchange/reading/body-memo.ts';
import { judgeRecording } from './judge-recording.ts';
import { observeExchange, type ObservedExchange, observeReported } from '../report/comparison/observed-exchange.ts';
import { ObservedRun } from '../report/comparison/observed-run.ts';
import type { RecordedRun } from '../recording/recording.ts';
import type { Report } from '../report/report.ts';

/** From a report alone: bodies are there as far as the report keeps them. */
export function observeReport(report: Report, source: string): ObservedRun {
  const run = new ObservedRun(report, source);
  for (const exchange of report.exchanges) {
    if (exchange.side === undefined) run.add(observeReported(exchange));
    else run.addServed(exchange);
  }
  return run;
}

/** Exchanges that are held until it is known that none comes again in their place: as many as a run has. */
const MAX_HELD = 1_000;

/** A recording holds every body whole. It is read twice: judged first, since what was not settled is not compared. */
export async function observeRecording(
  open: () => Promise<RecordedRun>,
  source: string,
  judge: (recorded: RecordedRun) => Promise<Report> = judgeRecording,
): Promise<ObservedRun> {
  const run = new ObservedRun(await judge(await open()), source);
  const held = new Map<string, ObservedExchange>();
  const settle = (): void => {
    for (const exchange of held.values()) run.add(exchange);
    held.clear();
  };
  for await (const item of (await open()).items()) {
    if (item.kind !== 'exchange') continue;
    const { exchange, again } = item;
    if (exchange.side !== undefined) {
      run.addServed({ id: exchange.id, ...exchange.request });
      continue;
    }
    if (held.size >= MAX_HELD || (held.has(exchange.id) && !again)) settle();
    held.set(exchange.id, observeExchange(exchange));
    clearReadings();
  }
  settle();
  return run;
}
