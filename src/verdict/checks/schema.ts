import type { Check } from '../check.ts';
import { eachJson } from '../completion.ts';
import { textOption } from '../options.ts';
import { finding, judged } from '../finding.ts';
import { issuesOf } from '../schema-issues.ts';

export const schema: Check = {
  summary: 'The body of an answer with status 200 fits the part of the named schema that the clause speaks of.',
  options: { schema: { type: 'string', minLength: 1 } },
  execute: (input) =>
    eachJson(input, (value, exchange, { body }) => {
      const issues = issuesOf(input.run, textOption(input.options, 'schema'), body, value);
      // A part whose parent is absent or mistyped has no issue of its own: that one is the parent's.
      const own = issues.filter(({ clause }) => clause === input.clause);
      return judged(own.map((issue) => finding(exchange, issue)));
    }),
};
