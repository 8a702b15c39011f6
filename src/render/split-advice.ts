/** The advice on how a run ended, and the command at its end, which is shown whole, to be copied. */
export function splitAdvice(sentence: string): { readonly words: string; readonly command?: string } {
  const at = sentence.lastIndexOf(TRY);
  if (at === -1) return { words: sentence };
  return { words: sentence.slice(0, at), command: sentence.slice(at + TRY.length) };
}

const TRY = ' Try: ';
