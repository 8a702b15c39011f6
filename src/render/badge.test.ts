import { describe, expect, it } from 'vitest';
import type { Report } from '../report/report.ts';
import { excused } from './excused-reports.test.support.ts';
import { render } from './index.ts';
import { broken, conforming } from './sample-reports.test.support.ts';

const outcome = (name: Report['outcome']['name'], exit: 0 | 3) => ({ name, exit, mustClauses: 74, mustJudged: 61 });

describe('the badge', () => {
  it.each<[Report, string, string]>([
    [conforming(), 'conforms, 2 cases', 'brightgreen'],
    [
      conforming({ outcome: outcome('conforms-in-part', 0) }),
      'conforms in part, 61 of 74 must clauses judged',
      'yellowgreen',
    ],
    [broken(), 'does not conform, 2 of 7 cases failed', 'red'],
    [excused(), 'does not conform, 1 of 3 cases failed, 2 excused', 'red'],
    [broken({ outcome: outcome('not-judged', 3) }), 'not judged', 'lightgrey'],
  ])('is what a shields endpoint reads', (report, message, color) => {
    expect(JSON.parse(render(report, 'badge'))).toEqual({ schemaVersion: 1, label: 'wirecheck', message, color });
  });
});
