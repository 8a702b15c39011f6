/** A change to the conforming gateway: a fault breaks clauses, a variant is unusual but legal. A hook gets what the gateway would do and returns what it does instead. */
import type { Answer, Piece, Refusal, Reply } from './answer.ts';
import type { Call } from './call.ts';
import type { Composition } from './composition.ts';
import type { Json, JsonObject } from './json.ts';
import type { KeyRole, Keys, Model } from './access.ts';

type AnswerHook = (answer: Reply, call: Call) => Answer;

export interface Modifier {
  /** What it does. Faults and variants have one, since they are listed. */
  readonly title?: string;

  /** These four apply to every call, regardless of `only`, and the first three to every replica of a pool. */
  readonly basePath?: string;
  readonly keys?: Partial<Keys>;
  readonly models?: (models: readonly Model[]) => readonly Model[];
  /** Pause between the events of a stream, in milliseconds. */
  readonly eventGapMs?: number;

  /** The calls to which the hooks below apply; all by default. */
  readonly only?: (call: Call) => boolean;

  /** Answers before anything is checked, even the key. */
  readonly before?: (call: Call) => Answer | undefined;
  /** The role of the caller; undefined without a valid key. */
  readonly authorize?: (caller: KeyRole | undefined, call: Call, keys: Keys) => KeyRole | undefined;
  /** Changes a refusal; undefined lets the call pass. */
  readonly refusal?: (refusal: Refusal, call: Call) => Refusal | undefined;
  /** Refuses calls that the gateway would accept; `true` does so with 400. */
  readonly refuse?: (call: Call) => Refusal | boolean | undefined;

  /** Whether the reply is streamed. */
  readonly streams?: (asked: boolean, call: Call) => boolean;
  /** The most tokens that are generated. */
  readonly budget?: (tokens: number, call: Call) => number;
  /** The parts that change in the generated reply, before it becomes a completion or a stream. */
  readonly reply?: (reply: Composition, call: Call) => Partial<Composition>;
  readonly completion?: (completion: JsonObject, call: Call) => Json;
  readonly list?: (list: JsonObject, call: Call) => Json;
  readonly chunks?: (chunks: readonly JsonObject[], call: Call) => readonly JsonObject[];
  /** Each chunk. `fromEnd`: -1 for the last one. */
  readonly chunk?: (chunk: JsonObject, at: number, fromEnd: number) => JsonObject;
  /** Events as text, including `[DONE]`, each with the pause before it. */
  readonly events?: (events: readonly Piece[], call: Call) => readonly Piece[];
  /** The text of each event. */
  readonly event?: (text: string, at: number) => string;
  /** The body of an error. */
  readonly error?: (body: JsonObject, refusal: Refusal, call: Call) => Json;
  /** The whole answer: status, headers, framing or anything else. Runs after all hooks above. */
  readonly answer?: AnswerHook;
  /**
   * As `answer`, and after it, but only answers with status 200, and only by the first of these four that fits the call. This
   * one: plain replies and streams.
   */
  readonly onChat?: AnswerHook;
  readonly onPlain?: AnswerHook;
  readonly onStream?: AnswerHook;
  readonly onModels?: AnswerHook;
}

export interface Variant extends Modifier {
  readonly title: string;
  /** A real occurrence. */
  readonly source?: string;
}

export interface Fault extends Variant {
  /** Exactly the must and should clauses that a correct checker finds broken. */
  readonly breaks: readonly string[];
}

type Behaviour = Omit<Variant, 'title'>;

export function fault(title: string, breaks: string | readonly string[], behaviour: Behaviour): Fault {
  return { title, breaks: typeof breaks === 'string' ? [breaks] : breaks, ...behaviour };
}

/** A variant; in `breaking`, a fault without its clauses, which are given once for all. */
export function row(title: string, behaviour: Behaviour): Variant {
  return { title, ...behaviour };
}

/** Faults that break the same clauses. */
export function breaking<Id extends string>(
  breaks: string | readonly string[],
  rows: Readonly<Record<Id, Variant>>,
): Record<Id, Fault> {
  const faults = Object.entries<Variant>(rows).map(([id, { title, ...behaviour }]) => [
    id,
    fault(title, breaks, behaviour),
  ]);
  return Object.fromEntries(faults) as Record<Id, Fault>;
}
