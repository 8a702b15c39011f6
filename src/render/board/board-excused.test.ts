import { describe, expect, it } from 'vitest';
import { boardOf, on, verdicts } from '../../../test/kit/boards.ts';
import { broken, conforming, expectation, finding, oneCase } from '../../../test/kit/sample-reports.ts';
import { checkFile } from '../../contract/file-schema.ts';
import type { Excuse } from '../../report/excuses/excuse-report.ts';
import type { Report } from '../../report/report.ts';
import { BOARD_FORMATS, boardHtml } from './board-html.ts';

const FAIL = { verdict: 'fail' } as const;
const GOOD = conforming(verdicts(['a.open'], ['a.out']));

/** Breaks both clauses; the second one does not count in one of its cases, or in both. */
function excused(excuse: Excuse, isAll = true): Report {
  const mark = excuse === 'waived' ? { waiver: 1 } : { since: 'known' as const };
  const out = (isOut: boolean) =>
    expectation('a.out', { ...FAIL, ...(isOut && { excused: excuse }), findings: [finding(isOut ? mark : {})] });
  return broken({
    ...verdicts(['a.open', FAIL], ['a.out', FAIL]),
    cases: [
      oneCase('own/open', [expectation('a.open', { ...FAIL, findings: [finding()] })], FAIL),
      oneCase('own/out', [out(true)], FAIL),
      oneCase('own/other', [out(isAll)], FAIL),
    ],
  });
}

describe.each([
  ['waived', 'waived'],
  ['known', 'in the baseline'],
] as const)('a clause that is %s', (excuse, words) => {
  const board = boardOf(on('t', 1, GOOD), on('t', 2, excused(excuse)));

  it('is told from one that counts, in every format', () => {
    const page = boardHtml(board);
    expect(page).toContain(`<td class="number">2 (1 ${words})</td>`);
    expect(page).toContain(`>1 broken, 1 ${words}</a></td>`);
    expect(page).toContain(`2 must clauses broken (1 ${words})`);
    expect(page).toContain(`>a.out</code> (${words})`);
    expect(page).toContain(`none at first, 2 must (1 ${words}) at last`);
    const most = /<table class="most-broken">[^]*?<\/table>/.exec(page)?.[0] ?? '';
    expect(most).toMatch(new RegExp(`a\\.open[^]*>broken<[^]*a\\.out[^]*~</span>${words}</span>\\s<strong>t<`));
    expect(most.match(/>broken</g)).toHaveLength(1);
    const markdown = BOARD_FORMATS.markdown(board);
    expect(markdown).toContain(`| ❌ | \`t\` | 2 (1 ${words}) | 0 | newly broken: \`a.open\`, \`a.out\` (${words}) |`);
    expect(markdown).toContain(`| \`a.open\` | must | \`t\` |\n| \`a.out\` | must | \`t\` (${words}) |`);
    expect(BOARD_FORMATS.terminal(board)).toContain(`(1 broken, 1 ${words} since the last run)`);
    const agent = BOARD_FORMATS.agent(board);
    expect(agent).toContain(`2 must clauses broken (1 ${words})`);
    expect(agent).toContain(`Broken (must): a.out (${words}), a.open\n`);
    expect(agent).toContain(`Since the run before: newly broken: a.open, a.out (${words})`);
  });

  it('is so in the data', () => {
    expect(board.targets[0]?.latest).toMatchObject({
      broken: { must: 2, should: 0 },
      excused: [{ clause: 'a.out', level: 'must', excuse }],
    });
    expect(board.clauses).toMatchObject([
      { id: 'a.open', broken: 1, excused: 0 },
      { id: 'a.out', broken: 1, excused: 1 },
    ]);
    expect(() => checkFile('board', { file: 'board.json', value: JSON.parse(JSON.stringify(board)) })).not.toThrow();
  });

  it('counts if it is so only in some cases', () => {
    const inPart = boardOf(on('t', 1, GOOD), on('t', 2, excused(excuse, false)));
    expect(inPart.targets[0]?.latest.excused).toEqual([]);
    for (const text of [BOARD_FORMATS.markdown(inPart), BOARD_FORMATS.agent(inPart)]) expect(text).not.toContain(words);
    expect(BOARD_FORMATS.terminal(inPart)).toContain('(2 broken since the last run)');
  });
});

it('A clause that is waived for one target counts for another', () => {
  const board = boardOf(on('t', 1, excused('waived')), on('u', 1, excused('waived', false)));
  expect(BOARD_FORMATS.markdown(board)).toContain('| `a.out` | must | `u` |\n| `a.out` | must | `t` (waived) |');
});

it('A clause whose waiver has expired is no longer excused, and one that was waived meanwhile is said to be', () => {
  const [waived, counts] = [excused('waived'), excused('waived', false)];
  const expired = boardOf(on('t', 1, waived), on('t', 2, counts));
  expect(expired.targets[0]?.latest).toMatchObject({ appeared: [], countsAgain: ['a.out'], accepted: [] });
  expect(boardHtml(expired)).toContain('>1 no longer excused</a></td>');
  expect(boardHtml(expired)).toContain('<strong>no longer excused</strong>');
  expect(BOARD_FORMATS.markdown(expired)).toContain('| no longer excused: `a.out` |');
  expect(BOARD_FORMATS.terminal(expired)).toContain('(1 no longer excused since the last run)');
  expect(BOARD_FORMATS.agent(expired)).toContain('Since the run before: no longer excused: a.out\n');
  const accepted = boardOf(on('t', 1, counts), on('t', 2, waived));
  expect(accepted.targets[0]?.latest).toMatchObject({ appeared: [], countsAgain: [], accepted: ['a.out'] });
  expect(boardHtml(accepted)).toContain('>1 waived</a></td>');
  expect(BOARD_FORMATS.markdown(accepted)).toContain('| now excused: `a.out` (waived) |');
  expect(BOARD_FORMATS.agent(accepted)).toContain('Since the run before: now excused: a.out (waived)\n');
  expect(BOARD_FORMATS.markdown(boardOf(on('t', 1, waived), on('t', 2, waived)))).toContain('| no change |');
});
