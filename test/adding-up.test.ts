import { expect, it } from 'vitest';
import { loadContract } from '../src/contract/load-contract.ts';
import { isExcused } from '../src/render/excused.ts';
import { render } from '../src/render/index.ts';
import { readBaseline } from '../src/report/exemptions/baseline.ts';
import { countVerdicts } from '../src/report/counts.ts';
import type { Excuses } from '../src/report/exemptions/apply-exemptions.ts';
import type { Counts, Report } from '../src/report/report.ts';
import { readWaivers } from '../src/report/exemptions/waivers.ts';
import { gatewayFor, quickRun, runGateway } from './kit/real-run.ts';
import { loadSuites } from '../src/suite/load-suites.ts';
import type { VerdictName } from '../src/verdict/verdict.ts';

function waived(...entries: readonly string[]): Excuses {
  const contract = loadContract();
  const known = { contract, cases: loadSuites([], contract).flatMap(({ cases }) => cases) };
  const text = `waivers:\n${entries.map((entry) => `  - { ${entry}, reason: known, until: 2999-01-01 }\n`).join('')}`;
  return { waivers: readWaivers(text, 'w.yaml', known) };
}

const BROKEN = { faults: ['error-code-integer', 'stream-no-done'] } as const;

const RUNS: Readonly<Record<string, () => Promise<Report>>> = {
  'a run to the end': () => runGateway(),
  'one with every key': async () => {
    const gateway = await gatewayFor();
    return quickRun(gateway.baseUrl, { forbiddenModel: gateway.forbiddenModel }, gateway.keys);
  },
  'one with failures and warnings': () => runGateway(BROKEN),
  'the same judged strictly': () => runGateway(BROKEN, { strict: true }),
  'the same with --bail': () => runGateway(BROKEN, { bail: true }),
  'one that --max-requests ended': () => runGateway(BROKEN, { maxRequests: 40 }),
  'one that --max-completions ended': () => runGateway({}, { maxCompletions: 3 }),
  'one with a refused key': async () => quickRun((await gatewayFor()).baseUrl),
  'one of some cases': () => runGateway({}, { only: ['streaming/*', 'auth/unknown-key[models]'] }),
  'one of a single case that needs a key': () => runGateway({}, { only: ['auth/limited-key'] }),
  'one with waivers': () =>
    runGateway(BROKEN, {}, { excuses: waived('clause: errors.code, case: auth/*', 'clause: stream.done') }),
  'one with a baseline and a waiver': async () => {
    const older = await runGateway({ faults: ['error-code-integer'] }, { only: ['auth/*', 'parameters/*'] });
    const baseline = readBaseline(older, 'old.json');
    return runGateway(BROKEN, {}, { excuses: { ...waived('clause: errors.code, case: parameters/*'), baseline } });
  },
  'a target that is not there': () => quickRun('http://127.0.0.1:1/v1'),
};

it.each(Object.keys(RUNS))('All counts add up in %s', async (name) => {
  const report = await RUNS[name]!();
  const { cases, counts } = report;
  const expectations = cases.flatMap((one) => one.expectations);

  expect(counts.cases).toEqual(countVerdicts(cases.map(({ verdict }) => verdict)));
  expect(counts.expectations).toEqual(countVerdicts(expectations.map(({ verdict }) => verdict)));
  expect(sum(counts.cases)).toBe(cases.length);
  for (const verdict of Object.keys(counts.cases) as VerdictName[]) {
    expect(report.areas.reduce((all, area) => all + area.cases[verdict], 0)).toBe(counts.cases[verdict]);
  }
  // What is judged by nothing is in no count; what is, is in exactly one.
  expect(sum(counts.clauses)).toBe(new Set(expectations.map(({ clause }) => clause)).size);

  for (const text of [
    render(report, 'terminal'),
    render(report, 'terminal', { detail: 'verbose' }),
    render(report, 'markdown'),
  ]) {
    checkHeadings(text, report);
  }
  expect(checkHeadings(render(report, 'terminal', { detail: 'verbose' }), report)).toBeGreaterThan(0);
});

/** How many headings there were. */
function checkHeadings(text: string, report: Report): number {
  const { counts, cases } = report;
  const headings = [
    ...text.matchAll(
      /(?:^|>|# )([A-Z]\w+(?: the baseline)?)[^:\n>]*: (\d+) (expectation|finding)s?(?: of \d+ causes?,)? in (\d+) cases?(?:, (?:of which (\d+)|(none) of which) (.*?))?(?:<|\n|$)/gm,
    ),
  ].map(([, title = '', items, what, inCases, part, none]) => {
    return {
      title,
      items: Number(items),
      what,
      cases: Number(inCases),
      part: none === undefined ? (part === undefined ? undefined : Number(part)) : 0,
    };
  });
  for (const { title, items, cases: named, part } of headings) {
    const verdict = VERDICT_OF[title];
    if (verdict === undefined) continue;
    // A case is in the table once, under its worst; the heading says how many of those that it names are there.
    expect([title, part ?? named]).toEqual([title, countedBy(verdict, report)]);
    if (title !== 'Inconclusive' && title !== 'Skipped') continue;
    expect([title, items]).toEqual([title, counts.expectations[verdict]]);
    const [, list = ''] = text.split(new RegExp(`${title}: \\d+ expectation.*\\n`)) as [string, string?];
    expect([title, itemsIn(list)]).toEqual([title, items]);
  }
  const excused = headings.filter(({ title }) => title === 'Waived' || title === 'In the baseline');
  // Each excused case fails for one of the two alone, or for both.
  const alone = excused.reduce((all, one) => all + one.cases - (one.part ?? 0), 0);
  expect(alone).toBeGreaterThanOrEqual(cases.filter(isExcused).length);
  return headings.length;
}

const VERDICT_OF: Readonly<Record<string, VerdictName>> = {
  Failures: 'fail',
  Warnings: 'warn',
  Inconclusive: 'inconclusive',
  Skipped: 'skipped',
};

function countedBy(verdict: VerdictName, { cases, counts }: Report): number {
  return counts.cases[verdict] - (verdict === 'fail' ? cases.filter(isExcused).length : 0);
}

/** The numbers in front of the reasons, down to the end of the list. */
function itemsIn(list: string): number {
  const lines = list.trimStart().split('\n');
  const end = lines.findIndex((line) => !/^ *(-|\S+\/)/.test(line) || line.startsWith('<'));
  return lines
    .slice(0, end === -1 ? undefined : end)
    .reduce((all, line) => all + Number(/^ *- (?:and )?(\d+) expectation/.exec(line)?.[1] ?? 0), 0);
}

function sum(counts: Counts): number {
  return Object.values(counts).reduce((all, one) => all + one, 0);
}

it('Cases that a run did not reach are inconclusive at every level; only cases with missing prerequisites are skipped', async () => {
  for (const changes of [{ bail: true }, { maxRequests: 20 }, { maxCompletions: 2 }]) {
    const report = await runGateway(BROKEN, changes);
    const unasked = report.cases.filter(
      ({ base, expectations }) => base !== undefined && expectations.every((each) => each.exchanges.length === 0),
    );
    const lacking = unasked.filter(({ expectations }) => expectations.some((each) => each.reason?.kind === 'needs'));
    expect(unasked.length).toBeGreaterThan(lacking.length);
    const verdicts = (some: Report['cases']) => [...new Set(some.map(({ verdict }) => verdict))];
    expect(verdicts(lacking)).toEqual(['skipped']);
    expect(verdicts(unasked.filter((one) => !lacking.includes(one)))).toEqual(['inconclusive']);
  }
});

it('With a refused key, no case passes without an answer of its own', async () => {
  const { cases } = await quickRun((await gatewayFor()).baseUrl);
  const asking = cases.filter(({ base, verdict }) => base !== undefined && verdict === 'pass');
  expect(asking.map(({ id }) => id)).toEqual([]);
});
