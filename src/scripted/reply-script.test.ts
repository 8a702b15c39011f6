import { expect, it } from 'vitest';
import { loadScenarios } from '../gather/client/scenario.ts';
import { loadRelayCases } from '../gather/relay/read-relay-suite.ts';
import { namedModifiers } from './reply-script.ts';

it.each([...loadScenarios(), ...loadRelayCases().map(({ id, script }) => ({ id, ...script }))])(
  '$id names only changes that there are',
  ({ gateway, behaviours }) => {
    expect(namedModifiers({ gateway, behaviours })).toHaveLength(gateway.length + behaviours.length);
  },
);

it.each([
  [{ gateway: ['gzipp'], behaviours: [] }, 'unknown variant or fault "gzipp". Did you mean "gzip"?'],
  [{ gateway: [], behaviours: ['rest'] }, 'unknown behaviour "rest". Did you mean "reset"?'],
])('A name that there is not is refused: %j', (named, message) => {
  expect(() => namedModifiers(named)).toThrow(message);
});
