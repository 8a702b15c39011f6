/** Comparisons of two runs, to be rendered. */

import {
  type Change,
  type ComparedRun,
  type Comparison,
  countEntries,
} from '../../src/report/comparison/comparison.ts';

export const RUN: ComparedRun = {
  source: 'old.ndjson',
  tool: '0.1.0',
  baseUrl: 'https://gateway.example/v1',
  model: 'small',
  startedAt: '2026-01-01T00:00:00.000Z',
  contractHash: 'a'.repeat(64),
  outcome: 'conforms',
  ending: 'complete',
};

export function change(parts: Partial<Change> = {}): Change {
  return {
    kind: 'breaking',
    what: 'field-gone',
    clause: 'versioning.no-breaking-change',
    place: { endpoint: 'chat', mode: 'plain', status: 200, pointer: '/usage' },
    old: { answers: 25, present: 25, types: ['object'], exchanges: ['chat'] },
    new: { answers: 24, present: 0, exchanges: ['chat/charset'] },
    fingerprint: '0123456789abcdef',
    cause: 'fedcba9876543210',
    ...parts,
  };
}

export function comparison(changes: readonly Change[], parts: Partial<Comparison> = {}): Comparison {
  const counts = countEntries(changes);
  return {
    format: 'wirecheck-comparison',
    version: 2,
    tool: { name: 'wirecheck', version: '0.1.0' },
    old: RUN,
    new: { ...RUN, source: 'new.ndjson' },
    failOn: 'breaking',
    exit: counts.breaking > 0 ? 1 : 0,
    obstacles: [],
    notices: [],
    compared: {
      cases: 100,
      casesLeftOut: { inconclusive: 0, skipped: 2, flaky: 1 },
      casesChanged: 0,
      casesOnlyIn: { old: 0, new: 0 },
      shapes: 9,
      scantShapes: 4,
      answers: 112,
    },
    counts,
    changes,
    ...parts,
  };
}
