/** `--no-bodies`: the report without anything that the target said. Lengths, times, statuses and types stay. */
import type { Failure } from '../exchange/exchange.ts';
import type { Observation } from '../verdict/verdict.ts';
import { ownHeaderName, ownHeaderValue, ownPart, ownPointer, ownReason, WITHHELD } from './own-words.ts';
import { repeatByCase } from './repeat/repeat-command.ts';
import type { RepeatedRun } from './repeat/repeat-settings.ts';
import type { AttemptReport, CaseReport, ExchangeReport, ExpectationReport, Report } from './report.ts';

export function withoutBodies(report: Report): Report {
  const { target, ending, tolerance } = report;
  const { model, ...address } = target;
  const isChosen = model !== undefined && model === report.provenance.settings['model'];
  return {
    ...report,
    target: { ...address, ...(model !== undefined && { model: isChosen ? model : WITHHELD }) },
    ending: ending.kind === 'unreachable' ? { ...ending, failure: ownFailure(ending.failure) } : ending,
    tolerance: { ...tolerance, unknownAnswerFields: ownFields(tolerance.unknownAnswerFields) },
    cases: report.cases.map((one) => withoutQuotes(one, { ...target, ...report.provenance })),
    observations: report.observations.map((one) => ({ ...one, ...ownObservation(one) })),
    exchanges: report.exchanges.map((exchange) => withoutTexts(exchange, model)),
  };
}

function withoutQuotes(one: CaseReport, run: RepeatedRun): CaseReport {
  const { repeat, expectations } = one;
  return {
    ...one,
    // The command that sends the request would have to name a model that only the target named.
    ...(repeat !== undefined && { repeat: repeatByCase(run, one.id) }),
    expectations: expectations.map(ownExpectation),
  };
}

function ownExpectation(expectation: ExpectationReport): ExpectationReport {
  const { verdict, reason, check, findings, observations } = expectation;
  return {
    ...expectation,
    // What cannot be compared in a published description is named by its names.
    ...(reason !== undefined && {
      reason: check === 'openapi' && verdict !== 'skipped' ? WITHHELD : ownReason(reason),
    }),
    findings: findings.map((finding) => ({
      ...finding,
      ...(finding.pointer !== undefined && { pointer: ownPointer(finding.pointer) }),
      actual: /^\d{3}(?: |$)/.exec(finding.actual)?.[0].trim() ?? finding.actualType,
    })),
    observations: observations.map(ownObservation),
  };
}

/** Numbers stay, and how many values there were. */
function ownObservation({ name, value }: Observation): Observation {
  const ownName = /^retry-after|rate-?limit/i.test(name) ? ownHeaderName(name) : name;
  if (typeof value === 'string') return { name: ownName, value: ownPart(value) };
  if (typeof value !== 'object') return { name: ownName, value };
  const own = value.map(ownPart);
  const left = own.filter((part) => part === WITHHELD).length;
  const shown = [...new Set(own.filter((part) => part !== WITHHELD))];
  return { name: ownName, value: left === 0 ? shown : [...shown, `${left} ${WITHHELD}`] };
}

/** `completion /usage/cost`: the shape and the place are known, the name is theirs. */
function ownFields(fields: readonly string[]): readonly string[] {
  return [...new Set(fields.map((field) => (field.includes('/') ? field.replace(/[^/]*$/, '…') : WITHHELD)))];
}

/** A certificate speaks through the words of its error. */
function ownFailure(failure: Failure): Failure {
  return failure.kind === 'tls' ? { ...failure, detail: WITHHELD } : failure;
}

function withoutTexts({ body, path, ...exchange }: ExchangeReport, model: string | undefined): ExchangeReport {
  return {
    ...exchange,
    path: model === undefined ? path : path.replaceAll(encodeURIComponent(model), '…').replaceAll(model, '…'),
    ...(body !== undefined && { body: WITHHELD }),
    attempts: exchange.attempts.map(withoutAnswer),
  };
}

function withoutAnswer({ failure, answer, ...attempt }: AttemptReport): AttemptReport {
  return {
    ...attempt,
    ...(failure && { failure: ownFailure(failure) }),
    ...(answer && { answer: withoutAnswerTexts(answer) }),
  };
}

type AnswerReport = NonNullable<AttemptReport['answer']>;

function withoutAnswerTexts({ stream, body, headers, ...answer }: AnswerReport): AnswerReport {
  const { end } = body;
  return {
    ...answer,
    headers: headers.map(([name, value]) => [ownHeaderName(name), ownHeaderValue(value)] as const),
    body: { ...body, text: '', shown: 0, end: end.kind === 'undecodable' ? { ...end, detail: WITHHELD } : end },
    ...(stream && {
      stream: {
        ...stream,
        events: stream.events.map(({ event, at }) => ({ at, ...(event !== undefined && { event: '…' }), data: '' })),
      },
    }),
  };
}
