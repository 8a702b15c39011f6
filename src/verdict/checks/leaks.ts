import { readChunks } from '../../exchange/reading/chunks.ts';
import { readOwnWords, wordsOf } from '../../exchange/reading/page-or-empty.ts';
import { parseJson } from '../../json.ts';
import { quoteText } from '../../text/quote.ts';
import type { Check } from '../check.ts';
import { noOccasion } from '../check-result.ts';
import { finding } from '../finding.ts';
import { allAnswers, type AnswerPlace } from '../reading/answer-places.ts';
import { eachExchange } from '../reading/each-exchange.ts';
import { findLeaks } from '../reading/leaks.ts';
import type { Finding } from '../verdict.ts';

/** The words of an error answer, and those of errors in a stream. */
function errorTexts({ exchange: { request }, answer }: AnswerPlace): readonly string[] {
  if (answer.status >= 400) return [readOwnWords(answer) ?? ''];
  if (answer.status !== 200 || request.mode !== 'stream') return [];
  return readChunks(answer).errors.map(({ data }) => wordsOf(parseJson(data) ?? data) ?? '');
}

export const LEAK_CHECKS = {
  'no-leak': {
    summary: 'No error has a private address, a file with a line number or a stack trace.',
    execute: eachExchange((exchange, { run }) => {
      const places = allAnswers([exchange]).map((place) => ({ ...place, texts: errorTexts(place) }));
      if (places.every(({ texts }) => texts.length === 0)) return noOccasion('error');
      return places.flatMap(({ texts, attempt }): readonly Finding[] =>
        texts.flatMap((text) =>
          findLeaks(text, exchange, run.settings.baseUrl).map((leak) =>
            finding(exchange, {
              mismatch: 'leak',
              expected: 'no-inside',
              actualType: leak.kind,
              actual: { kind: 'leak', of: leak.kind, text: quoteText(leak.text) },
              attempt,
            }),
          ),
        ),
      );
    }),
  },
} satisfies Record<string, Check>;
