/** Findings of the baseline that this run does not have, by clause. Every text is inert. */
import type { OlderFinding } from '../report/report.ts';
import { groupBy } from './fold.ts';
import { inert } from '../text/inert.ts';

export interface OlderByClause {
  readonly clause: string;
  readonly cases: readonly string[];
}

export function olderByClause(findings: readonly OlderFinding[]): readonly OlderByClause[] {
  return [...groupBy(findings, ({ clause }) => clause)].map(([clause, group]) => ({
    clause: inert(clause),
    cases: [...new Set(group.map((finding) => inert(finding.case)))],
  }));
}
