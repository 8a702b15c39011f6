/** A request and its answers, as a report keeps them. */
import type { BodyEnd, Failure, Header, NetworkRead, SecretSeen, StreamEnd } from '../exchange/exchange.ts';
import type { Endpoint, Mode } from '../plan/plan.ts';
import type { Edit, KeyUse } from '../suite/case.ts';

export interface StreamEvent {
  readonly at: number;
  readonly event?: string;
  readonly data: string;
}

export interface AttemptReport {
  readonly sentAt: number;
  readonly pause: number;
  readonly failure?: Failure;
  readonly answer?: {
    readonly status: number;
    readonly httpVersion: string;
    readonly headers: readonly Header[];
    readonly interim: number;
    /** Of an answer that a client was sent: its status line and headers as text, interim answers included. */
    readonly head?: string;
    readonly headersAt: number;
    readonly endAt: number;
    /** Decoded, redacted, cut to the size that evidence keeps; `bytes` is the full length. */
    readonly body: { readonly text: string; readonly bytes: number; readonly shown: number; readonly end: BodyEnd };
    readonly stream?: {
      readonly end: StreamEnd;
      readonly events: readonly StreamEvent[];
      readonly eventCount: number;
      readonly reads: readonly NetworkRead[];
      readonly comments: number;
      /** Milliseconds by which the checker itself was late, so that events seem to have come later. */
      readonly lateness?: number;
    };
  };
  readonly secretsSeen: readonly SecretSeen[];
}

export interface ExchangeReport {
  readonly id: string;
  /** Received by a server of wirecheck instead of sent by it: the upstream of a relay, or the server of a client's scenario. */
  readonly side?: 'upstream' | 'client';
  /** Of a call at the upstream: the exchange that led to it. */
  readonly cause?: string;
  readonly endpoint: Endpoint;
  readonly mode: Mode;
  readonly method: string;
  readonly path: string;
  readonly key: KeyUse;
  readonly headers: readonly Header[];
  readonly body?: string;
  readonly attempts: readonly AttemptReport[];
  readonly controlAfter?: 'answered' | 'unanswered';
  /** If a finding shows it and no case of the report sent it: how it differs from a base request, and how to repeat it. */
  readonly edits?: readonly Edit[];
  readonly repeat?: string;
}
