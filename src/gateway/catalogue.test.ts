import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type FaultId, type VariantId, FAULTS, UNSEEN, VARIANTS } from './index.ts';

const isFault = (id: string): id is FaultId => Object.hasOwn(FAULTS, id);
const isVariant = (id: string): id is VariantId => Object.hasOwn(VARIANTS, id);
const FAULT_IDS = Object.keys(FAULTS).filter(isFault);
const VARIANT_IDS = Object.keys(VARIANTS).filter(isVariant);

const CLAUSES = readFileSync(new URL('../../schemas/v1/clauses.yaml', import.meta.url), 'utf8')
  .split(/^- id: /m)
  .slice(1)
  .map((text) => ({
    id: /^\S+/.exec(text)?.[0] ?? '',
    judged: /level: (must|should)/.test(text) && !/scope: (comparison|description)/.test(text),
  }));

describe('the catalogue', () => {
  it('names only clauses of the contract', () => {
    const known = new Set(CLAUSES.map(({ id }) => id));
    const unknown = FAULT_IDS.flatMap((id) => FAULTS[id].breaks.filter((clause) => !known.has(clause)));
    expect(unknown).toEqual([]);
  });

  it('breaks every clause that a single run can find broken', () => {
    const broken = new Set(FAULT_IDS.flatMap((id) => FAULTS[id].breaks));
    const whole = CLAUSES.filter(({ id, judged }) => judged && !broken.has(id)).map(({ id }) => id);
    expect(CLAUSES.filter(({ judged }) => judged).length).toBeGreaterThan(100);
    expect(whole).toEqual([]);
  });

  it('has a unique title for everything', () => {
    const titles = [...FAULT_IDS.map((id) => FAULTS[id].title), ...Object.values(UNSEEN).map(({ title }) => title)];
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
    expect(FAULT_IDS.filter((id) => FAULTS[id].breaks.length === 0)).toEqual([]);
  });

  it('has no fault that is also a variant or unseen', () => {
    const others = new Set<string>([...VARIANT_IDS, ...Object.keys(UNSEEN)]);
    expect(FAULT_IDS.filter((id) => others.has(id))).toEqual([]);
  });
});
