import { describe, expect, it } from 'vitest';
import { POISONS, poisoned } from '../../../test/kit/poisoned-reports.ts';
import { FULL_REPORT } from '../../../test/kit/reports.ts';
import { tagsOf, textOf } from '../../../test/kit/reading-pages.ts';
import { broken, clause, conforming, expectation, finding, oneCase } from '../../../test/kit/sample-reports.ts';
import { oneOfEverything } from '../../../test/kit/sample-pages.ts';
import { render } from '../index.ts';
import { prose } from '../markdown/markdown-text.ts';
import { verdictLine } from '../verdict-line.ts';

const page = (report: Parameters<typeof render>[0], more: Parameters<typeof render>[2] = {}) =>
  render(report, 'summary', { file: 'for-the-vendor.HTML', ...more });
/** The full report is written beside it. */
const WITH_PAGE = { page: 'own.html' };

describe('a summary', () => {
  it('is a page if its file is one, and Markdown otherwise', () => {
    expect(page(broken())).toMatch(/^<!doctype html>/);
    for (const file of [undefined, 'summary.md', 'summary'])
      expect(render(broken(), 'summary', file === undefined ? {} : { file })).toMatch(/^## ❌ DOES NOT CONFORM/);
  });

  it('has the verdict, each broken sentence with its part, and what was not judged', () => {
    const report = oneOfEverything();
    for (const text of [textOf(page(report)), render(report, 'summary').replaceAll(/[`*]/g, '')]) {
      const plain = text.replaceAll(/\s+/g, ' ').replaceAll(' :', ':');
      expect(plain).toContain(verdictLine(report));
      for (const words of ['errors.code', 'json.label', 'stream.index', 'part 7', 'Not judged', 'How to read the rest'])
        expect(plain).toContain(words);
      expect(plain).toContain('set WIRECHECK_RESTRICTED_KEY and pass --forbidden-model (1 clause, 1 must)');
      expect(plain).toContain('cannot be seen over the wire (1 clause)');
    }
  });

  it('has the facts of many broken sentences after all else, so that the rest fits on one page', () => {
    const ids = Array.from({ length: 14 }, (_, at) => `a.c${at}`);
    const clauses = ids.map((id) => clause(id, { verdict: 'fail' }));
    const failed = (some: readonly string[]) =>
      some.map((id) => expectation(id, { verdict: 'fail', findings: [finding({ fingerprint: id })] }));
    const broke = (some: readonly string[]) =>
      render(oneOfEverything({ clauses, cases: [oneCase('a/b', failed(some))] }), 'summary');
    const [before = '', after = ''] = broke(ids).split('### Details');
    expect(before).toContain('8 more clauses, in the details.');
    expect(before).not.toContain('expected: ');
    expect(before).toContain('### How to read the rest');
    expect(after.match(/expected: /g)).toHaveLength(14);
    expect(broke(ids.slice(0, 2))).not.toContain('### Details');
    expect(broke(ids.slice(0, 2)).match(/expected: /g)).toHaveLength(2);
  });

  it('has apart what is broken, what is only a warning and what does not count', () => {
    const ids = ['a.fail', 'a.warn', 'a.known'];
    const told = ids.map((id) =>
      expectation(id, {
        verdict: id === 'a.fail' ? 'fail' : 'warn',
        ...(id === 'a.known' && { excused: 'known' }),
        findings: [finding({ fingerprint: id, ...(id === 'a.known' && { since: 'known' }) })],
      }),
    );
    const clauses = ids.map((id) => clause(id, { verdict: id === 'a.fail' ? 'fail' : 'warn' }));
    const text = render(oneOfEverything({ clauses, cases: [oneCase('a/b', told)] }), 'summary');
    const [brief = ''] = text.split('### Details');
    expect(brief).toMatch(
      /### Broken\n\n- .*`a\.fail`.*\n\n### Warnings\n\n- .*`a\.warn`.*\n\n### In the baseline\n\n- .*`a\.known`/,
    );
  });

  it('does not say beside a list of broken clauses that nothing else is broken', () => {
    const outcome = { ...broken().outcome, name: 'unused-waivers', exit: 1 } as const;
    const text = render(broken({ outcome }), 'summary');
    expect(text).toContain('### Broken');
    expect(text).toContain('A waiver is no longer needed. Nothing else fails the run.');
    expect(text).not.toMatch(/nothing else is broken/i);
  });

  it("quotes the contract's own words, says what implies a clause, and quotes nothing for security sense", () => {
    const sentence = { part: '7', table: 'Error', text: 'error.code | `string`' };
    const explained = { verdict: 'fail', explanation: { reading: 'r', sentences: [sentence] } } as const;
    const clauses = [
      clause('a.stated', explained),
      clause('a.implied', { ...explained, kind: 'implied' }),
      clause('a.silent', { verdict: 'fail', kind: 'implied', part: '2, 4' }),
      clause('a.prudent', { verdict: 'fail', kind: 'prudent', part: '-' }),
    ];
    const failed = clauses.map(({ id }) => expectation(id, { verdict: 'fail', findings: [finding()] }));
    const report = oneOfEverything({ clauses, cases: [oneCase('a/b', failed)] });
    const quotation = 'part 7, table Error: "error.code – string"';
    const quoted = render(report, 'summary');
    expect(quoted).toContain('contract: part 7, table Error: "error.code – `string`"');
    expect(page(report)).toContain('&quot;error.code – <code>string</code>&quot;');
    const shown = textOf(page(report).replaceAll(/<\/?code>/g, ''));
    for (const text of [shown.replaceAll('Contract ', 'contract: '), quoted.replaceAll('`', '')]) {
      expect(text).toContain(`contract: ${quotation}`);
      expect(text).toContain(`contract: implied by ${quotation}`);
      expect(text).toContain('contract: implied by parts 2, 4, without a sentence of its own');
      expect(text.match(/contract: /g)).toHaveLength(3);
    }
  });

  it('names nothing as broken for a target that conforms', () => {
    const text = render(conforming(), 'summary');
    expect(text).toContain('Every must clause was judged, and none is broken.');
    expect(text).not.toContain('### Broken');
  });

  it('works for a client, which a must clause binds', () => {
    expect(render(FULL_REPORT, 'summary')).toContain('- A must clause binds every client.');
    expect(page(FULL_REPORT)).toContain('A must clause binds every client.');
    const failed = { ...FULL_REPORT, outcome: { ...FULL_REPORT.outcome, name: 'does-not-conform' as const } };
    expect(render(failed, 'summary')).toContain('The client does not do what the contract asks of clients.');
  });

  it('counts the answers of the cause that it shows, and says how many more causes there are', () => {
    const at = (pointer: string, moreAnswers: number) => finding({ pointer, moreAnswers });
    const shown = (...findings: readonly ReturnType<typeof finding>[]) =>
      broken({ cases: [oneCase('a/b', [expectation('errors.code', { verdict: 'fail', findings })])] });
    const two = shown(at('/error/code', 10), at('/error', 8));
    expect(render(two, 'summary')).toContain('seen in: 11 answers, such as ');
    expect(textOf(page(two)).replaceAll(/\s+/g, ' ')).toContain('Seen in 11 answers, such as ');
    expect(render(two, 'summary', WITH_PAGE)).toContain('\n  - also: 1 more cause: see the full report\n');
    expect(textOf(page(two, WITH_PAGE))).toContain('1 more cause: see the full report');
    expect(render(two, 'summary')).toContain('\n  - also: 1 more cause\n');
    expect(render(shown(at('/error/code', 10)), 'summary')).not.toContain('more cause');
  });

  it('does not say that every must clause was judged if some need more than the key', () => {
    const open = clause('openapi.served', { scope: 'description', verdict: 'skipped' });
    const text = render(conforming({ clauses: [...conforming().clauses, open] }), 'summary');
    expect(text).toContain('Those that need an extra key or a setting were not all judged.');
  });

  it('counts every clause once, also those that were not in the run', () => {
    const report = oneOfEverything();
    const more = [clause('auth.other'), clause('versioning.stable', { scope: 'comparison' })];
    const chosen = more.map(({ verdict: _none, ...rest }) => rest);
    const text = render({ ...report, clauses: [...report.clauses, ...chosen] }, 'summary');
    expect(text).toContain('- no case of this run tests them (1 clause, 1 must)\n');
    expect(text).toContain('- compare two runs with wirecheck compare (1 clause)\n');
    const [, left] = /\n(\d+) of \d+ clauses/.exec(text) ?? [];
    const listed = [...text.matchAll(/^- .* \((\d+) clauses?\b/gm)].reduce(
      (sum, [, number]) => sum + Number(number),
      0,
    );
    expect(listed).toBe(Number(left));
  });

  it('of a part of the cases says how many clauses were not in the run', () => {
    const [first, ...others] = conforming().clauses;
    const clauses = [first, ...others.map(({ verdict: _verdict, ...clause }) => clause)].filter(
      (each) => each !== undefined,
    );
    const text = render(conforming({ clauses }), 'summary');
    expect(text).toContain('- no case of this run tests them (1 clause');
    expect(text).not.toMatch(/sentence above|behind each sentence/);
  });

  it('has the command that explains a clause as one piece of code', () => {
    expect(render(broken(), 'summary')).toContain(
      '- To read more about a clause, run `npx --no-install wirecheck explain CLAUSE`.\n',
    );
  });

  it('names the suite to the command if a broken clause is one of its own', () => {
    const change = { kind: 'clause', clause: 'acme.small', level: 'must', summary: 'Small.' } as const;
    const profile = { basedOn: 'v1', digest: 'a'.repeat(64), safetyChanges: 0, changes: [{ change }] } as const;
    const settings = { suites: ['acme.yaml', 'chat'] };
    const provenance = { ...broken().provenance, settings };
    const failing = (clause: string) => {
      const failed = expectation(clause, { verdict: 'fail', findings: [finding()] });
      return render(broken({ profile, provenance, cases: [oneCase('a/b', [failed])] }), 'summary');
    };
    expect(failing('acme.small')).toContain('wirecheck explain CLAUSE --suite acme.yaml`.\n');
    expect(failing('errors.code')).toContain('wirecheck explain CLAUSE`.\n');
  });

  it('puts the path and the place in the body each in a code of its own', () => {
    expect(prose('POST /v1/chat/completions, /temperature set to 100')).toBe(
      'POST `/v1/chat/completions`, `/temperature` set to 100',
    );
  });

  it('of a target where nothing was judged lists no settings that would not help', () => {
    const { verdict: _verdict, ...unjudged } = clause('a.b', { level: 'none', kind: 'outside' });
    const report = oneOfEverything({ cases: [], clauses: [unjudged] });
    const none = { ...report, outcome: { ...report.outcome, name: 'not-judged' as const } };
    for (const text of [textOf(page(none)), render(none, 'summary')]) {
      expect(text).toContain('Nothing was judged.');
      expect(text).not.toMatch(/### Not judged|A should clause/);
    }
  });

  it('of an exploration says what was drawn, and who judges the rest', () => {
    const report = oneOfEverything();
    const explored = { ...report, explore: FULL_REPORT.explore };
    for (const text of [textOf(page(explored)), render(explored, 'summary')]) {
      expect(text.replaceAll(/\s+/g, ' ')).toMatch(/Requests were drawn: \d+ draws?, /);
    }
  });

  it('stays short, and says what it leaves out', () => {
    const ids = Array.from({ length: 40 }, (_, at) => `errors.rule-${at}`);
    const failed = ids.map((id) => expectation(id, { verdict: 'fail', findings: [finding()] }));
    const report = oneOfEverything({ cases: [oneCase('a/b', failed)] });
    expect(render(report, 'summary', WITH_PAGE)).toContain('15 more clauses: see the full report.');
    expect(textOf(page(report, WITH_PAGE))).toContain('15 more clauses: see the full report.');
    expect(render(report, 'summary')).toContain('15 more clauses.');
  });

  it('names the full report only if there is a page to open', () => {
    for (const report of [broken(), conforming(), oneOfEverything()]) {
      expect(render(report, 'summary', WITH_PAGE)).toMatch(/^- The full report \(`?own\.html`?\) has /m);
      expect(page(report, WITH_PAGE)).toContain('The full report (own.html) has ');
      expect(render(report, 'summary')).not.toContain('full report');
      expect(page(report)).not.toContain('full report');
    }
  });

  it.each(Object.entries(POISONS))('adds no tag and no invisible character: %s', (_what, poison) => {
    const [clean, dirty] = [page(oneOfEverything()), page(poisoned(oneOfEverything(), poison))];
    const known = new Set(tagsOf(clean));
    expect(tagsOf(dirty).filter((tag) => !known.has(tag))).toEqual([]);
    expect(dirty.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u);
    expect(dirty).not.toContain('<script');
  });
});
