/** Numbers that passed: those beyond them, as seen from the one that fails, are taken to pass as well. */
import { type Difference, differenceOf } from './difference.ts';
import type { Draw } from './drawn-request.ts';

/** The one number in which two draws differ. `failing` is that of the first. */
export function onlyNumber(draw: Draw, other: Draw): Edge | undefined {
  const [place, ...more] = differenceOf(draw, other);
  return place && more.length === 0 && isEdge(place) ? place : undefined;
}

interface Edge extends Difference {
  readonly failing: number;
  readonly passing: number;
}

function isEdge(place: Difference): place is Edge {
  return typeof place.failing === 'number' && typeof place.passing === 'number';
}

/** Where draws that passed differ from this one in one number only. */
export function edgesOf(draw: Draw, passed: readonly Draw[]): readonly Edge[] {
  return passed.flatMap((other) => onlyNumber(draw, other) ?? []);
}

/** Whether the form is the draw with a number at such an edge, or beyond it. */
export function isBeyondEdge(form: Draw, draw: Draw, edges: readonly Edge[]): boolean {
  const own = edges.length > 0 ? onlyNumber(draw, form) : undefined;
  return (
    own !== undefined &&
    edges.some(
      ({ pointer, failing, passing }) => pointer === own.pointer && (failing - passing) * (passing - own.passing) >= 0,
    )
  );
}
