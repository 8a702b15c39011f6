/** The editions of the tests. A report names the one that it was made by, so that two reports can be set side by side. */
import {
  digestContents,
  EDITION_PARTS,
  type EditionDigest,
  type EditionPart,
  loadEditionContents,
} from './edition-contents.ts';
import { readPackageFile } from './package-files.ts';
import { parseYaml } from './yaml/yaml-document.ts';

export const EDITIONS_FILE = 'schemas/editions.yaml';

/** An entry of the file. */
export interface Edition {
  /** Such as `2026.1`. */
  readonly edition: string;
  /** Absent for a draft, which changes freely. Only the newest can be one. */
  readonly cut?: EditionDigest & { readonly date: string };
  /** What changed since the edition before, for people. */
  readonly changes: readonly string[];
}

let loaded: readonly Edition[] | undefined;

/** Newest first, loaded once per process. */
export function loadEditions(): readonly Edition[] {
  return (loaded ??= parseYaml(readPackageFile(EDITIONS_FILE), EDITIONS_FILE).value as readonly Edition[]);
}

let digested: EditionDigest | undefined;

/** Of the built-in files, made when it is first asked for: no request waits for it. */
export function digestNow(): EditionDigest {
  return (digested ??= digestContents(loadEditionContents()));
}

/** The edition that this version of wirecheck judges by. */
export function currentEdition(): { readonly edition: string; readonly editionDigest: string } {
  const [newest] = loadEditions();
  return { edition: newest ? nameOfEdition(newest) : '', editionDigest: digestNow().digest };
}

/** `2026.1`, or `2026.1-draft` until it is cut. */
export function nameOfEdition({ edition, cut }: Edition): string {
  return cut ? edition : `${edition}-draft`;
}

/** The parts that differ between two digests. */
export function changedParts(before: EditionDigest, now: EditionDigest): readonly EditionPart[] {
  return EDITION_PARTS.filter((part) => before.parts[part] !== now.parts[part]);
}

/** Why the newest edition may not stay as it is: what it covers has changed since it was cut. */
export function findEditionProblem(editions: readonly Edition[], now: EditionDigest): string | undefined {
  const [newest] = editions;
  if (newest?.cut === undefined || newest.cut.digest === now.digest) return undefined;
  const parts = changedParts(newest.cut, now).join(', ');
  return `Edition ${newest.edition} was cut on ${newest.cut.date}, and has changed since: ${parts}. Add a new edition at the top of ${EDITIONS_FILE}.`;
}
