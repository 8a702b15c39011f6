import { expect, it } from 'vitest';
import { loadContract } from '../../src/contract/read-contract.ts';
import { plainText } from '../../src/render/document/document.ts';
import { render } from '../../src/render/index.ts';
import { verdictFacts, verdictLine } from '../../src/render/verdict-line.ts';
import { countVerdicts } from '../../src/report/counts.ts';
import { type Excuses, readBaseline } from '../../src/report/excuses/apply-excuses.ts';
import { countsAsFailed } from '../../src/report/counts.ts';
import { readWaivers } from '../../src/report/excuses/waivers.ts';
import type { Counts, Report } from '../../src/report/report.ts';
import { loadSuites } from '../../src/suite/read-suites.ts';
import { didNotApply, type Reason } from '../../src/verdict/reason.ts';
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
    checkNotTested(text, report);
  }
  const hasHeadings = cases.some(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
  expect(checkHeadings(render(report, 'terminal', { detail: 'verbose' }), report) > 0).toBe(hasHeadings);
  checkVerdictLine(report);
  checkSummary(render(report, 'summary'), report);
});

/** Every must clause was judged, or a fact above the line says why it was not. */
function checkVerdictLine(report: Report): void {
  const [, judged, all] = /(\d+) of (\d+) must clauses judged/.exec(verdictLine(report)) ?? [];
  if (judged === undefined || report.ending.kind !== 'complete') return;
  const why = verdictFacts(report).find(({ label }) => label === 'Not judged')?.text ?? '';
  const rest = [
    ...plainText(why).matchAll(
      /[,;] (\d+) (?:needs?|inconclusive|only at a lower level|not tested|had no occasion|not in this run)(?: |;|,|$)/g,
    ),
  ];
  expect([why, Number(judged) + rest.reduce((sum, [, number]) => sum + Number(number), 0)]).toEqual([why, Number(all)]);
}

/** The same for all clauses, and those that were not selected are the same number as in the report. */
function checkSummary(text: string, report: Report): void {
  const [, judged, all] = /(\d+) of (\d+) clauses were judged or recorded/.exec(text) ?? [];
  if (judged === undefined) return;
  const listed = [...text.matchAll(/^- (\d+) clauses?: (.*)$/gm)];
  expect(Number(judged) + listed.reduce((all, [, number]) => all + Number(number), 0)).toBe(Number(all));
  const [, unselected = '0'] = listed.find(([, , words]) => words?.startsWith('not in this run')) ?? [];
  const none = report.clauses.filter(
    (clause) => (!clause.verdict && clause.kind !== 'outside') || isSkippedForOthers(clause, report),
  );
  expect(Number(unselected)).toBe(none.length);
}

/** How many headings there were. */
function checkHeadings(text: string, report: Report): number {
  const headings = [
    ...text.matchAll(
      /(?:^|>|# )([A-Z][a-z ]+(?: \(inconclusive\)|, at least in part)?): (?:(\d+) (?:cause|clause)s? in )?(\d+) cases?(?:<|\n|$)/gm,
    ),
  ].filter(([, title = '']) => title in VERDICT_OF);
  for (const [, title = '', counted, named] of headings) {
    const verdict = VERDICT_OF[title]!;
    const unsure = report.clauses.filter((each) => each.verdict === 'inconclusive').map(({ id }) => id);
    const own = report.cases.filter((testCase) =>
      testCase.expectations.some(
        (each) =>
          each.verdict === verdict &&
          (verdict !== 'fail' || countsAsFailed(each)) &&
          (verdict !== 'inconclusive' || testCase.verdict === verdict || unsure.includes(each.clause)),
      ),
    );
    expect([title, Number(named)]).toEqual([title, own.length]);
    if (verdict === 'inconclusive') expect([title, Number(counted ?? 0)]).toEqual([title, unsure.length]);
    // A case is in the table once, under its worst.
    if (verdict !== 'skipped' && own.length !== report.counts.cases[verdict]) {
      expect(text).toMatch(/Each case counts once, by its worst verdict\.|of the broken cases/);
    }
  }
  return headings.length;
}

const VERDICT_OF: Readonly<Record<string, VerdictName>> = {
  Broken: 'fail',
  Warnings: 'warn',
  'Not judged (inconclusive)': 'inconclusive',
  'Not judged, at least in part': 'skipped',
};

/** The clauses that nothing judged, although they apply. */
function checkNotTested(text: string, report: Report): void {
  const [, number] = /Not judged: (\d+) clauses?, /.exec(text) ?? [];
  const missed = report.clauses.filter(
    (clause) =>
      clause.verdict === 'skipped' &&
      reasonsOf(clause, report).some((reason) => !didNotApply(reason)) &&
      !isSkippedForOthers(clause, report),
  );
  if (number !== undefined) expect(Number(number)).toBe(missed.length);
}

/** Every run judges it, but this one selected only a case of it that needs more. */
function isSkippedForOthers(clause: Report['clauses'][number], report: Report): boolean {
  const isUsual = clause.scope === 'run' && clause.level !== 'observe';
  const reasons = reasonsOf(clause, report);
  return isUsual && clause.verdict === 'skipped' && reasons.every(({ kind }) => kind === 'needs');
}

function reasonsOf({ id }: Report['clauses'][number], { cases }: Report): readonly Reason[] {
  return cases.flatMap(({ expectations }) =>
    expectations.flatMap(({ clause, reason }) => (clause === id && reason ? [reason] : [])),
  );
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
  expect(asking.map(({ id }) => id)).toEqual([]);
});
