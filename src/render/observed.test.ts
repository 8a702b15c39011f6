import { describe, expect, it } from 'vitest';
import { broken, clause, conforming, expectation, finding, oneCase } from '../../test/kit/sample-reports.ts';
import { textOf } from '../../test/kit/reading-pages.ts';
import type { Report } from '../report/report.ts';
import { render } from './index.ts';
import { listObserved } from './unjudged.ts';

const LOWERED = { verdict: 'observed', level: 'observe' } as const;

/** A clause at the level observe that some answers break. */
function lowered(more: Partial<Parameters<typeof expectation>[1]> = {}): Report {
  const codes = [401, 400].map((value, at) =>
    finding({ exchange: `e${at}`, actual: { kind: 'value', value }, moreAnswers: 3 - at }),
  );
  const own = expectation('errors.code', {
    ...LOWERED,
    findings: codes,
    answers: { judged: 9, broken: 7 },
    ...more,
  });
  return conforming({
    observations: [],
    clauses: [clause('errors.code', LOWERED)],
    cases: [oneCase('errors/codes', [own], { verdict: 'observed' })],
  });
}

const SEEN = [
  '401 (integer) instead of string at /error/code (4 answers)',
  '400 (integer) instead of string at /error/code (3 answers)',
];

describe('a clause at the level observe', () => {
  it('shows what was seen, in how many answers', () => {
    expect(listObserved(lowered())).toEqual([
      {
        clause: 'errors.code',
        isLowered: true,
        facts: [
          ['kept', ['in 2 of 9 answers']],
          ['seen', SEEN],
        ],
      },
    ]);
  });

  it('says so too if every answer keeps it', () => {
    const [kept] = listObserved(lowered({ findings: [], answers: { judged: 9, broken: 0 } }));
    expect(kept?.facts).toEqual([['kept', ['in 9 of 9 answers']]]);
  });

  it('is shown in each format for people and in JUnit, and fails nothing', () => {
    const report = lowered();
    const plain = (text: string) => text.replaceAll('`', '').replaceAll(/\s+/g, ' ');
    const shown = {
      terminal: render(report, 'terminal', { detail: 'verbose', width: 200 }),
      html: textOf(render(report, 'html')),
      markdown: render(report, 'markdown'),
      junit: render(report, 'junit'),
    };
    for (const text of Object.values(shown)) for (const words of SEEN) expect(plain(text)).toContain(words);
    expect(shown.markdown).toContain('<summary>Recorded, not judged: 1 clause</summary>');
    expect(shown.markdown).not.toMatch(/Failures|Warnings/);
    const both = { ...report, observations: broken().observations };
    expect(render(both, 'terminal')).toMatch(
      /^Recorded: +\d+ things? the contract leaves open, 1 clause at the level/m,
    );
    expect(render(report, 'terminal')).toMatch(/^Recorded: +1 clause at the level observe; --verbose lists them$/m);
  });

  it('differs from what the contract leaves open, of which nothing is kept or broken', () => {
    expect(listObserved(lowered({ kind: 'silent', findings: [] }))).toEqual([]);
    expect(render(conforming(), 'markdown')).not.toContain('Recorded, not judged');
  });
});
