import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkFile } from './file-schema.ts';
import { packageRoot } from './package-root.ts';
import { makeYamlSnapshot } from './write-built-files.ts';
import {
  hashOfText,
  type ParsedText,
  parseYaml,
  readYaml,
  recallYaml,
  type YamlDocument,
} from './yaml/yaml-document.ts';

const FILES = ['schemas/v1/clauses.yaml', 'suites/auth.yaml', 'suites/requests.yaml'];
const textOf = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');
const SNAPSHOT = makeYamlSnapshot(packageRoot());
const find = (text: string): ParsedText | undefined => SNAPSHOT[hashOfText(text)];

function recall(file: string): YamlDocument {
  const known = find(textOf(file));
  if (!known) throw new Error(`The snapshot does not have ${file}.`);
  return recallYaml(known, file);
}

describe('the snapshot of the YAML files', () => {
  it('can be stored and read back', () => {
    expect(JSON.parse(JSON.stringify(SNAPSHOT))).toEqual(SNAPSHOT);
  });

  it.each(FILES)('agrees with the parser on %s', (file) => {
    const parsed = readYaml(textOf(file), file);
    const recalled = recall(file);
    expect(recalled.fits).toBeDefined();
    expect(parsed.fits).toBeUndefined();
    expect(recalled.value).toEqual(parsed.value);
    for (const path of [
      [],
      [3],
      [3, 'level'],
      [3, 'nothing', 'below'],
      ['cases', 2],
      ['cases', 2, 'expect', 0],
      ['chat', 'body'],
    ]) {
      expect(recalled.lineOf(path), path.join('/')).toBe(parsed.lineOf(path));
    }
  });

  it('does not apply to a file that has changed since', () => {
    const changed = textOf('suites/auth.yaml').replace('title:', 'titel:');
    expect(find(changed)).toBeUndefined();
    expect(() => checkFile('suite', parseYaml(changed, 'suites/auth.yaml'))).toThrow(/unknown key "titel"/);
  });

  it('does not apply to a file with a different schema', () => {
    const suite = recall('suites/auth.yaml');
    expect(() => checkFile('suite', suite)).not.toThrow();
    expect(() => checkFile('config', suite)).toThrow(/unknown key/);
  });
});
