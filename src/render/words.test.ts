/** One unit for people (causes), one for the verdict (clauses), and one meaning for each word, in every format. */
import { expect, it } from 'vitest';
import { excused } from '../../test/kit/excused-reports.ts';
import { broken, conforming } from '../../test/kit/sample-reports.ts';
import type { ClauseReport } from '../report/report.ts';
import type { FormatName } from '../settings/format-names.ts';
import { FORMATS, render } from './index.ts';
import { LOOKS, WORDS } from './looks.ts';
import { KIND_WORDS, READINGS } from './profile-text.ts';
import { addCauses } from './json.ts';
import { verdictLine } from './verdict-line.ts';

const NAMES = Object.keys(FORMATS) as readonly FormatName[];

it.each([
  ['conforms', conforming()],
  ['does not conform', broken()],
  ['has failures that do not count', excused()],
])('The verdict of a run that %s counts clauses, and no cases', (_what, report) => {
  expect(verdictLine(report)).toMatch(/must clauses?\b/);
  expect(verdictLine(report)).not.toMatch(/\b(?:case|cause|finding)s?\b/);
});

it('A format that names a clause without a case says that it cannot be tested, in words for newcomers', () => {
  const outside: ClauseReport = {
    id: 'keys.shown-once',
    part: '5.2',
    kind: 'outside',
    level: 'none',
    scope: 'run',
    summary: 'A key is shown once.',
    cases: [],
  };
  const report = addCauses(conforming({ clauses: [...conforming().clauses, outside] }));
  for (const name of ['terminal', 'markdown', 'html', 'summary'] as const)
    expect.soft(render(report, name).toLowerCase(), name).toContain('cannot be seen over the wire');
  for (const name of NAMES) expect.soft(render(report, name), name).not.toMatch(/not tested[^:]*keys\.shown-once/i);
});

it('Only a missing key or setting makes a clause not tested', () => {
  const { skipped, ...others } = LOOKS;
  const words = [...Object.values(others).flatMap((look) => Object.values(look)), ...Object.values(READINGS)];
  expect(words.filter((word) => /not tested|untested/.test(word))).toEqual([]);
  expect(skipped.reason).toBe('not tested');
});

it('A verdict has one of five words, and one that was not judged a reason of its own', () => {
  expect(new Set(Object.values(LOOKS).map(({ word }) => word))).toEqual(new Set(WORDS));
  const reasons = Object.values(LOOKS).flatMap(({ word, reason }) => (word === 'not judged' ? [reason] : []));
  expect(new Set(reasons).size).toBe(5);
  expect(reasons).not.toContain(undefined);
});

it('Only one table spells the words of data that people do not read', () => {
  for (const name of ['terminal', 'markdown', 'summary', 'agent'] as const) {
    const text = render(broken(), name, { detail: 'verbose' });
    expect.soft(text, name).not.toMatch(/\b(inconclusive|skipped|observed|occasion)\b|(\(|\d |\| )(fail|warn)\b/i);
  }
});

it('No format prints an id that only files have', () => {
  expect(Object.values({ ...KIND_WORDS, ...READINGS })).not.toContain('prudent');
});
