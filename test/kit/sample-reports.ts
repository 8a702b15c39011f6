/** Two reports for the tests of the formats: one of a gateway that conforms, one of a gateway that does nearly everything wrong. */
import { quoteText } from '../../src/text/quote.ts';
import type { CaseReport, ClauseReport, Counts, ExchangeReport, Report } from '../../src/report/report.ts';

type Expectation = CaseReport['expectations'][number];
type Finding = Expectation['findings'][number];

const CHAT = { endpoint: 'chat', method: 'POST', path: '/chat/completions' } as const;
const NOTHING: Counts = { fail: 0, inconclusive: 0, warn: 0, pass: 0, observed: 0, skipped: 0 };

export function counts(some: Partial<Counts>): Counts {
  return { ...NOTHING, ...some };
}

export function clause(id: string, more: Partial<ClauseReport> = {}): ClauseReport {
  return {
    id,
    part: '7',
    kind: 'stated',
    level: 'must',
    scope: 'run',
    summary: `Summary of ${id}.`,
    verdict: 'pass',
    cases: [],
    ...more,
  };
}

export function finding(more: Partial<Finding> = {}): Finding {
  return {
    mismatch: 'type',
    exchange: 'auth/unknown-key[models]',
    attempt: 0,
    pointer: '/error/code',
    expected: { kind: 'type', types: ['string'] },
    actualType: 'integer',
    actual: { kind: 'value', value: 401 },
    more: 0,
    fingerprint: 'f'.repeat(16),
    ...more,
  };
}

export function expectation(clauseId: string, more: Partial<Expectation> = {}): Expectation {
  return {
    clause: clauseId,
    kind: 'stated',
    level: 'must',
    check: 'every-error-body',
    verdict: 'pass',
    flaky: false,
    findings: [],
    observations: [],
    exchanges: [],
    ...more,
  };
}

export function oneCase(id: string, expectations: readonly Expectation[], more: Partial<CaseReport> = {}): CaseReport {
  const [suite = ''] = id.split('/');
  const verdict = expectations[0]?.verdict ?? 'pass';
  const source = { file: `suites/${suite}.yaml`, line: 10 };
  return { id, suite, title: `title of ${id}`, source, verdict, flaky: false, edits: [], expectations, ...more };
}

export function exchange(id: string, more: Partial<ExchangeReport> = {}): ExchangeReport {
  const body = { text: '{}', bytes: 2, shown: 2, end: { kind: 'complete' as const } };
  const answer = { status: 200, httpVersion: '1.1', headers: [], interim: 0, headersAt: 3, endAt: 4.4, body };
  return {
    id,
    step: id,
    endpoint: 'models',
    mode: 'plain',
    method: 'GET',
    path: '/models',
    key: 'full',
    headers: [['accept', 'application/json']],
    attempts: [{ sentAt: 1, pause: 0, answer, secretsSeen: [] }],
    ...more,
  };
}

export function conforming(more: Partial<Report> = {}): Report {
  const cost = { requests: 90, completions: 20, tokens: 400 };
  return {
    format: 'wirecheck-report',
    version: 2,
    tool: { name: 'wirecheck', version: '0.1.0' },
    provenance: {
      contractHash: 'a'.repeat(64),
      node: 'v20.19.0',
      platform: 'linux arm64',
      seed: 1,
      startedAt: '2026-01-01T00:00:00.000Z',
      endedAt: '2026-01-01T00:00:02.500Z',
      settings: { baseUrl: 'https://gateway.example/v1' },
    },
    target: { baseUrl: 'https://gateway.example/v1', model: 'alpha-1' },
    strict: false,
    ending: { kind: 'complete' },
    outcome: { name: 'conforms', exit: 0, mustClauses: 74, mustJudged: 74 },
    notices: [],
    counts: { cases: counts({ pass: 2 }), clauses: counts({ pass: 2 }), expectations: counts({ pass: 2 }) },
    areas: [
      { area: 'models', cases: counts({ pass: 1 }) },
      { area: 'chat', cases: counts({ pass: 1 }) },
    ],
    cost: { used: cost, least: cost, most: { requests: 240, completions: 70, tokens: 1200 } },
    tolerance: { unknownRequestFields: { asked: 2, ignored: 2 }, unknownAnswerFields: [] },
    cases: [
      oneCase('models/list', [expectation('models.list')], { exchange: 'models' }),
      oneCase('streaming/long', [expectation('stream.events')], { exchange: 'streaming/long' }),
    ],
    clauses: [clause('models.list'), clause('stream.events')],
    observations: [],
    exchanges: [exchange('models'), streamed('streaming/long')],
    ...more,
  };
}

function streamed(id: string): ExchangeReport {
  const plain = exchange(id, { ...CHAT, mode: 'stream', body: '{}' });
  const [attempt] = plain.attempts;
  const events = [12.2, 18.4, 25].map((at) => ({ at, data: '{}' }));
  const stream = { end: 'done' as const, events, eventCount: 3, reads: [{ at: 12, bytes: 40 }], comments: 0 };
  return attempt?.answer ? { ...plain, attempts: [{ ...attempt, answer: { ...attempt.answer, stream } }] } : plain;
}

/** Failures that share a root cause, a warning, something skipped, something inconclusive, observations, extra fields. */
export function broken(more: Partial<Report> = {}): Report {
  const code = (exchangeId: string, attempt = 0, places = 0) =>
    expectation('errors.code', {
      verdict: 'fail',
      findings: [finding({ exchange: exchangeId, attempt, more: places })],
      exchanges: [exchangeId],
    });
  const should = { kind: 'implied', level: 'should', verdict: 'warn' } as const;
  const label = finding({
    mismatch: 'content-type',
    pointer: '',
    expected: { kind: 'media-type', type: 'application/json' },
    actualType: 'other-media-type',
    actual: { kind: 'header', name: 'Content-Type', value: 'text/html' },
  });
  const needsKey = () =>
    expectation('auth.restricted', {
      verdict: 'skipped',
      reason: { kind: 'needs', settings: ['restricted-key', 'forbidden-model'] },
    });
  return conforming({
    outcome: { name: 'does-not-conform', exit: 1, mustClauses: 74, mustJudged: 60 },
    counts: {
      cases: counts({ fail: 2, warn: 1, inconclusive: 1, skipped: 2, pass: 1 }),
      clauses: counts({ fail: 1, warn: 1, pass: 1 }),
      expectations: counts({ fail: 2, warn: 1, inconclusive: 1, skipped: 2, pass: 1 }),
    },
    areas: [
      { area: 'auth', cases: counts({ fail: 2, skipped: 2 }) },
      { area: 'chat', cases: counts({ warn: 1, inconclusive: 1, pass: 1 }) },
    ],
    tolerance: {
      unknownRequestFields: { asked: 2, ignored: 1 },
      unknownAnswerFields: [{ kind: 'field', place: 'completion ', name: quoteText('system_fingerprint') }],
    },
    cases: [
      oneCase('auth/unknown-key[models]', [code('auth/unknown-key[models]')], {
        base: 'models',
        exchange: 'auth/unknown-key[models]',
        edits: [{ kind: 'key', use: 'unknown' }],
        repeat: 'curl -sS "$WIRECHECK_BASE_URL/models" -H "Authorization: Bearer sk-service-unknown"',
      }),
      oneCase('parameters/temperature-above-range', [code('parameters/temperature-above-range', 1, 1)], {
        base: 'chat',
        exchange: 'parameters/temperature-above-range',
        edits: [{ kind: 'set', pointer: '/temperature', value: 2.1 }],
      }),
      oneCase('chat/label', [expectation('json.label', { ...should, findings: [label] })]),
      oneCase('chat/slow', [
        expectation('chat.answered', {
          verdict: 'inconclusive',
          reason: { kind: 'no-answer', failure: 'timeout', code: 'TIMEOUT', limit: 'timeout' },
        }),
      ]),
      oneCase('auth/restricted-list', [needsKey()]),
      oneCase('auth/restricted-call', [needsKey()]),
      oneCase('chat/reply', [expectation('chat.reply')]),
    ],
    clauses: [
      clause('errors.code', {
        verdict: 'fail',
        summary: 'An error answer carries error.code as a string.',
        explanation: { reading: 'A code is a word.', passes: '"a"', fails: '401', hurts: 'Programs never match it.' },
      }),
      clause('json.label', { verdict: 'warn', kind: 'implied', level: 'should', part: '-' }),
      clause('chat.reply', { part: '1' }),
    ],
    observations: [
      { clause: 'chat.created', case: 'chat/reply', name: 'created-unit', value: 'seconds' },
      {
        clause: 'errors.codes',
        case: 'auth/unknown-key[models]',
        name: 'error-code',
        value: [quoteText('401'), quoteText('invalid_key')],
      },
    ],
    exchanges: [
      exchange('auth/unknown-key[models]', { key: 'unknown' }),
      exchange('parameters/temperature-above-range', CHAT),
    ],
    ...more,
  });
}
