import { describe, expect, it } from 'vitest';
import { FULL_LOAD, LOAD, outcomes, stage, underLoad } from '../../test/kit/load-reports.ts';
import { page, sectionOf, textOf } from '../../test/kit/reading-pages.ts';
import type { Ending } from '../exchange/ending.ts';
import type { LoadKind, LoadRecovery, LoadReport } from '../report/load-report.ts';
import {
  formatDuring,
  formatLoadCount,
  formatLoadStage,
  stageRemarks,
  formatLoadVerdict,
  formatRampEnd,
  formatRecovery,
  formatShare,
} from './load-facts.ts';
import { FORMATS, render } from './index.ts';
import { lookOf } from './looks.ts';
import { verdictLine } from './verdict-line.ts';

const withLoad = (more: Partial<LoadReport>) => underLoad({ load: { ...LOAD, ...more } });

/** What is not broken over two lines on the page. */
const WHOLE = /<span class="whole">(.*?)<\/span>/g;

describe('a report with a load part', () => {
  it('keeps a number and its per cent sign together', () => {
    expect([...render(underLoad(), 'html').matchAll(WHOLE)].map(([, kept]) => kept)).toContain('40 %');
  });

  it('has a verdict of its own, unless failures are excused', () => {
    expect(verdictLine(underLoad())).toBe('BROKEN FROM 16 IN FLIGHT: 37 of 12,408 answers (load.whole)');
    const { outcome } = underLoad();
    const waived = underLoad({ outcome: { ...outcome, name: 'conforms-but-waived', exit: 0 } });
    expect(verdictLine(waived)).toMatch(/^CONFORMS EXCEPT FOR/);
  });

  it('is marked as passed if it held, and needs attention if higher stages had too few answers', () => {
    const { outcome } = underLoad();
    const held = (verdict: LoadReport['verdict']) =>
      lookOf(underLoad({ outcome: { ...outcome, name: 'conforms-in-part', exit: 0 }, load: { ...LOAD, verdict } }))
        .shade;
    expect(held({ kind: 'held', upTo: 64, answers: 9 })).toBe('pass');
    const tooFew = { from: 4, to: 64, raise: 'duration' } as const;
    expect(held({ kind: 'held', upTo: 1, answers: 9, tooFew })).toBe('warn');
  });

  it('breaks no format', () => {
    for (const name of Object.keys(FORMATS) as readonly (keyof typeof FORMATS)[]) {
      expect(render(underLoad(), name), name).not.toMatch(/undefined|NaN|\[object/);
      expect(render(withLoad(FULL_LOAD), name), name).not.toMatch(/undefined|NaN|\[object/);
    }
  });

  it('says how many completions more may be charged, for clients that left', () => {
    const kindWith = (kind: 'plain' | 'stream' | 'list', left: number) =>
      ({ kind, outcomes: outcomes({ answered: 300, left }), answers: 300, isReached: true, oneIn: 100 }) as const;
    const costOf = (...kinds: readonly ReturnType<typeof kindWith>[]) =>
      render(withLoad({ stages: [stage(1, { kinds }), stage(4, { kinds })] }), 'terminal').replaceAll(/\s+/g, ' ');
    expect(costOf(kindWith('plain', 7), kindWith('stream', 3), kindWith('list', 5))).toContain(
      ' charged (up to 20 more if those that clients left are), ',
    );
    expect(costOf(kindWith('plain', 0), kindWith('list', 5))).not.toContain('clients left');
  });

  it('says for a finding how often it was seen, from which load on, and with what', () => {
    for (const name of ['terminal', 'markdown', 'html', 'junit'] as const) {
      const text = render(underLoad(), name).replaceAll(WHOLE, '$1').replaceAll(/\s+/g, ' ');
      expect(text, name).toContain('37 of 12,408 answers that it applies to (0.3 %), first seen at 16 in flight.');
      expect(text, name).toContain('Seen at 9 in flight (41 of 320), not at 8 (0 of 350)');
      expect(text, name).toContain('calls after a client disconnected');
    }
  });

  it('tells stages with too few failures to count, and does not call the next one the first', () => {
    const threshold = {
      seen: { inFlight: 10, judged: 172, broken: 11 },
      unseen: { inFlight: 7, judged: 182 },
      fewer: [
        { inFlight: 8, judged: 130, broken: 1 },
        { inFlight: 4, judged: 1_300, broken: 2 },
      ],
    };
    const seen = {
      case: 'c',
      clause: 'load.answered',
      judged: 6_451,
      broken: 4_814,
      firstAt: 10,
      stages: [],
      threshold,
    };
    expect(formatLoadCount(seen)).toBe(
      '4,814 of 6,451 answers that it applies to (75 %). Seen at 10 in flight (11 of 172), too few to count at 8 (1 of 130) and 4 (2 of 1,300), not at 7 (0 of 182)',
    );
  });

  it('says why Repeat has another number in flight than the last line', () => {
    const counts = LOAD.counts.map((each) => ({
      ...each,
      stages: [
        { stage: 2, judged: 2_240, broken: 3 },
        { stage: 3, judged: 5_000, broken: 60 },
      ],
    }));
    const report = withLoad({ counts });
    const at = (inFlight: number) => {
      const cases = report.cases.map((each) => ({
        ...each,
        repeat: 'wirecheck load',
        repeatNeeds: { inFlight, seconds: 5, most: 50 },
      }));
      return render({ ...report, cases }, 'terminal').replaceAll(/\s+/g, ' ');
    };
    expect(at(64)).toContain('about 5 s at 64 in flight, where 60 answers showed it (3 at 16), up to 50 s in all');
    expect(at(16)).toContain('about 5 s at 16 in flight, up to 50 s in all');
  });

  it('has a line for each stage on the terminal, which a narrow one shortens', () => {
    const stages = LOAD.stages.map((each) => ({ ...each, outcomes: { ...each.outcomes, failed: 0 } }));
    const lines = (width: number) => render(withLoad({ stages }), 'terminal', { width }).split('\n');
    expect(lines(100)).toContain(
      '16           2,400     2,231        40             ·       3       43 ms  117 ms  264 ms  224 ms',
    );
    expect(lines(100).some((line) => line.startsWith('64 (burst)'))).toBe(true);
    const narrow = lines(70);
    const at = narrow.findIndex((line) => line.startsWith('In flight'));
    for (const line of narrow.slice(at, at + LOAD.stages.length + 1)) expect(line.length).toBeLessThanOrEqual(70);
    expect(render(underLoad(), 'terminal')).toMatch(/^In flight .*not answered +failed +broken /m);
    expect(render(underLoad(), 'terminal')).toContain('Failed calls broke no clause.');
    expect(lines(100).join(' ')).not.toContain('Failed calls');
  });

  it('tells for each kind of call how much of it is broken, and where that is too few to count', () => {
    const kind = (name: LoadKind, broken: number) =>
      ({ kind: name, outcomes: outcomes({ broken }), answers: 300, isReached: true, oneIn: 100 }) as const;
    const kinds = [kind('plain', 12), kind('stream', 0), kind('unknown-key', 1_000)];
    const stages = [stage(4, { kinds: [kind('stream', 1)] }), stage(16, { kinds })];
    const text = render(withLoad({ stages }), 'terminal');
    expect(text).toContain('\n4: broken: 1 of 300 streams; too few to count\n');
    expect(text).toContain('\n16: broken: 12 of 300 plain replies, 1,000 of 300 unknown keys\n');
    const verdict = { kind: 'held', upTo: 16, answers: 600, broken: 1 } as const;
    expect(formatLoadVerdict(verdict, { kind: 'complete' })).toBe(
      'HELD UP TO 16 IN FLIGHT: 1 of 600 answers broken, too few to count',
    );
  });
});

describe('the page of a run under load', () => {
  const load = (more: Partial<LoadReport> = {}) => sectionOf(page(withLoad(more)), 'load');

  it('does not take the requests that it keeps for all of them', () => {
    const html = page(withLoad({}));
    expect(html).not.toMatch(/Every request over time/);
    expect(sectionOf(html, 'requests')).toMatch(/<summary>2 of 90 requests in /);
  });

  it('has a band for each stage, in which a single broken answer can be seen', () => {
    const own = stage(16, { calls: 10_000, outcomes: outcomes({ answered: 9_999, broken: 1 }) });
    const band = load({ stages: [own] });
    const heights = [...band.matchAll(/class="o-\w+"[^>]* height="([\d.]+)"/g)].map(([, height]) => Number(height));
    expect(heights.slice(0, 2)).toEqual([expect.closeTo(94, 0), expect.closeTo(2, 0)]);
    expect(textOf(band)).toContain('1 broken under 0.1 %');
  });

  it('marks broken calls over time, and joins those with the text of another call to it', () => {
    const own = stage(4, { startedAt: 0, duration: 9_800, brokenAt: [4_900, 9_800], mixedAt: [[4_900, 9_800]] });
    const drawn = sectionOf(page(withLoad({ stages: [own] })), 'load');
    expect(drawn.match(/<line class="wrong" x1="49.50%" x2="49.50%"/g)).toHaveLength(1);
    expect(drawn.match(/<line class="wrong" x1="49.50%" x2="98.00%"/g)).toHaveLength(1);
    expect(textOf(drawn)).toContain('Each dot is a call that got the text of another one');
    expect(load()).not.toContain('Each dot');
  });

  it('draws times of the ramp, and names each line where it ends', () => {
    expect(load().match(/<figure class="plot">/g)).toHaveLength(3);
    expect(textOf(load())).toMatch(/median 139 ms\s+95 % 405 ms\s+99 % 936 ms/);
    expect(load().match(/class="hollow"/g)).toHaveLength(9);
  });

  it('keeps every point inside its drawing, whatever the times are', () => {
    for (const time of [0, 0.04, 3, 100, 250_000]) {
      const times = { headers: { count: 1, p50: time, p95: time, p99: time * 7, max: time, histogram: [] } };
      const heights = [...load({ stages: [stage(1, { times })] }).matchAll(/ cy="([^"]+)"/g)].map(([, y]) => Number(y));
      expect(heights).toHaveLength(3);
      for (const height of heights) expect(height >= 0 && height <= 150, `${time}: ${height}`).toBe(true);
    }
  });

  it('has no drawing without times', () => {
    expect(load({ stages: [stage(1, { times: {} })] })).not.toContain('class="plot"');
  });
});

describe('a ramp that stopped', () => {
  const rejecting = stage(1, {
    calls: 1_000,
    outcomes: outcomes({ answered: 205, rejected: 790, failed: 5 }),
    kinds: [],
  });
  const why =
    'More than half of its calls got no proper reply: 79 % rejected as overloaded, 0.5 % failed without breaking a clause.';

  it('says where and why, on the terminal, on the page and in Markdown', () => {
    const report = withLoad({ stages: [rejecting] });
    for (const format of ['terminal', 'html', 'markdown'] as const) {
      const text = render(report, format).replaceAll(WHOLE, '$1').replaceAll(/\s+/g, ' ');
      expect(text, format).toContain(`The ramp stopped at 1 in flight and did not go on to 64. ${why}`);
    }
  });

  it('is told from one that went up to its end, and from a run that ended', () => {
    const told = (more: Partial<LoadReport>, ending: Ending = { kind: 'complete' }) =>
      formatRampEnd({ ...LOAD, ...more }, ending);
    expect(told({})).toBeUndefined();
    expect(told({ stages: [stage(1), stage(4)] })).toMatch(/did not go on to 64: its last calls were not answered\.$/);
    expect(told({ stages: [stage(1)] }, { kind: 'interrupted' })).toBeUndefined();
  });

  it('names the calls in flight that it had, and no slow readers if there were none', () => {
    const lead = (more: Partial<LoadReport>) => textOf(sectionOf(page(withLoad(more)), 'load')).replaceAll(/\s+/g, ' ');
    expect(lead({ stages: [rejecting] })).toContain('Up to 1 call in flight; 64 were asked for. Of the calls:');
    expect(lead({ stages: [rejecting] })).not.toContain('slow reader');
    expect(lead({})).toContain('Up to 64 calls in flight. Of the calls:');
    expect(lead({})).toContain('3 slow readers at once');
  });
});

describe('sentences', () => {
  it('say how the target recovered', () => {
    const said = (recovery: LoadRecovery) => formatRecovery(recovery);
    expect(said({ kind: 'recovered', after: 40 })).toBe('One call at a time was answered again 40 ms after the load.');
    expect(said({ kind: 'not-recovered', after: 60_000, last: { status: 500 } })).toMatch(/for 60.0 s .* got 500\.$/);
    expect(said({ kind: 'not-recovered', after: 60_000, last: { failure: 'timeout' } })).toMatch(
      /no answer \(timeout\)/,
    );
    expect(said({ kind: 'rejecting', after: 1, last: { status: 503 }, retryAfter: 90_000 })).toMatch(/Retry-After: 90/);
    expect(said({ kind: 'recovered', after: 620, took: 612, before: 64 })).toBe(
      'One call at a time was answered again 620 ms after the load. It took 612 ms; before the load, 64 ms.',
    );
    expect(said({ kind: 'not-asked' })).toBe('Recovery was not tested.');
  });

  it('say how the command of --during ended', () => {
    const said = (end: NonNullable<LoadReport['during']>['end']) =>
      formatDuring({ command: ['a', 'b'], duration: 20, end });
    expect(said({ kind: 'exited', code: 1 })).toBe('a b exited with 1 after 20 ms');
    expect(said({ kind: 'signalled', signal: 'SIGTERM' })).toBe('a b was ended by SIGTERM after 20 ms');
    expect(said({ kind: 'not-started', code: 'ENOENT' })).toBe('a b did not start (ENOENT) after 20 ms');
    expect(said({ kind: 'ended-by-us' })).toBe('a b was ended by wirecheck after 20 ms');
  });

  it('give counts without a share where nothing was broken', () => {
    expect(formatLoadCount({ case: 'c', clause: 'c', judged: 12_408, broken: 0, stages: [] })).toBe(
      '0 of 12,408 answers that it applies to',
    );
    expect([0, 0.0004, 0.003, 0.93].map(formatShare)).toEqual(['0 %', 'under 0.1 %', '0.3 %', '93 %']);
  });

  it('tell what became of both upstreams while one failed, and what showed only then', () => {
    const upstreams = { primary: 1_200, fallback: 1, most: 3 };
    const failover = stage(4, { phase: 'failover', failing: 'primary', upstreams });
    expect(stageRemarks(failover)).toEqual([
      'the primary answered 503 to its 1,200 calls, and the fallback had 1; at most 3 for one call',
    ]);
    expect(formatLoadStage(failover)).toMatch(/^an upstream failed, 4 in flight: /);
    const threshold = { seen: { inFlight: 4, judged: 300, broken: 2 } };
    const seen = { case: 'c', clause: 'c', judged: 900, broken: 2, firstAt: 4, stages: [], threshold };
    expect(formatLoadCount({ ...seen, whileFailing: true })).toBe(
      '2 of 900 answers that it applies to (0.2 %), first seen at 4 in flight while an upstream failed (2 of 300)',
    );
  });

  it('have a line for a stage while it runs', () => {
    expect(formatLoadStage(stage(4))).toBe(
      '4 in flight: 1,170 answered, 30 disconnected or read slowly by us, 0 rejected as overloaded, 0 broken, first text after 19 ms',
    );
  });
});
