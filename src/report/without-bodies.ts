/** `--no-bodies`: the report without what requests and answers said. Lengths, times and types stay. */
import type { AttemptReport, CaseReport, Report } from './report.ts';

const WITHHELD = '(left out by --no-bodies)';

export function withoutBodies(report: Report): Report {
  return {
    ...report,
    cases: report.cases.map(withoutValues),
    exchanges: report.exchanges.map(({ body, ...exchange }) => ({
      ...exchange,
      ...(body !== undefined && { body: WITHHELD }),
      attempts: exchange.attempts.map(withoutAnswerBody),
    })),
  };
}

/** A finding quotes the value that was wrong. */
function withoutValues(one: CaseReport): CaseReport {
  return {
    ...one,
    expectations: one.expectations.map((expectation) => ({
      ...expectation,
      findings: expectation.findings.map((finding) =>
        finding.pointer === undefined ? finding : { ...finding, actual: finding.actualType },
      ),
    })),
  };
}

function withoutAnswerBody(attempt: AttemptReport): AttemptReport {
  const { answer } = attempt;
  if (!answer) return attempt;
  const { stream } = answer;
  return {
    ...attempt,
    answer: {
      ...answer,
      body: { ...answer.body, text: '', shown: 0 },
      ...(stream && { stream: { ...stream, events: stream.events.map((event) => ({ ...event, data: '' })) } }),
    },
  };
}
