/**
 * Why something was not judged. A reason is data; the one table below has its sentence, whether it means that the
 * expectation did not apply, and the remedy.
 */
import type { LimitName, NoAnswer } from '../exchange/exchange.ts';
import { type Ending, formatEnding } from '../exchange/ending.ts';
import { type AnswerStatus, formatStatus } from '../exchange/answer-status.ts';
import { type DescriptionProblem, formatProblem } from '../exchange/openapi/description-problem.ts';
import type { OmissionReason } from '../plan/plan.ts';
import { flagOf } from '../settings/setting-names.ts';
import { KEY_VARIABLES } from '../settings/settings-without-flag.ts';
import type { Prerequisite } from '../suite/case.ts';
import { count } from '../text/layout.ts';
import { formatQuote, type Quote } from '../text/quote.ts';
import type { Count, Integer } from '../scalars.ts';

/** The run gave the clause no occasion. */
const OCCASIONS = {
  error: 'no answer was an error',
  'unexpected-error': 'no unprovoked error occurred',
  'passing-server-error': 'no 5xx went away on a retry',
  refusal: 'the request was not refused',
  'legal-refusal': 'the request was refused, which the contract allows',
  'rate-limit-header': 'no answer had a rate-limit header',
  field: 'no answer has the field that it is about',
  'limited-field': 'no request has a field with a limit',
  'token-count': 'the answer has no token counts',
  'max-tokens': 'the request had no max_tokens',
  'usage-counts': 'usage lacks one of its three counts',
  'model-name': 'no completion named a model',
  'listed-model': 'no listed model was called',
  'named-model': 'no model was named with --model',
  'finish-reason': 'no completion had a finish_reason',
  created: 'no completion had a number in created',
  'two-ids': 'too few replies had an id to compare',
  'body-read': 'the connection was closed while the body was sent, as a server may do',
  'limit-reached': 'no reply had exactly as many tokens as max_tokens',
  'two-limits': 'only replies to one max_tokens reached it, which may be chance',
  'reply-text': 'no completion had text',
  'paced-stream': 'no stage was calm enough to time the pieces of a stream',
  'request-words': 'no request had a random word',
  'combined-request': 'each value was tested separately',
  'text-before-failure': 'no text came before the failure',
  'still-waiting': 'the gateway was still waiting',
  'later-reply': 'a later upstream call gave the reply',
  'usage-asked': 'the client did not ask for token counts',
  'field-refused': 'the gateway refuses a field that the contract does not have',
  'other-key': 'no call with a second key was answered',
  upstream: 'no upstream of wirecheck is behind the gateway',
  'list-call': 'no list was asked for before and after the load',
  'refusal-call': 'no call of this kind got an answer',
  'plain-upstream-call': 'the gateway made a plain upstream call',
  failure: 'no failure was injected',
  'quiet-close': 'the stream did not just close',
  'error-status': 'the answer has no error status',
  'upstream-refusal': 'the upstream refused the request itself',
  'accept-json': 'no stream was requested with Accept: application/json',
  'front-answer': 'the gateway gave no answer of this kind to an upstream that behaved properly',
} as const;

/** One root cause is one finding: expectations that depend on it point to its clause. */
const CAUSES = {
  'no-json-object': 'the body of the error is not a JSON object',
  'no-error-object': 'the body has no error object',
  'no-message': 'error.message is not a string',
  'another-fault': 'the body is invalid for a different reason',
  'open-endpoint': 'the endpoint answers without any key',
  'listed-models': 'no call to a listed model was answered',
  'no-event-stream': 'the answer is not an event stream',
  'no-choice': 'no chunk has a choice',
  'no-delta': 'no choice has a delta',
  'no-finish-reason': 'no choice has a finish_reason',
  'body-cut': 'the body was cut off',
  'no-done': 'no stream has [DONE]',
  'stream-cut': 'the stream was cut off',
  'stream-stalled': 'the stream stalled',
  'stream-error': 'the stream carries an error',
  status: 'the status was not 200',
  'not-understood': 'the reply did not come through',
  'foreign-reply': 'the reply belongs to another request',
  'message-lost': 'the text of a message did not arrive',
  'text-lost': 'text is missing from the reply',
  'no-answer': 'there was no answer',
  'key-accepted': 'the request was not refused',
  'not-recovered': 'the gateway did not recover',
  again: 'it happened more than once',
  'failure-hidden': 'the failure did not become an error',
  'seen-often': 'it was seen often enough to count there',
  'other-pauses': 'the number of pauses after which it came decides the level',
  'answered-before': 'a request that has to be refused first was answered',
  'calls-failed': 'every call of this kind was rejected or failed',
  'simplest-call': 'the client fails the simplest call of this kind',
} as const;

export type Cause = keyof typeof CAUSES;

/** What kept draws that failed from being asked again. The remedy names the budget of completions. */
const UNASKED = {
  completions: '',
  requests: ', since all requests for that were used',
  silence: ', since the time for requests without an answer was used',
} as const;

/** Missing from a foreign recording. */
const GAPS = {
  'valid-request': 'no valid request of this kind was recorded',
  success: 'no recorded request of this kind succeeded',
  violation: 'no recorded request breaks this rule',
  'original-request': 'the recording does not have the request as it was sent',
  answer: 'the recording has no answer',
  'time-after-done': 'the time between [DONE] and the end of the response is not known',
  control: 'a refusal proves nothing without a control',
} as const;

/** A request that was answered with a 200, but not to the end. `events`: of a stream. */
export interface BrokenOff {
  readonly end: 'cut' | 'stalled';
  readonly events?: Count;
}

interface Row<R> {
  readonly text: string | ((reason: R) => string);
  /** The target gave no occasion, or another clause covers it: there is nothing to do. */
  readonly didNotApply?: true;
  /** What to do, in the imperative. */
  readonly remedy?: string | ((reason: R) => string | undefined);
}

/** Reasons that say everything by their kind. */
const WITHOUT_DATA = {
  'nothing-to-judge': { text: 'no answer to judge it by' },
  'basis-unsteady': { text: 'the request it builds on is also refused intermittently' },
  'not-200': { text: 'the status was not 200' },
  'not-json': { text: 'the body is not valid JSON' },
  'no-list': { text: 'the answer has no list' },
  'wait-too-long': { text: 'Retry-After exceeds --max-retry-wait', remedy: 'raise --max-retry-wait' },
  'recovery-too-short': { text: 'the gateway asks for a longer wait than --recovery', remedy: 'raise --recovery' },
  'keys-blocked': {
    text: 'after too many invalid keys, the target answers all of them with 403 or 429',
    remedy: 'allow more failed logins from this address, or lower --detect',
  },
  'still-rejecting': { text: 'the target still rejected calls as overloaded', remedy: 'raise --recovery' },
  'event-not-read': {
    text: 'an event is nested deeper than --max-depth, or has too many values',
    remedy: 'raise --max-depth',
  },
  'no-key': { text: 'the file has no key that was accepted' },
  'key-used-up': { text: 'the key has run out of credit (402)', remedy: 'use a key with credit' },
  'key-not-used-up': {
    text: 'the exhausted key still works',
    remedy: 'set WIRECHECK_EXHAUSTED_KEY to a key without credit',
  },
  'exhausted-key-streams': {
    text: 'the exhausted key is refused for plain requests but still gets streams',
    remedy: 'find out why, or set WIRECHECK_EXHAUSTED_KEY to a key without credit',
  },
  'api-silent': { text: 'neither the model list nor a completion was given' },
  'list-not-requested': { text: 'the model list was not requested' },
  'models-unclear': { text: 'no call to a listed model gave a clear result' },
  'no-known-shape': { text: 'no answer matched a schema of the contract' },
  'no-model-list': { text: 'no model list was received' },
  'no-stream': { text: 'no stream was answered' },
  'no-text': { text: 'the stream carried no text', remedy: 'raise --stream-tokens if the model reasons first' },
  'no-stop': { text: 'the stream carried no text and did not end with stop' },
  'control-without-text': { text: 'the same request without stream had no text either' },
  'relay-waiting': { text: 'the gateway gave no complete answer within 20 s' },
  'relay-not-forwarded': { text: 'the gateway did not call its upstream' },
  'upstream-key-unknown': {
    text: 'the gateway sends no key of its own to the upstream, or a short one',
    remedy: 'configure one of at least eight characters',
  },
  'no-refusal-time': { text: 'the text came all at once, but there is no refusal to compare its time with' },
  'no-second-stream': { text: 'the text came all at once, but no second stream confirmed it' },
  'second-stream-unanswered': { text: 'the second stream, sent to confirm the first, was not answered' },
  'no-second-open-stream': { text: 'a response stayed open after [DONE], but no second stream confirmed it' },
  'description-not-read': { text: 'the OpenAPI description was not read' },
  'no-operations': { text: 'the OpenAPI description has neither operation of the contract' },
  'call-unsupported': { text: 'the client does not make this kind of call' },
  'no-request': { text: 'the client sent no request of this kind' },
} as const satisfies Record<string, Row<never>>;

export type Reason =
  | OmissionReason
  | { readonly kind: keyof typeof WITHOUT_DATA }
  | { readonly kind: 'run-ended'; readonly ending: Ending }
  /** A check of the user's own threw. Its message may quote the target. */
  | { readonly kind: 'check-threw'; readonly check: string; readonly message: Quote }
  | { readonly kind: 'no-occasion'; readonly of: keyof typeof OCCASIONS }
  | {
      readonly kind: 'see-clause';
      readonly because: Cause;
      readonly clause: string;
      readonly answer?: AnswerStatus;
    }
  | { readonly kind: 'recording-gap'; readonly gap: keyof typeof GAPS }
  | { readonly kind: 'no-answer'; readonly failure: NoAnswer; readonly code: string; readonly limit?: LimitName }
  | { readonly kind: 'basis-unanswered'; readonly answer?: AnswerStatus; readonly brokenOff?: BrokenOff }
  /** `answer`: what came before the control was sent again. */
  | { readonly kind: 'control-unanswered'; readonly answer?: AnswerStatus; readonly brokenOff?: BrokenOff }
  | { readonly kind: 'status-stayed' | 'status-unrelated' | 'key-unclear'; readonly answer: AnswerStatus }
  /** The cases were drawn. */
  | {
      readonly kind: 'not-asked-again';
      readonly draws: Count;
      /** What was used up first. */
      readonly limit: keyof typeof UNASKED;
    }
  /** Tokens of the prompt, by the answer. */
  | { readonly kind: 'context-not-reached'; readonly tokens: Count; readonly context: Count }
  | { readonly kind: 'over-limit'; readonly what: 'body' | 'stream'; readonly limit: LimitName }
  | { readonly kind: 'not-read'; readonly what: 'body' | 'stream' }
  /** With the status of the answer that came in place of one. */
  | { readonly kind: 'key-unanswered'; readonly status?: Integer }
  /** Milliseconds. */
  | { readonly kind: 'checker-late'; readonly lateness: number }
  | { readonly kind: 'description-unavailable'; readonly source: string; readonly problem: DescriptionProblem }
  | {
      readonly kind: 'ended-early';
      readonly who: 'driver' | 'client';
      readonly exit?: Integer;
      readonly signal?: string;
    }
  | { readonly kind: 'no-json-schema'; readonly bodies: readonly string[] }
  | { readonly kind: 'reference-not-followed'; readonly first: Quote; readonly more: Count };

/** The members of a union that may be of this kind. */
export type OfKind<Union extends { readonly kind: string }, Kind extends Union['kind']> = Union extends unknown
  ? Kind extends Union['kind']
    ? Union
    : never
  : never;

const REASONS: { readonly [Kind in Reason['kind']]: Row<OfKind<Reason, Kind>> } = {
  ...WITHOUT_DATA,
  needs: { text: 'not tested', remedy: ({ settings }) => settings.map(give).join(' and ') },
  'limit-lifted': {
    text: ({ field, bound }) => `the profile sets no ${bound === 'any' ? 'limit' : bound} for ${field}`,
    didNotApply: true,
  },
  'field-required': { text: ({ field }) => `the profile requires ${field}`, didNotApply: true },
  'not-recorded': { text: 'not in this recording' },
  'asked-otherwise': {
    text: 'the recording has another request than this contract asks for',
    remedy: 'run again with this profile',
  },
  'recording-gap': { text: ({ gap }) => GAPS[gap] },
  'check-threw': {
    text: ({ check, message }) =>
      `the check ${check} threw an error, which says nothing about the target: ${formatQuote(message)}`,
    remedy: 'fix the check',
  },
  'run-ended': { text: ({ ending }) => formatEnding(ending) },
  'no-occasion': { text: ({ of }) => OCCASIONS[of], didNotApply: true },
  'see-clause': {
    text: ({ because, clause, answer }) =>
      `${because === 'status' && answer ? formatStatus(answer) : CAUSES[because]}: see ${clause}`,
    didNotApply: true,
  },
  'no-answer': {
    text: ({ failure, code, limit }) => formatFailure(failure, code, limit),
    // A target that hangs needs more than time.
    remedy: ({ failure, limit }) => {
      const remedy = limit && raise(limit);
      return remedy !== undefined && failure === 'timeout' ? `${remedy} if it is only slow` : remedy;
    },
  },
  'basis-unanswered': {
    text: ({ answer, brokenOff }) =>
      `${answer ? `${formatStatus(answer)}, and ` : ''}${formatUnanswered('the request it builds on', brokenOff)}`,
  },
  'control-unanswered': {
    text: ({ answer, brokenOff }) =>
      answer
        ? `${formatStatus(answer)}, and the control was not answered afterwards`
        : `${formatUnanswered('the control', brokenOff)}, so a refusal proves nothing`,
  },
  'status-stayed': { text: ({ answer }) => `${formatStatus(answer)} after every attempt` },
  'status-unrelated': { text: ({ answer }) => `${formatStatus(answer)} is unrelated to the change in the request` },
  'key-unclear': { text: ({ answer }) => `${formatStatus(answer)} does not show whether the key was accepted` },
  'not-asked-again': {
    text: ({ draws, limit }) => `${count(draws, 'draw')} failed and could not be asked again${UNASKED[limit]}`,
    remedy: ({ limit }) =>
      `${limit === 'completions' ? 'raise --shrink-completions, or ' : ''}send each alone with --path`,
  },
  'context-not-reached': {
    text: ({ tokens, context }) =>
      `the prompt had only ${count(tokens, 'token')} by the answer, which is below the ${count(context, 'token')} of --context-tokens`,
    remedy: 'raise --context-tokens',
  },
  'over-limit': { text: ({ what, limit }) => `the ${what} exceeds --${limit}`, remedy: ({ limit }) => raise(limit) },
  'not-read': { text: ({ what }) => `the run ended before the end of the ${what}` },
  'key-unanswered': {
    text: ({ status }) => `no request with the key was answered${status === undefined ? '' : ` (status ${status})`}`,
  },
  'checker-late': {
    text: ({ lateness }) => `this machine was ${lateness.toFixed(0)} ms behind, so the text could not be timed`,
    remedy: 'run on a machine that is less busy',
  },
  'description-unavailable': {
    text: ({ problem, source }) => `the OpenAPI description ${formatProblem(problem)} (${source})`,
    remedy: 'check --openapi',
  },
  'ended-early': {
    text: ({ who, exit, signal }) => `the ${who} ended (${signal ?? `exit ${exit ?? 0}`}) before it made a call`,
  },
  'no-json-schema': { text: ({ bodies }) => `the OpenAPI description has no JSON schema for ${bodies.join(' and ')}` },
  'reference-not-followed': {
    text: ({ first, more }) =>
      `cannot resolve ${formatQuote(first)}${more === 0 ? '' : ` and ${count(more, 'other reference')}`} in the OpenAPI description`,
    remedy: 'publish it as one document',
  },
};

/** `the answer to the control was cut off after 3 events` */
function formatUnanswered(request: string, brokenOff: BrokenOff | undefined): string {
  if (!brokenOff) return `${request} was not answered`;
  const after = brokenOff.events === undefined ? '' : ` after ${count(brokenOff.events, 'event')}`;
  return `the answer to ${request} ${brokenOff.end === 'cut' ? 'was cut off' : 'stalled'}${after}`;
}

/** The table is keyed by the kind itself, which the compiler cannot follow through an index. */
function rowOf(reason: Reason): Row<Reason> {
  return REASONS[reason.kind] as Row<Reason>;
}

/** Lower case, without a full stop: `not tested: pass --openapi`. */
export function formatReason(reason: Reason): string {
  return [formatCause(reason), formatRemedy(reason)].filter((part) => part !== undefined).join(': ');
}

/** The reason without its remedy: `no answer within --timeout`. */
export function formatCause(reason: Reason): string {
  const { text } = rowOf(reason);
  return typeof text === 'function' ? text(reason) : text;
}

/** `raise --timeout` */
export function formatRemedy(reason: Reason): string | undefined {
  const { remedy } = rowOf(reason);
  return typeof remedy === 'function' ? remedy(reason) : remedy;
}

export function didNotApply(reason: Reason): boolean {
  return rowOf(reason).didNotApply ?? false;
}

export function formatFailure(failure: NoAnswer, code: string, limit?: LimitName): string {
  const texts: Record<NoAnswer, string> = {
    refused: `no connection (${code})`,
    unresolved: `no connection (${code})`,
    tls: `no connection (${code})`,
    closed: `the connection was closed without an answer (${code})`,
    timeout: limit === 'edit-timeout' ? 'no answer within 20 s' : `no answer within --${limit ?? 'timeout'}`,
    'not-http': 'the answer was not HTTP',
    limit:
      limit === 'max-interim' ? 'too many interim (1xx) answers' : `the answer exceeds --${limit ?? 'max-headers'}`,
    aborted: 'the run ended before an answer came',
  };
  return texts[failure];
}

/** There is no setting for interim answers, nor for edits of `max_tokens`. */
function raise(limit: LimitName): string | undefined {
  return limit === 'max-interim' || limit === 'edit-timeout' ? undefined : `raise --${limit}`;
}

const SETTINGS: Readonly<Record<Prerequisite, string>> = {
  'restricted-key': KEY_VARIABLES.restricted,
  'exhausted-key': KEY_VARIABLES.exhausted,
  'limited-key': KEY_VARIABLES.limited,
  'second-key': KEY_VARIABLES.second,
  'revoked-key': KEY_VARIABLES.revoked,
  parallel: 'wirecheck load',
  'largest-body': flagOf('largest-body'),
  'context-tokens': flagOf('context-tokens'),
  'forbidden-model': flagOf('forbidden-model'),
  openapi: flagOf('openapi'),
  'upstream-model': flagOf('upstream-model'),
  patient: flagOf('patient'),
};

/** A key comes from a variable, never from a flag. */
function give(prerequisite: Prerequisite): string {
  const setting = settingFor(prerequisite);
  if (prerequisite === 'parallel') return `run \`${setting}\``;
  // One may have been passed already.
  if (prerequisite === 'upstream-model') return `pass a second ${setting}`;
  return `${setting.startsWith('--') ? 'pass' : 'set'} ${setting}`;
}

/** The setting that meets a prerequisite of a case. */
export function settingFor(prerequisite: Prerequisite): string {
  return SETTINGS[prerequisite];
}
