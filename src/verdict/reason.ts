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
import { EXTRA_KEYS, type ExtraKey, type Prerequisite } from '../suite/case.ts';
import { count } from '../text/layout.ts';
import type { OfKind, RowsOf } from '../kinds.ts';
import { formatQuote, type Quote } from '../text/quote.ts';
import type { Count, Integer } from '../scalars.ts';

/** The run gave the clause no occasion. */
const OCCASIONS = {
  error: 'no answer was an error',
  'unexpected-error': 'no unprovoked error occurred',
  'passing-server-error': 'no 5xx went away on a retry',
  refusal: 'the request was not refused',
  'legal-refusal': 'the request was refused, which the contract allows',
  'request-id': 'no answer had a header with a request id',
  'wait-asked': 'no answer asked for a wait, or none was asked again after it',
  'stated-context': 'the list states no context length for the called model',
  'rate-limit-header': 'no answer had a rate-limit header',
  'allowed-origin': 'no answer to a page in a browser allows its origin',
  field: 'no answer has the field that it is about',
  'limited-field': 'no request has a field with a limit',
  'token-count': 'the answer has no token counts',
  'comparable-counts': 'the token counts are of two servers, or may leave out what came from a cache',
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
  'awaited-text': 'the whole text came as soon as a refusal, so that nothing was there to hold back',
  'paced-stream': 'no stage was calm enough to time the pieces of a stream',
  'timed-stream': 'no stream of a calm stage ended with [DONE]',
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
  fallback: 'the gateway never called both upstreams, so it has no fallback',
  'upstream-calls': 'no upstream was called',
  'first-upstream': 'the upstream that failed earlier was not called first again within --recovery',
  'one-first-upstream': 'the gateway spreads its calls over both upstreams',
  'whole-reply': 'no reply looks whole',
  'later-attempt': 'no later upstream call added to the text',
  retry: 'the gateway did not call this upstream again',
  'quiet-close': 'the stream did not just close',
  'error-status': 'the answer has no error status',
  'upstream-refusal': 'the upstream refused the request itself',
  'accept-json': 'no stream was requested with Accept: application/json',
  'front-answer': 'the gateway gave no answer of this kind to an upstream that behaved properly',
  drawn: 'every draw that could show it failed for what other cases show',
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
  joined: 'the text is joined from two upstream calls',
  'reply-altered': 'the reply of a later upstream call was altered',
  'seen-often': 'it was seen often enough to count there',
  'other-pauses': 'the number of pauses after which it came decides the level',
  'answered-before': 'a request that has to be refused first was answered',
  'calls-failed': 'every call of this kind was rejected or failed',
  'simplest-call': 'the client fails the simplest call of this kind',
} as const;

export type OccasionName = keyof typeof OCCASIONS;
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

type Words<R> = string | ((reason: R) => string);

interface Remediable<R> {
  readonly text: Words<R>;
  /** What to do, in the imperative. */
  readonly remedy?: string | ((reason: R) => string | undefined);
}

type Row<R> = Words<R> | Remediable<R>;

/** The target gave no occasion, or another clause covers it: there is nothing to do. */
const DID_NOT_APPLY: readonly Reason['kind'][] = ['limit-lifted', 'field-required', 'no-occasion', 'see-clause'];

/** Why a case was not sent. */
const OMISSIONS: { readonly [Kind in OmissionReason['kind']]: Row<OfKind<OmissionReason, Kind>> } = {
  needs: { text: 'not tested', remedy: ({ settings }) => settings.map(give).join(' and ') },
  'limit-lifted': ({ field, bound }) => `the profile sets no ${bound === 'any' ? 'limit' : bound} for ${field}`,
  'field-required': ({ field }) => `the profile requires ${field}`,
  'not-recorded': 'not in this recording',
  'asked-otherwise': {
    text: 'the recording has another request than this contract asks for',
    remedy: 'run again with this profile',
  },
};

/** A kind and its words, with the data that they are made of. Times are milliseconds. */
const REASONS = {
  'nothing-to-judge': 'no answer to judge it by',
  'basis-unsteady': 'the request it builds on is also refused intermittently',
  'not-200': 'the status was not 200',
  'not-json': 'the body is not valid JSON',
  'no-list': 'the answer has no list',
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
  'no-key': 'the file has no key that was accepted',
  'key-used-up': { text: 'the key has run out of credit (402)', remedy: 'use a key with credit' },
  'key-not-used-up': {
    text: 'the exhausted key still works',
    remedy: 'set WIRECHECK_EXHAUSTED_KEY to a key without credit',
  },
  'exhausted-key-streams': {
    text: 'the exhausted key is refused for plain requests but still gets streams',
    remedy: 'find out why, or set WIRECHECK_EXHAUSTED_KEY to a key without credit',
  },
  'api-silent': 'neither the model list nor a completion was given',
  'list-not-requested': 'the model list was not requested',
  'models-unclear': 'no call to a listed model gave a clear result',
  'no-known-shape': 'no answer matched a schema of the contract',
  'no-model-list': 'no model list was received',
  'no-stream': 'no stream was answered',
  'no-text': { text: 'the stream carried no text', remedy: 'raise --stream-tokens if the model reasons first' },
  'no-stop': 'the stream carried no text and did not end with stop',
  'control-without-text': 'the same request without stream had no text either',
  'relay-waiting': 'the gateway gave no complete answer within 20 s',
  'relay-not-forwarded': 'the gateway did not call its upstream',
  'upstream-key-unknown': {
    text: 'the gateway sends no key of its own to the upstream, or a short one',
    remedy: 'configure one of at least eight characters',
  },
  'few-pieces': {
    text: 'the text came in too few pieces to tell if they were held back',
    remedy: 'raise --stream-tokens',
  },
  'no-refusal-time': 'the text came all at once, but there is no refusal to compare its time with',
  'no-second-stream': 'the text seems to be held back, but no second stream confirmed it',
  'second-stream-unanswered': 'the second stream, sent to confirm the first, was not answered',
  'no-second-open-stream': 'a response stayed open after [DONE], but no second stream confirmed it',
  'description-not-read': 'the OpenAPI description was not read',
  'no-operations': 'the OpenAPI description has neither operation of the contract',
  'call-unsupported': 'the client does not make this kind of call',
  'no-request': 'the client sent no request of this kind',
  'recording-gap': ({ gap }: { readonly gap: keyof typeof GAPS }) => GAPS[gap],
  /** A check of the user's own threw. Its message may quote the target. */
  'check-threw': {
    text: ({ check, message }: { readonly check: string; readonly message: Quote }) =>
      `the check ${check} threw an error, which says nothing about the target: ${formatQuote(message)}`,
    remedy: 'fix the check',
  },
  'run-ended': ({ ending }: { readonly ending: Ending }) => formatEnding(ending),
  'no-occasion': ({ of }: { readonly of: OccasionName }) => OCCASIONS[of],
  'see-clause': ({ because, clause, answer }: { readonly because: Cause; readonly clause: string } & Answered) =>
    `${because === 'status' && answer ? formatStatus(answer) : CAUSES[because]}: see ${clause}`,
  'no-answer': {
    text: ({ failure, code, limit }: FailedAnswer) => formatFailure(failure, code, limit),
    // A target that hangs needs more than time.
    remedy: ({ failure, limit }: FailedAnswer) => {
      const remedy = limit && raise(limit);
      return remedy !== undefined && failure === 'timeout' ? `${remedy} if it is only slow` : remedy;
    },
  },
  'basis-unanswered': ({ answer, brokenOff }: { readonly brokenOff?: BrokenOff } & Answered) =>
    `${answer ? `${formatStatus(answer)}, and ` : ''}${formatUnanswered('the request it builds on', brokenOff)}`,
  /** `answer`: what came before the control was sent again. */
  'control-unanswered': ({ answer, brokenOff }: { readonly brokenOff?: BrokenOff } & Answered) =>
    answer
      ? `${formatStatus(answer)}, and the control was not answered afterwards`
      : `${formatUnanswered('the control', brokenOff)}, so a refusal proves nothing`,
  'status-stayed': ({ answer }: WithAnswer) => `${formatStatus(answer)} after every attempt`,
  'status-unrelated': ({ answer }: WithAnswer) => `${formatStatus(answer)} is unrelated to the change in the request`,
  'key-unclear': ({ answer }: WithAnswer) => `${formatStatus(answer)} does not show whether the key was accepted`,
  /** The cases were drawn. `limit`: what was used up first. */
  'not-asked-again': {
    text: ({ draws, limit }: { readonly draws: Count; readonly limit: keyof typeof UNASKED }) =>
      `${count(draws, 'draw')} failed and could not be asked again${UNASKED[limit]}`,
    remedy: ({ limit }: { readonly limit: keyof typeof UNASKED }) =>
      `${limit === 'completions' ? 'raise --shrink-completions, or ' : ''}send each alone with --path`,
  },
  /** Tokens of the prompt, by the answer. */
  'context-not-reached': {
    text: ({ tokens, context }: { readonly tokens: Count; readonly context: Count }) =>
      `the prompt had only ${count(tokens, 'token')} by the answer, which is below the ${count(context, 'token')} of --context-tokens`,
    remedy: 'raise --context-tokens',
  },
  'over-limit': {
    text: ({ what, limit }: { readonly what: 'body' | 'stream'; readonly limit: LimitName }) =>
      `the ${what} exceeds --${limit}`,
    remedy: ({ limit }: { readonly limit: LimitName }) => raise(limit),
  },
  'not-read': ({ what }: { readonly what: 'body' | 'stream' }) => `the run ended before the end of the ${what}`,
  /** The status is that of the answer that came in place of one. */
  'key-unanswered': ({ status }: { readonly status?: Integer }) =>
    `no request with the key was answered${status === undefined ? '' : ` (status ${status})`}`,
  'checker-late': {
    text: ({ lateness }: { readonly lateness: number }) =>
      `this machine was ${lateness.toFixed(0)} ms behind, so the text could not be timed`,
    remedy: 'run on a machine that is less busy',
  },
  'description-unavailable': {
    text: ({ problem, source }: { readonly source: string; readonly problem: DescriptionProblem }) =>
      `the OpenAPI description ${formatProblem(problem)} (${source})`,
    remedy: 'check --openapi',
  },
  'ended-early': ({ who, exit, signal }: { readonly who: 'driver' | 'client' } & Ended) =>
    `the ${who} ended (${signal ?? `exit ${exit ?? 0}`}) before it made a call`,
  'no-json-schema': ({ bodies }: { readonly bodies: readonly string[] }) =>
    `the OpenAPI description has no JSON schema for ${bodies.join(' and ')}`,
  'reference-not-followed': {
    text: ({ first, more }: { readonly first: Quote; readonly more: Count }) =>
      `cannot resolve ${formatQuote(first)}${more === 0 ? '' : ` and ${count(more, 'other reference')}`} in the OpenAPI description`,
    remedy: 'publish it as one document',
  },
} as const satisfies Record<string, Row<never>>;

export type Reason = OmissionReason | RowsOf<typeof REASONS>;

/** A kind whose words need no data. */
export type ReasonPhrase = { [Kind in Reason['kind']]: { kind: Kind } extends Reason ? Kind : never }[Reason['kind']];

type Answered = { readonly answer?: AnswerStatus };
type WithAnswer = { readonly answer: AnswerStatus };
type Ended = { readonly exit?: Integer; readonly signal?: string };
export type FailedAnswer = { readonly failure: NoAnswer; readonly code: string; readonly limit?: LimitName };

/** The data of a reason are those that its text needs: a remedy that needs others does not compile here. */
const ROWS: { readonly [Kind in Reason['kind']]: Row<OfKind<Reason, Kind>> } = { ...OMISSIONS, ...REASONS };

/** `the answer to the control was cut off after 3 events` */
function formatUnanswered(request: string, brokenOff: BrokenOff | undefined): string {
  if (!brokenOff) return `${request} was not answered`;
  const after = brokenOff.events === undefined ? '' : ` after ${count(brokenOff.events, 'event')}`;
  return `the answer to ${request} ${brokenOff.end === 'cut' ? 'was cut off' : 'stalled'}${after}`;
}

function rowOf(reason: Reason): Remediable<Reason> {
  // The table is keyed by the kind itself, which the compiler cannot follow through an index.
  const row = ROWS[reason.kind] as Row<Reason>;
  return typeof row === 'object' ? row : { text: row };
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
  return DID_NOT_APPLY.includes(reason.kind);
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

function give(prerequisite: Prerequisite): string {
  const setting = settingFor(prerequisite);
  if (prerequisite === 'parallel') return `run \`${setting}\``;
  // One may have been passed already.
  if (prerequisite === 'upstream-model') return `pass a second ${setting}`;
  return `${setting.startsWith('--') ? 'pass' : 'set'} ${setting}`;
}

/** The setting that meets a prerequisite of a case. A key comes from a variable, never from a flag. */
export function settingFor(prerequisite: Prerequisite): string {
  if (prerequisite === 'parallel') return 'wirecheck load';
  const key = EXTRA_KEYS.find((use) => prerequisite === `${use}-key`);
  return key ? KEY_VARIABLES[key] : flagOf(prerequisite as Exclude<Prerequisite, 'parallel' | `${ExtraKey}-key`>);
}
