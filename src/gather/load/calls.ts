/** The calls of a stage, drawn from the mix, and their requests. Pure: the same seed, stage and number give the same call. */
import type { RequestRules } from '../../contract/contract.ts';
import { LIST_REQUEST } from '../../exchange/channel/first-contact.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { makeExchangeId, type UpstreamName } from '../../exchange/identity.ts';
import type { EndedCall, ReplyProfileName } from '../../exchange/load-traffic.ts';
import { lastAnswer } from '../../exchange/reading/answered.ts';
import type { JsonObject } from '../../json.ts';
import type { FilledRequest } from '../../plan/bind-request.ts';
import { makeRequestWord, toBytes } from '../../plan/request-word.ts';
import { type LoadKind, MIX_KINDS, type MixKind, type OnlyWith } from '../../report/load-report.ts';
import type { Settings } from '../../settings.ts';
import type { KeyUse } from '../../suite/case.ts';
import { completeRequest } from '../../suite/read-suites.ts';
import { type StagePlan, readLoadSettings } from './plan-load.ts';

/** When a client leaves: before the headers, after the first event, in the middle, or just before the end. */
const LEAVE_POINTS = ['before-headers', 'first-event', 'middle', 'before-end'] as const;
type LeavePoint = (typeof LEAVE_POINTS)[number];

/** `kept-connection`: one of those of the whole run; `after-idle`: one that was idle for 1 to 5 s. */
export type ConnectionUse = Extract<OnlyWith, 'kept-connection' | 'new-connection' | 'after-idle'>;

/** A field with a value that the contract does not allow (part 8). */
export type Violation = Readonly<Record<string, number>>;

const LIMITED = ['temperature', 'top_p'];
const BEYOND = 0.5;

/** None if the profile lifts the limits. */
function violationsOf({ limits }: Pick<RequestRules, 'limits'>): readonly Violation[] {
  return LIMITED.flatMap((field) => {
    const { minimum = NaN, maximum = NaN } = limits[field] ?? {};
    const values = [maximum + BEYOND, minimum - BEYOND].filter((value) => !Number.isNaN(value));
    return values.map((value) => ({ [field]: value }));
  });
}

/** Whether no value of a request is out of its range. */
export function keepsLimits(request: JsonObject, limits: RequestRules['limits']): boolean {
  return Object.entries(limits).every(([field, { minimum = -Infinity, maximum = Infinity }]) => {
    const value = request[field];
    return typeof value !== 'number' || (value >= minimum && value <= maximum);
  });
}

export interface DrawnCall {
  readonly kind: LoadKind;
  readonly mode: 'plain' | 'stream';
  readonly profile: ReplyProfileName;
  readonly connection: ConnectionUse;
  /** If there is a second key. */
  readonly usesOtherKey: boolean;
  readonly leaves?: LeavePoint;
  /** Milliseconds until a client leaves that does not wait for the headers. */
  readonly leavesAfter: number;
  readonly violation?: Violation;
}

export interface MixOptions {
  readonly seed: number;
  readonly mix: Readonly<Record<MixKind, number>>;
  /** Share of the calls. */
  readonly disconnects: number;
  readonly violations: readonly Violation[];
}

/** Leaves out refusals if the profile lifts the limits: then there is no value to refuse. */
export function mixToSend(settings: Settings, rules: RequestRules): MixOptions {
  const { mix, disconnects } = readLoadSettings(settings);
  const violations = violationsOf(rules);
  const sent = violations.length === 0 ? { ...mix, refusal: 0 } : mix;
  return { seed: settings.seed, mix: sent, disconnects, violations };
}

const SHARE_NEW = 0.1;
const SHARE_IDLE = 0.1;
const SHARE_OTHER_KEY = 0.1;
const LONGEST_BEFORE_HEADERS = 20;

/** Shares of a call's 32 random bytes: each decision has bytes of its own. */
function sharesOf(seed: number, stage: number, number: number): (place: number) => number {
  const bytes = toBytes(seed, `load/${stage}/${number}`);
  return (place) => bytes.readUInt16BE(2 * place) / 65_536;
}

export function drawCall({ seed, mix, disconnects, violations }: MixOptions, stage: number, number: number): DrawnCall {
  const share = sharesOf(seed, stage, number);
  const kind = drawKind(mix, share(0));
  const mode = kind === 'stream' || (kind === 'refusal' && share(1) < 0.5) ? 'stream' : 'plain';
  const isLeaving = (kind === 'plain' || kind === 'stream') && share(5) < disconnects;
  const at = share(3);
  return {
    kind,
    mode,
    profile: pick(USUAL_PROFILES, share(2)),
    connection: at < SHARE_NEW ? 'new-connection' : at < SHARE_NEW + SHARE_IDLE ? 'after-idle' : 'kept-connection',
    usesOtherKey: kind !== 'refusal' && share(4) < SHARE_OTHER_KEY,
    // A plain reply has no events: its client leaves before the headers, or in the middle of the body.
    ...(isLeaving && { leaves: mode === 'stream' ? pick(LEAVE_POINTS, share(6)) : 'before-headers' }),
    leavesAfter: share(7) * LONGEST_BEFORE_HEADERS,
    ...(kind === 'refusal' && { violation: pick(violations, share(8)) }),
  };
}

function drawKind(mix: MixOptions['mix'], share: number): MixKind {
  const total = MIX_KINDS.reduce((sum, kind) => sum + mix[kind], 0);
  let left = share * total;
  for (const kind of MIX_KINDS) {
    left -= mix[kind];
    if (left < 0) return kind;
  }
  return 'plain';
}

function pick<Item>(items: readonly Item[], share: number): Item {
  return items[Math.floor(share * items.length)] ?? items[0]!;
}

/** The stage of calls that belong to none. */
const NO_STAGE = 9_999;

export interface LoadCall extends DrawnCall {
  readonly id: string;
  /** Index of the stage. */
  readonly stage: number;
  readonly number: number;
}

/** What is known of the target only after the first calls: the models that calls ask for. */
export interface Called {
  readonly rules: RequestRules;
  model: string;
  /** All that the user names, if the upstream is ours. Calls ask for one after the other. */
  readonly named?: readonly string[];
  /** The second key, if there is one. `model`: that it may call; undefined if it got no reply alone. Then it only lists. */
  readonly otherKey?: { readonly role: KeyUse; model?: string | undefined } | undefined;
}

const CHAT_HEADERS = { 'Content-Type': 'application/json' } as const;

/** The name of a call's request in a report. */
export function stepOf({ kind, mode }: Pick<DrawnCall, 'kind' | 'mode'>): string {
  return kind === 'refusal' && mode === 'stream' ? 'load/refusal-stream' : `load/${kind}`;
}

export function requestOf(call: LoadCall, { word }: Pick<KnownCall, 'word'>, called: Called): FilledRequest {
  const { rules, otherKey } = called;
  // Those asked alone have the model that answered first.
  const named = call.stage === NO_STAGE ? [] : (called.named ?? []);
  const key = keyOf(call, called);
  const model = named[call.number % Math.max(1, named.length)] ?? called.model;
  if (call.kind === 'list') return { ...LIST_REQUEST, key };
  const { maxTokens } = PROFILES[call.profile];
  const body = {
    model: (key === otherKey?.role ? otherKey.model : undefined) ?? model,
    messages: [{ role: 'user', content: promptFor(word, call.profile) }],
    max_tokens: maxTokens,
    ...call.violation,
    ...(call.mode === 'stream' && { stream: true }),
  };
  return {
    endpoint: 'chat',
    mode: call.mode,
    method: 'POST',
    path: '/chat/completions',
    headers: CHAT_HEADERS,
    // With what the profile requires of every request.
    body: JSON.stringify(completeRequest(body, rules)),
    key,
  };
}

function keyOf({ kind, usesOtherKey }: LoadCall, { otherKey }: Called): KeyUse {
  if (kind === 'unknown-key') return 'unknown';
  return usesOtherKey && otherKey && (kind === 'list' || otherKey.model !== undefined) ? otherKey.role : 'full';
}

export interface CallSourceOptions extends MixOptions {
  /** There is an upstream of ours, which can pause in the middle of a stream. */
  readonly hasUpstream: boolean;
  readonly sendsUnknownKeys: boolean;
}

/** What the next call of a stage is: drawn from the mix, a slow reader's, one with an unknown key, or one in pieces. */
export class CallSource {
  readonly #options: CallSourceOptions;
  readonly keys = new KeyWatch();
  readonly #paced = new PacedCalls();

  constructor(options: CallSourceOptions) {
    this.#options = options;
  }

  beginStage(plan: StagePlan): void {
    this.keys.beginStage();
    this.#paced.beginStage(plan);
  }

  /** `isSlow`: of a slow reader. */
  draw(stage: number, number: number, isSlow = false): LoadCall {
    const { sendsUnknownKeys, hasUpstream } = this.#options;
    if (isSlow) return this.#make(stage, number, SLOW_READER);
    if (sendsUnknownKeys && this.keys.takes(number)) return this.#make(stage, number, UNKNOWN_KEY);
    return this.#make(stage, number, hasUpstream && this.#paced.takes(number) ? PACED : undefined);
  }

  /** One more after all others of a stage, if it is needed to understand them. */
  drawLast(stage: number, number: number): LoadCall | undefined {
    const isNeeded = this.#options.sendsUnknownKeys && this.keys.takesLast();
    return isNeeded ? this.#make(stage, number, UNKNOWN_KEY) : undefined;
  }

  /** A plain call by itself. */
  drawControl(number: number, usesOtherKey: boolean): LoadCall {
    return this.#make(NO_STAGE, number, { kind: 'plain', mode: 'plain', usesOtherKey, connection: 'new-connection' });
  }

  /** `special`: of a call that is not as it was drawn. Its client does not leave, and its values are allowed. */
  #make(stage: number, number: number, special?: Partial<DrawnCall>): LoadCall {
    const drawn = drawCall(this.#options, stage, number);
    const { leaves: _leaves, violation: _violation, ...staying } = drawn;
    const call = special ? { ...staying, ...special } : drawn;
    return { ...call, id: `${makeExchangeId({ step: stepOf(call), number })}@${stage}`, stage, number };
  }

  /** Call when it has ended. `exchange`: absent if it was not sent. */
  end({ kind, profile }: LoadCall, exchange?: Exchange): void {
    if (kind === 'unknown-key') this.keys.end();
    if (profile === 'paced') this.#paced.end();
    if (!exchange) return;
    if (kind === 'unknown-key') this.keys.noteUnknown(exchange);
    // A value out of range may be refused with 403.
    else if (kind !== 'refusal') this.keys.noteValid(exchange);
  }
}

const UNKNOWN_KEY = { kind: 'unknown-key', mode: 'plain' } as const;
const SLOW_READER = { kind: 'slow-reader', mode: 'stream', profile: 'huge', usesOtherKey: false } as const;
const PACED = { kind: 'stream', mode: 'stream', profile: 'paced', usesOtherKey: false } as const;

/** Special calls of a stage: one at a time, and only so many. */
class FewCalls {
  protected left = 0;
  #isUnderWay = false;

  protected take(): boolean {
    if (this.left === 0 || this.#isUnderWay) return false;
    this.left -= 1;
    this.#isUnderWay = true;
    return true;
  }

  /** One has ended. */
  end(): void {
    this.#isUnderWay = false;
  }
}

const MOST_UNKNOWN = 20;
/** Calls in a row after which they no longer say anything about the key. */
const BLOCKED_AFTER = 3;
/** Valid calls in a row that are refused from the same moment on. */
const SHUT_OUT_AFTER = 20;
/** Every so many calls, one has an unknown key. */
const UNKNOWN_EVERY = 12;

const BLOCKS = [403, 429];
const REFUSES = [401, 403, 429];
/** A 429 may also be overload. */
const DENIES = [401, 403];

/** Calls with an unknown key: one at a time, at most 20 a stage, and none once the target blocks them (rule 35). */
export class KeyWatch extends FewCalls {
  #blocks = 0;
  #refused = 0;
  /** When the first of the valid calls was sent that were denied, if none was answered since. */
  #deniedSince: number | undefined;
  #endedShutOut = false;

  beginStage(): void {
    this.left = MOST_UNKNOWN;
  }

  /** Whether the call with this number has an unknown key. One of the stage is left for its end. */
  takes(number: number): boolean {
    return number % UNKNOWN_EVERY === UNKNOWN_EVERY - 1 && this.left > 1 && !this.isBlocked && this.take();
  }

  /** Whether one more has an unknown key, after all calls of a stage: a short one ends before enough were blocked. */
  takesLast(): boolean {
    return this.#deniedSince !== undefined && !this.isBlocked && this.take();
  }

  endStage(): void {
    this.#endedShutOut ||= this.#deniedSince !== undefined && this.#blocks > 0;
  }

  /** They get 403 or 429, whatever the key. */
  get isBlocked(): boolean {
    return this.#endedShutOut || this.#blocks >= BLOCKED_AFTER;
  }

  /** Valid calls are refused since the unknown keys were blocked. */
  get isShutOut(): boolean {
    return this.#endedShutOut || (this.isBlocked && this.#refused >= SHUT_OUT_AFTER);
  }

  noteUnknown(exchange: Exchange): void {
    this.#blocks = BLOCKS.includes(statusOf(exchange)) ? this.#blocks + 1 : 0;
  }

  noteValid(exchange: Exchange): void {
    const status = statusOf(exchange);
    this.#refused = this.isBlocked && REFUSES.includes(status) ? this.#refused + 1 : 0;
    const sentAt = exchange.attempts.at(-1)?.sentAt ?? 0;
    if (DENIES.includes(status)) this.#deniedSince ??= sentAt;
    // A reply to an earlier call may end later, such as a long stream.
    else if (status === 200 && sentAt > (this.#deniedSince ?? Infinity)) this.#deniedSince = undefined;
  }
}

/** 0 without an answer. */
function statusOf(exchange: Exchange): number {
  return lastAnswer(exchange)?.status ?? 0;
}

/** Milliseconds: shorter stages have no time for them. */
const SHORTEST_STAGE = 1_000;
const FEWEST_IN_FLIGHT = 4;
const MOST_PACED = 3;
/** A burst is over too soon, and a command may last for hours. */
const PHASES: readonly StagePlan['phase'][] = ['ramp', 'halving'];
/** The first calls of a stage find connections to open. */
const FIRST_CALL = 5;

/**
 * Streams in whose middle the scripted upstream pauses: one at a time, a few a stage. Alone, `run` and `relay` judge whether
 * pieces are forwarded as they arrive.
 */
export class PacedCalls extends FewCalls {
  beginStage({ phase, inFlight, least }: StagePlan): void {
    const isMeant = PHASES.includes(phase) && inFlight >= FEWEST_IN_FLIGHT && least >= SHORTEST_STAGE;
    this.left = isMeant ? MOST_PACED : 0;
  }

  /** Whether the call with this number is one. */
  takes(number: number): boolean {
    return number >= FIRST_CALL && this.take();
  }
}

// The words of calls, which say whose a reply is, and the lengths of replies: what is asked for, and what the upstream sends.

/** Words of disconnected clients that are remembered: their streams are the ones that come back in other replies. */
const MAX_LEFT = 5_000;

type AtUpstream = 'upstreamDone' | 'arrived' | 'metIdleClose' | 'usageSent' | 'wasPaced' | 'called';

export interface KnownCall {
  readonly id: string;
  readonly word: string;
  readonly profile: ReplyProfileName;
  /** When the call began, by `performance.now()`. */
  readonly from: number;
  to?: number;
  /** Its client disconnected. */
  hasLeft?: true;
  /** The call whose word its reply has. */
  mixedWith?: KnownCall;
  /** What the scripted upstream did for it. */
  behind: { -readonly [Name in AtUpstream]?: NonNullable<EndedCall[Name]> };
}

/** Only calls that may still matter are remembered. */
export class CallRegistry {
  readonly salt: number;
  readonly #open = new Map<string, KnownCall>();
  readonly #ended = new Map<string, KnownCall>();
  readonly #left = new Map<string, KnownCall>();

  /** `salt`: different in every run, since a gateway with a cache would answer the word of an earlier one. */
  constructor(salt: number) {
    this.salt = salt;
  }

  open(id: string, profile: ReplyProfileName, from = performance.now()): KnownCall {
    const call: KnownCall = { id, word: makeRequestWord(this.salt, id), profile, from, behind: {} };
    this.#open.set(call.word, call);
    return call;
  }

  end(call: KnownCall, hasLeft: boolean, to = performance.now()): void {
    this.#open.delete(call.word);
    call.to = to;
    if (hasLeft) {
      call.hasLeft = true;
      this.#left.set(call.word, call);
      const [oldest] = this.#left.keys();
      if (this.#left.size > MAX_LEFT && oldest !== undefined) this.#left.delete(oldest);
    } else this.#ended.set(call.word, call);
    this.#forget(to);
  }

  /** The open call with this id. */
  findOpen(id: string): KnownCall | undefined {
    return this.#open.get(makeRequestWord(this.salt, id));
  }

  find(word: string): KnownCall | undefined {
    return this.#open.get(word) ?? this.#ended.get(word) ?? this.#left.get(word);
  }

  /** Another call with this word that was under way at the same time, or whose client had disconnected. */
  findOther(word: string, { id, from, to = Infinity }: KnownCall): KnownCall | undefined {
    const other = this.find(word);
    if (!other || other.id === id || other.from >= to) return undefined;
    return other.hasLeft || from < (other.to ?? Infinity) ? other : undefined;
  }

  /** Calls that ended before any open one began overlap with none that is still to be judged soon. */
  #forget(now: number): void {
    const oldest = this.#open.values().next().value?.from ?? now;
    for (const [word, { to = oldest }] of this.#ended) {
      if (to > oldest - GRACE) return;
      this.#ended.delete(word);
    }
  }
}

/** Milliseconds that an answer may wait for judging. */
const GRACE = 10_000;

interface ReplyProfile {
  /** Pieces that the upstream streams the text in. */
  readonly pieces: number;
  /** Times that each piece has the word. */
  readonly repeat: number;
  readonly finish: 'stop' | 'length';
  /** `max_tokens` of the request. */
  readonly maxTokens: number;
}

export const PROFILES = {
  short: { pieces: 4, repeat: 1, finish: 'stop', maxTokens: 16 },
  medium: { pieces: 16, repeat: 1, finish: 'stop', maxTokens: 32 },
  long: { pieces: 60, repeat: 1, finish: 'stop', maxTokens: 64 },
  // Ends by length.
  limited: { pieces: 8, repeat: 1, finish: 'length', maxTokens: 8 },
  // 8 MiB in fewer than 20,000 events: a smaller reply fits into the buffers of the sockets and proves nothing.
  huge: { pieces: 1_024, repeat: 750, finish: 'stop', maxTokens: 1_024 },
  paced: { pieces: 8, repeat: 1, finish: 'stop', maxTokens: 32 },
} as const satisfies Record<ReplyProfileName, ReplyProfile>;

/** Milliseconds that the upstream pauses in the middle of a paced stream. */
export const PACED_PAUSE = 1_500;

/** Ordinary calls draw from these. */
export const USUAL_PROFILES = ['short', 'medium', 'long', 'limited'] as const satisfies readonly ReplyProfileName[];

/** How a piece of either upstream ends. */
export const MARKS = { primary: '.', fallback: ';' } as const satisfies Record<UpstreamName, string>;

/** Every piece has the word, so that a piece of another reply is recognised, and of two upstreams a mark. */
export function replyPieces(word: string, profile: ReplyProfileName, upstream: UpstreamName = 'primary') {
  const { pieces, repeat } = PROFILES[profile];
  const body = `${word} `.repeat(repeat);
  return Array.from({ length: pieces }, (_, at) => `${at === 0 ? '' : ' '}${body}${at + 1}${MARKS[upstream]}`);
}

/** The token counts that the upstream sends. */
export function usageOf(profile: ReplyProfileName) {
  const { pieces } = PROFILES[profile];
  return { prompt_tokens: 12, completion_tokens: pieces, total_tokens: 12 + pieces };
}

/**
 * What a model is asked for: it may repeat the word, and does not have to. The word stands at both ends, so that the
 * scripted upstream knows the call even if one of them is cut off on the way.
 */
export function promptFor(word: string, profile: ReplyProfileName): string {
  const times = PROFILES[profile].pieces;
  return times <= 4
    ? `${word}: repeat this word and nothing else: ${word}`
    : `${word}: repeat this word ${times} times, numbered, and nothing else: ${word}`;
}
