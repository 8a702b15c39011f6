import { expect, it } from 'vitest';
import { formatBodyEnd } from './request-text.ts';

it('says who stopped reading an answer', () => {
  expect(formatBodyEnd({ kind: 'complete' })).toBeUndefined();
  expect(formatBodyEnd({ kind: 'cut', detail: 'closed' })).toBe('cut');
  expect(formatBodyEnd({ kind: 'aborted', why: 'text' })).toBe('wirecheck stopped reading at the first text');
  expect(formatBodyEnd({ kind: 'aborted', why: 'client-left' })).toBe('the recorded client stopped reading');
  expect(formatBodyEnd({ kind: 'aborted', why: 'the file has only a part of the body' })).toBe(
    'the file has only a part of the body',
  );
});
