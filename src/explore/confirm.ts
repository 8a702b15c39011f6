/** Asks a draw that failed once more. */
import type { Exchange } from '../exchange/exchange.ts';
import { type CauseContext, type FailingDraw, pair } from './cause.ts';
import type { Symptom } from './symptoms.ts';

/** How often a 5xx has to come again that a retry hides: with the first, as often as a request is tried. */
const OF_PASSING = 2;

type Confirmed =
  | { readonly kind: 'failed'; readonly symptom: Symptom }
  | { readonly kind: 'passed'; readonly exchanges: readonly Exchange[] }
  | { readonly kind: 'open' };

/** A refusal counts if it comes twice, and a sequence is repeated whole. A wrong answer is wrong the first time. */
export async function confirm({ draw, asked, symptom }: FailingDraw, context: CauseContext): Promise<Confirmed> {
  const { ask, symptomsOf } = context;
  if (draw.requests.length === 1 && isWrongAnswer(symptom)) return { kind: 'failed', symptom };
  const place = asked.findIndex(({ exchange }) => exchange.id === symptom.exchange);
  let shown: Symptom = symptom;
  for (let time = 0; time < (symptom.isPassing ? OF_PASSING : 1); time += 1) {
    const exchanges = await ask(draw, 'asked-twice');
    if (!exchanges) return { kind: 'open' };
    const found = symptomsOf(pair(draw, exchanges)).find(
      ({ key, exchange }) => key === symptom.key && (!symptom.isPassing || exchange === exchanges[place]?.id),
    );
    if (!found) return { kind: 'passed', exchanges };
    shown = found;
  }
  return { kind: 'failed', symptom: shown };
}

function isWrongAnswer({ isOfTopic, check, silence }: Symptom): boolean {
  return !isOfTopic || (check === 'refused' && silence === undefined);
}

/** What counts without being asked again: a wrong answer, and a 5xx that stayed over all attempts of its call. */
export function countsAsDrawn({ asked, symptom }: FailingDraw): boolean {
  if (symptom.isPassing || symptom.silence !== undefined) return false;
  const attempts = asked.find(({ exchange }) => exchange.id === symptom.exchange)?.exchange.attempts ?? [];
  return isWrongAnswer(symptom) || (symptom.finding.actualType === '5xx' && attempts.length > 1);
}
