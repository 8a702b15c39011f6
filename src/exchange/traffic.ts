/** What was gathered of a gateway, of a client, and at both ends of a relay: plain data, so that it can be stored and judged again. */
import type { Json } from '../json.ts';
import type { Bindings, Cost } from '../plan/plan.ts';
import type { Count, Duration } from '../scalars.ts';
import type { Settings } from '../settings.ts';
import type { ExtraKey } from '../suite/case.ts';
import type { Ending } from './ending.ts';
import type { Exchange } from './exchange.ts';
import type { Notice } from './notice.ts';
import type { DescriptionProblem } from './openapi/description-problem.ts';

/** What is known about a key, without the key itself. */
export interface KeyFacts {
  readonly role: 'full' | ExtraKey;
  readonly hasPrefix: boolean;
}

/** The description that the deployment publishes (part 9.8). Fetching it is not an exchange with the API. */
export type Description =
  | { readonly kind: 'document'; readonly source: string; readonly value: Json }
  | { readonly kind: 'unavailable'; readonly source: string; readonly problem: DescriptionProblem };

/** Everything that a run sent and received, and how it ended. */
export interface Traffic {
  /** In the order of sending. */
  readonly exchanges: readonly Exchange[];
  readonly bindings: Bindings;
  readonly keys: readonly KeyFacts[];
  readonly ending: Ending;
  readonly used: Cost;
  readonly notices: readonly Notice[];
  /** Wall clock, milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The target's clock minus ours in milliseconds, from its Date header. */
  readonly clockSkew?: number;
  /** Present if one was given and a case looks at it. */
  readonly description?: Description;
}

export interface ClientOutput {
  /** Stdout, or the text of a driver, up to a limit. Without an answer of a driver, lines that answer nothing. */
  readonly said: string;
  /** Stderr, or the error of a driver; only its beginning. */
  readonly complaint: string;
  /** Milliseconds. */
  readonly time: number;
}

/** How a process ended by itself. */
export interface ProcessEnd {
  readonly exit?: number;
  readonly signal?: string;
}

/** What a client made of a call. */
export type ClientAnswer = ClientOutput &
  (
    | { readonly kind: 'returned'; readonly exit?: number }
    /** The failed call was reported. `isDriver`: no answer, but the end of a driver that should have stayed. */
    | ({ readonly kind: 'failed'; readonly isDriver?: true } & ProcessEnd)
    | { readonly kind: 'unsupported' }
    /** `wasAlone`: no other scenario was under way, so that none can have kept it from its result. */
    | { readonly kind: 'timed-out'; readonly wasAlone: boolean }
    /** More output than anybody reads. */
    | { readonly kind: 'flooded' }
    /** `code`: of the system, such as ENOENT. */
    | { readonly kind: 'not-started'; readonly code: string }
    /** The driver died or hung while several scenarios were under way: this one has to be asked alone. */
    | { readonly kind: 'again' }
  );

/** A scenario that has been played. */
export interface PlayedScenario {
  readonly scenario: string;
  readonly baseUrl: string;
  readonly answer: ClientAnswer;
  /** What a client that understands returns. */
  readonly text: string;
  /** All calls, kept or not. */
  readonly callCount: number;
  /** Milliseconds that the client had. */
  readonly limit: number;
  /** The calls that were kept, in order of arrival. */
  readonly exchanges: readonly Exchange[];
}

export interface Restarts extends ProcessEnd {
  readonly count: number;
}

export interface ClientTraffic extends Pick<Traffic, 'ending' | 'startedAt' | 'endedAt'> {
  /** The controls first. */
  readonly played: readonly PlayedScenario[];
  /** How often a driver ended by itself and was started again, and how it ended first. */
  readonly restarts?: Restarts;
}

export interface Client {
  readonly name: string;
  readonly command: readonly string[];
  readonly version?: string;
  /** The command stays and takes JSON lines. */
  readonly isDriver: boolean;
}

export interface ClientSettings extends Pick<Settings, 'only' | 'skip' | 'strict' | 'levels' | 'profile'> {
  readonly concurrency: number;
  /** Milliseconds. */
  readonly scenarioTimeout: number;
}

/** A client that was checked: who it is, how it was asked, and what came of it. */
export interface CheckedClient {
  /** Without secrets. */
  readonly client: Client;
  readonly settings: ClientSettings;
  readonly traffic: ClientTraffic;
}

/** A request at the upstream that belongs to no question. */
export interface OtherRequest {
  readonly method: string;
  /** Redacted. */
  readonly path: string;
  /** How often it came. Absent in older recordings, which list it as often. */
  readonly count?: Count;
}

/** Their number, and the first few that differ. */
export interface OtherRequests {
  readonly count: number;
  readonly first: readonly OtherRequest[];
  /** When the first hundreds to chat arrived, in milliseconds since the run began. Absent in older recordings. */
  readonly chatsAt?: readonly Duration[];
}

export interface AskedCase {
  readonly case: string;
  /** Ids of the exchanges at the front; empty if it could not be asked. */
  readonly asked: readonly string[];
  /** Whether the same kind of call was answered before the case and after it. */
  readonly control: 'answered' | 'unanswered';
  /** The last control, if the gateway did not answer it within `--recovery` after the failure of this case. */
  readonly unrecovered?: string;
  /** An upstream that failed earlier was not called first again, so that the other had to answer for it. */
  readonly isAwayFromFirst?: true;
}

export interface RelayTraffic extends Pick<Traffic, 'ending' | 'used' | 'notices' | 'startedAt' | 'endedAt'> {
  readonly cases: readonly AskedCase[];
  /** All calls of the client, controls included, in the order of sending. */
  readonly front: readonly Exchange[];
  /** All calls at the upstream, in the order of arrival. */
  readonly upstream: readonly Exchange[];
  readonly otherRequests: OtherRequests;
  /** Requests of the gateway that were too large or too many for the upstream. */
  readonly overflow: number;
  readonly model?: string;
  /** A credential of the gateway arrived that is long enough to be found. */
  readonly knowsUpstreamKey: boolean;
}

/** A relay that was checked: how it was asked, and what came of it. */
export interface CheckedRelay {
  readonly settings: Settings;
  readonly hasSecondKey: boolean;
  readonly upstreamUrl: string;
  /** Of a second upstream. */
  readonly fallbackUrl?: string;
  readonly traffic: RelayTraffic;
}
