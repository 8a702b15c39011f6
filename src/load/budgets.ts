/** Budgets of times: broken only if chance is excluded at 95 % (binomial interval of the quantile). Pure. */
import type { LoadBudget } from '../report/load-report.ts';
import { type Histogram, SHARES } from './histogram.ts';
import type { Budget } from './load-settings.ts';

/** One-sided: 2.5 % on each side. */
const DOUBT = 0.025;
const MOST_ANSWERS = 100_000;

export function judgeBudget(budget: Budget, times: Histogram): LoadBudget {
  const share = SHARES[budget.quantile];
  const answers = times.count;
  const actual = Math.round(times.quantile(share) * 100) / 100;
  const lower = lowerRank(answers, share);
  if (lower !== undefined && times.at(lower) > budget.most) {
    return { ...budget, result: { kind: 'broken', actual, answers } };
  }
  const upper = upperRank(answers, share);
  if (upper !== undefined && times.at(upper) <= budget.most)
    return { ...budget, result: { kind: 'kept', actual, answers } };
  const needed = answersNeeded(share);
  // Enough answers, and the quantile is too near to the budget to tell: that is no violation.
  if (answers >= needed) return { ...budget, result: { kind: 'kept', actual, answers } };
  return { ...budget, result: { kind: 'not-judged', answers, needed } };
}

/** The largest rank that is at most the quantile, with 97.5 % confidence; undefined if no rank is. */
export function lowerRank(answers: number, share: number): number | undefined {
  const rank = ranksBelow(answers, share, DOUBT);
  return rank >= 1 ? rank : undefined;
}

/** The smallest rank that is at least the quantile. */
export function upperRank(answers: number, share: number): number | undefined {
  const rank = answers - ranksBelow(answers, 1 - share, DOUBT) + 1;
  return rank <= answers ? rank : undefined;
}

/** The fewest answers that have both ranks. */
export function answersNeeded(share: number): number {
  for (let answers = 1; answers < MOST_ANSWERS; answers++) {
    if (lowerRank(answers, share) !== undefined && upperRank(answers, share) !== undefined) return answers;
  }
  return MOST_ANSWERS;
}

/** The largest k for which P(Binomial(answers, share) < k) is at most `doubt`: sums the distribution from below. */
function ranksBelow(answers: number, share: number, doubt: number): number {
  let logTerm = answers * Math.log(1 - share);
  let sum = 0;
  for (let hits = 0; hits <= answers; hits++) {
    sum += Math.exp(logTerm);
    if (sum > doubt) return hits;
    logTerm += Math.log((answers - hits) / (hits + 1)) + Math.log(share / (1 - share));
  }
  return answers;
}
