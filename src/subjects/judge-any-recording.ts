/** Judges a recording of any subject: the same report as the run that made it, but for the exit code of an interruption. */
import { reportOnClient } from '../client/report-on-client.ts';
import { judgeRecordedLoad } from '../load/run-load.ts';
import { loadContract } from '../contract/load-contract.ts';
import type { AnyRecording, RecordedLoad, RecordedRun } from '../recording/recording.ts';
import { reportOnRelay } from '../relay/report-on-relay.ts';
import { outcomeOfRecording } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { judgedBy, type JudgeOptions, judgeRecording } from '../run/judge-recording.ts';

export async function judgeAnyRecording(recorded: AnyRecording, options: JudgeOptions = {}): Promise<Report> {
  if (recorded.subject === 'gateway') return judgeGatewayRecording(recorded.run, options);
  const report = recorded.subject === 'load' ? await judgeLoad(recorded.run, options) : judgeWhole(recorded, options);
  const isSame = recorded.start.contractHash === loadContract(recorded.subject).hash;
  const differences = isSame ? [] : [{ kind: 'other-contract' } as const];
  const ofFile = recorded.subject === 'load' ? [] : recorded.notices;
  const notices = [...report.notices, ...differences, ...ofFile];
  return { ...report, outcome: outcomeOfRecording(report.outcome), notices };
}

/** Of a run, or of an exploration, whose library is loaded only for it. */
export async function judgeGatewayRecording(run: RecordedRun, options: JudgeOptions = {}): Promise<Report> {
  if (run.start.settings.explore === undefined) return judgeRecording(run, options);
  const { judgeExploreRecording } = await import('./judge-explore-recording.ts');
  return judgeExploreRecording(run, options);
}

function judgeLoad({ start, events, end }: RecordedLoad, options: JudgeOptions): Promise<Report> {
  const settings = judgedBy(start.settings, options);
  return judgeRecordedLoad({ ...start, settings }, { events, end }, options.excuses);
}

function judgeWhole(recorded: Exclude<AnyRecording, { subject: 'gateway' | 'load' }>, options: JudgeOptions): Report {
  if (recorded.subject === 'client') {
    const { checked } = recorded;
    return reportOnClient({ ...checked, settings: judgedBy(checked.settings, options) }, options.excuses);
  }
  const settings = judgedBy(recorded.checked.settings, options);
  return reportOnRelay({ ...recorded.checked, settings }, options.excuses);
}
