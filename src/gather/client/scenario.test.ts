import { describe, expect, it } from 'vitest';
import { loadContract } from '../../contract/read-contract.ts';
import { parseYaml } from '../../contract/yaml/yaml-document.ts';
import { CALL_MODES, controlBefore, isPlayable, loadScenarios, readScenarios } from './scenario.ts';

const contract = loadContract('client');
const scenarios = loadScenarios();

describe('the scenarios for clients', () => {
  it('cover every clause for clients', () => {
    const judged = new Set(scenarios.map(({ expect: [{ clause }] }) => clause));
    expect(contract.clauses.map(({ id }) => id).filter((id) => !judged.has(id))).toEqual([]);
  });

  it('have a plain control of each mode, changed by nothing', () => {
    for (const mode of CALL_MODES) {
      expect(controlBefore(mode)).toMatchObject({
        id: `client/${mode}`,
        expectedResult: 'text',
        gateway: [],
        behaviours: [],
      });
    }
  });

  it('judge failures only where a failure is expected, and texts where a text is', () => {
    for (const { id, expectedResult, expect: expectations } of scenarios.filter(isPlayable)) {
      const [{ clause }] = expectations;
      if (clause.endsWith('-known')) expect([id, expectedResult]).toEqual([id, 'failure']);
      if (expectedResult === 'text') expect([id, contract.clause(clause)?.level]).not.toContain('observe');
    }
  });

  /** Waivers, baselines and scripts name them: an id may come, but none may go or change. */
  it('never lose an id', async () => {
    const ids = scenarios.map(({ id }) => id).toSorted();
    expect(new Set(ids).size).toBe(ids.length);
    await expect(`${ids.join('\n')}\n`).toMatchFileSnapshot('scenario-ids.snapshot.txt');
  });
});

const read = (area: string, scenario: string) =>
  readScenarios(parseYaml(`areas:\n  - ${area}\n    scenarios:\n      - ${scenario}\n`, 'c.yaml'));
const AREA = '{ area: a, mode: plain, expect: text }'.replace('{ ', '').replace(' }', '').replaceAll(', ', '\n    ');

describe('a mistake in the file', () => {
  it.each([
    ['{ id: x, title: t, clause: client.bearre }', 'unknown clause "client.bearre". Did you mean "client.bearer"?'],
    ['{ id: x, title: t, clause: client.bearer, text: no word }', 'text must be a text with ${word} in it'],
    ['{ id: x, title: t }', 'a scenario needs clause.'],
  ])('is named with its line: %s', (scenario, message) => {
    expect(() => read(AREA, scenario)).toThrow(message);
    expect(() => read(AREA, scenario)).toThrow(
      expect.objectContaining({ at: expect.stringMatching(/^c\.yaml:[56]$/) }),
    );
  });

  it('is a scenario without a mode', () => {
    expect(() => read('area: a\n    expect: text', '{ id: x, title: t, clause: client.bearer }')).toThrow(
      'x needs mode',
    );
  });

  it('is an id that is already used', () => {
    const twice = '{ id: x, title: t, clause: client.bearer }\n      - { id: x, title: t, clause: client.bearer }';
    expect(() => read(AREA, twice)).toThrow('the id client/x is already used at c.yaml:6. Choose another.');
  });
});
