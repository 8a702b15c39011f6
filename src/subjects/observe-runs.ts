/** Runs ready to be compared with others: from a report, or from a recording of any subject. */
import { clearReadings } from '../exchange/reading/body-memo.ts';
import { observeExchange, type ObservedExchange, observeReported } from '../report/comparison/observed-exchange.ts';
import { ObservedRun } from '../report/comparison/observed-run.ts';
import type { AnyRecording } from '../recording/recording.ts';
import type { Report } from '../report/report.ts';
import { judgeAnyRecording } from './judge-any-recording.ts';

/** Observes a report alone: bodies are there as far as the report keeps them. */
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

/**
 * A recording holds every body whole. It is read twice: judged first, since what was not settled is not compared. `open`
 * starts at the beginning each time.
 */
export async function observeRecording<Of extends AnyRecording>(
  open: () => Promise<Of>,
  source: string,
  judge: (recorded: Of) => Promise<Report> = judgeAnyRecording,
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
