import { describe, expect, it } from 'vitest';
import {
  currentEdition,
  digestContents,
  digestNow,
  type Edition,
  EDITION_PARTS,
  findEditionProblem,
  loadEditionContents,
  loadEditions,
  nameOfEdition,
  schemaWithoutProse,
  suiteWithoutProse,
} from './editions.ts';

describe('the editions', () => {
  it('are numbered, newest first, and only the newest can be a draft', () => {
    const numbers = loadEditions().map(({ edition }) => edition.split('.').map(Number));
    for (const [year = 0, number = 0] of numbers) expect(year > 2025 && number > 0).toBe(true);
    const weight = ([year = 0, number = 0]: readonly number[]) => year * 1000 + number;
    expect(numbers).toEqual(numbers.toSorted((a, b) => weight(b) - weight(a)));
    expect(new Set(numbers.map(weight)).size).toBe(numbers.length);
    expect(
      loadEditions()
        .slice(1)
        .filter(({ cut }) => cut === undefined),
    ).toEqual([]);
  });

  it('say what changed', () => {
    for (const { changes } of loadEditions()) {
      expect(changes.length).toBeGreaterThan(0);
      for (const sentence of changes) expect(sentence).toMatch(/^[A-Z].*[.]$/);
    }
  });

  it('are cut before what they cover changes: add a new one to schemas/editions.yaml', () => {
    expect(findEditionProblem(loadEditions(), digestNow())).toBeUndefined();
  });

  it('give the name and the digest to every report', () => {
    const [newest] = loadEditions();
    expect(currentEdition()).toEqual({
      edition: newest && nameOfEdition(newest),
      editionDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});

describe('an edition that was cut', () => {
  const now = digestNow();
  const draft: Edition = { edition: '2027.2', changes: ['New.'] };
  const cut: Edition = { edition: '2027.1', cut: { date: '2027-02-01', ...now }, changes: ['All.'] };

  it('is fine as long as nothing changes that it covers', () => {
    expect(findEditionProblem([cut], now)).toBeUndefined();
  });

  it.each(EDITION_PARTS)('has a problem if its %s change, until there is a new edition', (part) => {
    const changed = digestContents({ ...loadEditionContents(), [part]: ['something else'] });
    expect(findEditionProblem([cut], changed)).toBe(
      `Edition 2027.1 was cut on 2027-02-01, and has changed since: ${part}. Add a new edition at the top of schemas/editions.yaml.`,
    );
    expect(findEditionProblem([draft, cut], changed)).toBeUndefined();
    expect(findEditionProblem([draft], changed)).toBeUndefined();
  });
});

describe('the digest', () => {
  it('depends neither on the order of members nor on the process', () => {
    const contents = loadEditionContents();
    const reversed = Object.fromEntries(Object.entries(contents).toReversed()) as typeof contents;
    expect(digestContents(reversed)).toEqual(digestContents(contents));
  });

  it('leaves out the titles of suites and cases, and keeps what is sent and judged', () => {
    const suite = (title: string, value: string) => ({
      suite: 'mine',
      title,
      cases: [{ id: 'a', title, set: { title: value }, expect: [{ clause: 'errors.code', check: 'answered' }] }],
    });
    const scenarios = (title: string) => ({ areas: [{ area: 'a', scenarios: [{ id: 's', title }] }] });
    expect(suiteWithoutProse(suite('Old', 'x'))).toEqual(suiteWithoutProse(suite('New', 'x')));
    expect(suiteWithoutProse(suite('Old', 'x'))).not.toEqual(suiteWithoutProse(suite('Old', 'y')));
    expect(suiteWithoutProse(scenarios('Old'))).toEqual({ areas: [{ area: 'a', scenarios: [{ id: 's' }] }] });
  });

  it('leaves out the annotations of schemas, and keeps fields of the same names', () => {
    const schema = {
      title: 'Model',
      description: 'A model.',
      properties: { title: { type: 'string', description: 'A name.' }, id: { $comment: 'An id.', const: 'x' } },
    };
    expect(schemaWithoutProse(schema)).toEqual({ properties: { title: { type: 'string' }, id: { const: 'x' } } });
  });

  it('covers every clause, and no prose of one', () => {
    const { clauses } = loadEditionContents();
    expect(clauses).toContainEqual({ id: 'errors.code', level: 'must', scope: 'run' });
    expect(JSON.stringify(clauses)).not.toContain('summary');
  });
});
