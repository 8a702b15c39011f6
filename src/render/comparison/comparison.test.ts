import { describe, expect, it } from 'vitest';
import { type Change, type ChangeName, CHANGES, type Comparison } from '../../report/comparison/comparison.ts';
import { COMPARISON_FORMAT_NAMES, renderComparison } from './comparison.ts';
import { change, comparison } from '../../../test/kit/comparisons.ts';

describe('a comparison', () => {
  it('shows changes with both sides', () => {
    expect(renderComparison(comparison([change()]), 'terminal')).toMatchInlineSnapshot(`
      "Old:        old.ndjson, https://gateway.example/v1, model small, 2026-01-01 00:00 UTC
      New:        new.ndjson, https://gateway.example/v1, model small, 2026-01-01 00:00 UTC
      Compared 100 cases and 9 kinds of answer (112 answers in the older run). Not compared: 3 of 103
      cases were not judged (2) or flaky (1) in one run or both. 4 kinds of answer have fewer than 3
      answers: a field missing from them is only a warning.

      Breaking (1)

      ✗ /usage is no longer in answers to POST /chat/completions with status 200
        Before       object, in 25 of 25 answers (chat)
        Now          in none of 24 answers (chat/charset)
        Clause       versioning.no-breaking-change
        Fingerprint  0123456789abcdef

      BREAKING CHANGES: 1 breaking, 0 warnings, 0 additive, 0 drift
      "
    `);
  });

  it('says in every format which clauses the two contracts define differently', () => {
    const result = comparison([], { notices: [{ kind: 'redefined', clauses: ['errors.code'] }] });
    for (const format of COMPARISON_FORMAT_NAMES) {
      const text = renderComparison(result, format, { width: 200 }).replaceAll('%3A', ':');
      if (format === 'json') expect(JSON.parse(text)).toMatchObject({ notices: result.notices });
      else expect(text).toContain('so their verdicts were not compared: errors.code.');
    }
  });

  it('shows one cause once, with a count and one fingerprint', () => {
    const cases = ['a/b', 'a/c', 'a/d'].map((id, index) =>
      change({
        kind: 'warning',
        what: 'refusal-code',
        place: { case: id },
        old: { status: 400, code: 'invalid_temperature', exchanges: [id] },
        new: { status: 400, code: 'temperature_out_of_range', exchanges: [id] },
        fingerprint: String(index).repeat(16),
      }),
    );
    for (const format of ['terminal', 'markdown', 'html', 'junit', 'sarif', 'github'] as const) {
      const text = renderComparison(comparison(cases), format, { width: 200 }).replaceAll('`', '');
      expect(text).toContain('fedcba9876543210');
      expect(text).toContain('for all 3');
      expect(text).not.toContain('1111111111111111');
      expect(text).toMatch(/Error code changed(?::|%3A) invalid_temperature → temperature_out_of_range \(3 cases\)/);
    }
    const text = renderComparison(comparison(cases), 'terminal');
    expect(text.match(/Error code changed/g)).toHaveLength(1);
    expect(text).toContain('Cases        a/b, a/c, a/d');
    expect(text).toContain('0 breaking, 1 warning, 0 additive');
    expect(renderComparison(comparison(cases.slice(0, 1)), 'terminal')).toContain('temperature_out_of_range (a/b)');
  });

  it('counts a case once, however many kinds of answer show the change', () => {
    const broken = ['1', '2', '3'].map((digit) =>
      change({
        what: 'clause-broken',
        clause: 'auth.key-echo',
        place: { case: 'auth/key-echo' },
        fingerprint: digit.repeat(16),
      }),
    );
    const text = renderComparison(comparison(broken), 'terminal');
    expect(text).toContain('auth/key-echo now breaks auth.key-echo');
    expect(text).not.toMatch(/3 cases|Cases {2}/);
  });

  it('keeps changes of different causes apart', () => {
    const [first, second] = ['a', 'b'].map((letter) =>
      change({ what: 'answer-lost', place: { case: `a/${letter}` }, cause: letter.repeat(16) }),
    );
    const text = renderComparison(comparison([first ?? change(), second ?? change()]), 'terminal');
    expect(text).toContain('a/a is no longer answered');
    expect(text).toContain('a/b is no longer answered');
  });

  it('says what is no longer answered by the titles of cases', () => {
    const lost = (title: string) =>
      renderComparison(comparison([change({ what: 'answer-lost', place: { case: 'a/b', title } })]), 'terminal');
    expect(lost('temperature 2 is answered')).toContain('temperature 2 is no longer answered (a/b)');
    expect(lost('stream false is answered with JSON')).toContain('stream false is no longer answered with JSON (a/b)');
    expect(lost('A request that I like')).toContain('a/b is no longer answered');
    const titles = { 'a/b': 'temperature 2 is answered', 'a/c': 'temperature alone is answered' };
    const changes = Object.entries(titles).map(([id, title]) =>
      change({ what: 'answer-lost', place: { case: id, title } }),
    );
    const text = renderComparison(comparison(changes), 'terminal');
    expect(text).toContain('temperature 2 and 1 more case are no longer answered\n');
  });

  it('lists additive changes in a line each, without fingerprints', () => {
    const added = change({ kind: 'additive', what: 'field-new', place: { ...change().place, pointer: '/extra' } });
    const value = change({
      kind: 'additive',
      what: 'value-new',
      place: { pointer: '/error/code' },
      new: { value: 'teapot', exchanges: ['chat'] },
      cause: '0'.repeat(16),
    });
    const shown = renderComparison(comparison([added, value]), 'terminal', { width: 200 });
    expect(shown).toContain(
      [
        'Additive (2)',
        '  + /extra is new in answers to POST /chat/completions with status 200',
        '  + /error/code has a new value: teapot',
        '',
        '',
      ].join('\n'),
    );
    for (const format of ['terminal', 'markdown', 'html', 'junit', 'github'] as const)
      expect(renderComparison(comparison([added, value]), format)).not.toMatch(/0123456789abcdef|fedcba/);
  });

  it('names models that are no longer listed, up to a limit', () => {
    const gone = (id: string): Change =>
      change({
        kind: 'warning',
        what: 'model-gone',
        place: { endpoint: 'models', mode: 'plain', pointer: '/data/*/id' },
        old: { value: id, exchanges: ['models'] },
        new: { exchanges: ['models'] },
      });
    const said = (...[own, format, width]: readonly [Comparison, 'terminal' | 'markdown' | 'html', number]): string =>
      renderComparison(own, format, { width }).replaceAll('`', '');
    for (const format of ['terminal', 'markdown', 'html'] as const) {
      const few = said(comparison(['m-b', 'm-c'].map(gone)), format, 200);
      expect(few).toContain('Models no longer listed: m-b, m-c (removed without deprecation, or the key lost access)');
      expect(few).not.toContain('kind of answer with');
      const names = Array.from({ length: 14 }, (_, index) => `m-${index}`);
      const many = said(comparison(names.map(gone)), format, 400);
      expect(many).toContain('m-9 and 4 more (removed');
    }
    const text = renderComparison(comparison([gone('m-b')]), 'terminal', { width: 200 });
    expect(text).toContain('Model no longer listed: m-b');
  });

  it('waives models that are gone one by one', () => {
    const gone = ['m-b', 'm-c'].map((id, index) =>
      change({
        kind: 'warning',
        what: 'model-gone',
        place: { endpoint: 'models', mode: 'plain', pointer: '/data/*/id' },
        old: { value: id, exchanges: ['models'] },
        new: { exchanges: ['models'] },
        fingerprint: String(index).repeat(16),
        cause: id,
      }),
    );
    expect(renderComparison(comparison(gone), 'terminal', { width: 200 })).toContain(
      'Fingerprint  0000000000000000 (m-b), 1111111111111111 (m-c)',
    );
  });

  it('explains why a missing field is only a warning', () => {
    const few = change({ kind: 'warning', old: { answers: 2, present: 2, exchanges: ['models'] }, scant: true });
    for (const format of ['terminal', 'markdown', 'html'] as const)
      expect(renderComparison(comparison([few]), format, { width: 200 })).toContain(
        'only a warning: the older run has 2 answers, and breaking needs 3',
      );
  });

  it('shows the announced date of a removal that came too early', () => {
    const early = change({ announcedFor: '2999-01-01' });
    for (const format of ['terminal', 'markdown', 'html'] as const)
      expect(renderComparison(comparison([early]), format, { width: 200 })).toContain(
        'announced for 2999-01-01, but removed before that day',
      );
  });

  it('says that cases share a request', () => {
    const shared = change({
      what: 'answer-lost',
      place: { case: 'chat/system-message' },
      old: { status: 200, exchanges: ['chat/conversation'] },
      new: { status: 400, exchanges: ['chat/system-message'] },
    });
    const text = renderComparison(comparison([shared]), 'terminal');
    expect(text).toContain('status 200, from a request shared with other cases (chat/conversation)');
    expect(text).toContain('status 400 (chat/system-message)');
  });

  it('gives the number of cases that were not compared once, if they have one reason', () => {
    const compared = { ...comparison([]).compared, casesLeftOut: { inconclusive: 0, skipped: 8, flaky: 0 } };
    const text = renderComparison(comparison([], { compared }), 'terminal').replaceAll(/\s+/g, ' ');
    expect(text).toContain('Not compared: 8 of 108 cases were not judged in one run or both.');
  });

  it.each([
    ['gap between two pieces of a stream', 7, 121, 'The median gap between two pieces of a stream is 17 times as long'],
    ['gap between two pieces of a stream', 121, 7, 'The median gap between two pieces of a stream is shorter'],
    ['first text of a stream', 15, 274, 'The first text of a stream takes 18 times as long'],
    ['whole stream', 400, 1000, 'A whole stream takes 2.5 times as long'],
    ['reply', 300, 400, 'A reply takes longer'],
    ['reply', 400, 300, 'A reply takes less time'],
    ['refusal', 0, 80, 'A refusal takes longer'],
  ])('says how much a time drifted: %s, %d to %d ms', (measure, old, now, sentence) => {
    const side = (median: number) => ({ answers: 3, median, spread: 1, exchanges: ['chat-stream'] });
    const drifted = change({ kind: 'drift', what: 'time', place: { measure }, old: side(old), new: side(now) });
    const text = renderComparison(comparison([drifted]), 'terminal');
    expect(text).toContain(sentence);
    expect(text).toContain(`${old} ms (median of 3 answers, spread 1 ms)`);
    expect(text).toContain(`${now} ms (median of 3 answers, spread 1 ms)`);
  });

  it('says why two runs could not be compared', () => {
    const ending = { kind: 'key-refused', status: 401 } as const;
    const result = comparison([], { exit: 3, obstacles: [{ kind: 'incomplete', source: 'new.ndjson', ending }] });
    for (const format of ['terminal', 'markdown', 'html'] as const) {
      expect(renderComparison(result, format)).toContain(
        'NOT COMPARED: 3 of 103 cases were not judged (2) or flaky (1) in one run or both',
      );
      expect(renderComparison(result, format)).toMatch(/new\.ndjson is incomplete \(the key was refused with 401\)/);
    }
  });

  it.each(Object.keys(CHANGES) as ChangeName[])('has a sentence for %s in every format', (what) => {
    const { place, old, new: now } = change();
    const sides = { old: { ...old, value: 'x' }, new: { ...now, value: 'y' } };
    const moved = change({ what, place: { ...place, case: 'a/b', measure: 'reply' }, ...sides });
    for (const format of COMPARISON_FORMAT_NAMES) {
      const text = renderComparison(comparison([moved]), format);
      expect(text).not.toMatch(/undefined|\[object/);
    }
  });
});
