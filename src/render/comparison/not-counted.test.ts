import { describe, expect, it } from 'vitest';
import { change, comparison, RUN } from '../../../test/kit/comparisons.ts';
import { renderComparison } from './comparison.ts';

describe('a comparison', () => {
  it('shows waived changes as waived, apart from those that count, with the reason', () => {
    const excused = {
      by: 'announcement',
      reason: 'moved',
      date: '2026-01-01',
      link: 'https://gateway.example/log',
    } as const;
    const result = comparison([change({ excused })], { exit: 0 });
    const shown = {
      terminal:
        /^Waived \(1\)\n\n– \/usage is no longer in [^]*^ {2}Waiver {7}removal announced for 2026-01-01: moved [^]*^ {2}Kind {9}breaking$/m,
      markdown:
        /^### Waived \(1\)$[^]*^ {2}- waiver: removal announced for 2026-01-01: moved [^]*^ {2}- kind: breaking$/m,
      html: /<section id="waived"[^]*removal announced for 2026-01-01: moved/,
      agent: /^Waived, which do not count: A field is no longer in answers \(1\)$/m,
      junit: /<testcase name="\/usage [^>]*classname="waived"[^]*<skipped message="removal announced for 2026-01-01/,
      github: /^::notice title=Waived%3A \/usage is no longer/m,
    } as const;
    for (const [format, pattern] of Object.entries(shown)) {
      const text = renderComparison(result, format as keyof typeof shown);
      expect(text).toMatch(pattern);
      expect(text.replaceAll('%3A', ':').replaceAll('%2C', ',')).toContain(
        'NO NEW BREAKING CHANGES: 0 breaking, 0 warnings, 0 additive, 0 drift, 1 waived',
      );
      expect(text).not.toMatch(/^(?:Breaking|### Breaking)|<section id="breaking"/m);
    }
    expect(JSON.parse(renderComparison(result, 'json'))).toMatchObject({
      counts: { breaking: 0, waived: 1 },
      changes: [{ kind: 'breaking', excused }],
    });
  });

  it('says in its last line how many cases only one of the runs has', () => {
    const compared = { ...comparison([]).compared, casesChanged: 1, casesOnlyIn: { old: 0, new: 6 } };
    const more = renderComparison(comparison([], { compared }), 'markdown');
    expect(more).toContain(
      ' in one run or both, 1 of 110 cases has another request in each run, 6 of 110 cases are only in the newer run.',
    );
    expect(more).toContain(
      'NO BREAKING CHANGES: 0 breaking, 0 warnings, 0 additive, 0 drift, 7 of 110 cases not compared',
    );
    const obstacles = [{ kind: 'lacking', cases: ['a/b', 'a/c'], older: 'old', newer: 'new' }] as const;
    const lacking = { ...compared, casesChanged: 0, casesOnlyIn: { old: 3, new: 0 } };
    const fewer = renderComparison(comparison([], { exit: 3, obstacles, compared: lacking }), 'markdown');
    expect(fewer).toContain(', 3 of 106 cases are only in the older run.');
    expect(fewer).toContain('NOT COMPARED: 2 of 106 cases were judged only in the older run');
  });

  it('says in its last line how many cases only the older run could judge', () => {
    const obstacles = [{ kind: 'undecided', cases: ['a/b'], older: 'old', newer: 'new' }] as const;
    expect(renderComparison(comparison([], { exit: 3, obstacles }), 'terminal')).toContain(
      'NOT COMPARED: 1 of 103 cases passed in the older run and could not be judged in the newer',
    );
    const none = comparison([], { exit: 3, obstacles: [{ kind: 'no-case-in-common' }] });
    expect(renderComparison(none, 'terminal')).toContain('NOT COMPARED: no case was judged in both runs; otherwise');
  });

  it('names the clauses that a change breaks, the times that moved with another, and the owner of a waiver', () => {
    const excused = { by: 'waiver', reason: 'known', owner: 'gateway team', date: '2999-01-01' } as const;
    const broken = change({ breaks: [{ clause: 'errors.code', case: 'errors/a' }], excused });
    const slow = change({
      ...{ kind: 'drift', what: 'time', place: { measure: 'first text of a stream' } },
      movedAlong: [{ measure: 'whole stream', old: 193, new: 456 }],
    });
    const text = renderComparison(comparison([broken, slow]), 'terminal', { width: 400 });
    expect(text).toContain('Clause       versioning.no-breaking-change; newly broken: errors.code');
    expect(text).toContain('Waiver       waived until 2999-01-01 by gateway team: known');
    expect(text).toContain('Note         moved with it, and not counted apart: whole stream from 193 to 456 ms');
    for (const format of ['markdown', 'html', 'agent', 'github'] as const) {
      const said = renderComparison(comparison([slow], { failOn: 'drift', exit: 1 }), format);
      expect(said.replaceAll('%3A', ':')).toContain('not counted apart: whole stream from 193 to 456 ms');
    }
  });

  it('says in its last line that a run has no bodies', () => {
    const result = comparison([], { exit: 3, new: { ...RUN, withoutBodies: true } });
    for (const format of ['terminal', 'markdown', 'html'] as const) {
      expect(renderComparison(result, format).replaceAll('`', '')).toContain(
        'NOT COMPARED: the newer run has no bodies (--no-bodies)',
      );
    }
    const bare = { ...RUN, withoutBodies: true } as const;
    expect(renderComparison(comparison([], { exit: 3, old: bare, new: bare }), 'terminal')).toContain(
      'NOT COMPARED: the older and the newer run have no bodies (--no-bodies)',
    );
  });
});
