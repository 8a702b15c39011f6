import { describe, expect, it } from 'vitest';
import { conforming, expectation, finding, oneCase } from '../../../test/kit/sample-reports.ts';
import { page, sectionOf, textOf } from '../../../test/kit/reading-pages.ts';
import { oneOfEverything } from '../../../test/kit/sample-pages.ts';

describe('the first screen', () => {
  it('names each broken clause on the first screen in one line, with a link to its entry', () => {
    const html = page(oneOfEverything());
    const lines = [...sectionOf(html, 'broken').matchAll(/<li>(.*?)<\/li>/gs)].map(([, line = '']) => line);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('<a href="#errors.code"><code>errors.code</code></a>');
    expect(textOf(lines[0] ?? '')).toMatch(/errors.code .* \d cases?/);
    expect(html.indexOf('id="broken"')).toBeLessThan(html.indexOf('id="overview"'));
    expect(sectionOf(page(conforming()), 'broken')).toBe('');
  });

  it('folds what would push the rest off the first screen', () => {
    const ids = Array.from({ length: 15 }, (_, at) => `errors.rule-${String.fromCharCode(97 + at)}`);
    const failed = ids.map((id) => expectation(id, { verdict: 'fail', findings: [finding()] }));
    const html = sectionOf(page(oneOfEverything({ cases: [oneCase('a/b', failed)] })), 'broken');
    expect(textOf(html)).toContain('15 broken clauses');
    expect(textOf(html)).toContain('3 more broken clauses');
    for (const id of ids) expect(html).toContain(`href="#${id}"`);
  });

  it('leads from a broken square to its entry, and from no other', () => {
    const html = sectionOf(page(oneOfEverything()), 'overview');
    expect([...html.matchAll(/<a class="cell f-(\w+)" href="#([^"]*)"/g)].map(([, ...found]) => found)).toEqual([
      ['fail', 'errors.code'],
      ['warn', 'json.label'],
      ['warn', 'stream.index'],
    ]);
    expect(html).toContain('aria-label="errors.code: broken"');
  });

  it('has the number of entries of each section in its contents', () => {
    const html = page(oneOfEverything());
    const contents = textOf(/<nav.*?<\/nav>/s.exec(html)?.[0] ?? '');
    expect(contents).toContain('Broken 1 Warnings 2 Not judged: inconclusive');
    expect(contents).toContain('Coverage 7');
  });

  it('has the same address for a case in every run', () => {
    const [first, second] = [oneCase('a/b', []), oneCase('auth/unknown-key[models]', [])];
    for (const cases of [[first, second], [second]])
      expect(page(oneOfEverything({ cases }))).toContain('id="case-auth-unknown-key-models"');
  });

  it('count what was not judged in clauses, as the overview does', () => {
    const html = page(oneOfEverything());
    const legend = textOf(sectionOf(html, 'overview'));
    expect(legend.match(/not judged \(/g)).toHaveLength(1);
    for (const [id, word] of [
      ['skipped', 'not tested'],
      ['inconclusive', 'inconclusive'],
    ] as const) {
      const [, number] = /<span class="count" data-count>(\d+)</.exec(sectionOf(html, id)) ?? [];
      expect(legend).toContain(`${number} ${word}`);
      expect(sectionOf(html, id).match(/data-verdict=/g)).toHaveLength(Number(number));
    }
  });

  it('keep a flag on one line', () => {
    expect(sectionOf(page(oneOfEverything()), 'skipped')).toContain('<span class="flag">--forbidden-model</span>');
  });

  it('say how many of the broken clauses the verdict counts', () => {
    expect(textOf(sectionOf(page(oneOfEverything()), 'broken'))).toMatch(/\d broken clauses : \d must, \d should/);
  });
});
