/** A part of the kill matrix for one side of the wire: which faulty subject is caught for which clause. */
import { loadContract } from '../contract/load-contract.ts';
import { summarizeTrials, type TrialSummary } from './summarize-trials.ts';

interface ClauseTrial extends TrialSummary {
  readonly subject: TrialSummary['subject'] & { readonly id: string };
  /** Case or scenario → clauses that it found broken. */
  readonly foundBy: Readonly<Record<string, readonly string[]>>;
}

export interface ClauseMatrixInput {
  readonly side: 'client' | 'relay';
  readonly title: string;
  readonly results: readonly ClauseTrial[];
  readonly faulty: readonly ClauseTrial[];
  readonly right: { readonly title: string; readonly trials: readonly ClauseTrial[] };
}

/** The clauses of a side that can be broken. */
export function breakableClauses(side: ClauseMatrixInput['side']): readonly string[] {
  const { clauses } = loadContract(side);
  return clauses.filter(({ level }) => level === 'must' || level === 'should').map(({ id }) => id);
}

export function writeClauseMatrix({ side, title, results, faulty, right }: ClauseMatrixInput): string {
  const broken = (clause: string): string =>
    faulty
      .filter(({ foundBy }) => Object.values(foundBy).some((found) => found.includes(clause)))
      .map(({ subject }) => subject.id)
      .join(', ');
  const found = faulty.flatMap(({ foundBy }) => Object.values(foundBy).flat());
  // A relay may also break clauses of a gateway's own contract.
  const clauses = new Set([...breakableClauses(side), ...found.toSorted()]);
  return `${[
    '',
    `## ${title}`,
    '',
    `${summarizeTrials(results)}.`,
    '',
    '| clause | found broken in |',
    '|---|---|',
    ...Array.from(clauses, (clause) => `| ${clause} | ${broken(clause)} |`),
    '',
    `## ${right.title}`,
    '',
    ...right.trials.map(
      ({ subject, problems }) => `- ${subject.id}${problems.length === 0 ? '' : ' (NOT LEFT ALONE)'}`,
    ),
  ].join('\n')}\n`;
}
