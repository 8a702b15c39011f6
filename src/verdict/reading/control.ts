/** The control of a case: a refusal proves something only while the unedited request is answered. */
import { answered } from '../../exchange/reading/answered.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { CheckInput, RunView } from '../check.ts';

/** Step ids of the two requests that everything else is an edit of. */
export const CHAT_STEP = 'chat';
export const MODELS_STEP = 'models';

export function isAnswered(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && answered(exchange);
}

/** A case that names no control has the plain chat request as its control. */
export function controlAnswered({ control, run }: CheckInput): boolean {
  return isAnswered(control ?? run.exchange(CHAT_STEP));
}

export const NO_CONTROL = 'the control was not answered, so a refusal proves nothing';

export const NOT_THIS_API = 'something else than this API answers at the base address';

/**
 * The run ended because something else than this API answers, or because the key is refused. Then an answer with that
 * status says nothing about the contract, and the run is not judged.
 */
export function explainedByEnding(run: RunView, status: number): string | undefined {
  const { ending } = run.traffic;
  if (ending.kind === 'key-refused' && ending.status === status) return 'the key was refused';
  if (ending.kind === 'no-model' && ending.reason === 'not-listed')
    return 'the model that was named is not in the list';
  return ending.kind === 'not-this-api' && ending.status === status ? NOT_THIS_API : undefined;
}
