/** The calls of a stage, drawn from the mix, and their requests. Pure: the same seed, stage and number give the same call. */
import type { RequestRules } from '../../contract/contract.ts';
import { LIST_REQUEST } from '../../exchange/channel/first-contact.ts';
import type { JsonObject } from '../../json.ts';
import { makeExchangeId } from '../../exchange/identity.ts';
import type { ReplyProfileName } from '../../exchange/load-traffic.ts';
import type { FilledRequest } from '../../plan/bind-request.ts';
import { toBytes } from '../../plan/request-word.ts';
import { namedModels } from '../relay/named-models.ts';
import { type LoadKind, MIX_KINDS, type MixKind } from '../../report/load-report.ts';
import type { Settings } from '../../settings.ts';
import type { KeyUse } from '../../suite/case.ts';
import { completeRequest } from '../../suite/load-suites.ts';
import type { KnownCall } from './call-registry.ts';
import { readLoadSettings } from './plan-load.ts';
import { PROFILES, promptFor, USUAL_PROFILES } from './profiles.ts';

/** When a client leaves: before the headers, after the first event, in the middle, or just before the end. */
const LEAVE_POINTS = ['before-headers', 'first-event', 'middle', 'before-end'] as const;
type LeavePoint = (typeof LEAVE_POINTS)[number];

/** `kept`: one of the connections of the whole run; `idle`: one that was idle for 1 to 5 s. */
export type ConnectionUse = 'kept' | 'new' | 'idle';

/** A field with a value that the contract does not allow (part 8). */
export type Violation = Readonly<Record<string, number>>;

const LIMITED = ['temperature', 'top_p'];
const BEYOND = 0.5;

/** None if the profile lifts the limits. */
export function violationsOf({ limits }: Pick<RequestRules, 'limits'>): readonly Violation[] {
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
  /** There is a second key, which a tenth of the lists and calls use. */
  readonly hasOtherKey: boolean;
  readonly violations: readonly Violation[];
}

/** Leaves out refusals if the profile lifts the limits: then there is no value to refuse. */
export function mixToSend(settings: Settings, rules: RequestRules, hasOtherKey: boolean): MixOptions {
  const { mix, disconnects } = readLoadSettings(settings);
  const violations = violationsOf(rules);
  const sent = violations.length === 0 ? { ...mix, refusal: 0 } : mix;
  return { seed: settings.seed, mix: sent, disconnects, hasOtherKey, violations };
}

/** The model that the user names. */
export function modelToCall(settings: Settings, hasUpstream: boolean): string | undefined {
  return (hasUpstream ? namedModels(settings)[0]?.front : undefined) ?? settings.model;
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

export function drawCall(
  { seed, mix, disconnects, hasOtherKey, violations }: MixOptions,
  stage: number,
  number: number,
): DrawnCall {
  const share = sharesOf(seed, stage, number);
  const kind = drawKind(mix, share(0));
  const mode = kind === 'stream' || (kind === 'refusal' && share(1) < 0.5) ? 'stream' : 'plain';
  const isLeaving = (kind === 'plain' || kind === 'stream') && share(5) < disconnects;
  const at = share(3);
  return {
    kind,
    mode,
    profile: pick(USUAL_PROFILES, share(2)),
    connection: at < SHARE_NEW ? 'new' : at < SHARE_NEW + SHARE_IDLE ? 'idle' : 'kept',
    usesOtherKey: hasOtherKey && kind !== 'refusal' && share(4) < SHARE_OTHER_KEY,
    // A plain reply has no events: its client leaves before the headers, or in the middle of the body.
    ...(isLeaving && { leaves: mode === 'stream' ? pick(LEAVE_POINTS, share(6)) : 'before-headers' }),
    leavesAfter: share(7) * LONGEST_BEFORE_HEADERS,
    ...(kind === 'refusal' && { violation: pick(violations, share(8)) }),
  };
}

/** The same call of a client that does not leave, with values that are allowed. */
export function staying({ leaves: _leaves, violation: _violation, ...call }: DrawnCall): DrawnCall {
  return call;
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

export interface LoadCall extends DrawnCall {
  readonly id: string;
  /** Index of the stage. */
  readonly stage: number;
  readonly number: number;
}

/** The second key. `model`: that it may call; undefined if it got no reply alone. Then it only lists. */
export interface OtherKey {
  readonly role: KeyUse;
  model?: string | undefined;
}

export interface CallOptions {
  readonly rules: RequestRules;
  readonly model: () => string;
  /** The second key, if there is one. */
  readonly otherKey: OtherKey | undefined;
}

const CHAT_HEADERS = { 'Content-Type': 'application/json' } as const;

/** The name of a call's request in a report. */
export function stepOf({ kind, mode }: Pick<DrawnCall, 'kind' | 'mode'>): string {
  return kind === 'refusal' && mode === 'stream' ? 'load/refusal-stream' : `load/${kind}`;
}

export function withId(call: DrawnCall, stage: number, number: number): LoadCall {
  return { ...call, id: `${makeExchangeId({ step: stepOf(call), number })}@${stage}`, stage, number };
}

export function requestOf(call: LoadCall, { word }: Pick<KnownCall, 'word'>, options: CallOptions): FilledRequest {
  const key = keyOf(call, options);
  if (call.kind === 'list') return { ...LIST_REQUEST, key };
  const { maxTokens } = PROFILES[call.profile];
  const body = {
    model: (key === options.otherKey?.role ? options.otherKey.model : undefined) ?? options.model(),
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
    body: JSON.stringify(completeRequest(body, options.rules)),
    key,
  };
}

function keyOf({ kind, usesOtherKey }: LoadCall, { otherKey }: CallOptions): KeyUse {
  if (kind === 'unknown-key') return 'unknown';
  return usesOtherKey && otherKey && (kind === 'list' || otherKey.model !== undefined) ? otherKey.role : 'full';
}
