/** Asks drawn requests again: the target, or a recording of what it answered. */
import type { Exchange } from '../../exchange/exchange.ts';
import { type IdParts, makeExchangeId } from '../../exchange/identity.ts';
import type { Traffic } from '../../exchange/traffic.ts';
import type { SendFurther } from '../walk/step-sender.ts';
import { bindRequest } from '../../plan/bind-request.ts';
import type { Cost } from '../../plan/plan.ts';
import { makeRequestWord } from '../../plan/request-word.ts';
import type { AskingLimit } from '../../report/explore-report.ts';
import type { Settings } from '../../settings.ts';
import type { AskDraw, FailingDraw } from './cause.ts';
import type { Draw } from './drawn-request.ts';
import { EXPLORE, stepsOf } from './plan-explore.ts';
import { silenceOf } from './symptoms.ts';

/** Requests that one finding may take, with those that show it and its neighbour once more. */
export const MOST_PER_FINDING = 40;

/** Findings that are shrunk. */
export const MOST_SHRUNK = 12;

/** Requests of one run for all of this, attempts and controls included. */
export const MOST_LOOKING = MOST_PER_FINDING * MOST_SHRUNK;

/**
 * Asks the target, as long as `shrinkCompletions`, what failing draws left over of their completions, and `MOST_LOOKING` last.
 * `settle` waits until what it led to is over.
 */
export function askTarget(
  soFar: () => Traffic,
  send: SendFurther,
  { settings, least }: { readonly settings: Settings; readonly least: Cost },
  settle: () => Promise<void> = () => Promise.resolve(),
): AskDraw {
  const { shrinkCompletions = 0 } = settings.explore ?? {};
  const most = Math.max(soFar().used.completions, shrinkCompletions > 0 ? least.completions : 0) + shrinkCompletions;
  const mostRequests = soFar().used.requests + MOST_LOOKING;
  let silent = 0;
  return async (draw, occasion, number) => {
    const { used } = soFar();
    if (used.completions >= most || silent > MOST_SILENT) return undefined;
    // A sequence is repeated whole. A smaller form need not be tried again: the smallest is, in the end.
    const patience = draw.requests.length > 1 || occasion === 'smaller' ? 'once' : 'full';
    if (used.requests + attemptsFor(patience, settings) * draw.requests.length > mostRequests) return undefined;
    const exchanges: Exchange[] = [];
    const connection = `${EXPLORE}/${draw.number}~${occasion}#${number}`;
    for (const step of stepsOf(draw, settings, connection)) {
      const exchange = await send(step, { occasion, number, patience });
      if (!exchange) return undefined;
      exchanges.push(exchange);
      silent += silenceOf(exchange);
    }
    await settle();
    return exchanges;
  };
}

/** Milliseconds that are spent on requests which get no answer. */
const MOST_SILENT = 90_000;

/** Attempts of one request, and the control that may follow it. */
function attemptsFor(patience: 'once' | 'full', { retries }: Pick<Settings, 'retries'>): number {
  return 2 + (patience === 'once' ? 0 : retries);
}

const isAskedAgain = ({ occasion }: Exchange): boolean => occasion === 'smaller' || occasion === 'asked-twice';

/** Why the draws that were left open could not be asked again: by the traffic alone, so that a recording says the same. */
export function limitOfAsking(open: readonly FailingDraw[], traffic: Traffic, settings: Settings): AskingLimit {
  const { exchanges, ending } = traffic;
  if (ending.kind !== 'complete') return 'run';
  const length = Math.max(0, ...open.map(({ draw }) => draw.requests.length));
  const first = exchanges.findIndex(isAskedAgain);
  // With the controls in between.
  const sent = first === -1 ? [] : exchanges.slice(first);
  const silent = sent.filter(isAskedAgain).reduce((sum, exchange) => sum + silenceOf(exchange), 0);
  if (silent > MOST_SILENT) return 'silence';
  const requests = sent.reduce((sum, { attempts }) => sum + attempts.length, 0);
  return requests + attemptsFor('full', settings) * length > MOST_LOOKING ? 'requests' : 'completions';
}

/** What the target answered when it was asked. A recording of another version has other draws under the same ids, so the bodies have to be the same. */
export function exchangesOf({ exchanges, bindings }: Traffic, settings: Settings) {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  return (draw: Draw, turn: Pick<IdParts, 'occasion' | 'number'>): readonly Exchange[] | undefined => {
    const found = stepsOf(draw, settings).flatMap((step) => {
      const id = makeExchangeId({ step: step.id, ...turn });
      const exchange = byId.get(id);
      const filled = bindRequest(step.template, bindings, makeRequestWord(settings.seed, id));
      const isSame = filled.kind === 'request' && filled.request.body === exchange?.request.body;
      return exchange && isSame ? [exchange] : [];
    });
    return found.length === draw.requests.length ? found : undefined;
  };
}
