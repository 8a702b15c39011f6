import { describe, expect, it } from 'vitest';
import { boardOf, on, verdicts } from '../../../test/kit/boards.ts';
import { broken, conforming } from '../../../test/kit/sample-reports.ts';
import { FULL_REPORT } from '../../../test/kit/reports.ts';
import { checkFile } from '../../contract/file-schema.ts';
import type { Report } from '../../report/report.ts';
import { BOARD_FORMATS, boardHtml } from './board-html.ts';
import { type Board, makeBoard, summarizeReport } from './board.ts';

describe('a board', () => {
  it('has failing targets first, and is the same whatever the order of the reports', () => {
    const given = [on('b', 1, conforming()), on('a', 1, conforming()), on('z', 1, broken())];
    const board = boardOf(...given);
    expect(board.targets.map(({ name }) => name)).toEqual(['z', 'a', 'b']);
    expect(boardOf(...given.toReversed())).toEqual(board);
    expect(() => checkFile('board', { file: 'board.json', value: JSON.parse(JSON.stringify(board)) })).not.toThrow();
  });

  it('exits with 1 if a target fails, with 3 if one was not judged, and with 0 if nobody minds', () => {
    const outcome = { ...conforming().outcome, name: 'not-judged', exit: 3 } as const;
    const dead = conforming({ outcome });
    expect(boardOf(on('a', 1, conforming())).exit).toBe(0);
    expect(boardOf(on('a', 1, conforming()), on('b', 1, dead)).exit).toBe(3);
    expect(boardOf(on('a', 1, broken()), on('b', 1, dead)).exit).toBe(1);
    const summaries = [summarizeReport(broken(), { report: 'r' })];
    expect(makeBoard(summaries, { failOn: 'none' }).exit).toBe(0);
  });

  it('says once for agents that a target was not judged', () => {
    const outcome = { ...conforming().outcome, name: 'not-judged', exit: 3 } as const;
    const text = BOARD_FORMATS.agent(boardOf(on('a', 1, conforming({ outcome, clauses: [] })), on('b', 1, broken())));
    expect(text).toMatch(/^\[1\] b: does not conform, \d must/m);
    expect(text).toMatch(/^\[2\] a: not judged$/m);
  });

  it('names the profile of each target, and no run by another contract is its history', () => {
    const { profile } = FULL_REPORT;
    const older = conforming(verdicts(['a.one'], ['a.two', { verdict: 'fail' }]));
    const newer = { ...conforming(verdicts(['a.one', { verdict: 'fail' }], ['a.two'])), profile };
    const board = boardOf(on('t', 2, older), on('t', 9, newer), on('u', 2, older));
    expect(board.targets[0]?.latest).toMatchObject({ appeared: [], found: [], fixed: [] });
    const words = /These targets were judged by different contracts: .*\(t\), v1 \(u\)\./;
    expect(board.contracts).toEqual([
      { hash: board.targets[0]?.latest.contract, targets: 1 },
      { hash: board.targets[0]?.latest.contract, profile: board.targets[0]?.latest.profile, targets: 1 },
    ]);
    expect(() => checkFile('board', { file: 'board.json', value: JSON.parse(JSON.stringify(board)) })).not.toThrow();
    expect(BOARD_FORMATS.terminal(board)).toMatch(words);
    expect(BOARD_FORMATS.terminal(board)).not.toContain('versions of the contract');
    const markdown = BOARD_FORMATS.markdown(board);
    expect(markdown).toMatch(words);
    expect(markdown).toMatch(/\| `t` by `.* \[[0-9a-f]{12}\]` \|.*\| judged by another contract \|/);
    const page = boardHtml(board);
    expect(page).toContain('These targets were judged by different contracts');
    expect(page).toMatch(/<span class="by">by .* \[[0-9a-f]{12}\]<\/span>/);
    expect(page).toMatch(/conforms by a profile: <strong>1<\/strong>/);
    expect(page).toMatch(/conforms: <strong>1<\/strong>/);
  });

  it('has a table for each edition, and compares no run with one by another', () => {
    const judged = (edition: string, report: Report): Report => ({ ...report, edition, editionDigest: 'a'.repeat(64) });
    const [first, second] = ['Edition 2030.1 (aaaaaaaaaaaa)', 'Edition 2030.2 (aaaaaaaaaaaa)'];
    const older = judged('2030.1', conforming());
    const board = boardOf(on('t', 1, older), on('t', 2, judged('2030.2', broken())), on('u', 1, older));
    expect(board.targets[0]).toMatchObject({ name: 't', latest: { appeared: [], found: [] } });
    const markdown = BOARD_FORMATS.markdown(board);
    expect(markdown).toMatch(
      new RegExp(`### ${second}\\s[^#]*\`t\`[^#]*### ${first}\\s[^#]*\`u\``.replaceAll(/[()]/g, '\\$&')),
    );
    const tables = boardHtml(board).split('<caption>').slice(1);
    expect(
      tables.map((table) => [table.includes(second), table.split('</table>')[0]?.match(/<tr\b/g)?.length]),
    ).toEqual([
      [true, 2],
      [false, 2],
    ]);
  });

  it('gives a broken clause the strictest level at which a target breaks it', () => {
    const asMust = conforming(verdicts(['a.one', { verdict: 'fail' }], ['a.two'], ['a.three', { verdict: 'pass' }]));
    const asShould = conforming(
      verdicts(
        ['a.one', { verdict: 'warn', level: 'should' }],
        ['a.two', { verdict: 'warn', level: 'should' }],
        ['a.three', { level: 'should' }],
      ),
    );
    const levels = (board: Board) => board.clauses.map(({ id, level, broken: number }) => [id, level, number]);
    const expected = [
      ['a.one', 'must', 2],
      ['a.two', 'should', 1],
      ['a.three', 'must', 0],
    ];
    expect(levels(boardOf(on('t', 1, asMust), on('u', 2, asShould)))).toEqual(expected);
    expect(levels(boardOf(on('t', 2, asMust), on('u', 1, asShould)))).toEqual(expected);
  });

  it('takes reports on one target for its history: what appeared, what was fixed, what was not judged before', () => {
    const older = conforming(verdicts(['a.one'], ['a.two', { verdict: 'fail' }], ['a.three', { verdict: 'skipped' }]));
    const newer = conforming(
      verdicts(['a.one', { verdict: 'fail' }], ['a.two'], ['a.three', { verdict: 'warn', level: 'should' }]),
    );
    const board = boardOf(on('t', 9, newer), on('t', 2, older));
    expect(board.targets).toHaveLength(1);
    expect(board.targets[0]?.latest).toMatchObject({
      report: 't/9/report.json',
      broken: { must: 1, should: 1 },
      appeared: ['a.one'],
      found: ['a.three'],
      fixed: ['a.two'],
    });
    expect(board.targets[0]?.runs.map(({ report }) => report)).toEqual(['t/2/report.json', 't/9/report.json']);
  });

  it('compares a run with the last one that judged a clause: a target that was down in between has not changed', () => {
    const down = conforming({ outcome: { ...conforming().outcome, name: 'not-judged', exit: 3 }, clauses: [] });
    const board = boardOf(
      on('t', 1, conforming(verdicts(['a.one', { verdict: 'fail' }], ['a.two', { verdict: 'fail' }], ['a.three']))),
      on('t', 2, down),
      on('t', 3, conforming(verdicts(['a.one', { verdict: 'fail' }], ['a.two'], ['a.three', { verdict: 'fail' }]))),
    );
    expect(board.targets[0]?.latest).toMatchObject({ appeared: ['a.three'], found: [], fixed: ['a.two'] });
    expect(board.targets[0]?.runs[1]).toMatchObject({ appeared: [], found: [], fixed: [] });
  });

  it('shows a broken clause as accepted if all of its failures are waived or in the baseline', () => {
    const cellsOf = (report: Report) =>
      [...boardHtml(boardOf(on('t', 1, report))).matchAll(/<td class="(v-fail[^"]*)"[^>]*>\s*<a[^>]*>(.)/g)].map(
        ([, classes, sign]) => [classes, sign],
      );
    const failed = broken().cases.find(({ verdict }) => verdict === 'fail');
    if (!failed) throw new Error('The broken report has failures.');
    const expectations = failed.expectations.map((each) => ({
      ...each,
      excused: 'waived' as const,
      findings: each.findings.map((finding) => ({ ...finding, waiver: 1 })),
    }));
    const others = broken().cases.filter(({ verdict }) => verdict !== 'fail');
    expect(cellsOf(broken())).toContainEqual(['v-fail', '✗']);
    expect(cellsOf({ ...broken(), cases: [{ ...failed, expectations }, ...others] })).toContainEqual([
      'v-fail excused',
      '~',
    ]);
  });

  it('says of each run what was broken, or that it was not judged', () => {
    const outcome = { ...conforming().outcome, name: 'not-judged', exit: 3 } as const;
    const mixed = verdicts(
      ['a.one', { verdict: 'fail' }],
      ['a.two', { verdict: 'warn', level: 'should' }],
      ['a.three', { verdict: 'warn', level: 'should' }],
    );
    const page = boardHtml(
      boardOf(
        on('t', 1, conforming({ outcome, clauses: [] })),
        on('t', 2, conforming(verdicts(['a.one']))),
        on('t', 3, conforming(mixed)),
        on('t', 4, conforming(verdicts(['a.one', { verdict: 'fail' }]))),
      ),
    );
    const history = /<ol class="history"[^]*?<\/ol>/.exec(page)?.[0] ?? '';
    expect([...history.matchAll(/<span>([^<]*)<\/span>/g)].map(([, words]) => words)).toEqual([
      '1 must clause broken',
      '1 must and 2 should clauses broken',
      'nothing broken',
      'not judged',
    ]);
  });

  it('counts a report that is given twice once', () => {
    const given = on('t', 1, broken());
    expect(boardOf(given, given).targets[0]?.runs).toHaveLength(1);
  });

  it('has the same address for a target, wherever it stands', () => {
    const [good, bad] = [conforming(), broken()];
    for (const board of [boardOf(on('b', 1, bad), on('a', 1, good)), boardOf(on('b', 1, good), on('a', 1, bad))])
      for (const id of ['target-a', 'target-b']) expect(boardHtml(board)).toContain(`id="${id}"`);
  });

  it('says so if reports were made with different versions of the contract', () => {
    const other = broken();
    const changed = { ...other, provenance: { ...other.provenance, contractHash: 'f'.repeat(64) } };
    const board = boardOf(on('a', 1, conforming()), on('b', 1, conforming()), on('c', 1, changed));
    const words = /2 versions of the contract and suites: \S+ \(2 targets\), ffffffff \(c\)/;
    expect(BOARD_FORMATS.terminal(board)).toMatch(words);
    expect(boardHtml(board)).toMatch(words);
    expect(boardHtml(board)).toContain('other version');
    expect(BOARD_FORMATS.markdown(board)).toContain('2 versions of the contract');
  });

  it('shows text of others as text', () => {
    const board = boardOf(on('<img src=x onerror=alert(1)>|`', 1, broken()));
    expect(boardHtml(board)).not.toContain('<img');
    expect(BOARD_FORMATS.markdown(board)).not.toMatch(/^\| \S+ \| <img/m);
  });

  it('keeps the evidence of failures within its share of the page', () => {
    const [entry] = boardOf(on('a', 1, broken())).targets[0]?.entries ?? [];
    const long = { ...boardOf(on('a', 1, broken())) };
    const [target] = long.targets;
    if (!entry || !target) throw new Error('The broken report has failures.');
    const many = { ...target, entries: Array.from({ length: 200 }, () => ({ ...entry, actual: 'x'.repeat(1_000) })) };
    const page = boardHtml({ ...long, targets: [many] });
    expect(page).toMatch(/1\d\d more causes: see the report/);
    expect(page.length).toBeLessThan(200_000);
  });
});
