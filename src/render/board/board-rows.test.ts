import { describe, expect, it } from 'vitest';
import { boardOf, type Given, on, verdicts } from '../../../test/kit/boards.ts';
import { broken, conforming, expectation, oneCase } from '../../../test/kit/sample-reports.ts';
import type { Report } from '../../report/report.ts';
import { BOARD_FORMATS, boardHtml } from './board-html.ts';

describe('a row of the board', () => {
  it('says in a row what changed since the last run, and draws the latest runs', () => {
    const rowOf = (...runs: readonly Given[]) =>
      /class="matrix board".*?<\/tbody>/s.exec(boardHtml(boardOf(...runs)))?.[0] ?? '';
    const [good, bad] = [conforming(verdicts(['a.one'])), broken(verdicts(['a.one', { verdict: 'fail' }]))];
    const mended = rowOf(on('t', 1, bad), on('t', 2, good));
    expect(mended).toContain('<td class="since"><a href="#target-t">1 fixed</a></td>');
    expect(mended).toMatch(/class="spark".*aria-label="Broken clauses: 1 must at first, none at last/s);
    expect(rowOf(on('t', 1, good), on('t', 2, bad))).toContain('>1 broken<');
    expect(rowOf(on('t', 1, bad), on('t', 2, bad))).toContain('>no change<');
    expect(rowOf(on('t', 1, bad))).not.toMatch(/class="(?:since|spark)"/);
    expect(rowOf(on('t', 1, bad), on('t', 2, good), on('new', 2, good))).toContain('<td class="since"></td>');
    const down = conforming({ outcome: { ...good.outcome, name: 'not-judged', exit: 3 }, clauses: [] });
    expect(rowOf(on('t', 1, bad), on('t', 2, down))).toContain('>not judged<');
    expect(BOARD_FORMATS.markdown(boardOf(on('t', 1, bad), on('t', 2, down)))).toMatch(
      /\| `t` \| – \| – \| not judged \|/,
    );
    expect(rowOf(on('t', 1, down), on('t', 2, good))).toContain('>not judged before<');
    expect(BOARD_FORMATS.markdown(boardOf(on('t', 1, down), on('t', 2, good)))).toContain('| not judged before |');
  });

  it('names the day that a run is compared with, if the run before was not judged', () => {
    const [good, bad] = [conforming(verdicts(['a.one'])), broken(verdicts(['a.one', { verdict: 'fail' }]))];
    const down = conforming({ outcome: { ...good.outcome, name: 'not-judged', exit: 3 }, clauses: [] });
    const same = boardOf(on('t', 1, good), on('t', 2, down), on('t', 3, good));
    const worse = boardOf(on('t', 1, good), on('t', 2, down), on('t', 3, bad));
    const day = same.targets[0]?.runs[0]?.startedAt.slice(0, 10);
    expect(boardHtml(same)).toContain(`>no change since ${day}<`);
    expect(BOARD_FORMATS.markdown(same)).toContain(`| no change since ${day} |`);
    expect(boardHtml(worse)).toContain(`>1 broken since ${day}<`);
    expect(BOARD_FORMATS.markdown(worse)).toContain(`| newly broken: \`a.one\`; compared with ${day} |`);
    expect(BOARD_FORMATS.terminal(worse)).toContain(`(1 broken since ${day})`);
  });

  it('counts a clause at the level at which it is broken: a suite may judge a must as a should', () => {
    const brokenWith = (level: 'must' | 'should', verdict: 'fail' | 'warn') => {
      const cases = [oneCase('own/a', [expectation('a.one', { level, verdict })])];
      return boardOf(on('t', 1, broken({ ...verdicts(['a.one', { verdict }]), cases }))).targets[0]?.latest.broken;
    };
    expect(brokenWith('should', 'fail')).toEqual({ must: 0, should: 1 });
    expect(brokenWith('should', 'warn')).toEqual({ must: 0, should: 1 });
    expect(brokenWith('must', 'fail')).toEqual({ must: 1, should: 0 });
  });

  it('says of a first or last run that was not judged that it was not, in every format', () => {
    const [good, bad] = [conforming(verdicts(['a.one'])), broken(verdicts(['a.one', { verdict: 'fail' }]))];
    const down = conforming({ outcome: { ...good.outcome, name: 'not-judged', exit: 3 }, clauses: [] });
    const trendOf = (...reports: readonly Report[]) => {
      const page = boardHtml(boardOf(...reports.map((report, at) => on('t', at + 1, report))));
      const said = [...page.matchAll(/Broken clauses(?:: | <span class="quiet">)(.*?)["<]/g)].map(([, words]) => words);
      // The table and the section on the trend say the same.
      expect(said).toEqual([said[0], said[0]]);
      return said[0];
    };
    expect(trendOf(down, bad, good)).toBe('not judged at first, none at last, at most 1');
    expect(trendOf(down, bad)).toBe('not judged at first, 1 must at last, at most 1');
    expect(trendOf(bad, down)).toBe('1 must at first, not judged at last, at most 1');
    expect(trendOf(bad, down, good)).toBe('1 must at first, none at last, at most 1');
    expect(trendOf(down, down)).toBe('never judged');
    const found = boardOf(on('t', 1, down), on('t', 2, bad));
    expect(BOARD_FORMATS.terminal(found)).toContain('(1 broken since the last run)');
    expect(BOARD_FORMATS.markdown(found)).toContain('first judged, broken: `a.one`');
    expect(BOARD_FORMATS.agent(found)).toContain('Since the run before: first judged, broken: a.one');
    expect(BOARD_FORMATS.terminal(boardOf(on('t', 1, bad), on('t', 2, bad)))).not.toContain('since the last run');
  });

  it('names a target by its address, and tells how it was checked', () => {
    const upstream = { url: 'http://127.0.0.1:7/v1' } as Report['target']['upstream'];
    const gateway = conforming();
    const relay: Report = {
      ...gateway,
      subject: 'relay',
      target: { ...gateway.target, ...(upstream && { upstream }) },
    };
    const names = boardOf({ report: gateway }, { report: relay, file: 'b' }).targets.map(({ name }) => name);
    const { baseUrl } = gateway.target;
    expect(names.toSorted()).toEqual([baseUrl, `${baseUrl} (relay)`]);
  });

  it('names a target where one is meant', () => {
    const [good, bad] = [conforming(verdicts(['a.one'])), broken(verdicts(['a.one', { verdict: 'fail' }]))];
    const board = boardOf(on('prod', 1, bad), on('lab', 1, good));
    expect(boardHtml(board)).toMatch(/1 of 2 targets fails \(prod\)/);
    expect(boardHtml(board)).toMatch(/<strong>prod<\/strong>\s*<\/td>/);
    expect(BOARD_FORMATS.markdown(board)).toContain('| `a.one` | must | `prod` |');
    expect(boardHtml(boardOf(on('prod', 1, bad), on('lab', 1, bad)))).toContain('<strong>2 targets</strong>');
  });
});
