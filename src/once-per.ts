/** `find`, called once, when it is first asked for. */
export function once<Found>(find: () => Found): () => Found {
  let known: { readonly found: Found } | undefined;
  return () => (known ??= { found: find() }).found;
}

/**
 * `find`, called once for each key. What it found is kept for as long as the key is, so it must not hold parsed bodies, which
 * take many times the size of their bytes.
 */
export function oncePer<Key extends object, Found>(find: (key: Key) => Found): (key: Key) => Found {
  const known = new WeakMap<Key, { readonly found: Found }>();
  return (key) => {
    const entry = known.get(key) ?? { found: find(key) };
    known.set(key, entry);
    return entry.found;
  };
}
