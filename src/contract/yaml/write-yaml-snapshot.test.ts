import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type * as YamlSnapshot from './yaml-snapshot.ts';

// The snapshot of a build would stand in for the parser, so each test decides what there is.
const state = vi.hoisted((): { known: Record<string, YamlSnapshot.ParsedText> } => {
  // Test files share their modules, and those loaded before know the real snapshot.
  vi.resetModules();
  return { known: {} };
});
vi.mock('./yaml-snapshot.ts', async (original) => {
  const module = await original<typeof YamlSnapshot>();
  return { ...module, findInSnapshot: (text: string) => state.known[module.hashOfText(text)] };
});

const { checkFile } = await import('../file-schema.ts');
const { packageRoot } = await import('../package-root.ts');
const { makeYamlSnapshot } = await import('./write-yaml-snapshot.ts');
const { parseYaml } = await import('./yaml-document.ts');

const FILES = ['schemas/v1/clauses.yaml', 'suites/auth.yaml', 'suites/requests.yaml'];
const textOf = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');

afterEach(() => {
  state.known = {};
});
afterAll(() => {
  vi.doUnmock('./yaml-snapshot.ts');
  vi.resetModules();
});

describe('the snapshot of the YAML files', () => {
  it('can be stored and read back', () => {
    const snapshot = makeYamlSnapshot(packageRoot());
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
  });

  it.each(FILES)('agrees with the parser on %s', (file) => {
    const parsed = parseYaml(textOf(file), file);
    state.known = makeYamlSnapshot(packageRoot());
    const recalled = parseYaml(textOf(file), file);
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
    state.known = makeYamlSnapshot(packageRoot());
    const changed = textOf('suites/auth.yaml').replace('title:', 'titel:');
    expect(() => checkFile('suite', parseYaml(changed, 'suites/auth.yaml'))).toThrow(/unknown key "titel"/);
  });

  it('does not apply to a file with another schema', () => {
    state.known = makeYamlSnapshot(packageRoot());
    const suite = parseYaml(textOf('suites/auth.yaml'), 'suites/auth.yaml');
    expect(() => checkFile('suite', suite)).not.toThrow();
    expect(() => checkFile('config', suite)).toThrow(/unknown key/);
  });
});
