/** How many cases each format says there are, read back out of its text: what a reader of that format would count. */
import type { Counts, Report } from '../report/report.ts';
import type { FormatName } from './index.ts';
import { counts } from './sample-reports.test.support.ts';
import { allOf, parseXml } from './junit/xml.test.support.ts';

const COLUMNS = ['pass', 'fail', 'warn', 'inconclusive', 'observed', 'skipped'] as const;

/** Partial where a format does not tell all of them apart. */
type Reader = (text: string) => Partial<Counts>;

export const COUNTS_IN: Readonly<Record<FormatName, Reader>> = {
  json: (text) => tally((JSON.parse(text) as Report).cases.map(({ verdict }) => verdict)),
  junit: (text) =>
    tally(
      allOf(parseXml(text), 'testcase').map(
        (one) => allOf(one, 'property').find(({ attributes }) => attributes['name'] === 'verdict')?.attributes['value'],
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
    const [, fail, excused = 0] = /(\d+) of \d+ cases? failed(?:, (\d+) excused)?/.exec(text) ?? [];
    return fail === undefined ? {} : { fail: Number(fail) + Number(excused) };
  },
};

interface SarifResult {
  readonly level: string;
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
