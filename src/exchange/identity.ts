/** Which request of a run an exchange is. Its id is for finding it: everything that the id is made of is a field. */
import { makeRequestWord } from '../plan/request-word.ts';
import type { Count, PositiveInteger } from '../scalars.ts';

/** Part of an id of each reason to send a step apart from its turn. */
const OCCASION_MARKS = {
  /** A call with another listed model. */
  'other-model': '~',
  /** An empty object before everything else, to see whether there is a chat endpoint. */
  'first-contact': '~first#',
  /** A stream with another `Accept`, because the usual one was refused. */
  'other-accept': '~accept#',
  /** The long stream with as few tokens as the control, because it was refused. */
  'fewer-tokens': '~tokens#',
  /** The control once more, because the same request without `max_tokens` was answered. */
  'second-try': '~second#',
  /** The control, to see whether the target still answers. */
  'control-again': '~after#',
  /** The list, because the first one had no models. */
  'list-again': '~again#',
  /** A drawn request once more, because it was refused. */
  'asked-twice': '~twice#',
  /** A smaller form of a drawn request that failed. */
  smaller: '~smaller#',
} as const;

export type Occasion = keyof typeof OCCASION_MARKS;

export interface Identity {
  /** Unique in its run. */
  readonly id: string;
  /** The step of the plan. Of clients and relays: the case. */
  readonly step: string;
  /** The case or base request that was sent, if it is not the step. */
  readonly name?: string;
  /**
   * With `--detect`, steps are sent again in later rounds, from 2. Absent in the first.
   *
   * @asType integer
   * @minimum 2
   */
  readonly round?: number;
  /** The stage of a load that sent it, from 0. */
  readonly stage?: Count;
  /** Why it was sent apart from the turn of its step. */
  readonly occasion?: Occasion;
  /** Which one it is, if the step was sent several times in this round or on this occasion. Absent or 1: the first. */
  readonly number?: PositiveInteger;
  /** The id that it would have had: the run ended during an attempt, or between two. It answers no question. */
  readonly givenUp?: string;
  /** Who called a server of ours: the gateway under test its upstream, or the client. Absent for what the run sent itself. */
  readonly side?: 'upstream' | 'client';
  /** Of two upstreams, the one that was called. */
  readonly upstream?: UpstreamName;
  /** The exchange of the run itself that led to a call at the upstream. */
  readonly cause?: string;
}

/** `primary` has the port of `--upstream-port`, `fallback` that of `--fallback-port`. A gateway may call either first. */
export type UpstreamName = 'primary' | 'fallback';

/** What an id is made of. */
export type IdParts = Pick<Identity, 'step' | 'round' | 'occasion' | 'number'>;

export function makeExchangeId({ step, round = 1, occasion, number = 1 }: IdParts): string {
  if (occasion) return `${step}${OCCASION_MARKS[occasion]}${number}`;
  return `${step}${round === 1 ? '' : `~round#${round}`}${number === 1 ? '' : `#${number}`}`;
}

/** The case or base request that an exchange sent. */
export function requestNameOf({ step, name = step }: Pick<Identity, 'step' | 'name'>): string {
  return name;
}

/** Identifies an exchange that the end of the run cut short: it is kept as a record of what was sent. */
export function identifyGivenUp(known: Identity): Identity {
  return { id: `${known.id}~given-up`, step: 'given-up', name: requestNameOf(known), givenUp: known.id };
}

/** What `--path` takes for a drawn request. Its step has it after the name that all drawn requests share. */
export function drawnPathOf({ step, name }: Pick<Identity, 'step' | 'name'>): string | undefined {
  return name !== undefined && step.startsWith(`${name}/`) ? step.slice(name.length + 1) : undefined;
}

/** The request as a sentence names it: a drawn one by its draw. */
export function formatAsked(exchange: Pick<Identity, 'step' | 'name' | 'occasion'>): string {
  const path = drawnPathOf(exchange);
  if (path === undefined) return requestNameOf(exchange);
  return exchange.occasion === 'smaller' ? `a smaller form of draw ${path}` : `draw ${path}`;
}

const OTHER_WAYS: readonly (Occasion | undefined)[] = ['first-contact', 'other-model', 'other-accept', 'fewer-tokens'];

/** Its step was also sent in another way, which shows as much. */
export function isOtherWay({ occasion }: Pick<Identity, 'occasion'>): boolean {
  return OTHER_WAYS.includes(occasion);
}

/** Picks the fields of an identity that are set, out of whatever else there is. */
export function identityOf(known: Identity): Identity {
  const set = FIELDS.filter((field) => known[field] !== undefined);
  return Object.fromEntries(set.map((field) => [field, known[field]])) as unknown as Identity;
}

const FIELDS = [
  'id',
  'step',
  'name',
  'round',
  'stage',
  'occasion',
  'number',
  'givenUp',
  'side',
  'upstream',
  'cause',
] as const;

/** The request's own word. Undefined for one without it, such as a list, and for traffic that somebody else recorded. */
export function ownWord(
  { id, givenUp = id, request }: Identity & { readonly request: { readonly endpoint: string; readonly body?: string } },
  seed: number,
): string | undefined {
  const { body } = request;
  if (request.endpoint !== 'chat' || body === undefined) return undefined;
  const word = makeRequestWord(seed, givenUp);
  return body.includes(word) ? word : undefined;
}
