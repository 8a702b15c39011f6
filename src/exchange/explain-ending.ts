/** Reads from the exchanges what a run could not know when it ended. */
import { BARE_CONTROL_STEP, CONTROL_STEP, LIST_STEP } from '../plan/plan.ts';
import type { Settings } from '../settings.ts';
import { quoteText } from '../text/quote.ts';
import { describeAnswer } from './answer-status.ts';
import { type FirstAnswer, leadsElsewhere } from './ending-first-answer.ts';
import { nameSuspects } from './ending-suspects.ts';
import { findSilence } from './ending-unanswered.ts';
import type { Ending } from './ending.ts';
import { type Exchange, findHeader } from './exchange.ts';
import { lastAnswer, timeLimitOf, timeOf, wasAnswered } from './reading/answered.ts';
import { emptyTextOf, isLoginPage, valueIn } from './reading/page-or-empty.ts';

type Known = Pick<Settings, 'baseUrl' | 'timeouts' | 'waitFor' | 'explore' | 'seed'>;
type EndedByBudget = Extract<Ending, { kind: 'budget' }>;

/** `exchanges`: in the order in which they were completed. */
export function explainEnding(ending: Ending, exchanges: readonly Exchange[], settings: Known): Ending {
  const known = withLimit(ending, settings);
  return exchanges.length === 0 ? known : explainByExchanges(known, exchanges, settings);
}

/** With the value of the time limit that ended it. */
export function withLimit(ending: Ending, { timeouts }: Pick<Settings, 'timeouts'>): Ending {
  const { kind } = ending;
  if (kind !== 'unreachable' && kind !== 'chat-unanswered' && kind !== 'no-upstream-call') return ending;
  const limit = kind === 'unreachable' ? ending.failure.limit : ending.limit;
  const most = limit && timeOf(limit, timeouts);
  return most === undefined ? ending : { ...ending, most };
}

function explainByExchanges(ending: Ending, exchanges: readonly Exchange[], settings: Known): Ending {
  if (ending.kind === 'complete') return findRefusedKey(exchanges, settings) ?? ending;
  const waited = settings.waitFor !== undefined && { waited: true as const };
  if (ending.kind === 'budget') {
    const known = { ...ending, ...(settings.explore && { exploring: true as const }), ...findSilence(exchanges) };
    return ending.setting === 'max-time' ? (findHang(exchanges, settings) ?? withSlowing(known, exchanges)) : known;
  }
  if (ending.kind === 'interrupted') return { ...ending, ...findSilence(exchanges) };
  if (ending.kind === 'stopped-answering') return nameSuspects(ending, exchanges, settings);
  if (ending.kind === 'unreachable') return { ...ending, ...waited };
  if (ending.kind === 'not-this-api')
    return { ...ending, ...waited, ...findFirstAnswer(exchanges, settings, ending.status) };
  if (ending.kind === 'key-refused') return { ...ending, ...findFirstAnswer(exchanges, settings, ending.status) };
  if (ending.kind !== 'no-model' || ending.reason !== 'no-list') return ending;
  return { ...ending, ...waited, ...findFailingChat(exchanges), ...findFirstAnswer(exchanges, settings) };
}

function findFailingChat(exchanges: readonly Exchange[]): { readonly chatFails?: true } {
  const chats = exchanges.filter(({ request }) => request.endpoint === 'chat');
  const isEach = chats.every((chat) => (lastAnswer(chat)?.status ?? 0) >= 500);
  return chats.length > 0 && isEach ? { chatFails: true } : {};
}

/** To the list or, if that has another status, to the control. */
function findFirstAnswer(
  exchanges: readonly Exchange[],
  { baseUrl }: Pick<Settings, 'baseUrl'>,
  status?: number,
): { readonly answer?: FirstAnswer } {
  const answers = [LIST_STEP, CONTROL_STEP].flatMap((step) => {
    const exchange = exchanges.find(({ id }) => id === step);
    return (exchange && lastAnswer(exchange)) ?? [];
  });
  const answer = answers.find((each) => status === undefined || each.status === status);
  if (!answer) return {};
  const location = answer.status >= 300 && answer.status < 400 && findHeader(answer.headers, 'location');
  const emptyJson = emptyTextOf(valueIn(answer));
  return {
    answer: {
      ...describeAnswer(answer),
      ...(typeof location === 'string' && { location: quoteText(location, 300) }),
      ...(typeof location === 'string' && leadsElsewhere(location, baseUrl) && { leadsAway: true as const }),
      ...(isLoginPage(answer) && { isLogin: true as const }),
      ...(emptyJson !== undefined && { emptyJson }),
    },
  };
}

/** Recordings of versions that did not yet take a 403 to both the list and the control for a refusal of the key. */
function findRefusedKey(exchanges: readonly Exchange[], settings: Known): Ending | undefined {
  const controls = exchanges.filter(({ step }) => step === CONTROL_STEP || step === BARE_CONTROL_STEP);
  const lists = exchanges.filter(({ step }) => step === LIST_STEP);
  const isForbidden = (exchange: Exchange): boolean => lastAnswer(exchange)?.status === 403;
  if (lists.length === 0 || controls.length === 0 || ![...lists, ...controls].every(isForbidden)) return undefined;
  return { kind: 'key-refused', status: 403, ...findFirstAnswer(exchanges, settings, 403) };
}

/** If the control timed out and nothing else was answered, more time would not have helped. */
function findHang(exchanges: readonly Exchange[], settings: Pick<Settings, 'timeouts'>): Ending | undefined {
  const control = exchanges.find(({ id }) => id === CONTROL_STEP);
  const limit = control && timeLimitOf(control);
  if (limit === undefined) return undefined;
  const chats = exchanges.filter(({ request }) => request.endpoint === 'chat' && request.key === 'full');
  const isHeard = (exchange: Exchange): boolean =>
    wasAnswered(exchange) || (lastAnswer(exchange)?.status ?? 200) !== 200;
  return chats.some(isHeard) ? undefined : withLimit({ kind: 'chat-unanswered', limit }, settings);
}

/** With how many answers slowed the run down. Those that an extra key was meant to provoke do not. */
function withSlowing(ending: EndedByBudget, exchanges: readonly Exchange[]): Ending {
  const answers = exchanges
    .filter(({ seeks }) => seeks !== 'any')
    .flatMap(({ attempts }) => attempts)
    .filter(({ outcome }) => outcome.kind === 'answer' && outcome.answer.status === 429).length;
  return answers === 0 ? ending : { ...ending, slowedBy: answers };
}
