import { describe, expect, it } from 'vitest';
import { dropQuotes, quoteText } from '../text/quote.ts';
import { formatErrorSaid, formatStatus } from './answer-status.ts';

describe('the error of a finding', () => {
  const said = (type: string) => ({ status: 401, type: quoteText(type), message: quoteText('The key is unknown.') });

  it('has its status, its type and its words', () => {
    expect(formatErrorSaid(said('their_type'))).toBe('401 of type their_type: The key is unknown.');
  });

  it('without texts has its status, a standard type and the length of its words', () => {
    expect(formatErrorSaid(dropQuotes(said('authentication_error')))).toBe(
      '401 of type authentication_error with a text of 19 characters',
    );
    expect(formatErrorSaid(dropQuotes(said('their_type')))).toBe('401 with a text of 19 characters');
  });
});

it('A status says what the answer says of itself, or how long that is', () => {
  const said = { status: 429, code: quoteText('rate_limited'), message: quoteText('slow down') };
  expect(formatStatus(said)).toBe('429 (rate_limited: slow down)');
  expect(formatStatus(dropQuotes(said))).toBe('429 (code of 12 characters, message of 9 characters)');
  expect(formatStatus({ status: 500, isEmpty: true })).toBe('500 (empty body)');
});
