/** The part of the kill matrix on relays: which faulty relay is caught for which clause, and that no legal one is. */
import { writeClauseMatrix } from '../clause-matrix.ts';
import type { RelayTrial } from './try-relays.ts';

export function relayKillMatrix(results: readonly RelayTrial[]): string {
  return writeClauseMatrix({
    side: 'relay',
    title: 'Relays',
    results,
    faulty: results.filter(({ subject }) => subject.kind === 'faulty relay'),
    right: {
      title: 'Legal relays left alone',
      trials: results.filter(({ subject }) => subject.kind === 'legal relay'),
    },
  });
}
