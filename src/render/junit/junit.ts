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
import { formatTestCase } from './junit-case.ts';
import { CAUSES, formatCauseTest } from './junit-cause.ts';
import { listEntries } from '../html/entries.ts';
import { caseTimes, junitSeconds, type Times } from './junit-times.ts';
import { junitDocument, property, type TestSuite, testSuite } from './junit-xml.ts';
import { verdictLine } from '../verdict-line.ts';

export const junit: Format = {
  summary: 'JUnit XML, for the test view of a CI',
  render: (report) => {
    const times = caseTimes(report);
    const suites = [...groupBy(report.cases, ({ suite }) => suite)].map(([area, cases]) =>
      areaSuite(report, area, cases, times),
    );
    const { startedAt, endedAt } = report.provenance;
    const time = junitSeconds(Date.parse(endedAt) - Date.parse(startedAt));
    // One test per cause, those that count first.
    const causes = listEntries(report).map((entry) => formatCauseTest(report, entry));
    const first = causes.length === 0 ? [] : [testSuite({ name: CAUSES, time: junitSeconds(0), startedAt }, causes)];
    return junitDocument('wirecheck', time, [...first, ...suites]);
  },
};

function areaSuite(report: Report, area: string, cases: readonly CaseReport[], times: Times): TestSuite {
  const { target, provenance } = report;
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
  return testSuite(
    { name: inert(area), time: junitSeconds(time), startedAt: provenance.startedAt },
    cases.map((testCase) => formatTestCase(report, testCase, times)),
    facts,
  );
}
