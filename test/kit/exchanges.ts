/** Tiny constructors for exchanges, so that each test of a check shows only what it is about. */
import { loadReferenceDescription } from '../../src/contract/published-schemas.ts';
import type { SchemaIssue } from '../../src/contract/contract.ts';
import type {
  Answer,
  Attempt,
  BodyEnd,
  Exchange,
  Failure,
  Header,
  NoAnswer,
  SecretSeen,
  SentRequest,
} from '../../src/exchange/exchange.ts';
import type { Traffic } from '../../src/exchange/traffic.ts';
import type { Json } from '../../src/json.ts';
import type { SoughtAnswer } from '../../src/plan/plan.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/settings.ts';
import { formatObserved, isItemList, type ObservedValue } from '../../src/verdict/observation.ts';
import type { CheckInput, RunView } from '../../src/verdict/check.ts';

const COMPLETE: BodyEnd = { kind: 'complete' };

export interface AnswerParts {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly httpVersion?: string;
  /** The body, as a value or to the letter. */
  readonly json?: Json;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly end?: BodyEnd;
  readonly secretsSeen?: readonly SecretSeen[];
}

export interface ExchangeParts extends AnswerParts {
  readonly id?: string;
  readonly step?: string;
  readonly seeks?: SoughtAnswer;
  readonly request?: Partial<SentRequest>;
  /** The request body as a value. */
  readonly sent?: Json;
  /** No answer, for this reason, in place of one. */
  readonly failure?: Failure;
  /** Attempts before the last one. */
  readonly earlier?: readonly Attempt[];
  readonly controlAfter?: 'answered' | 'unanswered';
}

export function failure(kind: NoAnswer, parts: Partial<Failure> = {}): Failure {
  return { kind, code: kind.toUpperCase(), detail: '', ...parts };
}

export function failedAttempt(why: Failure): Attempt {
  return { sentAt: 0, pause: 0, outcome: { kind: 'none', failure: why }, secretsSeen: [] };
}

export function answeredAttempt(parts: AnswerParts, fallbackType = 'application/json'): Attempt {
  const bytes = parts.bytes ?? new TextEncoder().encode(parts.text ?? JSON.stringify(parts.json ?? {}));
  const headers: Header[] = Object.entries({ 'content-type': fallbackType, ...parts.headers });
  const answer: Answer = {
    status: parts.status ?? 200,
    httpVersion: parts.httpVersion ?? '1.1',
    headers,
    interim: 0,
    body: {
      bytes,
      reads: [{ at: 20, bytes: bytes.length }],
      end: parts.end ?? COMPLETE,
      maxDepth: DEFAULT_SETTINGS.limits.depth,
    },
    headersAt: 10,
    endAt: 20,
    lateness: 0,
  };
  return { sentAt: 0, pause: 0, outcome: { kind: 'answer', answer }, secretsSeen: parts.secretsSeen ?? [] };
}

function exchangeOf(parts: ExchangeParts, last: Attempt, mode: 'plain' | 'stream'): Exchange {
  const step = parts.step ?? 'chat';
  const endpoint = parts.request?.endpoint ?? 'chat';
  const body = parts.sent === undefined ? undefined : JSON.stringify(parts.sent);
  return {
    id: parts.id ?? step,
    step,
    seeks: parts.seeks ?? 'answer',
    request: {
      endpoint,
      mode,
      method: endpoint === 'models' ? 'GET' : 'POST',
      path: endpoint === 'models' ? '/models' : '/chat/completions',
      headers: [],
      key: 'full',
      ...(body === undefined ? {} : { body }),
      ...parts.request,
    },
    attempts: [...(parts.earlier ?? []), last],
    ...(parts.controlAfter === undefined ? {} : { controlAfter: parts.controlAfter }),
  };
}

/** An exchange with one body: 200 and `{}` unless it is said otherwise. */
export function plainExchange(parts: ExchangeParts = {}): Exchange {
  const last = parts.failure ? failedAttempt(parts.failure) : answeredAttempt(parts);
  return exchangeOf(parts, last, 'plain');
}

export function modelsExchange(parts: ExchangeParts = {}): Exchange {
  return plainExchange({ step: 'models', ...parts, request: { endpoint: 'models', ...parts.request } });
}

/** One network read of a stream, and when it came. */
export interface StreamRead {
  readonly at: number;
  readonly text: string;
}

export interface StreamParts extends Omit<ExchangeParts, 'json' | 'bytes'> {
  /** The data of each event: a text to the letter, any other value as JSON. */
  readonly events?: readonly Json[];
  /** The bytes as they came, in place of `events` and `text`. */
  readonly reads?: readonly StreamRead[];
  /** When the response ended. Default: a millisecond after the last read. */
  readonly endAt?: number;
}

/** A streamed exchange; each event comes in a read of its own, 10 ms after the one before it. */
export function streamExchange(parts: StreamParts = {}): Exchange {
  if (parts.failure) return exchangeOf(parts, failedAttempt(parts.failure), 'stream');
  const events = (parts.events ?? []).map((data, index) => ({
    at: 20 + 10 * index,
    text: `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
  }));
  const reads = parts.reads ?? (parts.text === undefined ? events : [{ at: 20, text: parts.text }]);
  const attempt = answeredAttempt({ ...parts, text: reads.map(({ text }) => text).join('') }, 'text/event-stream');
  if (attempt.outcome.kind === 'none') return exchangeOf(parts, attempt, 'stream');
  const { answer } = attempt.outcome;
  const timed: Answer = {
    ...answer,
    body: { ...answer.body, reads: reads.map(({ at, text }) => ({ at, bytes: Buffer.byteLength(text) })) },
    endAt: parts.endAt ?? (reads.at(-1)?.at ?? answer.endAt) + 1,
  };
  return exchangeOf(parts, { ...attempt, outcome: { kind: 'answer', answer: timed } }, 'stream');
}

export interface RunParts {
  readonly exchanges?: readonly Exchange[];
  readonly traffic?: Partial<Traffic>;
  readonly settings?: Partial<Settings>;
  /** What the contract says of any value, by the name of the schema. */
  readonly issues?: Readonly<Record<string, readonly SchemaIssue[]>>;
  readonly contract?: RunView['contract'];
  readonly refusalTimes?: readonly number[];
}

export function runView(parts: RunParts = {}): RunView {
  const exchanges = parts.exchanges ?? [];
  return {
    traffic: {
      exchanges,
      bindings: { sample: [], replyTokens: 16, briefTokens: 1, streamTokens: 64, withoutMaxTokens: false },
      keys: [{ role: 'full', hasPrefix: true }],
      ending: { kind: 'complete' },
      notices: [],
      used: { requests: exchanges.length, completions: 0, tokens: 0 },
      startedAt: Date.UTC(2025, 0, 1),
      endedAt: Date.UTC(2025, 0, 1) + 1_000,
      ...parts.traffic,
    },
    contract: parts.contract ?? {
      clauses: [],
      clause: () => undefined,
      hash: '',
      explain: () => undefined,
      rules: { limits: {}, required: [], added: {} },
      description: loadReferenceDescription(),
      schemas: new Map(),
      schemaNames: Object.keys(parts.issues ?? {}),
      clausesOf: (schema) => (parts.issues?.[schema] ?? []).map(({ clause }) => clause),
      validate: (schema) => parts.issues?.[schema] ?? [],
      couldBreak: () => true,
    },
    settings: { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1', ...parts.settings },
    exchange: (step) => exchanges.find((exchange) => exchange.step === step),
    refusalTimes: parts.refusalTimes ?? [],
    lastRound: 1,
    exchangesIn: () => [],
    answeredLater: () => undefined,
    blocked: new Set(),
  };
}

/** An observed value with what it holds in words, so that a test shows what a reader sees. Numbers and flags stay. */
export function readObserved(value: ObservedValue): unknown {
  if (isItemList(value)) return value.map(readObserved);
  return typeof value === 'object' || typeof value === 'string' ? formatObserved(value) : value;
}

/** A completion that nothing is wrong with, for controls. */
export const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_735_689_600,
  model: 'alpha',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
} as const satisfies Json;

export const ANSWERED_CONTROL: Exchange = plainExchange({ step: 'chat', json: COMPLETION });

export interface InputParts extends Partial<Omit<CheckInput, 'run' | 'exchanges'>> {
  readonly run?: RunParts;
}

/** The run holds the given exchanges too, behind those that `run` names. */
export function checkInput(exchanges: Exchange | readonly Exchange[], parts: InputParts = {}): CheckInput {
  const looked = 'attempts' in exchanges ? [exchanges] : exchanges;
  const { run, ...rest } = parts;
  return {
    clause: 'test.clause',
    options: {},
    exchanges: looked,
    ...rest,
    run: runView({ ...run, exchanges: [...(run?.exchanges ?? []), ...looked] }),
  };
}
