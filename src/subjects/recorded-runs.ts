/** Runs from a recording of any subject: judged again, or ready to be compared with others. */
import { reportOnClient } from '../gather/client/report-on-client.ts';
import { judgeRecordedLoad } from '../gather/load/run-load.ts';
import { restoreClient, restoreLoad, restoreRelay, restoreTraffic } from '../recording/recorded-traffic.ts';
import { type AnyRecording, readExchanges, type Recording, restoreSettings } from '../recording/recording.ts';
import { reportOnRelay } from '../gather/relay/report-on-relay.ts';
import type { Report } from '../report/report.ts';
import { judgedBy, type JudgeOptions, judgeRecording, reportOnRecording } from '../run/judge-recording.ts';
import { clearReadings } from '../exchange/reading/body-memo.ts';
import { type ObservedExchange, ObservedRun, observeExchange } from '../report/comparison/observed-run.ts';

type Judge<Subject extends AnyRecording['subject']> = (
  recorded: Recording<Subject>,
  options: JudgeOptions,
) => Promise<Report>;

const JUDGES: { readonly [Subject in AnyRecording['subject']]: Judge<Subject> } = {
  gateway: judgeExplore,
  client: async (recorded, options) =>
    reportOnClient(withSettings(await restoreClient(recorded), options), options.excuses),
  relay: async (recorded, options) =>
    reportOnRelay(withSettings(await restoreRelay(recorded), options), options.excuses),
  load: async (recorded, options) => {
    const { start, ...rest } = restoreLoad(recorded);
    return judgeRecordedLoad(withSettings(start, options), rest, options.excuses);
  },
};

function withSettings<Of extends { readonly settings: Parameters<typeof judgedBy>[0] }>(of: Of, by: JudgeOptions): Of {
  return { ...of, settings: judgedBy(of.settings, by) };
}

export async function judgeAnyRecording(recorded: AnyRecording, options: JudgeOptions = {}): Promise<Report> {
  const { subject } = recorded;
  if (subject === 'gateway' && recorded.start.settings.explore === undefined) return judgeRecording(recorded, options);
  // The row is that of the subject.
  return reportOnRecording(await (JUDGES[subject] as Judge<typeof subject>)(recorded, options), recorded);
}

/** The same draws, the same answers, the same report. The library that draws requests is loaded only here. */
async function judgeExplore(recorded: Recording<'gateway'>, { excuses, ...options }: JudgeOptions): Promise<Report> {
  const [{ planExplore }, { reportOnExplore }] = await Promise.all([
    import('../gather/explore/plan-explore.ts'),
    import('../gather/explore/report-on-explore.ts'),
  ]);
  const settings = judgedBy(restoreSettings(recorded.start), options);
  const exchanges = await readExchanges(recorded);
  const sent = exchanges.filter(({ side }) => side === undefined);
  const calls = exchanges.filter(({ side }) => side === 'upstream');
  const traffic = restoreTraffic(recorded.start, recorded.end(), sent, settings);
  const { report } = await reportOnExplore(planExplore(settings), { traffic, calls }, settings, excuses);
  return report;
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
