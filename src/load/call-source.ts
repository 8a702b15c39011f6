/** What the next call of a stage is: drawn from the mix, a slow reader's, one with an unknown key, or one in pieces. */
import { callId, type LoadCall } from './calls.ts';
import { KeyWatch } from './key-watch.ts';
import { type DrawnCall, drawCall, type MixOptions, staying } from './mix.ts';
import { PacedCalls } from './paced-calls.ts';
import type { StagePlan } from './ramp.ts';

export interface CallSourceOptions {
  readonly mix: MixOptions;
  /** There is an upstream of ours, which can pause in the middle of a stream. */
  readonly hasUpstream: boolean;
  readonly sendsUnknownKeys: boolean;
}

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
    const call = this.#choose(drawCall(this.#options.mix, stage, number), number, isSlow);
    return { ...call, id: callId(call, stage, number), stage, number };
  }

  /** One more after all others of a stage, if it is needed to understand them. */
  drawLast(stage: number, number: number): LoadCall | undefined {
    if (!this.#options.sendsUnknownKeys || !this.keys.takesLast()) return undefined;
    const call = withUnknownKey(drawCall(this.#options.mix, stage, number));
    return { ...call, id: callId(call, stage, number), stage, number };
  }

  /** Call when it has ended. */
  end({ kind, profile }: LoadCall): void {
    if (kind === 'unknown-key') this.keys.end();
    if (profile === 'paced') this.#paced.end();
  }

  #choose(drawn: DrawnCall, number: number, isSlow: boolean): DrawnCall {
    const { sendsUnknownKeys, hasUpstream } = this.#options;
    if (isSlow) return { ...staying(drawn), kind: 'slow-reader', mode: 'stream', profile: 'huge', usesOtherKey: false };
    if (sendsUnknownKeys && this.keys.takes(number)) return withUnknownKey(drawn);
    if (hasUpstream && this.#paced.takes(number))
      return { ...staying(drawn), kind: 'stream', mode: 'stream', profile: 'paced', usesOtherKey: false };
    return drawn;
  }
}

function withUnknownKey(drawn: DrawnCall): DrawnCall {
  return { ...staying(drawn), kind: 'unknown-key', mode: 'plain' };
}
