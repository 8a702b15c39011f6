import { expect, it } from 'vitest';
import { formatAsked, identityOf, makeExchangeId, requestNameOf } from './identity.ts';

it('Every sending of a step has an id of its own', () => {
  const turns = [
    {},
    { number: 2 },
    { round: 2 },
    { round: 2, number: 2 },
    { occasion: 'other-model', number: 2 },
    { occasion: 'control-again', number: 1 },
    { occasion: 'control-again', number: 2 },
    { occasion: 'list-again', number: 2 },
  ] as const;
  const ids = turns.map((turn) => makeExchangeId({ step: 'chat', ...turn }));
  expect(new Set(ids).size).toBe(turns.length);
  expect([ids[0], makeExchangeId({ step: 'chat', number: 1 })]).toEqual(['chat', 'chat']);
});

it('An exchange is named for its case, or else for its step', () => {
  expect(requestNameOf({ step: 'chat' })).toBe('chat');
  expect(requestNameOf({ step: 'chat/parallel[plain]#3', name: 'chat/parallel[plain]' })).toBe('chat/parallel[plain]');
});

it('A drawn request is called by its draw, and any other by its name', () => {
  expect(formatAsked({ step: 'explore/17.2', name: 'explore' })).toBe('draw 17.2');
  expect(formatAsked({ step: 'explore/17', name: 'explore', occasion: 'smaller' })).toBe('a smaller form of draw 17');
  expect(formatAsked({ step: 'chat/parallel[plain]#3', name: 'chat/parallel[plain]' })).toBe('chat/parallel[plain]');
});

it('An identity has the fields that are set, and no others', () => {
  const identity = { id: 'a@2', step: 'a', number: 2, side: 'upstream', cause: 'a' } as const;
  expect(identityOf(Object.assign({ seeks: 'any' }, identity))).toEqual(identity);
});
