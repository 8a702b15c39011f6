/** Why draws that failed could not be asked again: by the traffic alone, so that a recording says the same. */
import type { Exchange } from '../exchange/exchange.ts';
import type { Traffic } from '../exchange/traffic.ts';
import type { AskingLimit } from '../report/explore-report.ts';
import type { Settings } from '../settings.ts';
import type { FailingDraw } from './cause.ts';
import { attemptsFor, MOST_LOOKING, MOST_SILENT } from './looking-limits.ts';
import { silenceOf } from './silence.ts';

const isAskedAgain = ({ occasion }: Exchange): boolean => occasion === 'smaller' || occasion === 'asked-twice';

/** `open`: the draws that were left open. */
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
