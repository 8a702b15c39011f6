/** The part of the kill matrix on clients: which faulty client is caught for which clause, and that no odd one is. */
import { loadContract } from '../../contract/load-contract.ts';
import { summarizeTrials } from '../summarize-trials.ts';
import type { ClientTrial } from './try-clients.ts';

/** The clauses for clients that can be broken. */
export function clientClauses(): readonly string[] {
  const { clauses } = loadContract('client');
  return clauses.filter(({ level }) => level === 'must' || level === 'should').map(({ id }) => id);
}

export function clientKillMatrix(results: readonly ClientTrial[]): string {
  const faulty = results.filter(({ subject }) => subject.kind === 'faulty client');
  const odd = results.filter(({ subject }) => subject.kind === 'odd client');
  const broken = (clause: string): string =>
    faulty
      .filter(({ foundBy }) => Object.values(foundBy).some((found) => found.includes(clause)))
      .map(({ subject }) => subject.id)
      .join(', ');
  return `${[
    '',
    '## Clients',
    '',
    `${summarizeTrials(results)}.`,
    '',
    '| clause | found broken in |',
    '|---|---|',
    ...clientClauses().map((clause) => `| ${clause} | ${broken(clause)} |`),
    '',
    '## Odd clients left alone',
    '',
    ...odd.map(({ subject, problems }) => `- ${subject.id}${problems.length === 0 ? '' : ' (NOT LEFT ALONE)'}`),
  ].join('\n')}\n`;
}
