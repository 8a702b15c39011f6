import { expect, it } from 'vitest';
import { upgradeLine } from './upgrade-version-1.ts';

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
  expect(upgradeLine(line)).toEqual({ ...line, ...fields });
});
