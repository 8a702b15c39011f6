import { expect, it } from 'vitest';
import { findUpgrade, upgradeVersion1 } from './upgrade-recording.ts';

it.each([
  ['chat', 'chat', {}],
  ['chat~2', 'chat', { occasion: 'other-model', number: 2 }],
  ['chat~after#3', 'chat', { occasion: 'control-again', number: 3 }],
  ['models~again#2', 'models', { occasion: 'list-again', number: 2 }],
  ['auth/limited-key#7', 'auth/limited-key', { number: 7 }],
  ['chat~round#2', 'chat', {}],
  ['auth/limited-key~round#2#7', 'auth/limited-key', { number: 7 }],
  ['chat/parallel[plain]#3', 'chat/parallel[plain]#3', { name: 'chat/parallel[plain]' }],
  ['models/listed#1-again', 'models/listed#1-again', { name: 'models/listed' }],
  ['auth/a#together~round#2', 'auth/a#together', { name: 'auth/a' }],
  ['preflight/chat[full]', 'preflight', { name: 'preflight/chat[full]' }],
  ['preflight/nearby#2', 'preflight', { name: 'preflight/nearby', number: 2 }],
  ['chat~round#2~given-up', 'given-up', { name: 'chat', givenUp: 'chat~round#2' }],
])('The parts of the id %s become fields', (id, step, fields) => {
  const line = { kind: 'exchange', id, step };
  expect(upgradeVersion1(line)).toEqual({ ...line, ...fields });
});

it('The scenarios that an early last line of a client has become lines before it', () => {
  const first = { kind: 'client-start', format: 'wirecheck-recording', version: 2, startedAt: 1, client: {} };
  const upgrade = findUpgrade(first, 'a.ndjson');
  expect(upgrade(first)).toMatchObject([{ kind: 'start', version: 3, startedAt: 1, subject: { kind: 'client' } }]);
  const last = { kind: 'client-end', ending: { kind: 'complete' }, endedAt: 2, played: [{ scenario: 'a' }] };
  expect(upgrade(last)).toEqual([
    { kind: 'played', scenario: 'a' },
    { kind: 'end', ending: { kind: 'complete' }, endedAt: 2, subject: { kind: 'client' } },
  ]);
});
