import { describe, expect, it } from 'vitest';
import { UsageError } from '../usage-error.ts';
import { readClauses } from './read-contract.ts';
import { parseYaml } from './yaml/yaml-document.ts';

const FINE = `- id: auth.required
  part: '5.5'
  kind: stated
  level: must
  summary: A key is needed.
`;

const read = (text: string) => readClauses(parseYaml(text, 'clauses.yaml'));

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('readClauses', () => {
  it('gives each clause, with the default scope run', () => {
    expect(read(FINE)).toEqual([
      { id: 'auth.required', part: '5.5', kind: 'stated', level: 'must', scope: 'run', summary: 'A key is needed.' },
    ]);
    expect(read(`${FINE}  scope: comparison\n`)[0]?.scope).toBe('comparison');
  });

  it.each([
    [FINE + FINE, 'clauses.yaml:6: the id auth.required is already used on line 1. Choose another.'],
    [FINE.replace('level:', 'levle:'), 'clauses.yaml:4: unknown key "levle" in a clause. Did you mean "level"?'],
    [FINE.replace(/ {2}summary.*\n/, ''), 'clauses.yaml:1: a clause needs summary.'],
    [FINE.replace("'5.5'", '5.5'), 'clauses.yaml:2: part must be a string.'],
    [
      FINE.replace('must', 'msut'),
      'clauses.yaml:4: level must be one of must, should, observe, none, not "msut". Did you mean "must"?',
    ],
    [FINE.replace('stated', 'printed'), /^clauses\.yaml:3: kind must be one of stated, .*, not "printed"\.$/],
    [
      FINE.replace('must', 'should'),
      'clauses.yaml:4: auth.required is stated, which is usually must. Add why it is should.',
    ],
    [
      FINE.replace('stated', 'outside').replace('must', 'none'),
      'clauses.yaml:4: auth.required is outside. Add why: the reason why it does not show over the wire.',
    ],
    [FINE.replace('auth.required', 'Auth.5'), /^clauses\.yaml:1: id must be two names in lower case .*, not "Auth\.5"/],
    [`${FINE}  scope: always\n`, /^clauses\.yaml:6: scope must be one of run, .*, not "always"/],
    [
      FINE.replace('  summary', '  tally: fields\n  summary'),
      'clauses.yaml:5: tally must be one of unknown-request-fields, not "fields".',
    ],
    ['- auth.required\n', 'clauses.yaml:1: an item must be a map.'],
    ['id: x\n', 'clauses.yaml:1: the file must be a list.'],
  ])('refuses an invalid clause, with its line (%#)', (text, message) => {
    const said = messageOf(() => read(text));
    if (typeof message === 'string') expect(said).toBe(message);
    else expect(said).toMatch(message);
  });

  it('accepts an unusual level with its reason', () => {
    expect(read(`${FINE.replace('must', 'should')}  why: An additive change may widen it.\n`)[0]).toMatchObject({
      level: 'should',
      why: 'An additive change may widen it.',
    });
  });
});
