import { allAnswers } from '../answers.ts';
import { headerOf, statusClass } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { observed } from '../finding.ts';
import { seenValues } from '../seen-values.ts';

export const contentTypes: Check = {
  summary: 'Records the content types of answers.',
  execute: ({ exchanges }) => {
    const types = new Map<string, Set<string>>();
    for (const { exchange, answer } of allAnswers(exchanges)) {
      const { endpoint, mode } = exchange.request;
      if (endpoint === 'other') continue;
      const name = `${endpoint} ${mode} ${statusClass(answer.status)}`;
      const known = types.get(name) ?? new Set();
      types.set(name, known.add(headerOf(answer, 'content-type') ?? 'none'));
    }
    return observed([...types].map(([name, values]) => ({ name, value: seenValues(values) })));
  },
};
