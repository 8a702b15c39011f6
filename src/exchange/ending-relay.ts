/** A relay whose gateway never called the scripted upstream, or no longer answers: what was seen, and what to do. */
import { COMMAND } from '../contract/package-files.ts';
import { inert } from '../text/inert.ts';
import { listFirst } from '../text/layout.ts';
import { type FirstAnswer, formatFirstAnswer } from './ending-first-answer.ts';
import { type Advice, nameLimit } from './ending-unreachable.ts';
import type { LimitName } from './exchange.ts';
import type { Duration, Integer } from '../scalars.ts';

export interface NoUpstreamCall {
  readonly upstream: string;
  readonly model: string;
  /** To the control. */
  readonly answer?: FirstAnswer;
  /** The time limit that ended the wait for a complete answer to the control, and its value. */
  readonly limit?: LimitName;
  readonly most?: Duration;
  /** Other requests that came to the upstream. */
  readonly others: readonly string[];
}

const CONFIGURATIONS = `\`${COMMAND} relay --print-config NAME --upstream-port N\` prints configurations.`;
const MODEL = 'name the model that the gateway routes to the upstream with --upstream-model';

export function adviseOnNoUpstreamCall(ending: NoUpstreamCall, baseUrl: string): Advice {
  const { upstream, model, answer, others, limit, most } = ending;
  const control = `the control for the model ${inert(model)}`;
  return {
    what: [
      `No call reached the scripted upstream at ${inert(upstream)}.`,
      answer === undefined
        ? `${baseUrl} did not ${limit === 'idle-timeout' ? 'complete its answer to' : 'answer'} ${control}${limit === undefined ? '' : ` within ${nameLimit(limit, most)}`}.`
        : `${baseUrl} answered ${control} with ${formatFirstAnswer(answer)}.`,
      others.length === 0
        ? 'The upstream received no other requests.'
        : `The upstream received other requests: ${others.map((other) => inert(other)).join(', ')}.`,
    ].join(' '),
    remedy: `${chooseRemedy(ending)} ${CONFIGURATIONS}`,
  };
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

/** At most this many cases are named. */
const MAX_CASES = 8;

export function adviseOnNoRecovery(ending: NoRecovery, baseUrl: string): Advice {
  const { after, isUpstreamFull, isRefused, status, control, inFlight = [after], oneAtATime } = ending;
  const names = listFirst(
    inFlight.map((id) => inert(id)),
    MAX_CASES,
  );
  if (isUpstreamFull) {
    return {
      what: `The gateway did not answer the control within --recovery after ${names}. The scripted upstream had refused calls from the gateway.`,
      remedy: "The notes list the limits. Reduce the gateway's own retries or the size of its requests.",
    };
  }
  const isKnown = inFlight.length === 1 || oneAtATime;
  const since = isKnown ? names : `these cases were under way: ${names}`;
  if (isRefused || (control !== undefined && status !== undefined)) {
    const how = isRefused ? 'stopped then, or closed its port' : 'did not recover within --recovery';
    return {
      what: `${baseUrl} ${isRefused ? 'refuses connections' : `answers the control with ${status}`} since ${since}${isKnown ? ': the' : '. The'} gateway ${how}.`,
      remedy: isKnown
        ? 'Look at its log, and restart it before the next run.'
        : `Look at its log, restart it, then run again with --concurrency 1 to see which case ${isRefused ? 'stops' : 'locks'} it.`,
    };
  }
  return {
    what:
      status === undefined
        ? `The gateway did not answer the control within --recovery after ${names}.`
        : `The gateway answered the control with ${status} for as long as --recovery allows, since ${since}.`,
    remedy: "Raise --recovery, or shorten the gateway's cool-down.",
  };
}
