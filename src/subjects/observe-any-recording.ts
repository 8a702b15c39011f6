/** A recording of any subject, ready to be compared with another run. */
import type { AnyRecording } from '../recording/recording.ts';
import { observeExchange } from '../report/comparison/observed-exchange.ts';
import { ObservedRun } from '../report/comparison/observed-run.ts';
import { observeRecording } from '../run/compare-runs.ts';
import type { JudgeOptions } from '../run/judge-recording.ts';
import { judgeAnyRecording, judgeGatewayRecording } from './judge-any-recording.ts';

/** `open` starts at the beginning each time. */
export async function observeAnyRecording(
  open: () => Promise<AnyRecording>,
  source: string,
  options: JudgeOptions = {},
): Promise<ObservedRun> {
  const recorded = await open();
  if (recorded.subject === 'gateway')
    return observeRecording(
      () => reopen(open),
      source,
      (run) => judgeGatewayRecording(run, options),
    );
  const run = new ObservedRun(await judgeAnyRecording(recorded, options), source);
  if (recorded.subject === 'load') return run;
  for (const exchange of exchangesOf(recorded)) {
    if (exchange.side === undefined) run.add(observeExchange(exchange));
    else run.addServed({ id: exchange.id, ...exchange.request });
  }
  return run;
}

function exchangesOf({ subject, checked }: Exclude<AnyRecording, { subject: 'gateway' | 'load' }>) {
  if (subject === 'client') return checked.traffic.played.flatMap(({ exchanges }) => exchanges);
  return [...checked.traffic.front, ...checked.traffic.upstream];
}

async function reopen(open: () => Promise<AnyRecording>) {
  const recorded = await open();
  if (recorded.subject !== 'gateway') throw new Error('The recording has changed.');
  return recorded.run;
}
