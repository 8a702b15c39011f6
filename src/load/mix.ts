/** What the n-th call of a stage is. Pure: the same seed, stage and number give the same call. */
import type { RequestRules } from '../contract/contract.ts';
import { toBytes } from '../plan/request-word.ts';
import { MIX_KINDS, type LoadKind, type MixKind } from '../report/load-report.ts';
import type { ProfileName } from '../exchange/load-traffic.ts';
import { USUAL_PROFILES } from './profiles.ts';

/** When a client leaves: before the headers, after the first event, in the middle, or just before the end. */
export const LEAVE_POINTS = ['before-headers', 'first-event', 'middle', 'before-end'] as const;
export type LeavePoint = (typeof LEAVE_POINTS)[number];

/** `kept`: one of the connections of the whole run; `idle`: one that was idle for 1 to 5 s. */
export type ConnectionUse = 'kept' | 'new' | 'idle';

/** A field with a value that the contract does not allow (part 8). */
export type Violation = Readonly<Record<string, number>>;

const LIMITED = ['temperature', 'top_p'];
const BEYOND = 0.5;

/** None if the profile lifts the limits. */
export function violationsOf({ limits }: Pick<RequestRules, 'limits'>): readonly Violation[] {
  return LIMITED.flatMap((field) => {
    const { minimum, maximum } = limits[field] ?? {};
    return [
      ...(maximum === undefined ? [] : [{ [field]: maximum + BEYOND }]),
      ...(minimum === undefined ? [] : [{ [field]: minimum - BEYOND }]),
    ];
  });
}

export interface DrawnCall {
  readonly kind: LoadKind;
  readonly mode: 'plain' | 'stream';
  readonly profile: ProfileName;
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
  const leaves =
    (kind === 'plain' || kind === 'stream') && share(5) < disconnects ? drawLeave(mode, share(6)) : undefined;
  const at = share(3);
  return {
    kind,
    mode,
    profile: pick(USUAL_PROFILES, share(2)),
    connection: at < SHARE_NEW ? 'new' : at < SHARE_NEW + SHARE_IDLE ? 'idle' : 'kept',
    usesOtherKey: hasOtherKey && kind !== 'refusal' && share(4) < SHARE_OTHER_KEY,
    ...(leaves && { leaves }),
    leavesAfter: share(7) * LONGEST_BEFORE_HEADERS,
    ...(kind === 'refusal' && { violation: pick(violations, share(8)) }),
  };
}

/** The same call of a client that does not leave, with values that are allowed. */
export function staying({ leaves: _leaves, violation: _violation, ...call }: DrawnCall): DrawnCall {
  return call;
}

/** A plain reply has no events: its client leaves before the headers, or in the middle of the body. */
function drawLeave(mode: 'plain' | 'stream', share: number): LeavePoint {
  return mode === 'stream' ? pick(LEAVE_POINTS, share) : 'before-headers';
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
