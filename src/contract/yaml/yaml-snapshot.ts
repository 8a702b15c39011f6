/**
 * What the YAML files of the package hold, as the build left it in `dist/`. Parsing and checking them would take longer
 * than everything else before the first request. Everything goes by the hash of a text: a file that was changed since
 * the build is simply not found here, and is parsed and checked like any other.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';

export const SNAPSHOT = 'dist/yaml-snapshot.json';

export interface ParsedText {
  readonly value: unknown;
  /** Lines by JSON pointer. */
  readonly lines: Readonly<Record<string, number>>;
  /** Hash of the schema that the value is known to fit. */
  readonly fits?: string;
}

/** By hash of the text. */
type Snapshot = Readonly<Record<string, ParsedText>>;

let loaded: Snapshot | undefined;

export function hashOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Nothing where the text is not one of the package's, or where there is no build. */
export function recall(text: string): ParsedText | undefined {
  loaded ??= read();
  return loaded[hashOfText(text)];
}

function read(): Snapshot {
  let text: string;
  try {
    text = readFileSync(join(packageRoot(), SNAPSHOT), 'utf8');
  } catch {
    return {};
  }
  const snapshot: Snapshot = JSON.parse(text);
  return snapshot;
}
