/** A badge, in the shape that https://shields.io/badges/endpoint-badge reads. */
import type { Report } from '../report/report.ts';
import { total } from './counts-in-words.ts';
import { excusedCases, excusedClauses } from './excused.ts';
import type { Format } from './format.ts';
import { count } from './layout.ts';

type Outcome = Report['outcome']['name'];

const COLOUR: Record<Outcome, string> = {
  conforms: 'brightgreen',
  'conforms-in-part': 'yellowgreen',
  'conforms-but-waived': 'yellow',
  'no-new-violations': 'yellow',
  'does-not-conform': 'red',
  'not-judged': 'lightgrey',
};

const MESSAGE: Record<Outcome, (report: Report) => string> = {
  conforms: ({ counts }) => `conforms, ${count(total(counts.cases), 'case')}`,
  'conforms-in-part': ({ outcome }) =>
    `conforms in part, ${outcome.mustJudged} of ${outcome.mustClauses} must clauses judged`,
  'conforms-but-waived': (report) => `conforms but for ${excusedClauses(report, 'waived').length} waived`,
  'no-new-violations': (report) => `no new violations, ${excusedClauses(report, 'standing').length} stand`,
  'does-not-conform': (report) => {
    const { cases } = report.counts;
    const excused = excusedCases(report).length;
    const besides = excused === 0 ? '' : `, ${excused} excused`;
    return `does not conform, ${cases.fail - excused} of ${count(total(cases), 'case')} failed${besides}`;
  },
  'not-judged': () => 'not judged',
};

export const badge: Format = {
  summary: 'JSON for a badge of shields.io',
  render: (report) => {
    const { name } = report.outcome;
    return `${JSON.stringify({ schemaVersion: 1, label: 'wirecheck', message: MESSAGE[name](report), color: COLOUR[name] })}\n`;
  },
};
