/** One case of a JUnit file. */
import type { CaseReport, Report } from '../../report/report.ts';
import { excuseOf } from '../excused.ts';
import { findingSentence, type Place, placesOf, ownSource } from '../finding-text.ts';
import { CAUSES, excuseWords, factLines } from './junit-cause.ts';
import { describeLowered, loweredOf } from '../seen-text.ts';
import { inert } from '../../text/inert.ts';
import { formatObservationName, formatObservations, type ObservedValue } from '../../verdict/observation.ts';
import { junitSeconds, type Times } from './junit-times.ts';
import { type Element, property } from './junit-xml.ts';
import { count } from '../../text/layout.ts';
import { inconclusiveThatCount, reasonLine } from '../not-judged.ts';

const MAX_FINDINGS = 20;
const MAX_MESSAGE_LENGTH = 2000;

type Outcome = 'passed' | 'error' | 'skipped';

const OUTCOME: Record<CaseReport['verdict'], (report: Report, testCase: CaseReport) => Outcome> = {
  pass: () => 'passed',
  observed: () => 'passed',
  warn: () => 'passed',
  // Its causes fail, each as a test of its own. A cause that breaks 90 cases is one failure.
  fail: () => 'skipped',
  inconclusive: (report, testCase) => (inconclusiveThatCount(report, testCase).length > 0 ? 'error' : 'skipped'),
  skipped: () => 'skipped',
};

function caseOutcome(report: Report, testCase: CaseReport): Outcome {
  return OUTCOME[testCase.verdict](report, testCase);
}

export function formatTestCase(report: Report, testCase: CaseReport, times: Times): Element {
  const { id, suite, verdict, flaky, expectations, title } = testCase;
  const source = ownSource(report, testCase);
  const properties = [
    property('title', title),
    property('verdict', verdict),
    ...(flaky ? [property('flaky', 'true')] : []),
    ...placesOf(testCase, 'warn').map((place) => warning(report, place)),
    ...expectations.flatMap(({ clause, observations }) =>
      observations.map((observation) =>
        property(`observed ${clause}: ${formatObservationName(observation)}`, observedText(observation.value)),
      ),
    ),
    ...loweredOf(testCase).flatMap((each) =>
      describeLowered(report, [each]).map(([name, values]) =>
        property(`observed ${each.expectation.clause}: ${name}`, values.join('; ')),
      ),
    ),
  ];
  return {
    name: 'testcase',
    attributes: {
      name: inert(id),
      classname: `wirecheck.${inert(suite)}`,
      time: junitSeconds(times.get(id) ?? 0),
      ...(source && { file: inert(source.file), line: source.line }),
    },
    children: [{ name: 'properties', attributes: {}, children: properties }, ...outcomeElements(report, testCase)],
  };
}

function outcomeElements(report: Report, testCase: CaseReport): readonly Element[] {
  const outcome = caseOutcome(report, testCase);
  if (outcome === 'passed') return [];
  return testCase.verdict === 'fail' ? broken(report, testCase) : [leftOut(report, testCase, outcome)];
}

function warning(report: Report, place: Place): Element {
  const excuse = excuseOf(place);
  return property(`warning${excuse === undefined ? '' : ` (${excuse})`}`, findingSentence(report, place));
}

function observedText(value: ObservedValue): string {
  return formatObservations([value])
    .map((each) => inert(each, 60))
    .join(', ');
}

/** Names the causes that fail, or says why none of them counts. */
function broken(report: Report, testCase: CaseReport): readonly Element[] {
  const places = placesOf(testCase, 'fail');
  const counting = places.filter((place) => excuseOf(place) === undefined);
  const clauses = [...new Set(counting.map(({ expectation }) => expectation.clause))];
  const reasons = new Set(places.map((place) => excuseWords(report, place)));
  const message =
    clauses.length > 0 ? `broken: ${clauses.join(', ')}; see the suite ${CAUSES}` : [...reasons].join('; ');
  // Findings that count come first.
  const sorted = [...counting, ...places.filter((place) => !counting.includes(place))];
  return [
    { name: 'skipped', attributes: { message: inert(message, MAX_MESSAGE_LENGTH) } },
    { name: 'system-out', attributes: {}, lines: evidence(report, sorted) },
  ];
}

function evidence(report: Report, places: readonly Place[]): readonly string[] {
  const more = places.length - MAX_FINDINGS;
  const blocks = places.slice(0, MAX_FINDINGS).flatMap((place) => [...factLines(report, place), '']);
  return [...blocks, ...(more > 0 ? [`${count(more, 'more finding')} in the report.`] : [])];
}

/** The reasons. An error has only those of the expectations that make it one. */
function leftOut(report: Report, testCase: CaseReport, name: 'error' | 'skipped'): Element {
  const own = testCase.expectations.filter(({ verdict }) => verdict === testCase.verdict);
  const expectations = name === 'error' ? inconclusiveThatCount(report, testCase) : own;
  const reasons = new Set(expectations.map((each) => reasonLine(report, each)));
  const message = [...reasons].join('; ') || 'Nothing of this case was judged.';
  return { name, attributes: { ...(name === 'error' && { type: testCase.verdict }), message } };
}
