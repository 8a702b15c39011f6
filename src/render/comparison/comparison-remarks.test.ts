import { expect, it } from 'vitest';
import type { ComparisonNotice, Obstacle } from '../../report/comparison/comparison.ts';
import { formatRemarkOnRuns } from './comparison-text.ts';

const WAIVER = { file: 'w.yaml', line: 2, clause: 'errors.code' };

it.each<[Obstacle | ComparisonNotice, string]>([
  [
    { kind: 'incomplete', source: 'new', ending: { kind: 'key-refused', status: 401 } },
    'Not everything can be compared: new is incomplete (the key was refused with 401).',
  ],
  [
    { kind: 'without-bodies', source: 'new' },
    'The report new was made with --no-bodies, so its answers cannot be compared. Compare recordings, or reports with bodies.',
  ],
  [
    { kind: 'undecided', cases: ['a/b'], older: 'old', newer: 'new' },
    'a/b passed in old and could not be judged in new. Look up the reason there, and run it again.',
  ],
  [
    { kind: 'undecided', cases: ['a/b', 'a/c', 'a/d'], older: 'old', newer: 'new' },
    'a/b and 2 more passed in old and could not be judged in new. Look up the reason there, and run it again.',
  ],
  [
    { kind: 'lacking', cases: ['a/b', 'a/c'], older: 'old', newer: 'new' },
    'new lacks 2 cases that old judged: a/b, a/c. Make both runs with the same settings.',
  ],
  [{ kind: 'no-case-in-common' }, 'No case was judged in both runs.'],
  [{ kind: 'nothing-in-common' }, 'The two runs have no case and no kind of answer in common.'],
  [{ kind: 'wrong-order', older: 'b', newer: 'a' }, 'b is older than a. If it is the older version, name it first.'],
  [{ kind: 'same-run' }, 'Both files contain the same run.'],
  [{ kind: 'different-contracts' }, 'The runs used different clauses or suites. Only cases in both are compared.'],
  [{ kind: 'different-models', newer: 'm' }, 'The runs used different models: none, then m.'],
  [
    { kind: 'bodies-missing', source: 'old', count: 1 },
    'old lacks one complete body, so their fields are not compared. A recording has all bodies.',
  ],
  [
    { kind: 'bodies-missing', source: 'old', count: 3 },
    'old lacks 3 complete bodies, so their fields are not compared. A recording has all bodies.',
  ],
  [{ kind: 'only-here', source: 'old', cases: ['a/b'] }, 'Only old has 1 case, which cannot be compared: a/b.'],
  [
    { kind: 'only-here', source: 'new', cases: 'abcdefghijkl'.split('') },
    'Only new has 12 cases, which cannot be compared: a, b, c, d, e, f, g, h, i, j and 2 more.',
  ],
  [
    { kind: 'redefined', clauses: ['a.b', 'a.c'] },
    'The two contracts define these clauses differently, so their verdicts were not compared: a.b, a.c.',
  ],
  [
    { kind: 'other-limits', clauses: ['a.b', 'a.c'] },
    'The two contracts set different limits, so these clauses were compared only where both runs sent the same value: a.b, a.c.',
  ],
  [{ kind: 'fixed', clauses: ['a.b', 'a.c'] }, 'Fixed since the older run: a.b, a.c.'],
  [{ kind: 'retired', models: ['m'] }, 'Removed after deprecation: m.'],
  [
    { kind: 'waiver-expired', until: '2020-01-01', ...WAIVER },
    'w.yaml:2: the waiver for errors.code expired on 2020-01-01, so its changes count again. Fix them, or set a later date.',
  ],
  [
    { kind: 'waiver-idle', isAnnounced: false, ...WAIVER },
    'w.yaml:2: the waiver for errors.code matches nothing that changed between the two runs.',
  ],
  [
    { kind: 'waiver-idle', isAnnounced: false, isOfNoCase: true, ...WAIVER },
    'w.yaml:2: the waiver for errors.code matches nothing that changed between the two runs. A changed field belongs to a kind of answer, not to a case: leave out case, and name the fingerprint.',
  ],
  [
    { kind: 'waiver-idle', isAnnounced: true, expired: '2020-01-01', ...WAIVER },
    'w.yaml:2: the waiver for errors.code expired on 2020-01-01, and matches nothing that was removed between the two runs.',
  ],
])('An obstacle or a notice is a sentence: %j', (remark, sentence) => {
  expect(formatRemarkOnRuns(remark)).toBe(sentence);
});
