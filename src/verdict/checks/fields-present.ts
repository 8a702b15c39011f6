import { typeOf } from '../../json.ts';
import type { Check } from '../check.ts';
import { observed, skipped } from '../finding.ts';
import { objectsOf, shapedAnswers } from '../shapes.ts';
import type { Observation } from '../verdict.ts';

interface Count {
  objects: number;
  present: number;
  readonly types: Set<string>;
}

function presence({ objects, present }: Count): string {
  if (present === 0) return 'never';
  return present === objects ? 'always' : 'sometimes';
}

/** Per field: whether it is always there in the object it belongs to, and its types. Two runs are compared by this. */
export const fieldsPresent: Check = {
  summary: 'Records which fields of the contract are always there, and of which type.',
  execute: ({ exchanges, run }) => {
    const answers = new Map<string, number>();
    const counts = new Map<string, Count>();
    for (const shaped of shapedAnswers(exchanges, run)) {
      answers.set(shaped.shape, (answers.get(shaped.shape) ?? 0) + 1);
      for (const { place, fields, object } of objectsOf(shaped)) {
        for (const field of fields) {
          const name = `${shaped.shape} ${place}/${field}`;
          const count = counts.get(name) ?? { objects: 0, present: 0, types: new Set<string>() };
          counts.set(name, count);
          count.objects += 1;
          if (!Object.hasOwn(object, field)) continue;
          count.present += 1;
          count.types.add(typeOf(object[field]));
        }
      }
    }
    if (answers.size === 0) return skipped('no answer had a shape of the contract');
    const observations: Observation[] = [...answers].map(([shape, value]) => ({ name: `${shape} answers`, value }));
    for (const [name, count] of counts)
      observations.push({ name, value: [presence(count), ...[...count.types].toSorted()] });
    return observed(observations);
  },
  combine(earlier, later) {
    const all = new Map(earlier.map(({ name, value }) => [name, value]));
    for (const { name, value } of later) all.set(name, together(all.get(name), value));
    return [...all].map(([name, value]) => ({ name, value }));
  },
};

type Value = Observation['value'];

/** Answers are counted; a field is always there only if it is so in both parts. */
function together(earlier: Value | undefined, later: Value): Value {
  if (typeof earlier === 'number' && typeof later === 'number') return earlier + later;
  if (!isPresence(earlier) || !isPresence(later)) return later;
  const [before, ...typesBefore] = earlier;
  const [now, ...typesNow] = later;
  const types = [...new Set([...typesBefore, ...typesNow])].toSorted();
  return [before === now ? now : 'sometimes', ...types];
}

function isPresence(value: Value | undefined): value is readonly [string, ...string[]] {
  return Array.isArray(value) && value.length > 0;
}
