/** How much is sent to look into what failed. */
import type { Exchange } from '../../exchange/exchange.ts';
import type { Traffic } from '../../exchange/traffic.ts';
import type { AskingLimit } from '../../report/explore-report.ts';
import type { Settings } from '../../settings.ts';
import type { FailingDraw } from './cause.ts';
import { silenceOf } from './symptoms.ts';

/** Requests that one finding may take, with those that show it and its neighbour once more. */
export const MOST_PER_FINDING = 40;

/** Findings that are shrunk. */
export const MOST_SHRUNK = 12;

/** Requests of one run for all of this, attempts and controls included. */
export const MOST_LOOKING = MOST_PER_FINDING * MOST_SHRUNK;

/** Milliseconds that are spent on requests which get no answer. */
export const MOST_SILENT = 90_000;

/** Attempts of one request, and the control that may follow it. */
export function attemptsFor(patience: 'once' | 'full', { retries }: Pick<Settings, 'retries'>): number {
  return 2 + (patience === 'once' ? 0 : retries);
}

const isAskedAgain = ({ occasion }: Exchange): boolean => occasion === 'smaller' || occasion === 'asked-twice';

/** Why the draws that were left open could not be asked again: by the traffic alone, so that a recording says the same. */
export function limitOfAsking(
  open: readonly Pick<FailingDraw, 'draw'>[],
  { exchanges, ending }: Traffic,
  settings: Settings,
): AskingLimit {
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
