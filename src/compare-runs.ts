/** Two files of any kind that can be judged, compared. */
import { forgetReadings } from './exchange/reading/body-memo.ts';
import { observeExchange, observeReported } from './report/comparison/observed-exchange.ts';
import { ObservedRun } from './report/comparison/observed-run.ts';
import type { RecordedRun } from './recording/recording.ts';
import type { Exchange } from './exchange/exchange.ts';
import type { Report } from './report/report.ts';

/** From a report alone: bodies are there as far as the report keeps them. */
export function observeReport(report: Report, source: string): ObservedRun {
  const run = new ObservedRun(report, source);
  for (const exchange of report.exchanges) run.add(observeReported(exchange));
  return run;
}

/** From everything that was exchanged. */
export function observeExchanges(report: Report, source: string, exchanges: Iterable<Exchange>): ObservedRun {
  const run = new ObservedRun(report, source);
  for (const exchange of exchanges) run.add(observeExchange(exchange));
  return run;
}

/** A recording holds every body whole. It is read once more, after it was judged. */
export async function observeRecording(report: Report, source: string, recorded: RecordedRun): Promise<ObservedRun> {
  const run = new ObservedRun(report, source);
  for await (const item of recorded.items()) {
    if (item.kind !== 'exchange') continue;
    run.add(observeExchange(item.exchange));
    forgetReadings();
  }
  return run;
}
