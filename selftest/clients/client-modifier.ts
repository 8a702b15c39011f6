/** What a row may change in the small client. Hooks that a row leaves out keep the correct behaviour. */
import type { RelayEvent } from '../relays/relay-modifier.ts';
import { type Broken, faultyRows, rightRows, type Titled } from '../rows.ts';
import type { CallFailure, ServerAnswer } from './send-call.ts';

/** One line of JSON from `wirecheck client`. */
export interface ClientTask {
  readonly scenario: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  readonly mode: 'plain' | 'stream' | 'models';
  readonly prompt: string;
  /** Milliseconds. */
  readonly timeoutMs: number;
}

export interface WireText {
  readonly role?: string | null;
  readonly content?: string | null;
  readonly reasoning_content?: string | null;
}

export interface WireChoice {
  readonly index?: number;
  readonly message?: WireText;
  readonly delta?: WireText;
  readonly finish_reason?: string | null;
}

/** A reply, a chunk, a list or an error body, as far as the small client reads it. */
export interface WireValue {
  readonly id?: string;
  readonly object?: string;
  readonly usage?: { readonly total_tokens: number } | null;
  readonly choices?: readonly WireChoice[];
  readonly data?: readonly { readonly id: string; readonly object?: string; readonly owned_by?: string }[];
  readonly error?: { readonly message: string; readonly type: string } | null;
}

/** What has been read of a stream. */
export interface StreamedReply {
  text: string;
  isFinished: boolean;
}

export type Headers = Readonly<Record<string, string>>;

export interface ClientModifier extends Titled {
  /** Scenarios that are played; all by default. For clients that would hang in many. */
  readonly only?: readonly string[];
  /** Started once per scenario, in place of a driver that stays. */
  readonly isProcess?: boolean;
  /** A driver that makes one call after another. */
  readonly isSequential?: boolean;
  /** Calls that it makes; all by default. */
  readonly modes?: readonly ClientTask['mode'][];

  readonly headers?: (usual: Headers, task: ClientTask) => Headers;
  readonly body?: (usual: object, task: ClientTask) => object | string;
  readonly keepsAlive?: boolean;
  readonly attempts?: number;
  /** Milliseconds before another attempt. */
  readonly retryPause?: number;
  /** Asks for the list of models before every call. */
  readonly listsFirst?: boolean;
  /** Gives up after `timeoutMs`. Default: true. */
  readonly hasTimeout?: boolean;
  /** Reads a stream to its end, beyond `[DONE]`. */
  readonly waitsForClose?: boolean;

  /** It is an error to the client: a status or header, an event, or a reply, a chunk or a list. */
  readonly refusesAnswer?: (answer: ServerAnswer) => boolean;
  readonly refusesEvent?: (event: RelayEvent) => boolean;
  readonly refusesValue?: (value: WireValue) => boolean;
  readonly bytes?: (bytes: AsyncIterable<Buffer>, answer: ServerAnswer) => AsyncIterable<Buffer>;
  /** The text of a JSON body. */
  readonly decode?: (bytes: AsyncIterable<Buffer>) => Promise<string>;
  readonly readEvents?: (bytes: AsyncIterable<Buffer>) => AsyncIterable<RelayEvent>;
  readonly reply?: (reply: WireValue) => string;
  readonly list?: (ids: readonly string[]) => readonly string[];
  readonly chunk?: (chunk: WireValue, reply: StreamedReply) => void;
  /** The text that it gives its user. */
  readonly text?: (text: string, task: ClientTask) => string | Promise<string>;
  /** The text that it gives its user in place of a failure; undefined: it reports the failure. */
  readonly failure?: (failure: CallFailure, task: ClientTask) => string | undefined | Promise<string>;
  /** Ends the process when a call fails. */
  readonly diesOfFailures?: boolean;
  /** Prints other lines before its answer. */
  readonly isChatty?: boolean;
}

export interface FaultyClient extends ClientModifier, Broken {}

export const faultyClient = faultyRows<FaultyClient>('client');
export const oddClient = rightRows<ClientModifier>();
