/** How a run can end, and everything that follows from it: one row per kind. */
import { COMMAND } from '../contract/package-files.ts';
import { type Exit, EXIT } from '../exit-codes.ts';
import { STEPS } from '../plan/known-steps.ts';
import type { Duration, Integer } from '../scalars.ts';
import type { DescribedSettings } from '../settings/setting-flags.ts';
import { count, inert, listFirst } from '../text/layout.ts';
import { formatValue, type Quote } from '../text/quote.ts';
import {
  adviseOnNoModel,
  adviseOnOtherApi,
  adviseOnRefusedKey,
  adviseOnUnreachable,
  type FirstAnswer,
  formatFirstAnswer,
  formatLimit,
  formatUnreachable,
  nameLimit,
  type NoModel,
  type OtherApi,
  type RefusedKey,
  type Unreachable,
} from './ending-first-contact.ts';
import { adviseOnSilence, formatSilence, isAllSilent, isUsual, type Silence } from './ending-unanswered.ts';
import type { LimitName } from './exchange.ts';
import { isRejection } from './reading/answered.ts';

export type Ending =
  | { readonly kind: 'complete' }
  /** No connection or no answer, from the first request on. */
  | ({ readonly kind: 'unreachable' } & Unreachable)
  | ({ readonly kind: 'key-refused' } & RefusedKey)
  /** In mid-run, the key was no longer accepted, or its credit was used up: the control was refused too. 200: a web page. */
  | { readonly kind: 'key-ended'; readonly status: Integer }
  | ({ readonly kind: 'not-this-api' } & OtherApi)
  | ({ readonly kind: 'no-model' } & NoModel)
  /** Chat hangs: the control timed out after every attempt. */
  | ({ readonly kind: 'chat-unanswered'; readonly limit: LimitName } & Pick<Unreachable, 'most'>)
  /** `suspects`: the requests in flight when it died, in the order of sending. The last one answered is another. */
  | {
      readonly kind: 'stopped-answering';
      readonly suspects: readonly string[];
      readonly lastAnswered?: string;
      /** The run had `--concurrency 1`. */
      readonly oneAtATime?: true;
      /** How to send the suspects alone, if they were drawn. */
      readonly drawn?: { readonly seed: Integer; readonly paths: readonly string[] };
    }
  /** Under load: clients of ours had disconnected before. */
  | { readonly kind: 'stopped-after-disconnects'; readonly clients: Integer }
  /** A call alone got no reply before any load. `answer`: of the last try; absent if it broke off. */
  | { readonly kind: 'refused-alone'; readonly answer?: FirstAnswer }
  /** `shut-out`: valid calls were refused since calls with unknown keys were. */
  | {
      readonly kind: 'ended-under-load';
      readonly why: 'stopped-answering' | 'shut-out';
      readonly inFlight: Integer;
    }
  /** 429 after every wait. `asked`: how long a Retry-After said to wait, if `--max-retry-wait` does not allow that. */
  | { readonly kind: 'rate-limited'; readonly asked?: Duration }
  | ({
      readonly kind: 'budget';
      readonly setting: 'max-requests' | 'max-completions' | 'max-time';
      /** With `max-time`: answers with 429, which slowed the run down. */
      readonly slowedBy?: Integer;
      readonly underLoad?: true;
      /** The requests were drawn, so that there are no cases to choose from. */
      readonly exploring?: true;
    } & Silence)
  /** `after`: the wave that had a failure. */
  | { readonly kind: 'bailed'; readonly after: string }
  | ({ readonly kind: 'interrupted' } & Silence)
  /** A relay: the gateway never called the scripted upstream. */
  | {
      readonly kind: 'no-upstream-call';
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
  /** A relay: the control was not answered within `--recovery` after this case. */
  | {
      readonly kind: 'not-recovered';
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
  /** A recording without its last line: the run that wrote it died, or the file was cut off. */
  | { readonly kind: 'recording-cut' }
  /** `code`: of the system, such as ENOENT. */
  | { readonly kind: 'client-not-started'; readonly command: string; readonly code: string }
  | {
      readonly kind: 'client-failed-control';
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
    };

export type EndingOf<Kind extends Ending['kind']> = Extract<Ending, { readonly kind: Kind }>;

interface EndingRow<Of extends Ending> {
  /** The exit code of a run in which nothing is broken. A broken clause makes it 1, except after an interruption. Default: not judged. */
  readonly exit?: Exit<'passed' | 'interrupted'>;
  /** Next to nothing was sent, so nearly every case is inconclusive for this one reason. */
  readonly isBarelyBegun?: true;
  /** Nothing that was received came from this API, so it neither keeps the contract nor breaks it. */
  readonly isApiAbsent?: true;
  /** Whether this ending explains an answer with that status, which then says nothing about the contract. */
  readonly explains?: (ending: Of, status: number) => boolean;
  /** The words for the verdict line, and for the cases that were not sent. */
  readonly phrase: (ending: Of) => string;
  /** What happened, and what to do about it. */
  readonly advice?: (ending: Of, baseUrl: string, settings: DescribedSettings) => string;
}

/** What the control is refused with when the key is no longer valid, or has no credit left. */
export const KEY_ENDED: readonly number[] = [401, 402];

/** Whoever tests a service of somebody else cannot restart it. */
const RESTART = 'Restart it if it is yours, or else tell its operator';

const ENDINGS: { readonly [Kind in Ending['kind']]: EndingRow<EndingOf<Kind>> } = {
  complete: { exit: EXIT.passed, phrase: () => 'the run is complete' },
  unreachable: { isBarelyBegun: true, isApiAbsent: true, phrase: formatUnreachable, advice: adviseOnUnreachable },
  'key-refused': {
    isBarelyBegun: true,
    explains: (ending, status) => ending.status === status,
    phrase: ({ status, answer }) =>
      answer?.isPage ? `the key was answered with a web page (${status})` : `the key was refused with ${status}`,
    advice: adviseOnRefusedKey,
  },
  'key-ended': {
    explains: (_ending, status) => KEY_ENDED.includes(status),
    phrase: ({ status }) =>
      status === 200 ? 'every answer became a web page in mid-run' : `the key stopped working in mid-run (${status})`,
    advice: ({ status }) => {
      if (status === 200) {
        return 'In mid-run every answer became a web page: from then on even the control, a plain request, got one. Check whether a login or another page has taken the place of the API, then run again.';
      }
      const remedy =
        status === 402 ? 'Add credit to the key, or use another one' : 'Use a key that stays valid for the whole run';
      return `The key stopped working in mid-run: from then on even the control, a plain request, was refused with ${status}. ${remedy}, then run again.`;
    },
  },
  'not-this-api': {
    isBarelyBegun: true,
    isApiAbsent: true,
    explains: (ending, status) => ending.status === status,
    phrase: () => 'nothing at the base URL answers like this API',
    advice: adviseOnOtherApi,
  },
  'no-model': {
    isBarelyBegun: true,
    explains: ({ reason }) => reason === 'not-listed',
    phrase: ({ reason }) =>
      reason === 'not-listed' ? 'the model given with --model is not listed' : 'there is no model to call',
    advice: adviseOnNoModel,
  },
  'chat-unanswered': {
    isBarelyBegun: true,
    phrase: () => 'no chat request with the key was answered',
    advice: ({ limit, most }) =>
      `No chat request with the key was answered. The control, a plain request, had no complete answer within ${nameLimit(limit, most)}, on every attempt. Check that the model is loaded and answers, name a different one with --model, or raise --${limit}.`,
  },
  'stopped-answering': { phrase: () => 'the target stopped answering', advice: adviseOnDeath },
  'stopped-after-disconnects': {
    phrase: ({ clients }) => `no more answers after ${count(clients, 'disconnect')}`,
    advice: ({ clients }) =>
      `No more calls were answered in time. ${count(clients, 'client')} of ours had disconnected before. If the target is only slow, raise --timeout. ${RESTART}, then run again with --disconnects 0% to see whether it then goes on answering.`,
  },
  'refused-alone': {
    isBarelyBegun: true,
    phrase: ({ answer }) =>
      answer ? `a single call got ${answer.status} before any load` : 'a single call got no whole reply',
    advice: ({ answer }, baseUrl) => {
      const said = answer ? formatFirstAnswer(answer) : 'a reply that broke off';
      const remedy = isRejection(answer?.status)
        ? 'Run again later, or use a key with higher limits.'
        : 'Mend that first: `wirecheck run` shows what is wrong. Or name a different model with --model.';
      return `${baseUrl} answered a single call with ${said}, before any load. ${remedy}`;
    },
  },
  'ended-under-load': {
    phrase: ({ why, inFlight }) =>
      why === 'shut-out'
        ? 'the target began to refuse valid calls after calls with unknown keys'
        : `the target stopped answering at ${inFlight} in flight`,
    advice: ({ why, inFlight }) =>
      why === 'shut-out'
        ? 'The target began to refuse valid calls after calls with unknown keys: it may block this client. Exempt this machine from the block, or run again with --skip load/unknown-key.'
        : // Nothing is lower than one at a time.
          `The target stopped answering at ${inFlight} in flight. Read its log and restart it. Then run again${inFlight > 1 ? ' with a lower --concurrency' : ''}.`,
  },
  'rate-limited': {
    phrase: () => 'the target kept answering 429 (too many requests)',
    advice: ({ asked }) => {
      const how =
        asked === undefined
          ? 'however long the run waited'
          : `and asked to wait for ${formatLimit(asked)}, which is longer than --max-retry-wait`;
      const raise = asked === undefined ? '' : 'raise --max-retry-wait, ';
      return `The target kept answering 429 (too many requests), ${how}. Run again later, ${raise}slow down with --concurrency 1 or --rate, or use a key with higher limits.`;
    },
  },
  budget: {
    phrase: (ending) => {
      const { setting, slowedBy } = ending;
      if (isAllSilent(ending)) return `the run reached --${setting}, and the target answered nothing`;
      return `the run reached --${setting}${slowedBy ? ', slowed down by 429' : ''}`;
    },
    advice: (ending) => {
      const { setting, underLoad, slowedBy } = ending;
      // What is free is sent all the same; under load, and with the other settings, nothing is.
      const reached =
        setting === 'max-completions' && !underLoad
          ? `The run left out requests that might have exceeded --${setting}.`
          : `The run ended because it reached --${setting}.`;
      const slowed = slowedBy
        ? ` It had slowed down after ${count(slowedBy, 'answer')} with 429 (too many requests).`
        : '';
      return `${reached}${slowed}${formatSilence(ending)} ${adviseOnBudget(ending)}`;
    },
  },
  bailed: {
    phrase: () => '--bail ended the run after a failure',
    advice: ({ after }) =>
      `--bail ended the run after the stage "${inert(after)}", since a must clause is broken. Later stages were not sent. Run without --bail to check everything.`,
  },
  interrupted: {
    exit: EXIT.interrupted,
    phrase: (ending) =>
      isAllSilent(ending) ? 'the run was interrupted before the target answered anything' : 'the run was interrupted',
    advice: (ending) => {
      const judged = isAllSilent(ending) ? '.' : ': only the answers received by then are judged.';
      const remedy = isUsual(ending) ? 'Run again to check everything.' : `${adviseOnSilence(ending)} Then run again.`;
      return `The run was interrupted${judged}${formatSilence(ending)} ${remedy}`;
    },
  },
  'no-upstream-call': {
    isBarelyBegun: true,
    phrase: () => 'no call reached the scripted upstream',
    advice: adviseOnNoUpstreamCall,
  },
  'not-recovered': {
    phrase: ({ isUpstreamFull, isRefused, status }) => {
      if (isUpstreamFull) return 'the scripted upstream refused calls beyond its limits';
      if (status !== undefined) return `the gateway answers the control with ${status}`;
      return isRefused ? 'the gateway refuses connections' : 'the gateway stopped answering the control';
    },
    advice: adviseOnNoRecovery,
  },
  'recording-cut': {
    phrase: () => 'the recording is incomplete',
    advice: () =>
      'The recording is incomplete: anything missing from it is not judged. Record again to judge everything.',
  },
  'client-not-started': {
    isBarelyBegun: true,
    phrase: () => 'the client could not be started',
    advice: ({ command, code }) =>
      `The client could not be started: ${inert(command, 200)} (${inert(code, 40)}). Check the command after --. No shell is involved, so name a program and its arguments.`,
  },
  'client-failed-control': {
    isBarelyBegun: true,
    phrase: () => 'the client failed the plain control',
    advice: adviseOnFailedControl,
  },
};

/** The most requests or cases that are named. */
const MAX_NAMED = 8;

function adviseOnDeath({ suspects, lastAnswered, oneAtATime, drawn }: EndingOf<'stopped-answering'>): string {
  const then = drawn
    ? `send each suspect alone: --seed ${drawn.seed} with ${drawn.paths
        .slice(0, MAX_NAMED)
        .map((path) => `--path ${inert(path)}`)
        .join(' or ')}.`
    : oneAtATime
      ? 'run again to see whether the same request stops it.'
      : 'run again with --concurrency 1 to see which request stops it.';
  const named = nameSuspects(suspects, lastAnswered);
  return ['The target stopped answering.', ...named, `${RESTART}, then ${then}`].join(' ');
}

/** `Requests in flight: a, b.`, `The last request answered: c.`, and what to think of them. */
function nameSuspects(suspects: readonly string[], lastAnswered: string | undefined): readonly string[] {
  const inFlight = listFirst(suspects.map(nameSent), MAX_NAMED);
  const last = lastAnswered === undefined ? [] : [`The last request answered: ${nameSent(lastAnswered)}.`];
  if (suspects.length > 1) return [`Requests in flight: ${inFlight}.`, ...last, 'Any of them may be the cause.'];
  if (suspects.length === 1) return [`The request in flight is the likely cause: ${inFlight}.`, ...last];
  return last.length > 0 ? [...last, 'It is the likely cause.'] : [];
}

/** The id of a case can be looked up. Only that has a suite: any other name is that of a request without changes. */
function nameSent(id: string): string {
  return SENT_NAMES.get(id) ?? inert(id);
}

const SENT_NAMES: ReadonlyMap<string, string> = new Map([
  [STEPS.list, 'the model list'],
  [STEPS.control, 'the control (a plain chat request)'],
  [STEPS.stream, 'the plain streamed request'],
]);

function adviseOnBudget(ending: EndingOf<'budget'>): string {
  const { setting, underLoad, exploring, slowedBy } = ending;
  const doubt = adviseOnSilence(ending);
  if (doubt !== undefined) return `${doubt} If it is only slow, raise --${setting}.`;
  if (underLoad) return `Raise --${setting}; \`${COMMAND} load … --plan\` shows how the stages share it.`;
  const orKey = slowedBy ? 'use a key with higher limits, ' : '';
  const less = exploring
    ? 'draw fewer requests with --requests; the same command with --plan shows'
    : `select fewer cases with --only; \`${COMMAND} plan --only …\` shows`;
  return `Raise --${setting}, ${orKey}or ${less} what they cost.`;
}

function adviseOnNoUpstreamCall(ending: EndingOf<'no-upstream-call'>, baseUrl: string): string {
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
    `\`${COMMAND} relay --print-config NAME --upstream-port N\` prints configurations.`,
  ].join(' ');
}

function chooseRemedy({ upstream, answer, others }: EndingOf<'no-upstream-call'>): string {
  const address = `Set the gateway's upstream to ${inert(upstream)}, with any key, and restart it.`;
  const model = 'name the model that the gateway routes to the upstream with --upstream-model';
  if (others.some((other) => /^POST .*\/chat\/completions$/.test(other))) {
    return "The chat requests that arrived lack this run's marker word. Disable message rewriting, or stop the other client.";
  }
  if (others.some((other) => other.startsWith('POST '))) {
    return `The upstream answers only paths that end in /chat/completions. ${address}`;
  }
  if (answer === undefined) return `Check whether the gateway waits for a different upstream. ${address}`;
  if (answer.status === 200) {
    return `The gateway answered by itself, from a cache or from a different upstream. Switch these off, and ${model}.`;
  }
  if (answer.status >= 500) return `The gateway seems to call a different address. ${address}`;
  return `Check that the key is valid for the gateway, and ${model}. ${address}`;
}

function adviseOnNoRecovery(ending: EndingOf<'not-recovered'>, baseUrl: string): string {
  const { after, isUpstreamFull, isRefused, status, control, inFlight = [after], oneAtATime } = ending;
  const ids = inFlight.map((id) => inert(id));
  const names = listFirst(ids, MAX_NAMED);
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

function adviseOnFailedControl(failed: EndingOf<'client-failed-control'>): string {
  const { how, seconds, said, reply, complaint, exit, signal, calls, mayBeDriver } = failed;
  const most = 400;
  // In quotation marks, so that white space at the end shows.
  const quote = (text: Quote): string => inert(formatValue(text), most);
  const signs = [
    said.length > 0 && `It printed ${quote(said)}.`,
    reply !== undefined && `The reply is ${quote(reply)}.`,
    complaint.length > 0 && `Its error: ${quote(complaint)}.`,
    signal !== undefined && `It was terminated by ${signal}.`,
    exit !== undefined && exit !== 0 && `It exited with ${exit}.`,
    calls.length === 0 ? 'It sent no request at all.' : `It called ${inert(calls.join(', '), most)}.`,
  ];
  const driver = 'If it is a driver, add --driver, or driver: true in a clients file. Otherwise make';
  return [
    `The client failed the plain control: ${HOW_IT_FAILED[how](seconds)}.`,
    ...signs.filter((sign) => sign !== false),
    `${mayBeDriver ? driver : 'Make'} this call work first; \`${COMMAND} explain client/plain\` says what it has to do.`,
  ].join(' ');
}

/** The table is keyed by the kind itself, which the compiler cannot follow through an index. */
function rowOf(ending: Ending): EndingRow<Ending> {
  return ENDINGS[ending.kind] as EndingRow<Ending>;
}

export function exitAfter(ending: Ending): Exit<'passed' | 'notJudged' | 'interrupted'> {
  return rowOf(ending).exit ?? EXIT.notJudged;
}

export function isBarelyBegun(ending: Ending): boolean {
  return rowOf(ending).isBarelyBegun ?? ('unanswered' in ending && isAllSilent(ending));
}

export function isApiAbsent(ending: Ending): boolean {
  return rowOf(ending).isApiAbsent ?? ('unanswered' in ending && isAllSilent(ending));
}

export function explainsStatus(ending: Ending, status: number): boolean {
  return rowOf(ending).explains?.(ending, status) ?? false;
}

export function formatEnding(ending: Ending): string {
  return rowOf(ending).phrase(ending);
}

/** What a report says of a run that ended. */
interface EndedRun {
  readonly ending: Ending;
  readonly target: { readonly baseUrl: string };
  readonly provenance: { readonly settings: DescribedSettings };
}

/** What happened and what to do about it; undefined if the run is complete. */
export function adviseOnEnding({ ending, target, provenance }: EndedRun): string | undefined {
  return rowOf(ending).advice?.(ending, inert(target.baseUrl), provenance.settings);
}
