/**
 * JUnit XML, as Jenkins, GitLab and most others read it. A failure is a cause, as in every other format. It knows four
 * outcomes and we have six verdicts, so each case also carries its verdict as a property.
 */
import type { CaseReport, Report } from '../../report/report.ts';
import { groupBy } from '../../report/counts.ts';
import type { Format } from '../format.ts';
import { listChanges } from '../profile-text.ts';
import { formatTarget, listRunFlags } from '../run-text.ts';
import { inert } from '../../text/inert.ts';
import { type Outcome, caseOutcome, property, formatTestCase } from './junit-case.ts';
import { CAUSES, causeOutcome, type CauseOutcome, formatCauseTest } from './junit-cause.ts';
import { listEntries } from '../html/entries.ts';
import { caseTimes, junitSeconds, type Times } from './junit-times.ts';
import { type Element, xmlDocument } from './junit-xml.ts';
import { verdictLine } from '../verdict-line.ts';

export const junit: Format = {
  summary: 'JUnit XML, for the test view of a CI',
  render: (report) => {
    const times = caseTimes(report);
    const suites = [...groupBy(report.cases, ({ suite }) => suite)].map(([area, cases]) =>
      testSuite(report, area, cases, times),
    );
    const causes = causesSuite(report);
    const { skipped: _, ...tallied } = tally(report, report.cases);
    const { startedAt, endedAt } = report.provenance;
    const time = junitSeconds(Date.parse(endedAt) - Date.parse(startedAt));
    return xmlDocument({
      name: 'testsuites',
      attributes: {
        name: 'wirecheck',
        ...tallied,
        tests: tallied.tests + (causes?.attributes.tests ?? 0),
        failures: causes?.attributes.failures ?? 0,
        time,
      },
      children: [...(causes ? [causes] : []), ...suites],
    });
  },
};

/** One test per cause, those that count first; undefined if nothing is broken. */
function causesSuite(report: Report) {
  const entries = listEntries(report);
  if (entries.length === 0) return undefined;
  const number = (outcome: CauseOutcome) => entries.filter((entry) => causeOutcome(entry) === outcome).length;
  return {
    name: 'testsuite',
    attributes: {
      name: CAUSES,
      ...{ tests: entries.length, failures: number('failure'), errors: 0, skipped: number('skipped') },
      time: junitSeconds(0),
      timestamp: timestampOf(report),
    },
    children: entries.map((entry) => formatCauseTest(report, entry)),
  } satisfies Element;
}

/** The schemas of this format know neither fractions nor a zone. */
function timestampOf({ provenance }: Report): string {
  return provenance.startedAt.slice(0, 19);
}

function testSuite(report: Report, area: string, cases: readonly CaseReport[], times: Times): Element {
  const { target } = report;
  const time = cases.reduce((sum, { id }) => sum + (times.get(id) ?? 0), 0);
  const facts = [
    property('target', formatTarget(report)),
    ...(target.model === undefined ? [] : [property('model', target.model)]),
    property('verdict of the run', verdictLine(report)),
    ...listRunFlags(report).map((flag) => property('run', flag)),
    ...(report.profile ? listChanges(report.profile) : []).map(({ what, why }) =>
      property('change', `${what}. ${why}`),
    ),
  ];
  return {
    name: 'testsuite',
    attributes: {
      name: inert(area),
      ...tally(report, cases),
      time: junitSeconds(time),
      timestamp: timestampOf(report),
    },
    children: [
      { name: 'properties', attributes: {}, children: facts },
      ...cases.map((testCase) => formatTestCase(report, testCase, times)),
    ],
  };
}

function tally(report: Report, cases: readonly CaseReport[]) {
  const outcomes = cases.map((testCase) => caseOutcome(report, testCase));
  const number = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length;
  return { tests: cases.length, failures: 0, errors: number('error'), skipped: number('skipped') };
}
