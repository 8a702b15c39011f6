/**
 * Gateways with ten faults each, all of which show in drawn requests. No two of a gateway show in the same way in the same places:
 * that would be one finding.
 */
import { unknownFields } from '../../src/gateway/call-tests.ts';
import { type FaultId, FAULTS } from '../../src/gateway/index.ts';
import { type Fault, fault } from '../../src/gateway/modifier.ts';
import { HIDDEN_FAULTS } from './hidden-faults.ts';

const OWN = {
  'crowd-list-in-unknown': fault('An unknown field that is a list is refused', 'tolerance.unknown-request-field', {
    refuse: ({ body }) => unknownFields(body).some((name) => Array.isArray(body[name])),
  }),
} satisfies Record<string, Fault>;

const find = (id: string): Fault => {
  const found = (OWN as Record<string, Fault>)[id] ?? HIDDEN_FAULTS[id] ?? FAULTS[id as FaultId];
  if (!found) throw new Error(`No fault is named ${id}.`);
  return found;
};

const IDS = {
  'crowd-c': [
    'hidden-700-characters',
    'hidden-combining-marks',
    'hidden-astral-letters',
    'hidden-tokens-overrun',
    'hidden-late-system',
    'hidden-hot-and-narrow',
    'json-escapes-refused',
    'hidden-unknown-in-later-message',
    'param-temperature-above-accepted',
    'crowd-list-in-unknown',
  ],
} as const;

export const CROWDS: Readonly<Record<string, Readonly<Record<string, Fault>>>> = Object.fromEntries(
  Object.entries(IDS).map(([name, ids]) => [name, Object.fromEntries(ids.map((id) => [id, find(id)]))]),
);
