/** `--verbose`: what was observed, one entry per clause. */
import { groupBy } from '../../report/counts.ts';
import type { Report } from '../../report/report.ts';
import { inert } from '../../text/inert.ts';
import { columnsOf, hang, listFirst, padEnd } from '../../text/layout.ts';
import { formatObservationName, formatObservations } from '../../verdict/observation.ts';
import type { Page, Section } from './page.ts';

const MAX_VALUES = 4;

export function observationSection({ report, options, paint }: Page): Section {
  const byClause = [...groupBy(report.observations, ({ clause }) => clause)];
  if (byClause.length === 0) return [];
  const label = Math.max(...byClause.map(([clause]) => columnsOf(clause))) + 4;
  const lines = byClause.flatMap(([clause, group]) =>
    hang(padEnd(`  ${clause}`, label), formatValues(group), options.width),
  );
  return [paint('strong', 'Observed (not specified by the contract, never judged)'), ...lines];
}

function formatValues(observations: Report['observations']): string {
  return [...groupBy(observations, formatObservationName)]
    .map(([name, group]) => {
      const values = formatObservations(group.map(({ value }) => value)).map((value) => inert(value, 60));
      return `${inert(name, 60)}: ${values.length === 0 ? 'none' : listFirst(values, MAX_VALUES)}`;
    })
    .join('; ');
}
