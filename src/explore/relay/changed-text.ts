/** How a text was changed on its way, where that says more about the cause than the letters that show it. */
import { isQuote } from '../../text/quote.ts';
import type { Symptom } from '../symptoms.ts';

/** The same for two texts if nothing but this was changed in either. */
const CHANGES: Readonly<Record<string, (text: string) => string>> = {
  'white space at the ends': (text) => text.trim(),
  'white space': (text) => text.replaceAll(/\s+/g, ' ').trim(),
  'normal form': (text) => text.normalize('NFC'),
  'compatible form': (text) => text.normalize('NFKC'),
};

/** Undefined if it is no text, or if something else was changed too. */
export function changeOfText({ finding: { expected, actual } }: Pick<Symptom, 'finding'>): string | undefined {
  const [sent, got] = [expected, actual].map((side) => ('text' in side && isQuote(side.text) ? side.text.quote : null));
  if (typeof sent !== 'string' || typeof got !== 'string') return undefined;
  return Object.keys(CHANGES).find((name) => CHANGES[name]?.(sent) === CHANGES[name]?.(got));
}
