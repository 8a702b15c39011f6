/** `--no-bodies`: the report without the target's texts. Models, types, statuses, numbers, pointers and lengths stay. */
import type { Ending } from '../exchange/ending.ts';
import type { Failure, Header } from '../exchange/exchange.ts';
import { isStandardHeader, isStandardValue } from '../exchange/reading/standard-headers.ts';
import { pointerOf, pointerTokens } from '../json.ts';
import { dropQuotes } from '../text/quote.ts';
import type { Reason } from '../verdict/reason.ts';
import { judgesOfFeeding } from './repeat/feeding-exchanges.ts';
import { repeatByCase } from './repeat/repeat-command.ts';
import type { RepeatedRun } from './repeat/repeat-settings.ts';
import type {
  AttemptReport,
  CaseReport,
  ClientEvidence,
  ExchangeReport,
  ExpectationReport,
  FindingReport,
  Report,
} from './report.ts';

export const WITHHELD = '(left out by --no-bodies)';

export function withoutBodies(report: Report): Report {
  const { target, provenance, subject } = report;
  const run = subject === undefined ? { ...target, ...provenance } : undefined;
  const judges = judgesOfFeeding(report.cases);
  return {
    ...report,
    ending: withoutDetail(report.ending),
    tolerance: dropQuotes(report.tolerance),
    cases: report.cases.map((testCase) => caseWithoutTexts(testCase, run)),
    observations: dropQuotes(report.observations),
    exchanges: report.exchanges.map((exchange) => exchangeWithoutTexts(exchange, run, judges.get(exchange.id))),
  };
}

/** `run`: for a gateway's front, whose commands hold the request. */
function caseWithoutTexts(testCase: CaseReport, run: RepeatedRun | undefined): CaseReport {
  return {
    ...testCase,
    // The request is not in this report, so the command cannot send it.
    ...(testCase.repeat !== undefined && run && { repeat: repeatByCase(run, testCase.id) }),
    ...(testCase.client && { client: clientWithoutTexts(testCase.client) }),
    expectations: testCase.expectations.map(expectationWithoutTexts),
  };
}

/** The expected text is ours. */
function clientWithoutTexts(client: ClientEvidence): ClientEvidence {
  return dropQuotes(client);
}

function expectationWithoutTexts(expectation: ExpectationReport): ExpectationReport {
  const { reason, findings, observations } = expectation;
  return {
    ...expectation,
    ...(reason && { reason: reasonWithoutTexts(reason) }),
    findings: findings.map(findingWithoutTexts),
    observations: dropQuotes(observations),
  };
}

function reasonWithoutTexts(reason: Reason): Reason {
  if (reason.kind !== 'run-ended') return dropQuotes(reason);
  return { ...reason, ending: withoutDetail(reason.ending) };
}

function findingWithoutTexts(finding: FindingReport): FindingReport {
  const { pointer, actual, actualType } = finding;
  return {
    ...dropQuotes(finding),
    ...(pointer !== undefined && { pointer: hideNames(pointer) }),
    // No other type contains a field name chosen by the target.
    actualType: actual.kind === 'field-required' ? 'another field is required' : actualType,
  };
}

/** Names that a pointer may show: those of the contract and of OpenAPI. */
const FIELDS: ReadonlySet<string> = new Set([
  ...['id', 'object', 'created', 'model', 'choices', 'index', 'message', 'role', 'content', 'finish_reason', 'delta'],
  ...['usage', 'prompt_tokens', 'completion_tokens', 'total_tokens', 'data', 'owned_by', 'error', 'type', 'code', '*'],
  ...['openapi', 'info', 'version', 'title', 'servers', 'paths', '/models', '/chat/completions', 'get', 'post'],
  ...['operationId', 'parameters', 'requestBody', 'responses', 'application/json', 'text/event-stream', 'default'],
  ...['schema', 'properties', 'items', 'required', 'enum', 'minimum', 'maximum', 'additionalProperties', 'oneOf'],
  ...['anyOf', 'allOf', 'components', 'schemas', 'securitySchemes', 'security', 'messages', 'temperature', 'top_p'],
  ...['max_tokens', 'stream'],
]);

function hideNames(pointer: string): string {
  return pointerOf(pointerTokens(pointer).map((token) => (FIELDS.has(token) || /^\d+$/.test(token) ? token : '…')));
}

function withoutDetail(ending: Ending): Ending {
  if (ending.kind === 'client-failed-control') return dropQuotes(ending);
  if (ending.kind === 'no-upstream-call') return { ...ending, others: [] };
  return ending.kind === 'unreachable' ? { ...ending, failure: failureWithoutTexts(ending.failure) } : ending;
}

/** TLS errors quote the certificate. */
function failureWithoutTexts(failure: Failure): Failure {
  return failure.kind === 'tls' ? { ...failure, detail: WITHHELD } : failure;
}

/** `judge`: the case that judged the exchange of a request that is no case's own. */
function exchangeWithoutTexts(
  { body, repeat, ...exchange }: ExchangeReport,
  run: RepeatedRun | undefined,
  judge: string | undefined,
): ExchangeReport {
  return {
    ...exchange,
    ...(repeat !== undefined && run && judge !== undefined && { repeat: repeatByCase(run, judge) }),
    // What arrives at the upstream was written by the gateway.
    ...(exchange.side && { headers: headersWithoutTexts(exchange.headers) }),
    ...(body !== undefined && { body: WITHHELD }),
    attempts: exchange.attempts.map(attemptWithoutTexts),
  };
}

function attemptWithoutTexts({ failure, answer, ...attempt }: AttemptReport): AttemptReport {
  return {
    ...attempt,
    ...(failure && { failure: failureWithoutTexts(failure) }),
    ...(answer && { answer: answerWithoutTexts(answer) }),
  };
}

function headersWithoutTexts(headers: readonly Header[]): readonly Header[] {
  return headers.map(([name, value]) => [
    isStandardHeader(name) ? name : '…',
    isStandardValue(value) ? value : WITHHELD,
  ]);
}

type AnswerReport = NonNullable<AttemptReport['answer']>;

function answerWithoutTexts({ stream, body, headers, ...answer }: AnswerReport): AnswerReport {
  const { end } = body;
  return {
    ...answer,
    headers: headersWithoutTexts(headers),
    body: { ...body, text: '', shown: 0, end: end.kind === 'undecodable' ? { ...end, detail: WITHHELD } : end },
    ...(stream && {
      stream: {
        ...stream,
        events: stream.events.map(({ event, at }) => ({ at, ...(event !== undefined && { event: '…' }), data: '' })),
      },
    }),
  };
}
