/** Selects cases by --only and --skip. */

/** `*` matches any characters, including brackets and slashes. */
export function matchesGlob(glob: string, id: string): boolean {
  const pattern = glob
    .split('*')
    .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${pattern}$`).test(id);
}

export function isSelected(
  choice: { readonly only: readonly string[]; readonly skip: readonly string[] },
  id: string,
): boolean {
  const chosen = choice.only.length === 0 || choice.only.some((glob) => matchesGlob(glob, id));
  return chosen && !choice.skip.some((glob) => matchesGlob(glob, id));
}
