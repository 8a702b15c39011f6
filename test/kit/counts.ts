/** How many cases each format says there are, read back out of its text: what a reader of that format would count. */
import type { Counts, Report } from '../../src/report/report.ts';
import type { FormatName } from '../../src/settings/settings-table.ts';
import { counts } from './sample-reports.ts';
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
    const failed = new Set(run?.results.filter(({ level }) => level === 'error').map((each) => each.properties.case));
    return { ...run?.properties.cases, fail: failed.size };
  },
  html: (text) => {
    const [, row] = /<th scope="row">all<\/th>(.*?)<\/tr>/s.exec(text) ?? [];
    if (row === undefined) throw new Error('no row for all cases');
    const cells = [...row.matchAll(/<td[^>]*>(\d+)<\/td>/g)].map(([, cell]) => Number(cell));
    return Object.fromEntries(COLUMNS.map((name, at) => [name, cells[at]]));
  },
  markdown: (text) => fromRow(/^\| all \| (.*) \|$/m.exec(text)?.[1]?.split(' | ')),
  // Without a table where next to nothing could be asked.
  terminal: (text) => {
    const [, row] = /^all +(.*)$/m.exec(text) ?? [];
    return row === undefined ? {} : fromRow(row.split(/ +/));
  },
  github: (text) => {
    const [, words = ''] = /::\d+ cases?(?:: ([^%\n]*))?/.exec(text) ?? [];
    return counts(
      Object.fromEntries([...words.matchAll(/(\d+) (\w+)/g)].map(([, number, verdict]) => [verdict, Number(number)])),
    );
  },
  badge: (text) => {
    // What is excused is not among the cases that it says have failed.
    const [, fail] = /(\d+) of \d+ cases? failed"/.exec(text) ?? [];
    return fail === undefined ? {} : { fail: Number(fail) };
  },
  // They count causes only.
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
    const [, fixed = 0] = /Fixed since the baseline: (\d+) findings?</.exec(text) ?? [];
    const [failures, warnings] = [number('failures'), number('warnings')];
    return { failures, warnings, known: number('known'), waived: number('waived'), fixed: Number(fixed) };
  },
  github: (text) => ({ fixed: Number(/Fixed since [\d-]+: (\d+) findings?\./.exec(text)?.[1] ?? 0) }),
  sarif: (text) => {
    const { results = [] } = (JSON.parse(text) as { runs: { results: SarifResult[] }[] }).runs[0] ?? {};
    const waived = results.filter(({ suppressions = [] }) => suppressions.length > 0);
    const known = results.filter((result) => !waived.includes(result) && result.baselineState === 'unchanged');
    const counting = results.filter((result) => !waived.includes(result) && !known.includes(result));
    return {
      failures: counting.filter(({ level }) => level === 'error').length,
      warnings: counting.filter(({ level }) => level === 'warning').length,
      known: known.length,
      waived: waived.length,
    };
  },
};

function findingsInHeadings(text: string): FindingCounts {
  const number = (title: string) =>
    Number(new RegExp(`${title}[^:\n]*: (?:\\d+ causes? in )?(\\d+) (?:case|finding)s?\\b`).exec(text)?.[1] ?? 0);
  return {
    failures: number('Failures'),
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
  readonly properties: { readonly case: string };
}

function tally(verdicts: readonly (string | undefined)[]): Partial<Counts> {
  return Object.fromEntries(COLUMNS.map((name) => [name, verdicts.filter((each) => each === name).length]));
}

/** The first cell is the sum of the others. */
function fromRow([sum, ...cells]: readonly string[] = []): Partial<Counts> {
  const numbers = cells.map((cell) => (cell === '·' ? 0 : Number(cell)));
  if (Number(sum) !== numbers.reduce((total, number) => total + number, 0)) throw new Error(`the sum is ${sum}`);
  return Object.fromEntries(COLUMNS.map((name, at) => [name, numbers[at]]));
}
