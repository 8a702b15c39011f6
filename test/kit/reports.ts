/** A report in which every field is filled in, for tests. */
/* oxlint-disable max-lines -- one value in the shape of the report; its parts are read in their place */
import type { BodyEnd } from '../../src/exchange/exchange.ts';
import type { Ending } from '../../src/exchange/ending.ts';
import type { Edit } from '../../src/suite/case.ts';
import type { Report } from '../../src/report/report.ts';
import { FULL_LOAD } from './load-reports.ts';

/** Every optional field filled in, so that the compiler asks for each one here when the type gets it. */
type Full<T> = T extends string | number | boolean | null
  ? T
  : T extends readonly (infer Item)[]
    ? number extends T['length']
      ? readonly Full<Item>[]
      : T
    : { readonly [K in keyof T]-?: Full<T[K]> };

/** One of each kind of a union. */
type OfEach<T extends { readonly kind: string }> = {
  readonly [K in T['kind']]: Full<Extract<T, { readonly kind: K }>>;
};

const SAID = { quote: 't', length: 1, unit: 'byte', isCut: true } as const;
const FIRST_ANSWER = {
  status: 502,
  type: SAID,
  code: SAID,
  message: SAID,
  isPage: true,
  isEmpty: true,
  location: SAID,
} as const;
const counts = { fail: 0, inconclusive: 0, warn: 0, pass: 1, observed: 0, skipped: 0 };
const cost = { requests: 1, completions: 1, tokens: 1 };
const failure = { kind: 'limit', limit: 'max-headers', code: 'X', detail: 'd', at: 1 } as const;

const EDITS: OfEach<Edit> = {
  set: { kind: 'set', pointer: '/a', value: 'x' },
  add: { kind: 'add', pointer: '/a', value: 'x' },
  remove: { kind: 'remove', pointer: '/a' },
  rawNumber: { kind: 'rawNumber', pointer: '/a', text: '1e400' },
  raw: { kind: 'raw', text: '' },
  spelling: { kind: 'spelling', spellings: ['key-order'] },
  header: { kind: 'header', name: 'a', value: null },
  key: { kind: 'key', use: 'none' },
  method: { kind: 'method', method: 'PUT' },
  path: { kind: 'path', path: '/x' },
  query: { kind: 'query', query: 'a=1' },
};

export const ENDINGS: OfEach<Ending> = {
  complete: { kind: 'complete' },
  unreachable: { kind: 'unreachable', failure, waited: true, most: 3_000, began: true },
  'key-refused': { kind: 'key-refused', status: 401, answer: FIRST_ANSWER },
  'not-this-api': { kind: 'not-this-api', status: 404, nearby: 'http://x/v1', answer: FIRST_ANSWER, waited: true },
  'no-model': { kind: 'no-model', reason: 'empty-list', answer: FIRST_ANSWER },
  'chat-unanswered': { kind: 'chat-unanswered', limit: 'first-byte-timeout', most: 60_000 },
  'stopped-answering': { kind: 'stopped-answering', suspects: ['s'], lastAnswered: 'l', oneAtATime: true },
  'stopped-after-disconnects': { kind: 'stopped-after-disconnects', clients: 2 },
  'refused-alone': { kind: 'refused-alone', answer: FIRST_ANSWER },
  'ended-under-load': { kind: 'ended-under-load', why: 'stopped-answering', inFlight: 16 },
  'rate-limited': { kind: 'rate-limited' },
  budget: { kind: 'budget', setting: 'max-time', slowedBy: 2, underLoad: true, exploring: true },
  bailed: { kind: 'bailed', after: 'a' },
  interrupted: { kind: 'interrupted' },
  'no-upstream-call': {
    kind: 'no-upstream-call',
    upstream: 'http://u/v1',
    model: 'm',
    answer: FIRST_ANSWER,
    limit: 'timeout',
    most: 3_000,
    others: ['GET /x'],
  },
  'not-recovered': { kind: 'not-recovered', after: 'relay/fail-500', isUpstreamFull: true, isRefused: true },
  'recording-cut': { kind: 'recording-cut' },
  'client-not-started': { kind: 'client-not-started', command: 'node c.js', code: 'ENOENT' },
  'client-failed-control': {
    kind: 'client-failed-control',
    how: 'failed',
    seconds: 1,
    said: { quote: 's', length: 1, unit: 'byte', isCut: true },
    reply: { quote: 'r', length: 1, unit: 'byte', isCut: true },
    complaint: { quote: 'e', length: 1, unit: 'byte', isCut: true },
    exit: 1,
    signal: 'SIGSEGV',
    calls: ['POST /responses'],
  },
};

export const BODY_ENDS: OfEach<BodyEnd> = {
  complete: { kind: 'complete' },
  cut: { kind: 'cut', detail: 'd' },
  limit: { kind: 'limit', limit: 'max-body' },
  undecodable: { kind: 'undecodable', detail: 'd' },
  aborted: { kind: 'aborted', why: 'w' },
};

export const FULL_REPORT: Full<Omit<Report, 'provenance'>> & { readonly provenance: Required<Report['provenance']> } = {
  format: 'wirecheck-report',
  version: 2,
  edition: '2026.1',
  editionDigest: 'b'.repeat(64),
  recordingDigest: 'c'.repeat(64),
  reportDigest: 'd'.repeat(64),
  product: { name: 'p', version: '1', contact: 'c' },
  title: 't',
  note: 'n',
  subject: 'client',
  tool: { name: 'wirecheck', version: '0.1.0' },
  provenance: {
    contractHash: 'a'.repeat(64),
    node: 'v20.19.0',
    platform: 'linux',
    seed: 1,
    startedAt: '2024-01-01T00:00:00.000Z',
    endedAt: '2024-01-01T00:00:01.000Z',
    settings: { model: 'm', retries: 2, strict: false, only: ['a'] },
    clockSkew: -20,
  },
  target: {
    name: 'n',
    baseUrl: 'http://x/v1',
    model: 'm',
    client: { name: 'c', command: ['node', 'c.js'], version: '1' },
    upstream: { url: 'http://y/v1' },
  },
  profile: {
    name: 'acme',
    version: '3',
    basedOn: 'v1',
    about: 'a',
    digest: 'b'.repeat(64),
    safetyChanges: 0,
    changes: [
      {
        change: { kind: 'level', clause: 'auth.key-prefix', level: 'observe', line: 5, why: 'w' },
        levelWas: 'must',
        limitWas: { minimum: 0, maximum: 2 },
        typeWas: 'string',
        safety: true,
      },
    ],
  },
  strict: false,
  ending: ENDINGS.complete,
  outcome: {
    name: 'conforms',
    exit: 0,
    line: 'l',
    mustClausesInLine: 1,
    mustJudgedInLine: 1,
    mustClauses: 1,
    mustJudged: 1,
    undecided: { case: 'a/b', clause: 'c' },
    detect: { oneIn: 3, short: ['c'] },
  },
  causes: [
    {
      verdict: 'fail',
      excused: 'waived',
      clause: 'c',
      level: 'must',
      requirement: 'r',
      expected: 'e',
      actual: 'a',
      repeat: 'curl',
      cases: ['a/b'],
      fingerprints: ['f'],
      answers: 1,
    },
  ],
  notices: [{ kind: 'overflow', count: 1 }],
  counts: { cases: counts, clauses: counts, expectations: counts },
  areas: [{ area: 'a', cases: counts }],
  cost: { used: cost, least: cost, most: cost },
  retries: { attempts: 9, replaced: 1, causes: { '503': 1 } },
  time: { wall: 30, target: 20, pauses: 5, checker: 5, slowest: [{ exchange: 'a', time: 20 }] },
  tolerance: {
    unknownRequestFields: { asked: 1, ignored: 1 },
    unknownAnswerFields: [
      { kind: 'field', place: 'completion ', name: { quote: 'x', length: 1, unit: 'byte', isCut: true } },
    ],
  },
  load: FULL_LOAD,
  explore: {
    draws: 2,
    sequences: 1,
    unsent: 12,
    kinds: { valid: 1, tolerant: 0, invalid: 1, open: 0 },
    pairs: [{ fields: ['stream', 'text'], values: 1 }],
    missing: [['stream', 'top_p']],
    findings: [
      {
        fingerprints: ['f'],
        path: '1:0',
        length: 1,
        exchange: 'e',
        isShrunk: true,
        requests: 3,
        draws: 1,
        intermittent: { failed: 2, asked: 5 },
        silence: 'timeout',
        neighbour: 'n',
        difference: [{ pointer: '/temperature', failing: '1.3', passing: '1' }],
      },
    ],
    flaky: [1],
    unconfirmed: [2],
  },
  cases: [
    {
      id: 'a/b',
      suite: 'a',
      title: 't',
      source: { file: 'f', line: 1 },
      verdict: 'fail',
      flaky: false,
      base: 'chat',
      control: 'chat',
      edits: Object.values(EDITS),
      exchange: 'e',
      repeat: 'curl',
      client: {
        result: 'pass',
        text: 't',
        said: { quote: 't', length: 1, unit: 'byte', isCut: true },
        complaint: { quote: '', length: 0, unit: 'byte', isCut: true },
        exit: 0,
        signal: 'SIGTERM',
        time: 1.5,
        exchanges: ['e'],
      },
      relay: { front: ['e'], upstream: ['e'] },
      partial: true,
      expectations: [
        {
          clause: 'c',
          kind: 'stated',
          level: 'must',
          check: 'k',
          verdict: 'fail',
          reason: { kind: 'no-occasion', of: 'error' },
          flaky: false,
          findings: [
            {
              mismatch: 'type',
              exchange: 'e',
              attempt: 0,
              pointer: '/a',
              expected: { kind: 'type', types: ['string'] },
              actualType: 'integer',
              actual: { kind: 'value', value: 5 },
              status: 401,
              answer: { status: 401, type: SAID, code: SAID, message: SAID, isPage: true, isEmpty: true },
              trigger: ['/a'],
              more: 1,
              moreAnswers: 1,
              fingerprint: 'f',
              waiver: 1,
              since: 'new',
            },
          ],
          observations: [{ name: 'choices', value: ['always'] }],
          exchanges: ['e'],
          answers: { judged: 8, broken: 3, statuses: [{ status: 400, judged: 4, broken: 3 }] },
          intermittent: true,
          shared: [{ trait: 'server', value: { quote: 't', length: 1, unit: 'byte', isCut: true } }],
          excused: 'waived',
        },
      ],
    },
  ],
  clauses: [
    {
      id: 'c',
      part: '1',
      kind: 'stated',
      level: 'must',
      levelWas: 'none',
      why: 'w',
      scope: 'run',
      safety: true,
      summary: 's',
      verdict: 'pass',
      sureness: { answers: 8, edits: 1, fewest: 8, rate: 0.312 },
      cases: ['a/b'],
      explanation: {
        reading: 'r',
        passes: 'p',
        fails: 'f',
        hurts: 'h',
        sentences: [{ part: '7', table: 't', text: 's' }],
      },
    },
  ],
  observations: [{ name: 'presence', of: 'completion /id', value: true, clause: 'c', case: 'a/b' }],
  exchanges: [
    {
      id: 'e',
      step: 's',
      name: 'n',
      round: 2,
      stage: 0,
      occasion: 'other-model',
      number: 2,
      givenUp: 'g',
      side: 'upstream',
      cause: 'c',
      endpoint: 'chat',
      mode: 'stream',
      method: 'POST',
      path: '/x',
      key: 'full',
      headers: [['a', 'b']],
      body: '{}',
      filler: { kind: 'letters', count: 9 },
      idle: { pause: 6000, on: 'kept', connection: 'c' },
      attempts: [
        {
          sentAt: 0.5,
          pause: 0,
          failure,
          answer: {
            status: 200,
            httpVersion: '1.1',
            headers: [['a', 'b']],
            interim: 0,
            head: 'HTTP/1.1 200 OK\r\n\r\n',
            headersAt: 1.5,
            endAt: 2.5,
            body: { text: '', bytes: 0, shown: 0, end: BODY_ENDS.complete },
            stream: {
              end: 'done',
              events: [{ at: 1.5, event: 'e', data: '' }],
              eventCount: 1,
              reads: [{ at: 1.5, bytes: 1 }],
              comments: 0,
              lateness: 1.5,
            },
          },
          secretsSeen: [{ role: 'full', form: 'raw', whole: true, place: 'body' }],
        },
      ],
      controlAfter: 'answered',
      edits: Object.values(EDITS),
      repeat: 'curl x',
    },
  ],
  affected: {
    measured: '2024-01-01',
    mismatches: [
      {
        clause: 'c',
        call: 'plain',
        mismatch: 'type',
        actual: 'null',
        pointer: '/a',
        affected: [{ client: 'sdk 1.2', effect: 'throws' }],
        unaffected: ['other sdk'],
      },
    ],
  },
  waivers: {
    file: 'w.yaml',
    today: '2024-01-01',
    failOnUnused: true,
    entries: [
      {
        case: 'a/*',
        clause: 'c',
        fingerprint: 'f*',
        reason: 'r',
        owner: 'o',
        link: 'https://tracker.example/1',
        until: '2024-12-31',
        announced: { date: '2024-01-01', link: 'https://gateway.example/changelog' },
        line: 2,
        state: 'in-use',
        findings: 1,
      },
    ],
  },
  baseline: {
    file: 'old.json',
    baseUrl: 'http://x/v1',
    startedAt: '2023-01-01T00:00:00.000Z',
    sameContract: true,
    fixed: [{ case: 'a/b', clause: 'c', fingerprint: 'f' }],
    notJudged: [{ case: 'a/b', clause: 'c', fingerprint: 'f' }],
  },
};
