import { expect, it } from 'vitest';
import { change, comparison } from '../../../test/kit/comparisons.ts';
import { renderComparison } from './comparison.ts';

it('A comparison shortens nothing that was shortened before', () => {
  const value = `a reply that begins with "${'x'.repeat(260)}…" (4,096 characters)`;
  const changed = change({ what: 'clause-broken', old: { value, exchanges: [] }, new: { value, exchanges: [] } });
  for (const format of ['terminal', 'markdown', 'html', 'junit', 'sarif', 'github'] as const) {
    const text = renderComparison(comparison([changed]), format, { width: 1_000 });
    expect(text).toContain('4,096 characters)');
    expect(text).not.toMatch(/30\d characters/);
  }
});

it('A comparison in Markdown has all data as code and none of its own words', () => {
  const place = { case: 'a/b', title: 'temperature 2 is answered' };
  const changes = [
    change({
      what: 'answer-lost',
      place,
      old: { status: 200, exchanges: ['a/all'] },
      new: { status: 400, code: 'unsupported', exchanges: ['a/b'] },
      breaks: [{ clause: 'limits.temperature', case: 'a/b' }],
    }),
    change({
      what: 'clause-broken',
      clause: 'auth.required',
      place: { case: 'a/plain' },
      cause: 'c',
      fingerprint: 'f',
    }),
    change({ what: 'clause-broken', clause: 'auth.required', place: { case: 'a/more[b]' }, cause: 'c' }),
  ];
  const text = renderComparison(comparison(changes), 'markdown');
  expect(text).toContain(
    [
      '- temperature 2 is no longer answered (`a/b`)',
      '  - before: status 200, from a request shared with other cases (`a/all`)',
      '  - now: status 400, code `unsupported` (`a/b`)',
      '  - clause: `versioning.no-breaking-change`; newly broken: `limits.temperature`',
      '  - fingerprint: `0123456789abcdef`\n',
    ].join('\n'),
  );
  expect(text).toContain('- 2 cases now break `auth.required`\n');
  expect(text).toContain('  - cases: `a/plain`, `a/more[b]`\n');
  expect(text).toContain('  - fingerprint: `c` (for all 2)\n');
});

it('A base request is not shared with other cases', () => {
  const sides = { old: { status: 200, exchanges: ['models'] }, new: { status: 404, exchanges: ['models'] } };
  const lost = change({ what: 'answer-lost', place: { case: 'models/list' }, ...sides });
  expect(renderComparison(comparison([lost]), 'terminal')).toMatch(/Before +status 200 \(models\)/);
});
