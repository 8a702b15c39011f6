/** How many cases each format says there are, read back out of its text: what a reader of that format would count. */
import type { Counts, Report } from '../../src/report/report.ts';
import type { FormatName } from '../../src/settings/format-names.ts';
import { WORDS } from '../../src/render/looks.ts';
import { allOf, parseXml } from './xml.ts';

const COLUMNS = ['pass', 'fail', 'warn', 'inconclusive', 'observed', 'skipped'] as const;

/** Partial where a format does not tell all of them apart. */
type Reader = (text: string) => Partial<Counts>;

export const COUNTS_IN: Readonly<Record<FormatName, Reader>> = {
  json: (text) => tally((JSON.parse(text) as Report).cases.map(({ verdict }) => verdict)),
  junit: (text) =>
    tally(
      allOf(parseXml(text), 'testcase').map(
        (testCase) =>
          allOf(testCase, 'property').find(({ attributes }) => attributes['name'] === 'verdict')?.attributes['value'],
      ),
    ),
  sarif: (text) => {
    const log = JSON.parse(text) as { runs: { properties: { cases: Counts }; results: SarifResult[] }[] };
    const [run] = log.runs;
    const failed = new Set(
      run?.results.filter(({ level }) => level === 'error').flatMap((each) => each.properties.cases),
    );
    return { ...run?.properties.cases, fail: failed.size };
  },
  html: (text) => {
    const [, row] = /<th scope="row">all<\/th>(.*?)<\/tr>/s.exec(text) ?? [];
    if (row === undefined) throw new Error('no row for all cases');
    return fromRow([...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => cell));
  },
  markdown: (text) => fromRow(/^\| all \| (.*) \|$/m.exec(text)?.[1]?.split(' | ')),
  // Without a table where next to nothing could be asked.
  terminal: (text) => {
    const [, row] = /^all +(.*)$/m.exec(text) ?? [];
    return row === undefined ? {} : fromRow(row.split(/ +/));
  },
  github: (text) => {
    const [, words = ''] = /::\d+ cases?(?:: ([^%\n]*))?/.exec(text) ?? [];
    const numbers = new Map(
      [...words.matchAll(/(\d+) ([a-z ]+)/g)].map(([, number, word = '']) => [word, Number(number)]),
    );
    return ofWords((word) => numbers.get(word) ?? 0);
  },
  // They count causes or clauses only.
  badge: () => ({}),
  agent: () => ({}),
  summary: () => ({}),
  prometheus: (text) =>
    Object.fromEntries(
      [...text.matchAll(/^wirecheck_cases\{.*verdict="(\w+)"\} (\d+)$/gm)].map(([, verdict, number]) => [
        verdict,
        Number(number),
      ]),
    ),
};

/** The cases with findings that count, or are excused; the findings that are fixed. */
export interface FindingCounts {
  readonly failures: number;
  readonly warnings: number;
  readonly known: number;
  readonly waived: number;
  readonly fixed: number;
}

/** The formats that count them, or have a place for each of them. */
export const FINDINGS_IN: Partial<Record<FormatName, (text: string) => Partial<FindingCounts>>> = {
  terminal: findingsInHeadings,
  markdown: findingsInHeadings,
  html: (text) => {
    const number = (id: string) =>
      Number(
        new RegExp(`<section id="${id}"[^]*?<p class="lead">\\d+ causes? in (\\d+) cases?\\b`).exec(text)?.[1] ?? 0,
      );
    const [, fixed = 0] = /Fixed since [-\d]+: (\d+) cases?</.exec(text) ?? [];
    const [failures, warnings] = [number('failures'), number('warnings')];
    return { failures, warnings, known: number('known'), waived: number('waived'), fixed: Number(fixed) };
  },
  github: (text) => ({ fixed: Number(/Fixed since [\d-]+: (\d+) cases?\./.exec(text)?.[1] ?? 0) }),
  sarif: (text) => {
    const { results = [] } = (JSON.parse(text) as { runs: { results: SarifResult[] }[] }).runs[0] ?? {};
    const waived = results.filter(({ suppressions = [] }) => suppressions.length > 0);
    const known = results.filter((result) => !waived.includes(result) && result.baselineState === 'unchanged');
    const counting = results.filter((result) => !waived.includes(result) && !known.includes(result));
    const casesOf = (some: readonly SarifResult[]): number =>
      new Set(some.flatMap(({ properties }) => properties.cases)).size;
    return {
      failures: casesOf(counting.filter(({ level }) => level === 'error')),
      warnings: casesOf(counting.filter(({ level }) => level === 'warning')),
      known: casesOf(known),
      waived: casesOf(waived),
    };
  },
};

/** How many causes of failures and warnings that count each format says there are. */
export const CAUSES_IN: Partial<Record<FormatName, (text: string) => readonly [failures: number, warnings: number]>> = {
  json: (text) => {
    const causes = ((JSON.parse(text) as Report).causes ?? []).filter(({ excused }) => excused === undefined);
    const number = (name: string) => causes.filter(({ verdict }) => verdict === name).length;
    return [number('fail'), number('warn')];
  },
  terminal: causesInHeadings,
  markdown: causesInHeadings,
  html: (text) => {
    const number = (id: string) =>
      Number(new RegExp(`<section id="${id}"[^]*?<p class="lead">(\\d+) causes? in `).exec(text)?.[1] ?? 0);
    return [number('failures'), number('warnings')];
  },
  junit: (text) => {
    const properties = allOf(parseXml(text), 'property').map(({ attributes }) => attributes);
    const number = (name: string) =>
      new Set(properties.filter((each) => each['name'] === name).map(({ value }) => value)).size;
    return [number('cause'), number('cause (warn)')];
  },
  sarif: (text) => {
    const { results = [] } = (JSON.parse(text) as { runs: { results: SarifResult[] }[] }).runs[0] ?? {};
    const counting = results.filter(
      ({ suppressions = [], baselineState }) => suppressions.length === 0 && baselineState !== 'unchanged',
    );
    const number = (name: string) => counting.filter(({ level }) => level === name).length;
    return [number('error'), number('warning')];
  },
};

function causesInHeadings(text: string): readonly [number, number] {
  const number = (title: string) => Number(new RegExp(`${title}[^:\n]*: (\\d+) causes? in `).exec(text)?.[1] ?? 0);
  return [number('Broken'), number('Warnings')];
}

function findingsInHeadings(text: string): FindingCounts {
  const number = (title: string) =>
    Number(new RegExp(`${title}[^:\n]*: (?:\\d+ causes? in )?(\\d+) (?:case|finding)s?\\b`).exec(text)?.[1] ?? 0);
  return {
    failures: number('Broken'),
    warnings: number('Warnings'),
    known: number('In the baseline(?!,)'),
    waived: number('Waived'),
    fixed: number('Fixed'),
  };
}

interface SarifResult {
  readonly level: string;
  readonly baselineState?: string;
  readonly suppressions?: readonly unknown[];
  readonly properties: { readonly cases: readonly string[] };
}

function tally(verdicts: readonly (string | undefined)[]): Partial<Counts> {
  return Object.fromEntries(COLUMNS.map((name) => [name, verdicts.filter((each) => each === name).length]));
}

/** The first cell is the sum of the others. */
function fromRow([sum, ...cells]: readonly string[] = []): Partial<Counts> {
  const numbers = cells.map((cell) => (cell === '·' ? 0 : Number(cell)));
  if (Number(sum) !== numbers.reduce((total, number) => total + number, 0)) throw new Error(`the sum is ${sum}`);
  return ofWords((word) => numbers[WORDS.findIndex((each) => each === word)] ?? 0);
}

/** Data has two verdicts for what was not judged. */
function ofWords(numberOf: (word: string) => number): Partial<Counts> {
  return {
    pass: numberOf('pass'),
    fail: numberOf('broken'),
    warn: numberOf('warning'),
    observed: numberOf('recorded'),
  };
}
