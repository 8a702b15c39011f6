/** A report with a load part, for tests. */
import {
  LOAD_OUTCOMES,
  type LoadReport,
  type LoadStage,
  type LoadTimes,
  type OutcomeCounts,
} from '../../src/report/load-report.ts';
import type { Report } from '../../src/report/report.ts';
import { broken, clause, expectation, finding, oneCase } from './sample-reports.ts';

/** Of a finding: a call that failed with a 5xx. */
export const PARTS = {
  mismatch: 'status',
  expected: { kind: 'status', status: 200 },
  actualType: '5xx',
  actual: { kind: 'absent' },
} as const;

export function outcomes(some: Partial<OutcomeCounts>): OutcomeCounts {
  return { ...(Object.fromEntries(LOAD_OUTCOMES.map((name) => [name, 0])) as OutcomeCounts), ...some };
}

export function times(p50: number, p95: number, p99: number): LoadTimes {
  return {
    count: 100,
    p50,
    p95,
    p99,
    max: p99 * 2,
    histogram: [
      [p50, 50],
      [p99, 50],
    ],
  };
}

export function stage(inFlight: number, more: Partial<LoadStage> = {}): LoadStage {
  const calls = 600 * Math.ceil(Math.sqrt(inFlight));
  return {
    phase: 'ramp',
    inFlight,
    reached: { mean: inFlight * 0.9, most: inFlight },
    startedAt: 0,
    duration: 9_800,
    calls,
    outcomes: outcomes({ answered: calls - 30, left: 30 }),
    kinds: [
      { kind: 'plain', outcomes: outcomes({ answered: 300 }), answers: 300, isReached: true, oneIn: 100 },
      { kind: 'slow-reader', outcomes: outcomes({ answered: 3 }), answers: 3, isReached: false, oneIn: 1 },
    ],
    times: {
      headers: times(4 + inFlight, 9 + 2 * inFlight, 14 + 4 * inFlight),
      'first-text': times(11 + 2 * inFlight, 21 + 6 * inFlight, 40 + 14 * inFlight),
      end: times(160 + 4 * inFlight, 220 + 9 * inFlight, 260 + 30 * inFlight),
    },
    generator: { delay: 11, cpu: 0.42, memory: 120 * 1024 * 1024, heldBack: 0, isBusy: false, machine: 0.6 },
    ...more,
  };
}

export const LOAD: LoadReport = {
  concurrency: 64,
  mix: { plain: 4, stream: 4, list: 1, refusal: 1 },
  disconnects: 0.05,
  slowReaders: 3,
  stages: [
    stage(1),
    stage(4),
    stage(16, { calls: 2_400, outcomes: outcomes({ answered: 2_231, left: 120, rejected: 40, failed: 6, broken: 3 }) }),
    stage(64, {
      calls: 9_000,
      outcomes: outcomes({
        answered: 6_204,
        left: 440,
        limit: 1,
        rejected: 1_901,
        unanswered: 20,
        failed: 200,
        broken: 234,
      }),
      generator: { delay: 140, cpu: 0.98, memory: 180 * 1024 * 1024, heldBack: 1_200, isBusy: true },
    }),
    stage(64, { phase: 'burst', calls: 256, outcomes: outcomes({ answered: 205, failed: 51 }) }),
    stage(8, { phase: 'halving', calls: 350, outcomes: outcomes({ answered: 350 }) }),
    stage(9, { phase: 'halving', calls: 320, outcomes: outcomes({ answered: 279, broken: 41 }) }),
  ],
  answers: 12_408,
  broken: 37,
  counts: [
    {
      case: 'load/whole',
      clause: 'load.whole',
      judged: 12_408,
      broken: 37,
      firstAt: 16,
      stages: [{ stage: 2, judged: 2_240, broken: 3 }],
      threshold: { seen: { inFlight: 9, judged: 320, broken: 41 }, unseen: { inFlight: 8, judged: 350 } },
      onlyWith: ['after-disconnect'],
    },
  ],
  recovery: { kind: 'recovered', after: 1_400 },
  budgets: [
    {
      time: 'first-text',
      quantile: 'p50',
      most: 100,
      inFlight: 64,
      result: { kind: 'broken', actual: 139, answers: 3_000 },
    },
    { time: 'end', quantile: 'p99', most: 5_000, result: { kind: 'not-judged', answers: 40, needed: 299 } },
  ],
  verdict: { kind: 'broken', from: 16, answers: 12_408, broken: 37, clauses: ['load.whole'] },
};

export function underLoad(more: Partial<Report> = {}): Report {
  return broken({
    clauses: [clause('load.whole', { verdict: 'fail', summary: 'After a 200 under load, the whole reply arrives.' })],
    cases: [oneCase('load/whole', [expectation('load.whole', { verdict: 'fail', findings: [finding()] })])],
    load: LOAD,
    ...more,
  });
}

const ONCE = outcomes({ answered: 1 });
const TIMES = times(1, 2, 3);

/** Every optional field filled in. */
export const FULL_LOAD = {
  ...LOAD,
  refused: 1,
  stages: [
    {
      ...stage(1),
      generator: { ...stage(1).generator, machine: 1, isMachineBusy: true },
      kinds: [{ kind: 'plain', outcomes: ONCE, answers: 1, isReached: false, oneIn: 1 }],
      times: { headers: TIMES, 'first-text': TIMES, end: TIMES },
      failing: 'primary',
      upstreams: { primary: 1, fallback: 1, most: 2 },
      givenUp: 1,
      brokenAt: [5],
      mixedAt: [[5, 6]],
      doubt: 'unanswered',
    },
  ],
  counts: [
    {
      case: 'c',
      clause: 'c',
      judged: 1,
      broken: 1,
      firstAt: 1,
      stages: [{ stage: 0, judged: 1, broken: 1 }],
      threshold: {
        seen: { inFlight: 1, judged: 1, broken: 1 },
        unseen: { inFlight: 1, judged: 1 },
        fewer: [{ inFlight: 1, judged: 1, broken: 1 }],
      },
      whileFailing: true,
      onlyWith: ['after-idle'],
    },
  ],
  recovery: { kind: 'rejecting', after: 1, last: { status: 429, failure: 'closed' }, retryAfter: 1 },
  budgets: [
    {
      time: 'end',
      quantile: 'p50',
      most: 1,
      inFlight: 1,
      result: { kind: 'not-judged', answers: 1, needed: 2 },
    },
  ],
  during: { command: ['a'], duration: 1, end: { kind: 'exited', code: 0 } },
  verdict: {
    kind: 'held',
    upTo: 1,
    answers: 1,
    broken: 1,
    rejected: { inFlight: 4, share: 0.9 },
    tooFew: { from: 4, to: 16, raise: 'duration' },
  },
} as const satisfies LoadReport;
