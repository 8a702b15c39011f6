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
