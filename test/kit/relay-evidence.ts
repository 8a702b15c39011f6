/** Evidence of both ends as data: what the client got, and what its upstream was asked and answered, without a server. */

import { loadContract } from '../../src/contract/read-contract.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import type { AskedCase, RelayTraffic } from '../../src/exchange/traffic.ts';
import type { Json } from '../../src/json.ts';
import { readRun, RELAY_CHECKS } from '../../src/gather/relay/judge/judge-relay.ts';
import { DEFAULT_SCRIPT, type RelayCase } from '../../src/gather/relay/read-relay-suite.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/settings.ts';
import type { CheckResult } from '../../src/verdict/verdict.ts';
import { type ExchangeParts, plainExchange, streamExchange, type StreamParts } from './exchanges.ts';

export const MARK = 'bcdfghjklmnpqr';
export const OTHER_MARK = 'zxwvtsrqpnmlkj';
export const TEXT = `The reply with the mark ${MARK} is whole.`;
export const ASKED: Json = { model: 'm', messages: [{ role: 'user', content: 'Say something.' }] };

export function completion(text: string, more: Readonly<Record<string, Json>> = {}): Json {
  return { choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }], ...more };
}

export function chunk(content: string, finish: string | null = null): Json {
  return { choices: [{ index: 0, delta: { content }, finish_reason: finish }] };
}

/** A question: its exchange at the front, and the calls that it led to. */
export interface Question {
  readonly front: Exchange;
  readonly upstream: readonly Exchange[];
}

type Plain = ExchangeParts & { readonly sentAt?: number };
type Streamed = StreamParts & { readonly sentAt?: number };

function at(exchange: Exchange, { sentAt = 0 }: { readonly sentAt?: number }): Exchange {
  return { ...exchange, attempts: exchange.attempts.map((attempt) => ({ ...attempt, sentAt })) };
}

function called(exchange: Exchange, front: string, index: number): Exchange {
  return { ...exchange, id: `${front}@${index + 1}`, side: 'upstream', cause: front };
}

/** By default the reply of the upstream is passed on. */
export function plain(front: Plain = {}, ...upstream: readonly Plain[]): Question {
  const own = { id: 'q', json: completion(TEXT), sent: ASKED, ...front };
  return {
    front: at(plainExchange(own), own),
    upstream: upstream.map((parts, index) => {
      const call = { json: completion(TEXT), sent: ASKED, sentAt: 5, ...parts };
      return called(at(plainExchange(call), call), own.id, index);
    }),
  };
}

const STREAM: readonly Json[] = [chunk('The mark is '), chunk(`${MARK}.`), chunk('', 'stop'), '[DONE]'];

export function streamed(front: Streamed = {}, ...upstream: readonly Streamed[]): Question {
  const usual = { events: STREAM, sent: { ...(ASKED as object), stream: true } };
  const own = { id: 'q', ...usual, ...front };
  return {
    front: at(streamExchange(own), own),
    upstream: upstream.map((parts, index) => {
      const call = { ...usual, sentAt: 5, ...parts };
      return called(at(streamExchange(call), call), own.id, index);
    }),
  };
}

interface Judged {
  readonly questions: readonly Question[];
  readonly testCase?: Partial<RelayCase>;
  readonly control?: AskedCase['control'];
  readonly traffic?: Partial<RelayTraffic>;
  /** What the user gives as `--upstream-model`. */
  readonly models?: readonly string[];
  readonly relay?: Partial<Settings['relay']>;
}

/** What one check makes of the evidence of one case. */
export function judgeBothEnds(check: keyof typeof RELAY_CHECKS, judged: Judged): CheckResult {
  const { questions, testCase = {}, control = 'answered', traffic = {}, models = [], relay: set = {} } = judged;
  const own: RelayCase = {
    id: 'relay/case',
    suite: 'answers',
    title: '',
    source: { file: 'f', line: 1 },
    mode: questions[0]?.front.request.mode ?? 'plain',
    calls: 'one',
    messages: [],
    request: {},
    key: 'full',
    script: DEFAULT_SCRIPT,
    expect: [{ clause: 'relay.text', check, options: {} }],
    ...testCase,
  };
  const whole: RelayTraffic = {
    cases: [{ case: own.id, asked: questions.map(({ front }) => front.id), control }],
    front: questions.map(({ front }) => front),
    upstream: questions.flatMap(({ upstream }) => upstream),
    otherRequests: { count: 0, first: [] },
    overflow: 0,
    ending: { kind: 'complete' },
    model: 'm',
    used: { requests: 1, completions: 1, tokens: 0 },
    notices: [],
    knowsUpstreamKey: true,
    startedAt: 0,
    endedAt: 1,
    ...traffic,
  };
  const relay = { ...DEFAULT_SETTINGS.relay, upstreamModel: models, ...set };
  const settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1', relay };
  const run = readRun({ traffic: whole, settings }, [own], loadContract('relay'));
  const [evidence] = run.cases;
  if (!evidence) throw new Error('no case');
  return RELAY_CHECKS[check].execute(evidence, run, own.expect[0]!);
}
