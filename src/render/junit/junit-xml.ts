/** XML 1.0, as much of it as a JUnit file needs. */
import { inert } from '../../text/inert.ts';

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children?: readonly Element[];
  /** In place of children. */
  readonly lines?: readonly string[];
}

/** Long texts are already cut; this only bounds the file. */
const MAX_LENGTH = 10_000;

const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Inert text has no character that XML cannot represent, and no line end; `]]>` loses its last character. */
function text(value: string): string {
  return inert(value, MAX_LENGTH).replaceAll(/[&<>"]/g, (character) => REFERENCES[character] ?? '');
}

function xmlDocument(root: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, '')}\n`;
}

function write({ name, attributes, children = [], lines = [] }: Element, indent: string): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${text(String(value))}"`);
  const start = `${indent}<${name}${list.join('')}`;
  if (lines.length > 0) return `${start}>\n${lines.map(text).join('\n')}\n${indent}</${name}>`;
  if (children.length === 0) return `${start}/>`;
  return `${start}>\n${children.map((child) => write(child, `${indent}  `)).join('\n')}\n${indent}</${name}>`;
}

export interface TestSuite extends Element {
  readonly attributes: Element['attributes'] & Readonly<Record<'tests' | CountedOutcome, number>>;
}

type CountedOutcome = 'failures' | 'errors' | 'skipped';

/** With the counts of its tests. The schemas of this format know neither fractions of a second nor a zone. */
export function testSuite(
  { name, time, startedAt }: { readonly name: string; readonly time: string; readonly startedAt: string },
  tests: readonly Element[],
  properties: readonly Element[] = [],
): TestSuite {
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

export function junitDocument(name: string, time: string, suites: readonly TestSuite[]): string {
  const sum = (count: 'tests' | CountedOutcome): number =>
    suites.reduce((total, { attributes }) => total + attributes[count], 0);
  const counts = { tests: sum('tests'), failures: sum('failures'), errors: sum('errors') };
  return xmlDocument({ name: 'testsuites', attributes: { name, ...counts, time }, children: suites });
}

export function property(name: string, value: string): Element {
  return { name: 'property', attributes: { name: inert(name), value: inert(value, 1000) } };
}
