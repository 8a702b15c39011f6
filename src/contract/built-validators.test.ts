import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtValidatorFile, checkFile, findBuiltValidator, schemasOf } from './file-schema.ts';
import { packageRoot } from './package-root.ts';
import { BUILT } from './write-built-files.ts';

const SAMPLE = readFileSync(join(packageRoot(), 'reports/samples/relay/report.json'), 'utf8');

function sample(): Record<string, unknown> {
  return JSON.parse(SAMPLE) as Record<string, unknown>;
}

describe('a built validator', () => {
  it.each(BUILT)('is there, made from the schema of today: %s', (name) => {
    expect(findBuiltValidator(name, schemasOf(name)), builtValidatorFile(name)).toBeTypeOf('function');
    expect(findBuiltValidator(name, [...schemasOf(name), 'changed'])).toBeUndefined();
  });

  it('finds a report sound, as ajv does, and leaves mistakes to it', () => {
    const isSound = findBuiltValidator('report', schemasOf('report'));
    expect(isSound?.(sample())).toBe(true);
    for (const wrong of [{ strict: 1 }, { ending: { kind: 'ended-by-nobody' } }, { more: 1 }, { cases: [{}] }]) {
      const value = { ...sample(), ...wrong };
      expect(isSound?.(value), JSON.stringify(wrong)).toBe(false);
      expect(() => checkFile('report', { file: 'report.json', value })).toThrow(/report\.json: /);
    }
  });
});
