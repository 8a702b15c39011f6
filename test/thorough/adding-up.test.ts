import { expect, it } from 'vitest';
import { loadContract } from '../../src/contract/read-contract.ts';
import { isBarelyBegun } from '../../src/exchange/ending.ts';
import { plainText } from '../../src/render/document/document.ts';
import { render } from '../../src/render/index.ts';
import { coverageFact, verdictLine } from '../../src/render/verdict-line.ts';
import { countVerdicts } from '../../src/report/counts.ts';
import { type Excuses, readBaseline } from '../../src/report/excuses/apply-excuses.ts';
import { countsAsFailed } from '../../src/report/counts.ts';
import { readWaivers } from '../../src/report/excuses/waivers.ts';
import type { Counts, Report } from '../../src/report/report.ts';
import { loadSuites } from '../../src/suite/read-suites.ts';
import type { VerdictName } from '../../src/verdict/verdict.ts';
import { gatewayFor, quickRun, runGateway } from '../kit/real-run.ts';

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
  'one with failures that leave other clauses open': () => runGateway({ faults: ['param-top-p-out-of-range-500'] }),
  'one that --max-requests ended': () => runGateway(BROKEN, { maxRequests: 40 }),
  'one that --max-completions ended': () => runGateway({}, { maxCompletions: 3 }),
  'one with a refused key': async () => quickRun((await gatewayFor()).baseUrl),
  'one of some cases': () => runGateway({}, { only: ['streaming/*', 'auth/unknown-key[models]'] }),
  'one of a single case that needs a key': () => runGateway({}, { only: ['auth/limited-key'] }),
  'one with waivers': () =>
    runGateway(BROKEN, {}, { excuses: waived('clause: errors.code, case: errors/*', 'clause: stream.done') }),
  'one with a baseline and a waiver': async () => {
    const older = await runGateway({ faults: ['error-code-integer'] }, { only: ['auth/*', 'parameters/*'] });
    const baseline = readBaseline(older, 'old.json');
    return runGateway(BROKEN, {}, { excuses: { ...waived('clause: stream.done, case: streaming/*'), baseline } });
  },
  'a target that is not there': () => quickRun('http://127.0.0.1:1/v1'),
};

it.each(Object.keys(RUNS))('All counts add up in %s', async (name) => {
  const report = await RUNS[name]!();
  const { cases, counts } = report;
  const expectations = cases.flatMap((testCase) => testCase.expectations);

  expect(counts.cases).toEqual(countVerdicts(cases.map(({ verdict }) => verdict)));
  expect(counts.expectations).toEqual(countVerdicts(expectations.map(({ verdict }) => verdict)));
  expect(sum(counts.cases)).toBe(cases.length);
  for (const verdict of Object.keys(counts.cases) as VerdictName[]) {
    expect(report.areas.reduce((all, area) => all + area.cases[verdict], 0)).toBe(counts.cases[verdict]);
  }
  // What is judged by nothing is in no count; what is, is in exactly one.
  expect(sum(counts.clauses)).toBe(new Set(expectations.map(({ clause }) => clause)).size);

  // A must clause is judged by its own verdict.
  const musts = report.clauses.filter(({ level, scope }) => level === 'must' && scope === 'run');
  const judged = musts.filter(({ verdict }) => verdict && !['inconclusive', 'skipped'].includes(verdict));
  expect(report.outcome).toMatchObject({ mustClauses: musts.length, mustJudged: judged.length });

  for (const text of [
    render(report, 'terminal'),
    render(report, 'terminal', { detail: 'verbose' }),
    render(report, 'markdown'),
  ]) {
    checkHeadings(text, report);
    checkNotJudged(text, report);
  }
  const hasHeadings = expectations.some(({ verdict, excused }) => /fail|warn/.test(verdict) && !excused);
  expect(checkHeadings(render(report, 'terminal', { detail: 'verbose' }), report) > 0).toBe(hasHeadings);
  checkVerdictLine(report);
  checkNotJudged(render(report, 'summary').replace('### Not judged\n\n', 'Not judged: '), report);
});

/** Every must clause was judged, or a fact above the line says why it was not. */
function checkVerdictLine(report: Report): void {
  const [, judged, all] = /(\d+) of (\d+) must clauses judged/.exec(verdictLine(report)) ?? [];
  if (judged === undefined || report.ending.kind !== 'complete') return;
  const why = coverageFact(report)[0]?.text ?? '';
  const rest = [
    ...plainText(why).matchAll(
      /[,;] (\d+) (?:needs?|had no clear answer|only at a lower level|not tested|never came up|not in this run)(?: |;|,|$)/g,
    ),
  ];
  expect([why, Number(judged) + rest.reduce((sum, [, number]) => sum + Number(number), 0)]).toEqual([why, Number(all)]);
}

/** How many headings there were. */
function checkHeadings(text: string, report: Report): number {
  const headings = [
    ...text.matchAll(/(?:^|>|# )([A-Z][a-z ]+): (?:(\d+) causes? in )?(\d+) cases?(?:<|\n|$)/gm),
  ].filter(([, title = '']) => title in VERDICT_OF);
  for (const [, title = '', , named] of headings) {
    const verdict = VERDICT_OF[title]!;
    const own = report.cases.filter((testCase) =>
      testCase.expectations.some((each) => each.verdict === verdict && (verdict !== 'fail' || countsAsFailed(each))),
    );
    expect([title, Number(named)]).toEqual([title, own.length]);
    // A case is in the table once, under its worst.
    if (own.length !== report.counts.cases[verdict]) {
      expect(text).toMatch(/Each case counts once, by its worst verdict\.|of the broken cases/);
    }
  }
  return headings.length;
}

const VERDICT_OF: Readonly<Record<string, VerdictName>> = {
  Broken: 'fail',
  Warnings: 'warn',
};

/** Every clause without a verdict is in one line, the must clauses are those of the verdict, and the cases those of the table. */
function checkNotJudged(text: string, { clauses, cases, counts, ending, outcome }: Report): void {
  const [, heading = '', block = ''] = /Not judged: (.*)\n([^]*)/.exec(text.replaceAll(/<\/?summary>/g, '')) ?? [];
  // Nothing was judged, and the ending says why.
  if (heading === '' && (isBarelyBegun(ending) || outcome.mustJudged === 0)) return;
  const [lines = ''] = block.trim().split('\n\n');
  const counted = [...lines.replaceAll(/\s+/g, ' ').matchAll(/\((\d+) clauses?(?:, (\d+) must)?/g)];
  const add = (at: 1 | 2): number => counted.reduce((sum, found) => sum + Number(found[at] ?? 0), 0);
  const judged = clauses.filter(({ verdict }) => verdict && !['inconclusive', 'skipped'].includes(verdict));
  const [, left = 0, all] = /(\d+) of (\d+) clauses?/.exec(heading) ?? [];
  const [, must = 0] = /\((\d+) of \d+ must\)/.exec(heading) ?? [];
  const [, unjudged = 0] = /(\d+) of \d+ cases?$/.exec(heading.replace(/\.$/, '')) ?? [];
  expect([heading, Number(all)]).toEqual([heading, clauses.length]);
  expect([heading, Number(left)]).toEqual([heading, clauses.length - judged.length]);
  expect([heading, Number(left)]).toEqual([heading, add(1)]);
  expect([heading, Number(must)]).toEqual([heading, add(2)]);
  expect([heading, Number(unjudged)]).toEqual([heading, counts.cases.inconclusive + counts.cases.skipped]);
  expect(cases.length).toBeGreaterThanOrEqual(Number(unjudged));
}

function sum(counts: Counts): number {
  return Object.values(counts).reduce((all, each) => all + each, 0);
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
    expect(verdicts(unasked.filter((testCase) => !lacking.includes(testCase)))).toEqual(['inconclusive']);
  }
});

it('With a refused key, no case passes without an answer of its own', async () => {
  const { cases } = await quickRun((await gatewayFor()).baseUrl);
  const asking = cases.filter(({ base, verdict }) => base !== undefined && verdict === 'pass');
  // The 401 for an unknown key, by which the run knows that keys are read, is no server error.
  expect(asking.map(({ id }) => id)).toEqual(['models/unknown-key-from-page']);
});
