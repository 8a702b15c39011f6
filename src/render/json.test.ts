import { describe, expect, it } from 'vitest';
import { render } from './index.ts';
import { broken } from '../../test/kit/sample-reports.ts';

describe('the JSON report', () => {
  it('contains the whole report', () => {
    expect(JSON.parse(render(broken(), 'json'))).toEqual(broken());
  });

  it('has a stable key order, however the report was built', () => {
    const reversed = Object.fromEntries(Object.entries(broken()).toReversed()) as unknown as ReturnType<typeof broken>;
    expect(render(reversed, 'json')).toBe(render(broken(), 'json'));
  });

  it('keeps unknown fields from a newer version', () => {
    expect(JSON.parse(render({ ...broken(), later: 1 } as ReturnType<typeof broken>, 'json'))).toHaveProperty(
      'later',
      1,
    );
  });
});
