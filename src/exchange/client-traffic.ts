/** What was gathered about a client: plain data, so that it can be stored and judged again. */
import type { Level } from '../contract/contract.ts';
import type { Profile } from '../contract/profile/profile.ts';
import type { Ending } from './ending.ts';
import type { Exchange } from './exchange.ts';

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

export interface ClientTraffic {
  /** The controls first. */
  readonly played: readonly PlayedScenario[];
  readonly ending: Ending;
  /** Of a driver that ended by itself and was started again: how often, and how it ended first. */
  readonly restarts?: Restarts;
  /** Wall clock, milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface Client {
  readonly name: string;
  readonly command: readonly string[];
  readonly version?: string;
  /** The command stays and takes JSON lines. */
  readonly isDriver: boolean;
}

export interface ClientSettings {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly strict: boolean;
  readonly levels: Readonly<Record<string, Level>>;
  readonly profile?: Profile;
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
