/** New words: finish reasons, error types and error codes. */
import { type Change, changeOf } from './comparison.ts';
import type { ObservedRun } from './observed-run.ts';
import { addWord, type ObservedShapes, type Vocabulary } from './shapes.ts';

/** `steps`: those that both runs sent. A word of any other request is known, but never new. */
export function compareWords(older: ObservedRun, newer: ObservedRun, steps: readonly string[]): readonly Change[] {
  const before = wordsOf([...older.steps.values()].map(({ shapes }) => shapes));
  const now: Words = new Map();
  for (const step of steps) {
    const [old, fresh] = [older.steps.get(step)?.shapes, newer.steps.get(step)?.shapes];
    if (!old || !fresh) continue;
    for (const [pointer, vocabulary] of wordsOf([fresh])) {
      // A word in place of a number is a change of the type, which is reported as such.
      if (hadOtherTypes(old, pointer)) continue;
      for (const [word, exchanges] of vocabulary) addWord(now, pointer, word, exchanges);
    }
  }
  return [...now].flatMap(([pointer, vocabulary]) => {
    const known = before.get(pointer);
    if (!known) return [];
    const fresh = [...vocabulary].filter(([word]) => !known.has(word));
    return fresh.map(([value, exchanges]) => {
      const sides = { old: { exchanges: [...known.values()][0] ?? [] }, new: { value, exchanges } };
      return changeOf({ kind: 'additive', what: 'value-new', place: { pointer }, ...sides });
    });
  });
}

type Words = Map<string, Vocabulary>;

function wordsOf(all: readonly ObservedShapes[]): Words {
  const words: Words = new Map();
  for (const shapes of all)
    for (const shape of shapes.values())
      for (const [pointer, vocabulary] of shape.words)
        for (const [word, exchanges] of vocabulary) addWord(words, pointer, word, exchanges);
  return words;
}

function hadOtherTypes(shapes: ObservedShapes, pointer: string): boolean {
  const types = [...shapes.values()].flatMap(({ fields }) => [...(fields.get(pointer)?.types.keys() ?? [])]);
  return types.length > 0 && !types.includes('string');
}
