/** Judges a recording of a gateway, a client or a relay: the same report as the run that made it. */
import { reportOnClient } from '../client/report-on-client.ts';
import { loadContract } from '../contract/load-contract.ts';
import type { AnyRecording } from '../recording/recording.ts';
import { reportOnRelay } from '../relay/report-on-relay.ts';
import type { Report } from '../report/report.ts';
import { judgedBy, type JudgeOptions, judgeRecording } from '../run/judge-recording.ts';

export async function judgeAnyRecording(recorded: AnyRecording, options: JudgeOptions = {}): Promise<Report> {
  if (recorded.subject === 'gateway') return judgeRecording(recorded.run, options);
  const report = judgeWhole(recorded, options);
  const isSame = recorded.start.contractHash === loadContract(recorded.subject).hash;
  const differences = isSame ? [] : [{ kind: 'other-contract' } as const];
  return { ...report, notices: [...report.notices, ...differences, ...recorded.notices] };
}

function judgeWhole(recorded: Exclude<AnyRecording, { subject: 'gateway' }>, options: JudgeOptions): Report {
  if (recorded.subject === 'client') {
    const { checked } = recorded;
    return reportOnClient({ ...checked, settings: judgedBy(checked.settings, options) }, options.excuses);
  }
  const settings = judgedBy(recorded.checked.settings, options);
  return reportOnRelay({ ...recorded.checked, settings }, options.excuses);
}
