/** A notice of each kind, with every optional part filled in. */
import type { Notice } from '../../src/exchange/notice.ts';
import { type OneOfEach, quote, withKinds } from './one-of-each.ts';

const waiver = { file: 'w.yaml', line: 2, case: 'auth/*', clause: 'errors.code', fingerprint: '0123456789abcdef' };

const NOTICE_PARTS: OneOfEach<Notice> = {
  'short-secret': { of: 'header', name: 'X-Pin', least: 8 },
  'short-key': { role: 'full', least: 8 },
  'other-key': {},
  strangers: { count: 2, first: [quote, quote] },
  overflow: { count: 3 },
  'waiver-undecided': waiver,
  'waiver-unused': waiver,
  'waiver-expired': { ...waiver, until: '2030-06-14', isBroken: true },
  'waiver-pending': { ...waiver, date: '2030-06-16' },
  'gzip-cut': { file: 'a.ndjson.gz' },
  'recording-cut': { file: 'a.ndjson.gz', line: 7, isLineCut: true, isGzipCut: true },
  'other-contract': {},
  'no-must': {},
  'suite-changed': { file: 'own.yaml' },
  'evidence-thinned': { judged: 12_000 },
  har: { file: 'a.har', judged: 3, entries: 9, baseUrl: 'https://gateway.example/v1' },
  'har-other-apis': { entries: 4 },
  'har-other-base': { exchanges: 2, baseUrl: 'https://other.example/v1' },
  'har-unusable': { exchanges: [{ why: 'no-answer', count: 1 }] },
  recorded: { sentence: 'An older sentence.' },
};

export const NOTICES = withKinds(NOTICE_PARTS) as readonly Notice[];
