import { describe, expect, it } from 'vitest';
import type { Report } from '../report/report.ts';
import { baseline, excused, report, KNOWN, WAIVED, WAIVER, waivers } from '../../test/kit/excused-reports.ts';
import { render } from './index.ts';
import { broken, conforming } from '../../test/kit/sample-reports.ts';

const outcome = (name: Report['outcome']['name'], exit: 0 | 1 | 3) => ({ name, exit, mustClauses: 74, mustJudged: 61 });

describe('the badge', () => {
  it.each<[Report, string, string]>([
    [conforming(), 'conforms, all 74 must clauses judged, none broken', 'brightgreen'],
    [
      conforming({ outcome: outcome('conforms-in-part', 0) }),
      'conforms in part, 61 of 74 must clauses judged',
      'yellowgreen',
    ],
    [broken(), 'does not conform, 1 must clause broken (60 of 74 judged)', 'red'],
    [excused(), 'does not conform, 1 must clause broken, 1 in the baseline, 1 waived', 'red'],
    [broken({ outcome: outcome('not-judged', 3) }), 'not judged', 'lightgrey'],
    [excused({ outcome: outcome('not-judged', 3) }), 'not judged, 1 in the baseline, 1 waived', 'lightgrey'],
    [
      report([WAIVED], 'conforms-but-waived', { outcome: outcome('conforms-but-waived', 0) }),
      'conforms except for 1 waived, 1 must clause broken; 61 of 74 must clauses judged',
      'yellow',
    ],
    [
      report([KNOWN, WAIVED], 'no-new-violations', { outcome: outcome('no-new-violations', 0), baseline }),
      'no new violations, 1 known since 2030-03-01, 1 waived; 61 of 74 must clauses judged',
      'yellow',
    ],
    [
      conforming({
        outcome: outcome('unused-waivers', 1),
        waivers: { ...waivers({ ...WAIVER, state: 'unused' }), failOnUnused: true },
      }),
      'unused waivers, 1 (--fail-on-unused-waivers); nothing else failed',
      'orange',
    ],
  ])('has the format of a shields.io endpoint', (given, message, color) => {
    expect(JSON.parse(render(given, 'badge'))).toEqual({ schemaVersion: 1, label: 'wirecheck', message, color });
  });
});
