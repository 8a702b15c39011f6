/**
 * JUnit XML, as Jenkins, GitLab and most others read it. A test is a case: CI views follow it by name from run to run. The
 * format knows four outcomes and we have six verdicts, so each case carries its verdict as a property, and its causes.
 */

import { oncePer } from '../../once-per.ts';
import { groupBy } from '../../report/counts.ts';
import type { CaseReport, Report } from '../../report/report.ts';
import { count, inert } from '../../text/layout.ts';
import { formatObservationName, formatObservations } from '../../verdict/observation.ts';
import { fact, factLine } from '../document/document.ts';
import { excuseOf, formatExcuse, type BrokenMember, membersOf } from '../excused.ts';
import {
  findingFacts,
  findingSentence,
  formatFinding,
  formatFurther,
  formatSeenIn,
  ownSource,
} from '../finding-text.ts';
import { groupOf } from '../fold.ts';
import type { Format } from '../format.ts';
import { listEntries, type PageEntry } from '../html/view.ts';
import { lookUp } from '../lookup.ts';
import { describeLowered, loweredOf, whyUnjudged } from '../unjudged.ts';
import { formatTarget, listChangeTexts, listRunFlags } from '../run-text.ts';
import { verdictLine } from '../verdict-line.ts';

export const junit: Format = (report) => {
  const suites = [...groupBy(report.cases, ({ suite }) => suite)].map(([area, own]) => areaSuite(report, area, own));
  const { startedAt, endedAt } = report.provenance;
  const time = junitSeconds(Date.parse(endedAt) - Date.parse(startedAt));
  return junitDocument('wirecheck', time, suites);
};

function areaSuite(report: Report, area: string, cases: readonly CaseReport[]): Element {
  const { target, provenance } = report;
  const time = cases.reduce((sum, { id }) => sum + (timesOf(report).get(id) ?? 0), 0);
  const facts = [
    property('target', formatTarget(report)),
    ...(target.model === undefined ? [] : [property('model', target.model)]),
    property('verdict of the run', verdictLine(report)),
    ...listRunFlags(report).map((flag) => property('run', flag)),
    ...listChangeTexts(report).map((text) => property('change', text)),
  ];
  return testSuite(
    { name: inert(area), time: junitSeconds(time), startedAt: provenance.startedAt },
    cases.map((testCase) => formatTestCase(report, testCase)),
    facts,
  );
}

const entriesOf = oncePer(listEntries);

function causesIn(report: Report, { id }: CaseReport): readonly PageEntry[] {
  return entriesOf(report).filter(({ cases }) => cases.includes(id));
}

const MAX_CAUSES = 20;
const MAX_MESSAGE_LENGTH = 2000;

function formatTestCase(report: Report, testCase: CaseReport): Element {
  const { id, suite, verdict, flaky, expectations, title } = testCase;
  const source = ownSource(report, testCase);
  const properties = [
    property('title', title),
    property('verdict', verdict),
    ...(flaky ? [property('flaky', 'true')] : []),
    ...causesIn(report, testCase).map((cause) => {
      const group = groupOf(cause);
      return property(group === 'fail' ? 'cause' : `cause (${group})`, cause.anchor);
    }),
    ...brokenIn(testCase, 'warn').map((member) => {
      const excuse = excuseOf(member);
      return property(`warning${excuse === undefined ? '' : ` (${excuse})`}`, findingSentence(report, member));
    }),
    ...expectations.flatMap(({ clause, observations }) =>
      observations.map((observation) => {
        const values = formatObservations([observation.value]).map((each) => inert(each, 60));
        return property(`observed ${clause}: ${formatObservationName(observation)}`, values.join(', '));
      }),
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
      time: junitSeconds(timesOf(report).get(id) ?? 0),
      ...(source && { file: inert(source.file), line: source.line }),
    },
    children: [{ name: 'properties', attributes: {}, children: properties }, ...outcomeElements(report, testCase)],
  };
}

/** Why it did not pass. An error has only the reasons of the expectations that make it one. */
function outcomeElements(report: Report, testCase: CaseReport): readonly Element[] {
  const { verdict } = testCase;
  if (verdict === 'fail') return broken(report, testCase);
  if (verdict !== 'inconclusive' && verdict !== 'skipped') return [];
  const { isError, reasons } = whyUnjudged(report, testCase);
  const message = reasons || 'Nothing of this case was judged.';
  return [{ name: isError ? 'error' : 'skipped', attributes: { ...(isError && { type: verdict }), message } }];
}

function brokenIn(testCase: CaseReport, verdict: BrokenMember['verdict']): readonly BrokenMember[] {
  return membersOf(testCase).filter((each) => each.verdict === verdict);
}

/** A failure, unless nothing of it counts. Causes that count come first, each with what this case shows of it. */
function broken(report: Report, testCase: CaseReport): readonly Element[] {
  const causes = causesIn(report, testCase).filter(({ verdict }) => verdict === 'fail');
  const shown = causes.map((cause) => ({ cause, place: placeIn(testCase, cause) }));
  const more = shown.length - MAX_CAUSES;
  const lines = [
    ...shown.slice(0, MAX_CAUSES).flatMap(({ cause, place }) => {
      const facts = findingFacts(formatFinding(report, place), place === cause ? formatFurther(cause) : '');
      return [...facts, ...fact('Cause', `${cause.anchor} (${formatSeenIn(report, cause)})`)].map(factLine);
    }),
    ...(more > 0 ? [`${count(more, 'more cause')} in the report.`] : []),
  ];
  const counting = shown.filter(({ cause }) => cause.excused === undefined).map(({ place }) => place);
  if (counting.length > 0) {
    const type = [...new Set(counting.map(({ expectation }) => expectation.clause))].join(', ');
    const message = counting.map((place) => findingSentence(report, place)).join(' ');
    return [{ name: 'failure', attributes: { type: inert(type), message: inert(message, MAX_MESSAGE_LENGTH) }, lines }];
  }
  const message = [...new Set(shown.map(({ place }) => formatExcuse(report, place) ?? excuseOf(place)))].join('; ');
  return [
    { name: 'skipped', attributes: { message: inert(message, MAX_MESSAGE_LENGTH) } },
    { name: 'system-out', attributes: {}, lines },
  ];
}

/** The finding that stands for the cause everywhere, if it is one of this case. */
function placeIn(testCase: CaseReport, cause: PageEntry): BrokenMember {
  const isOwn = ({ finding }: BrokenMember) => cause.findings.includes(`${testCase.id} ${finding?.fingerprint ?? ''}`);
  return cause.case === testCase ? cause : (brokenIn(testCase, 'fail').find(isOwn) ?? cause);
}

/** Milliseconds by case id; a case that only looks at the answers of others has none. */
const timesOf = oncePer((report: Report): ReadonlyMap<string, number> => {
  const ids = new Set(report.cases.map(({ id }) => id));
  const times = new Map<string, number>();
  for (const exchange of report.exchanges) {
    // The call of the client that led to it took at least as long.
    if (exchange.side === 'upstream') continue;
    const { step, name = step } = exchange;
    const owner = ids.has(name) ? name : lookUp(report).sender(exchange.id)?.id;
    const [first, last] = [exchange.attempts[0], exchange.attempts.at(-1)];
    if (owner === undefined || !first || !last) continue;
    // From the first attempt to the end of the last, the pauses between them included.
    const took = last.sentAt - first.sentAt + (last.answer?.endAt ?? 0);
    times.set(owner, (times.get(owner) ?? 0) + took);
  }
  return times;
});

export function junitSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children?: readonly Element[];
  /** Lines stand in place of children. */
  readonly lines?: readonly string[];
}

/** Long texts are already cut; this only bounds the file. */
const MAX_LENGTH = 10_000;

const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Inert text has no character that XML cannot represent, and no line end; `]]>` loses its last character. */
function text(value: string): string {
  return inert(value, MAX_LENGTH).replaceAll(/[&<>"]/g, (character) => REFERENCES[character] ?? '');
}

function write({ name, attributes, children = [], lines = [] }: Element, indent: string): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${text(String(value))}"`);
  const start = `${indent}<${name}${list.join('')}`;
  if (lines.length > 0) return `${start}>\n${lines.map(text).join('\n')}\n${indent}</${name}>`;
  if (children.length === 0) return `${start}/>`;
  return `${start}>\n${children.map((child) => write(child, `${indent}  `)).join('\n')}\n${indent}</${name}>`;
}

/** A suite has the counts of its tests. The schemas of this format know neither fractions of a second nor a zone. */
export function testSuite(
  { name, time, startedAt }: { readonly name: string; readonly time: string; readonly startedAt: string },
  tests: readonly Element[],
  properties: readonly Element[] = [],
): Element {
  const number = (outcome: string): number =>
    tests.filter(({ children = [] }) => children.some((child) => child.name === outcome)).length;
  const counts = { failures: number('failure'), errors: number('error'), skipped: number('skipped') };
  return {
    name: 'testsuite',
    attributes: { name, tests: tests.length, ...counts, time, timestamp: startedAt.slice(0, 19) },
    children: [
      ...(properties.length === 0 ? [] : [{ name: 'properties', attributes: {}, children: properties }]),
      ...tests,
    ],
  };
}

export function junitDocument(name: string, time: string, suites: readonly Element[]): string {
  const sum = (count: 'tests' | 'failures' | 'errors'): number =>
    suites.reduce((total, { attributes }) => total + Number(attributes[count]), 0);
  const counts = { tests: sum('tests'), failures: sum('failures'), errors: sum('errors') };
  const root = { name: 'testsuites', attributes: { name, ...counts, time }, children: suites };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, '')}\n`;
}

export function property(name: string, value: string): Element {
  return { name: 'property', attributes: { name: inert(name), value: inert(value, 1000) } };
}
