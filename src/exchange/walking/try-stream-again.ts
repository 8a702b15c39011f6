/** Finds out why a stream was refused: because of its `Accept`, or the long one because of its `max_tokens`. */
import { STREAM_STEP, type Step } from '../../plan/plan.ts';
import type { Exchange } from '../exchange.ts';
import { wasAnswered } from '../reading/answered.ts';
import type { StepSender } from './step-sender.ts';
import { isRefusedStream, tryAccept } from './try-accept.ts';

export async function tryStreamAgain(step: Step, exchange: Exchange, sender: StepSender): Promise<void> {
  if (!isRefusedStream(step, exchange)) return;
  await tryAccept(step, exchange, sender);
  await tryFewerTokens(step, exchange, sender);
}

/** If the stream comes with as few tokens as the control asks for, the rest of the run asks for no more. */
async function tryFewerTokens(step: Step, refused: Exchange, sender: StepSender): Promise<void> {
  const { replyTokens, streamTokens, withoutMaxTokens } = sender.bindings;
  if (step.id !== STREAM_STEP || sender.isAnswered(step.id) || withoutMaxTokens || streamTokens <= replyTokens) return;
  sender.bind({ streamTokens: replyTokens });
  const again = await sender.send(step, { occasion: 'fewer-tokens', number: refused.round ?? 1 });
  if (!again || !wasAnswered(again)) sender.bind({ streamTokens });
}
