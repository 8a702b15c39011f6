import type { Endpoint } from '../../plan/plan.ts';
import { allAnswers } from '../answers.ts';
import type { Check } from '../check.ts';
import { observed } from '../finding.ts';
import { seenValues } from '../seen-values.ts';

/** Part 7: what each endpoint can return. */
const CONTRACT_STATUSES: Record<Exclude<Endpoint, 'other'>, readonly number[]> = {
  chat: [200, 401, 402, 403, 429],
  models: [200, 401],
};

export const statusesSeen: Check = {
  summary: 'Records statuses beyond those of the contract.',
  execute: ({ exchanges }) => {
    const answers = [...allAnswers(exchanges)].filter(({ exchange }) => exchange.request.endpoint !== 'other');
    const observations = Object.entries(CONTRACT_STATUSES).map(([endpoint, known]) => {
      const statuses = answers
        .filter(({ exchange }) => exchange.request.endpoint === endpoint)
        .map(({ answer }) => answer.status)
        .filter((status) => !known.includes(status));
      return { name: `${endpoint} statuses beyond the contract`, value: seenValues(statuses.map(String)) };
    });
    return observed(observations);
  },
};
