import { expect, it } from 'vitest';
import { parseYaml } from '../contract/yaml/yaml-document.ts';
import { readRequests } from './read-suites.ts';

it('A request has a body or a raw text', () => {
  const read = (text: string) => () => readRequests(parseYaml(text, 'f.yaml'));
  expect(read('chat: { method: GET, path: /x, raw: "" }')().get('chat')).toMatchObject({ name: 'chat', raw: '' });
  expect(read('chat:\n  method: GET\n  path: /x\n  body: {}\n  raw: ""\n')).toThrow(
    'f.yaml:5: raw must be left out if body is given.',
  );
});
