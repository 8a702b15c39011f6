/**
 * wirecheck as a library: the stages of a run, and the values they hand on.
 *
 * ```ts
 * import { DEFAULT_SETTINGS, render, run } from '@wirecheck/wirecheck';
 *
 * const settings = { ...DEFAULT_SETTINGS, baseUrl: 'https://gateway.example/v1' };
 * const report = await run(settings, { full: process.env['WIRECHECK_API_KEY'] });
 * console.log(render(report, 'terminal'));
 * ```
 */
import { checkClient } from './gather/client/check-client.ts';
import { runRelay, startRelayUpstream } from './gather/relay/run-relay.ts';
import { addCauses } from './render/json.ts';
import { checkGiven } from './run/check-address.ts';
import { judgeForeign, judgeRecording } from './run/judge-recording.ts';
import { gather, judge, plan, run } from './run/run.ts';
import { checkClientSettings, checkRelaySettings, checkSettings } from './subjects/check-settings.ts';
import { judgeAnyRecording } from './subjects/recorded-runs.ts';

// Every report has its causes and the sentence of its verdict, as in report.json.
const runWithCauses: typeof run = async (settings, ...rest) => addCauses(await run(checkSettings(settings), ...rest));
const judgeWithCauses: typeof judge = (gathered, settings, ...rest) =>
  addCauses(judge(gathered, checkSettings(settings), ...rest));
const judgeRecordingWithCauses: typeof judgeRecording = async (...given) => addCauses(await judgeRecording(...given));
const judgeForeignWithCauses: typeof judgeForeign = async (...given) => addCauses(await judgeForeign(...given));
const judgeAnyRecordingWithCauses: typeof judgeAnyRecording = async (...given) =>
  addCauses(await judgeAnyRecording(...given));
const checkClientWithCauses: typeof checkClient = async (client, settings, ...rest) =>
  addCauses(await checkClient(client, checkClientSettings(settings), ...rest));
const runRelayWithCauses: typeof runRelay = async (settings, keys, ...rest) => {
  checkGiven(settings, keys);
  return addCauses(await runRelay(checkRelaySettings(settings), keys, ...rest));
};

const checkedGather: typeof gather = async (settings, ...rest) => gather(checkSettings(settings), ...rest);
const checkedPlan: typeof plan = (settings, ...rest) => plan(checkSettings(settings), ...rest);
const startChecked: typeof startRelayUpstream = async (settings, keys, port) => {
  checkGiven(settings, keys);
  return startRelayUpstream(checkRelaySettings(settings), keys, port);
};

export {
  checkedGather as gather,
  checkedPlan as plan,
  startChecked as startRelayUpstream,
  judgeAnyRecordingWithCauses as judgeAnyRecording,
  checkClientWithCauses as checkClient,
  judgeForeignWithCauses as judgeForeign,
  judgeWithCauses as judge,
  judgeRecordingWithCauses as judgeRecording,
  runRelayWithCauses as runRelay,
  runWithCauses as run,
};
export type { ClientHooks } from './gather/client/check-client.ts';
export { type ClientSetup, createClientSetup, DEFAULT_CLIENT_SETTINGS } from './gather/client/client-setup.ts';
export type {
  CheckedClient,
  CheckedRelay,
  Client,
  ClientSettings,
  Description,
  KeyFacts,
  Traffic,
} from './exchange/traffic.ts';
export { observeRecording } from './subjects/recorded-runs.ts';
export type { Clause, Contract, Kind, Level, SchemaIssue, Scope } from './contract/contract.ts';
export { loadContract } from './contract/read-contract.ts';
export {
  type Answer,
  type Attempt,
  type Body,
  type Exchange,
  type Failure,
  findHeader,
  type SentRequest,
  type StreamEnd,
} from './exchange/exchange.ts';
export type { Ending } from './exchange/ending.ts';
export type { Notice } from './exchange/notice.ts';
export type { JudgeOptions } from './run/judge-recording.ts';
export type { Bindings, Cost, Omission, Plan, Step } from './plan/plan.ts';
export { openHar } from './recording/har/har-import.ts';
export { openAnyRecording, openRecording } from './recording/read-recording.ts';
export type { AnyRecording, RecordedItem, RecordedRun, RecordingEnd, RecordingStart } from './recording/recording.ts';
export { createRecorder, type Recorder } from './recording/write-recording.ts';
export { type ComparisonFormatName, renderComparison } from './render/comparison/comparison.ts';
export type { RelayHooks, RelayUpstream } from './gather/relay/run-relay.ts';
export { render, type RenderOptions } from './render/index.ts';
export type { FormatName } from './settings/format-names.ts';
export { type CompareOptions, compareRuns } from './report/comparison/compare.ts';
export type { Change, ChangeKind, Comparison, FailOn } from './report/comparison/comparison.ts';
export { type ObservedRun, observeReport } from './report/comparison/observed-run.ts';
export type { CaseReport, ClauseReport, ExchangeReport, Outcome, Report } from './report/report.ts';
export type {
  Hooks,
  Progress,
  Progress as ClientProgress,
  Progress as RelayProgress,
} from './exchange/channel/hooks.ts';
export type { Gathered, RunHooks } from './run/run.ts';
export { DEFAULT_SETTINGS, type Keys, type Settings } from './settings.ts';
export type { Case, Edit, Expectation, KeyUse, Suite } from './suite/case.ts';
export { loadSuites } from './suite/read-suites.ts';
export { UsageError } from './usage-error.ts';
export { lastAnswer } from './exchange/reading/answered.ts';
export { jsonOf } from './verdict/reading/answers.ts';
export { finding, type FindingParts } from './verdict/finding.ts';
export { quoteValue } from './text/quote.ts';
export type { Check, CheckInput, Checks, RunView } from './verdict/check.ts';
export { CHECKS, type CheckName } from './verdict/checks/index.ts';
export type { Observation } from './verdict/observation.ts';
export type { CheckResult, Finding, Verdict, VerdictName } from './verdict/verdict.ts';
