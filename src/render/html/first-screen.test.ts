import { describe, expect, it } from 'vitest';
import { conforming, expectation, finding, oneCase } from '../../../test/kit/sample-reports.ts';
import { page, sectionOf, textOf } from '../../../test/kit/reading-pages.ts';
import { oneOfEverything } from '../../../test/kit/sample-pages.ts';

describe('the first screen', () => {
  it('names each broken clause on the first screen in one line, with a link to its entry', () => {
    const html = page(oneOfEverything());
    const lines = [...sectionOf(html, 'broken').matchAll(/<li>(.*?)<\/li>/gs)].map(([, line = '']) => line);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('<a href="#errors.code"><code class="id">errors.code</code></a>');
    expect(textOf(lines[0] ?? '')).toMatch(/errors.code .* \d cases?/);
    expect(html.indexOf('id="broken"')).toBeLessThan(html.indexOf('id="overview"'));
    expect(sectionOf(page(conforming()), 'broken')).toBe('');
  });

  it('folds what would push the rest off the first screen', () => {
    const ids = Array.from({ length: 15 }, (_, at) => `errors.rule-${String.fromCharCode(97 + at)}`);
    const failed = ids.map((id) => expectation(id, { verdict: 'fail', findings: [finding()] }));
    const html = sectionOf(page(oneOfEverything({ cases: [oneCase('a/b', failed)] })), 'broken');
    expect(textOf(html)).toContain('3 more clauses');
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
    expect(contents).toContain('Broken 1 Warnings 2 Not judged 3');
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
    const section = sectionOf(html, 'unjudged');
    const [, number] = /<span class="count" data-count>(\d+)</.exec(section) ?? [];
    expect(legend).toContain(`${number} not judged (`);
    expect(section.match(/data-verdict=/g)).toHaveLength(Number(number));
  });

  it('keep a flag on one line', () => {
    expect(sectionOf(page(oneOfEverything()), 'unjudged')).toContain('<span class="whole">--forbidden-model</span>');
  });

  it('count what is broken in the words of the verdict', () => {
    const html = page(oneOfEverything());
    expect(textOf(html)).toMatch(/DOES NOT CONFORM : 1 must clause broken/);
    expect(textOf(sectionOf(html, 'broken'))).toMatch(/^ 1 must clause broken, 2 warnings /);
  });
});
