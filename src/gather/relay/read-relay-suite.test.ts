import { expect, it } from 'vitest';
import { loadContract } from '../../contract/read-contract.ts';
import { parseYaml } from '../../contract/yaml/yaml-document.ts';
import { loadRelayCases, readRelayCases } from './read-relay-suite.ts';

it('The suite has at least 60 cases, and no id is ever removed', async () => {
  const ids = loadRelayCases().map(({ id }) => id);
  expect(ids.length).toBeGreaterThanOrEqual(60);
  await expect(`${ids.toSorted().join('\n')}\n`).toMatchFileSnapshot('case-ids.snapshot.txt');
});

it('Every clause has a case that judges it', () => {
  const judged = new Set(loadRelayCases().flatMap(({ expect: all }) => all.map(({ clause }) => clause)));
  expect(
    loadContract('relay')
      .clauses.map(({ id }) => id)
      .filter((id) => !judged.has(id)),
  ).toEqual([]);
});

it('Every question has its word in a user message, where the upstream looks for it', () => {
  const without = loadRelayCases().filter(
    ({ messages }) => !messages.some(({ role, content }) => role === 'user' && content.includes('${word}')),
  );
  expect(without).toEqual([]);
});

const HEAD = 'suite: relay\ntitle: Relay\nsets: { legal: [{ clause: relay.text, check: text }] }\ncases:\n';
const entry = (keys: string): string => `  - { id: x, area: answers, title: X, ${keys} }\n`;

it.each([
  [entry('expect: [{ clause: relay.txt, check: text }]'), 'unknown clause "relay.txt". Did you mean "relay.text"?', 5],
  [entry('expect: [{ set: leagl }]'), 'unknown set "leagl".', 5],
  [entry('expect: [{ clause: relay.text, check: txt }]'), 'check must be one of', 5],
  [entry('expect: [{ set: legal }]').repeat(2), 'the id relay/x is already used at r.yaml:5. Choose another.', 6],
])('A mistake in the file is named with its line: %s', (cases, message, line) => {
  const read = () => readRelayCases(parseYaml(HEAD + cases, 'r.yaml'));
  expect(read).toThrow(message);
  expect(read).toThrow(expect.objectContaining({ at: `r.yaml:${line}` }));
});
