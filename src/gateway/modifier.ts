/** A change to the conforming gateway: a fault breaks clauses, a variant is odd and legal. Each hook gets what the gateway would do and returns what it does instead. */
import type { Answer, Piece, Refusal, Reply } from './answer.ts';
import type { Call } from './call.ts';
import type { Composition } from './composition.ts';
import type { Json, JsonObject } from './json.ts';
import type { KeyRole, Keys } from './keys.ts';
import type { Model } from './models.ts';

export interface Modifier {
  readonly title: string;
  /** Where this was met in the field. */
  readonly source?: string;

  /** What the deployment is: these hold for every call, whatever `only` says. */
  readonly basePath?: string;
  readonly keys?: Partial<Keys>;
  readonly models?: (models: readonly Model[]) => readonly Model[];
  /** Pause between the events of a stream, in milliseconds. */
  readonly eventGapMs?: number;

  /** The calls to which the hooks below apply; all of them where it is absent. */
  readonly only?: (call: Call) => boolean;

  /** Answers before anything is looked at, the key included. */
  readonly before?: (call: Call) => Answer | undefined;
  /** Who is calling; undefined for somebody without a valid key. */
  readonly authorize?: (caller: KeyRole | undefined, call: Call, keys: Keys) => KeyRole | undefined;
  /** A reason to refuse the call; undefined lets it pass. */
  readonly refusal?: (refusal: Refusal, call: Call) => Refusal | undefined;
  /** A reason that the gateway would not have. */
  readonly refuse?: (call: Call) => Refusal | undefined;

  /** Whether the reply is streamed. */
  readonly streams?: (asked: boolean, call: Call) => boolean;
  /** How many tokens may be generated. */
  readonly budget?: (tokens: number, call: Call) => number;
  /** The generated reply, before it becomes a completion or a stream. */
  readonly reply?: (reply: Composition, call: Call) => Composition;
  readonly completion?: (completion: JsonObject, call: Call) => Json;
  readonly list?: (list: JsonObject, call: Call) => Json;
  readonly chunks?: (chunks: readonly JsonObject[], call: Call) => readonly JsonObject[];
  /** Events as text, `[DONE]` included, each with the pause before it. */
  readonly events?: (events: readonly Piece[], call: Call) => readonly Piece[];
  /** The body of an error. */
  readonly error?: (body: JsonObject, refusal: Refusal, call: Call) => Json;
  /** The whole answer, last of all: status, headers, framing, or something else altogether. */
  readonly answer?: (answer: Reply, call: Call) => Answer;
}

export interface Fault extends Modifier {
  /** Ids of the clauses that a correct checker finds broken, at must or should: these and no others. */
  readonly breaks: readonly string[];
}

export type Variant = Modifier;
