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

type Changed = Pick<Symptom, 'finding'>;

/** Undefined if it is no text, or if something else was changed too. */
export function changeOfText(symptom: Changed): string | undefined {
  const { sent, got } = textsOf(symptom);
  if (sent === undefined || got === undefined) return undefined;
  return Object.keys(CHANGES).find((name) => CHANGES[name]?.(sent) === CHANGES[name]?.(got));
}

/** A character beyond the basic plane, which takes two units of UTF-16 and four bytes of UTF-8. */
export const ASTRAL = /[\u{10000}-\u{10FFFF}]/u;

/** What each character beyond the basic plane became; undefined if not all became the same, or if more was changed. */
export function replacementOf(symptom: Changed): string | undefined {
  const { sent, got } = textsOf(symptom);
  if (sent === undefined || got === undefined || !ASTRAL.test(sent)) return undefined;
  const kept = sent.split(ASTRAL);
  const size = (got.length - kept.join('').length) / (kept.length - 1);
  const start = kept[0]?.length ?? 0;
  const replacement = got.slice(start, start + size);
  return kept.join(replacement) === got && !ASTRAL.test(replacement) ? replacement : undefined;
}

function textsOf({ finding: { expected, actual } }: Changed) {
  const [sent, got] = [expected, actual].map((side) =>
    'text' in side && isQuote(side.text) ? (side.text.quote ?? undefined) : undefined,
  );
  return { sent, got };
}
