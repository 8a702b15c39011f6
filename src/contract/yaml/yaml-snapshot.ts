/**
 * The parsed YAML files of the package, stored in `dist/` by the build. Parsing and validating them would take longer
 * than everything else before the first request. Entries are keyed by the hash of the text, so a file that was changed
 * after the build is not found here and is parsed like any other.
 */
import { createHash } from 'node:crypto';
import { findPackageFile } from '../package-files.ts';

export const SNAPSHOT = 'dist/yaml-snapshot.json';

export interface ParsedText {
  readonly value: unknown;
  /** JSON pointer → line. */
  readonly lines: Readonly<Record<string, number>>;
  /** Hash of the schema that the value was validated against. */
  readonly fits?: string;
}

/** Hash of the text → its contents. */
type Snapshot = Readonly<Record<string, ParsedText>>;

let loaded: Snapshot | undefined;

export function hashOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Undefined for a text that is not built in, or if there is no build. */
export function findInSnapshot(text: string): ParsedText | undefined {
  loaded ??= read();
  return loaded[hashOfText(text)];
}

function read(): Snapshot {
  return JSON.parse(findPackageFile(SNAPSHOT) ?? '{}') as Snapshot;
}
