/** What `--max-requests` and `--max-completions` mean for a plan that may take more. */
import type { Plan } from '../plan/plan.ts';
import type { Settings } from '../settings.ts';
import { groupDigits, hang } from '../text/layout.ts';

export type Limits = Pick<Settings, 'maxRequests' | 'maxCompletions'>;

const EFFECTS = {
  '--max-requests': 'ends the run early, before all is judged',
  '--max-completions': 'leaves out a part of the run',
} as const;

export function budgetLines(
  { least, most }: Pick<Plan, 'least' | 'most'>,
  { maxRequests, maxCompletions }: Limits,
  width: number,
): readonly string[] {
  const line = (
    flag: keyof typeof EFFECTS,
    limit: number | undefined,
    low: number,
    high: number,
  ): readonly string[] => {
    if (limit === undefined || limit >= high) return [];
    const given = `${flag} ${groupDigits(limit)} ${EFFECTS[flag]}`;
    const text = limit < low ? `${given}: it needs at least ${groupDigits(low)}.` : `${given}, if it needs more.`;
    return hang('', text, width);
  };
  return [
    ...line('--max-requests', maxRequests, least.requests, most.requests),
    ...line('--max-completions', maxCompletions, least.completions, most.completions),
  ];
}
