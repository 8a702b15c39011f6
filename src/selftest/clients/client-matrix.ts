/** The part of the kill matrix on clients: which faulty client is caught for which clause, and that no odd one is. */
import { writeClauseMatrix } from '../clause-matrix.ts';
import type { ClientTrial } from './try-clients.ts';

export function clientKillMatrix(results: readonly ClientTrial[]): string {
  return writeClauseMatrix({
    side: 'client',
    title: 'Clients',
    results,
    faulty: results.filter(({ subject }) => subject.kind === 'faulty client'),
    right: { title: 'Odd clients left alone', trials: results.filter(({ subject }) => subject.kind === 'odd client') },
  });
}
