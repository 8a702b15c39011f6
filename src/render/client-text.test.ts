import { expect, it } from 'vitest';
import { CLIENT_RESULTS } from '../report/client-evidence.ts';
import { quoteText } from '../text/quote.ts';
import { clientFacts, RESULT_WORDS, showBytes } from './client-text.ts';

it('Every result has a word and a meaning', () => {
  expect(Object.keys(RESULT_WORDS).toSorted()).toEqual([...CLIENT_RESULTS].toSorted());
});

it('Line ends of a stream can be told apart', () => {
  expect(showBytes('\uFEFFa\r\n\r\nb\n\nc\r\rd\u001b[1m')).toBe(
    '⟨BOM⟩a␍␊\n␍␊\nb␊\n␊\nc␍\n␍\nd␛[1m'.replace('␛', showBytes('\u001b')),
  );
  expect(showBytes('\u001b')).not.toContain('\u001b');
});

it('What a client did not say is left out', () => {
  const evidence = {
    result: 'silent',
    said: quoteText(''),
    complaint: quoteText('no'),
    exit: 0,
    time: 1,
    exchanges: [],
  } as const;
  expect(clientFacts(evidence)).toEqual([
    ['Result', 'silent: a failure shown as success'],
    ['Error', 'no'],
  ]);
});
