/** How a run can end, and everything that follows from it: one row per kind. */
import { COMMAND } from '../contract/package-files.ts';
import { type Exit, EXIT } from '../exit-codes.ts';
import { CONTROL_STEP, LIST_STEP, STREAM_STEP } from '../plan/plan.ts';
import type { Duration, Integer } from '../scalars.ts';
import type { DescribedSettings } from '../settings/setting-flags.ts';
import { count, inert, listFirst } from '../text/layout.ts';
import {
  adviseOnNoModel,
  adviseOnOtherApi,
  adviseOnRefusedKey,
  adviseOnUnreachable,
  formatLimit,
  formatUnreachable,
  nameLimit,
  type NoModel,
  type OtherApi,
  type RefusedKey,
  type Unreachable,
} from './ending-first-contact.ts';
import {
  adviseOnEndedUnderLoad,
  adviseOnFailedControl,
  adviseOnNoRecovery,
  adviseOnNoUpstreamCall,
  adviseOnRefusedAlone,
  type EndedUnderLoad,
  type FailedControl,
  formatEndedUnderLoad,
  type NoRecovery,
  type NoUpstreamCall,
  type RefusedAlone,
} from './ending-subjects.ts';
import { adviseOnSilence, formatSilence, isAllSilent, isUsual, type Silence } from './ending-unanswered.ts';
import type { LimitName } from './exchange.ts';

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
  | ({ readonly kind: 'refused-alone' } & RefusedAlone)
  | ({ readonly kind: 'ended-under-load' } & EndedUnderLoad)
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
  | ({ readonly kind: 'no-upstream-call' } & NoUpstreamCall)
  /** A relay: the control was not answered within `--recovery` after this case. */
  | ({ readonly kind: 'not-recovered' } & NoRecovery)
  /** A recording without its last line: the run that wrote it died, or the file was cut off. */
  | { readonly kind: 'recording-cut' }
  /** `code`: of the system, such as ENOENT. */
  | { readonly kind: 'client-not-started'; readonly command: string; readonly code: string }
  | ({ readonly kind: 'client-failed-control' } & FailedControl);

type EndingOf<Kind extends Ending['kind']> = Extract<Ending, { readonly kind: Kind }>;

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

const ENDINGS: { readonly [Kind in Ending['kind']]: EndingRow<EndingOf<Kind>> } = {
  complete: { exit: EXIT.passed, phrase: () => 'the run is complete' },
  unreachable: {
    isBarelyBegun: true,
    isApiAbsent: true,
    phrase: formatUnreachable,
    advice: adviseOnUnreachable,
  },
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
    advice: adviseOnEndedKey,
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
  'stopped-answering': {
    phrase: () => 'the target stopped answering',
    advice: adviseOnDeath,
  },
  'stopped-after-disconnects': {
    phrase: ({ clients }) => `no more answers after ${count(clients, 'disconnect')}`,
    advice: ({ clients }) =>
      `No more calls were answered in time. ${count(clients, 'client')} of ours had disconnected before. If the target is only slow, raise --timeout. ${RESTART}, then run again with --disconnects 0% to see whether it then goes on answering.`,
  },
  'refused-alone': {
    isBarelyBegun: true,
    phrase: ({ answer }) =>
      answer ? `a single call got ${answer.status} before any load` : 'a single call got no whole reply',
    advice: adviseOnRefusedAlone,
  },
  'ended-under-load': { phrase: formatEndedUnderLoad, advice: adviseOnEndedUnderLoad },
  'rate-limited': {
    phrase: () => 'the target kept answering 429 (too many requests)',
    advice: ({ asked }) => {
      const [how, raise] =
        asked === undefined
          ? ['however long the run waited', '']
          : [
              `and asked to wait for ${formatLimit(asked)}, which is longer than --max-retry-wait`,
              'raise --max-retry-wait, ',
            ];
      return `The target kept answering 429 (too many requests), ${how}. Run again later, ${raise}slow down with --concurrency 1 or --rate, or use a key with higher limits.`;
    },
  },
  budget: {
    phrase: (ending) => {
      const { setting, slowedBy } = ending;
      if (isAllSilent(ending)) return `the run reached --${setting}, and the target answered nothing`;
      return `the run reached --${setting}${slowedBy ? ', slowed down by 429' : ''}`;
    },
    advice: (ending) =>
      `${formatReached(ending)}${formatSlowed(ending.slowedBy)}${formatSilence(ending)} ${adviseOnBudget(ending)}`,
  },
  bailed: {
    phrase: () => '--bail ended the run after a failure',
    advice: ({ after }) =>
      `--bail ended the run: a must clause failed in the stage "${inert(after)}", and later stages were not sent. Run without --bail to check everything.`,
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
      'The recording is incomplete: anything missing from it is inconclusive. Record again to judge everything.',
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

/** Whoever tests a service of somebody else cannot restart it. */
const RESTART = 'Restart it if it is yours, or else tell its operator';

function adviseOnDeath({ suspects, lastAnswered, oneAtATime, drawn }: EndingOf<'stopped-answering'>): string {
  const then = drawn
    ? `send each suspect alone: --seed ${drawn.seed} with ${drawn.paths.slice(0, MAX_SUSPECTS).map(formatPath).join(' or ')}.`
    : oneAtATime
      ? 'run again to see whether the same request stops it.'
      : 'run again with --concurrency 1 to see which request stops it.';
  const named = nameSuspects(suspects, lastAnswered);
  return ['The target stopped answering.', ...named, `${RESTART}, then ${then}`].join(' ');
}

function adviseOnEndedKey({ status }: EndingOf<'key-ended'>): string {
  if (status === 200) {
    return 'In mid-run every answer became a web page: from then on even the control, a plain request, got one. Check whether a login or another page has taken the place of the API, then run again.';
  }
  const remedy =
    status === 402
      ? 'Add credit to the key, or use another one, then run again.'
      : 'Use a key that stays valid for the whole run, then run again.';
  return `The key stopped working in mid-run: from then on even the control, a plain request, was refused with ${status}. ${remedy}`;
}

const formatPath = (path: string): string => `--path ${inert(path)}`;

function adviseOnBudget(ending: Extract<Ending, { kind: 'budget' }>): string {
  const { setting, underLoad, exploring, slowedBy } = ending;
  const doubt = adviseOnSilence(ending);
  if (doubt !== undefined) return `${doubt} If it is only slow, raise --${setting}.`;
  if (underLoad) return `Raise --${setting}; \`${COMMAND} load … --plan\` shows how the stages share it.`;
  const orKey = slowedBy ? 'use a key with higher limits, ' : '';
  return exploring
    ? `Raise --${setting}, ${orKey}or draw fewer requests with --requests; the same command with --plan shows what they cost.`
    : `Raise --${setting}, ${orKey}or select fewer cases with --only; \`${COMMAND} plan --only …\` shows what they cost.`;
}

/** What is free is sent all the same; under load, and with the other settings, nothing is. */
function formatReached({ setting, underLoad }: Extract<Ending, { kind: 'budget' }>): string {
  return setting === 'max-completions' && !underLoad
    ? `The run left out requests that might have exceeded --${setting}.`
    : `The run ended because it reached --${setting}.`;
}

function formatSlowed(answers: number | undefined): string {
  return answers ? ` It had slowed down after ${count(answers, 'answer')} with 429 (too many requests).` : '';
}

/** The most suspects that are named. */
const MAX_SUSPECTS = 8;

/** `Requests in flight: a, b.`, `The last request answered: c.`, and what to think of them. */
function nameSuspects(suspects: readonly string[], lastAnswered: string | undefined): readonly string[] {
  const inFlight = listFirst(suspects.map(nameSent), MAX_SUSPECTS);
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
  [LIST_STEP, 'the model list'],
  [CONTROL_STEP, 'the control (a plain chat request)'],
  [STREAM_STEP, 'the plain streamed request'],
]);

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
