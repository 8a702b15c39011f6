/** Judges a recording of any subject: the same report as the run that made it, but for the exit code of an interruption. */
import { reportOnClient } from '../gather/client/report-on-client.ts';
import { judgeRecordedLoad } from '../gather/load/run-load.ts';
import { restoreClient, restoreLoad, restoreRelay, restoreTraffic } from '../recording/recorded-traffic.ts';
import { type AnyRecording, readExchanges, type Recording, restoreSettings } from '../recording/recording.ts';
import { reportOnRelay } from '../gather/relay/report-on-relay.ts';
import type { Report } from '../report/report.ts';
import { judgedBy, type JudgeOptions, judgeRecording, reportOnRecording } from '../run/judge-recording.ts';

type Judge<Subject extends AnyRecording['subject']> = (
  recorded: Recording<Subject>,
  options: JudgeOptions,
) => Promise<Report>;

const JUDGES: { readonly [Subject in AnyRecording['subject']]: Judge<Subject> } = {
  gateway: async (recorded, options) =>
    recorded.start.settings.explore === undefined
      ? judgeRecording(recorded, options)
      : reportOnRecording(await judgeExplore(recorded, options), recorded),
  client: async (recorded, options) => {
    const checked = await restoreClient(recorded);
    const settings = judgedBy(checked.settings, options);
    return reportOnRecording(reportOnClient({ ...checked, settings }, options.excuses), recorded);
  },
  relay: async (recorded, options) => {
    const checked = await restoreRelay(recorded);
    const settings = judgedBy(checked.settings, options);
    return reportOnRecording(reportOnRelay({ ...checked, settings }, options.excuses), recorded);
  },
  load: async (recorded, options) => {
    const { start, ...rest } = restoreLoad(recorded);
    const settings = judgedBy(start.settings, options);
    return reportOnRecording(await judgeRecordedLoad({ ...start, settings }, rest, options.excuses), recorded);
  },
};

export async function judgeAnyRecording(recorded: AnyRecording, options: JudgeOptions = {}): Promise<Report> {
  // The row is that of the subject.
  return (JUDGES[recorded.subject] as Judge<AnyRecording['subject']>)(recorded, options);
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
