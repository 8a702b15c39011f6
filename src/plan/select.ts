/** Which cases a user chose. */

/** `*` stands for any run of characters, brackets and slashes included. */
export function globMatches(glob: string, id: string): boolean {
  const pattern = glob
    .split('*')
    .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${pattern}$`).test(id);
}

export function selects(
  choice: { readonly only: readonly string[]; readonly skip: readonly string[] },
  id: string,
): boolean {
  const chosen = choice.only.length === 0 || choice.only.some((glob) => globMatches(glob, id));
  return chosen && !choice.skip.some((glob) => globMatches(glob, id));
}
