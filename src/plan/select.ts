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

export function isSelected({ only, skip }: Readonly<Record<'only' | 'skip', readonly string[]>>, id: string): boolean {
  const matches = (glob: string): boolean => matchesCase(glob, id);
  return (only.length === 0 || only.some(matches)) && !skip.some(matches);
}

/** `auth/unknown-key` matches all cases that it expands to. */
export function matchesCase(glob: string, id: string): boolean {
  return matchesGlob(glob, id) || matchesGlob(`${glob}[*]`, id);
}
