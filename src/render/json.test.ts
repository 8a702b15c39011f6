import { describe, expect, it } from 'vitest';
import { render } from './index.ts';
import { broken } from '../../test/kit/sample-reports.ts';

describe('the JSON report', () => {
  it('holds the whole report', () => {
    expect(JSON.parse(render(broken(), 'json'))).toEqual(broken());
  });

  it('has the same order of keys however the report was put together', () => {
    const reversed = Object.fromEntries(Object.entries(broken()).toReversed()) as unknown as ReturnType<typeof broken>;
    expect(render(reversed, 'json')).toBe(render(broken(), 'json'));
  });

  it('keeps what a newer version may add', () => {
    expect(JSON.parse(render({ ...broken(), later: 1 } as ReturnType<typeof broken>, 'json'))).toHaveProperty(
      'later',
      1,
    );
  });
});
