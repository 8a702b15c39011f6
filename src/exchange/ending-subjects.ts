/** Endings that only relays, loads and clients have: what was seen, and what to do. */
import { COMMAND } from '../contract/package-files.ts';
import type { Duration, Integer } from '../scalars.ts';
import { inert, listFirst } from '../text/layout.ts';
import { formatValue, type Quote } from '../text/quote.ts';
import { type FirstAnswer, formatFirstAnswer, nameLimit } from './ending-first-contact.ts';
import type { LimitName } from './exchange.ts';
import { isRejection } from './reading/answered.ts';

export interface NoUpstreamCall {
  readonly upstream: string;
  readonly model: string;
  /** The answer to the control. */
  readonly answer?: FirstAnswer;
  /** The time limit that ended the wait for a complete answer to the control, and its value. */
  readonly limit?: LimitName;
  readonly most?: Duration;
  /** Other requests that came to the upstream. */
  readonly others: readonly string[];
}

const CONFIGURATIONS = `\`${COMMAND} relay --print-config NAME --upstream-port N\` prints configurations.`;
const MODEL = 'name the model that the gateway routes to the upstream with --upstream-model';

export function adviseOnNoUpstreamCall(ending: NoUpstreamCall, baseUrl: string): string {
  const { upstream, model, answer, others, limit, most } = ending;
  const control = `the control for the model ${inert(model)}`;
  return [
    `No call reached the scripted upstream at ${inert(upstream)}.`,
    answer === undefined
      ? `${baseUrl} did not ${limit === 'idle-timeout' ? 'complete its answer to' : 'answer'} ${control}${limit === undefined ? '' : ` within ${nameLimit(limit, most)}`}.`
      : `${baseUrl} answered ${control} with ${formatFirstAnswer(answer)}.`,
    others.length === 0
      ? 'The upstream received no other requests.'
      : `The upstream received other requests: ${others.map((other) => inert(other)).join(', ')}.`,
    chooseRemedy(ending),
    CONFIGURATIONS,
  ].join(' ');
}

function chooseRemedy({ upstream, answer, others }: NoUpstreamCall): string {
  const address = `Set the gateway's upstream to ${inert(upstream)}, with any key, and restart it.`;
  if (others.some((other) => /^POST .*\/chat\/completions$/.test(other))) {
    return "The chat requests that arrived lack this run's marker word. Disable message rewriting, or stop the other client.";
  }
  if (others.some((other) => other.startsWith('POST '))) {
    return `The upstream answers only paths that end in /chat/completions. ${address}`;
  }
  if (answer === undefined) return `Check whether the gateway waits for a different upstream. ${address}`;
  if (answer.status === 200) {
    return `The gateway answered by itself, from a cache or from a different upstream. Switch these off, and ${MODEL}.`;
  }
  if (answer.status >= 500) return `The gateway seems to call a different address. ${address}`;
  return `Check that the key is valid for the gateway, and ${MODEL}. ${address}`;
}

export interface NoRecovery {
  /** The case after which the control was not answered within `--recovery`. */
  readonly after: string;
  /** The scripted upstream refused calls beyond its limits. */
  readonly isUpstreamFull?: true;
  /** The gateway's port takes no connections. */
  readonly isRefused?: true;
  /** The status of the last control. */
  readonly status?: Integer;
  /** The cases that were under way when the gateway stopped answering, or the last one that was answered. */
  readonly inFlight?: readonly string[];
  /** The last control, if it shows a failure of the gateway itself: a closed port, or a 5xx that stays. */
  readonly control?: string;
  /** The run had `--concurrency 1`. */
  readonly oneAtATime?: true;
}

/** The most cases that are named. */
const MAX_CASES = 8;

export function adviseOnNoRecovery(ending: NoRecovery, baseUrl: string): string {
  const { after, isUpstreamFull, isRefused, status, control, inFlight = [after], oneAtATime } = ending;
  const names = listFirst(
    inFlight.map((id) => inert(id)),
    MAX_CASES,
  );
  if (isUpstreamFull) {
    return `The gateway did not answer the control within --recovery after ${names}. The scripted upstream had refused calls from the gateway. The notes list the limits. Reduce the gateway's own retries or the size of its requests.`;
  }
  const isKnown = inFlight.length === 1 || oneAtATime;
  const since = isKnown ? names : `these cases were under way: ${names}`;
  if (isRefused || (control !== undefined && status !== undefined)) {
    const what = isRefused ? 'refuses connections' : `answers the control with ${status}`;
    const how = isRefused ? 'stopped then, or closed its port' : 'did not recover within --recovery';
    const remedy = isKnown
      ? 'and restart it before the next run.'
      : `restart it, then run again with --concurrency 1 to see which case ${isRefused ? 'stops' : 'locks'} it.`;
    return `${baseUrl} ${what} since ${since}${isKnown ? ': the' : '. The'} gateway ${how}. Look at its log, ${remedy}`;
  }
  const what =
    status === undefined
      ? `The gateway did not answer the control within --recovery after ${names}.`
      : `The gateway answered the control with ${status} for as long as --recovery allows, since ${since}.`;
  return `${what} Raise --recovery, or shorten the gateway's cool-down.`;
}

/** A call alone got no reply before any load. `answer`: of the last try; absent if it broke off. */
export interface RefusedAlone {
  readonly answer?: FirstAnswer;
}

/** `shut-out`: valid calls were refused since calls with unknown keys were. */
export interface EndedUnderLoad {
  readonly why: 'stopped-answering' | 'shut-out';
  readonly inFlight: Integer;
}

export function adviseOnRefusedAlone({ answer }: RefusedAlone, baseUrl: string): string {
  const said = answer ? formatFirstAnswer(answer) : 'a reply that broke off';
  const remedy = isRejection(answer?.status)
    ? 'Run again later, or use a key with higher limits.'
    : 'Mend that first: `wirecheck run` shows what is wrong. Or name a different model with --model.';
  return `${baseUrl} answered a single call with ${said}, before any load. ${remedy}`;
}

export function formatEndedUnderLoad(ending: EndedUnderLoad): string {
  return ending.why === 'shut-out'
    ? 'the target began to refuse valid calls after calls with unknown keys'
    : `the target stopped answering at ${ending.inFlight} in flight`;
}

export function adviseOnEndedUnderLoad({ why, inFlight }: EndedUnderLoad): string {
  if (why === 'shut-out') {
    return 'The target began to refuse valid calls after calls with unknown keys: it may block this client. Exempt this machine from the block, or run again with --skip load/unknown-key.';
  }
  // Nothing is lower than one at a time.
  const lower = inFlight > 1 ? ' with a lower --concurrency' : '';
  return `The target stopped answering at ${inFlight} in flight. Read its log and restart it. Then run again${lower}.`;
}

/** What a client made of the plain reply. */
const HOW_IT_FAILED = {
  failed: () => 'it reported a failed call',
  'wrong-text': () => 'it returned text that is not the reply',
  'no-text': () => 'it returned no text',
  'no-result': (seconds: number) => `it gave no result within ${seconds} s`,
  'no-request': () => 'it sent no plain chat request to the base URL that it was given',
  ended: () => 'the driver exited before it answered',
  flooded: () => 'it printed too much (limits: 1 MiB on stdout, 16 MiB of other output)',
  unsupported: () => 'it says that it does not make plain calls',
} as const satisfies Record<string, (seconds: number) => string>;

export interface FailedControl {
  readonly how: keyof typeof HOW_IT_FAILED;
  /** How long it took. */
  readonly seconds: number;
  readonly said: Quote;
  /** The text of the reply, if the client returned another one. */
  readonly reply?: Quote;
  readonly complaint: Quote;
  /** How its process ended, if not with exit code 0. */
  readonly exit?: Integer;
  readonly signal?: string;
  /** The requests that it made, such as `POST /responses`. */
  readonly calls: readonly string[];
  /** It exited with 0, without a request or any text: so does a driver that was started without `--driver`. */
  readonly mayBeDriver?: true;
}

const MAX_SIGN = 400;
const DRIVER = 'If it is a driver, add --driver, or driver: true in a clients file. Otherwise make';

export function adviseOnFailedControl(failed: FailedControl): string {
  const { how, seconds, said, reply, complaint, exit, signal, calls, mayBeDriver } = failed;
  // In quotation marks, so that white space at the end shows.
  const quote = (text: Quote): string => inert(formatValue(text), MAX_SIGN);
  const signs = [
    ...(said.length === 0 ? [] : [` It printed ${quote(said)}.`]),
    ...(reply === undefined ? [] : [` The reply is ${quote(reply)}.`]),
    ...(complaint.length === 0 ? [] : [` Its error: ${quote(complaint)}.`]),
    ...(signal === undefined ? [] : [` It was terminated by ${signal}.`]),
    ...(exit === undefined || exit === 0 ? [] : [` It exited with ${exit}.`]),
    ...(calls.length === 0 ? [' It sent no request at all.'] : [` It called ${inert(calls.join(', '), MAX_SIGN)}.`]),
  ];
  const remedy = `${mayBeDriver ? DRIVER : 'Make'} this call work first; \`${COMMAND} explain client/plain\` says what it has to do.`;
  return `The client failed the plain control: ${HOW_IT_FAILED[how](seconds)}.${signs.join('')} ${remedy}`;
}
