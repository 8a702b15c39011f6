import { describe, expect, it } from 'vitest';

interface Digest {
  readonly digest: string;
  readonly parts: Readonly<Record<string, string>>;
}
const { cutEdition } = (await import(new URL('../scripts/editions/cut-edition.mjs', import.meta.url).href)) as {
  readonly cutEdition: (text: string, digest: Digest, date: string) => string;
};

describe('cutting the edition', () => {
  const digest = { digest: 'd', parts: { clauses: 'a', cases: 'b' } };
  const draft = "# Newest first.\n\n- edition: '2027.2'\n  changes:\n    - More.\n- edition: '2027.1'\n";

  it('adds the date and the digests to the newest one', () => {
    expect(cutEdition(draft, digest, '2030-01-31')).toBe(
      draft.replace(
        "'2027.2'\n",
        "'2027.2'\n  cut:\n    date: '2030-01-31'\n    digest: d\n    parts:\n      clauses: a\n      cases: b\n",
      ),
    );
  });

  it('leaves one that was cut before as it is', () => {
    const cut = cutEdition(draft, digest, '2030-01-31');
    expect(cutEdition(cut, { ...digest, digest: 'e' }, '2030-02-28')).toBe(cut);
  });
});
