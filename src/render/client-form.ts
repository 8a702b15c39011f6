/** The form in which a client fails to return the text of a reply: what tells one fault from another within a clause. */
import type { CaseReport, FindingReport } from '../report/report.ts';
import { messageForm } from '../text/error-message.ts';
import type { Quote } from '../text/quote.ts';
import { maskScenarioWord } from '../text/scenario-word.ts';

/**
 * The same error, or the same text beside the random word, is one fault in however many scenarios. A client that hangs,
 * or loses the text without a word, shows nothing of its fault: each scenario may have its own.
 */
export function formOfClient({ id, client }: Pick<CaseReport, 'id' | 'client'>, { actual }: FindingReport): unknown {
  if (!client) return id;
  const ofText = (text: string): string => maskScenarioWord(text, client.text ?? '');
  const ofError = (text: string): string => messageForm(ofText(text));
  if (actual.kind === 'gave-up' && actual.complaint.length > 0) {
    const { exit, signal, complaint } = actual;
    // The first words are those of all that it printed. The evidence has the other lines of a message, unless it was cut.
    return [exit, signal, formOfQuote(complaint, ofError), formOfQuote(client.complaint, ofError)];
  }
  return actual.kind === 'returned' && client.said.length > 0 ? formOfQuote(client.said, ofText) : id;
}

/** Where the text was left out, its length stands for it. */
function formOfQuote({ quote, length }: Quote, formOf: (text: string) => string): string | number {
  return quote === null ? length : formOf(quote);
}
