/** Selects cases by --only and --skip. */

/** `*` matches any characters, including brackets and slashes. */
export function matchesGlob(glob: string, id: string): boolean {
  const [start = '', ...rest] = glob.split('*');
  const end = rest.pop();
  if (end === undefined) return id === glob;
  if (!id.startsWith(start)) return false;
  // The first place is always right for the parts between. A regular expression would try all of them.
  let at = start.length;
  for (const part of rest) {
    const found = id.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return id.length - end.length >= at && id.endsWith(end);
}

export function isSelected(
  choice: { readonly only: readonly string[]; readonly skip: readonly string[] },
  id: string,
): boolean {
  const chosen = choice.only.length === 0 || choice.only.some((glob) => matchesGlob(glob, id));
  return chosen && !choice.skip.some((glob) => matchesGlob(glob, id));
}
