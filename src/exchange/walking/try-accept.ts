/** Finds out whether a stream was refused because of `Accept: application/json`, which stock clients send. */
import type { Step } from '../../plan/plan.ts';
import { type Exchange, findHeader } from '../exchange.ts';
import { lastAnswer, wasAnswered } from '../reading/answered.ts';
import type { StepSender } from './step-sender.ts';

const EVENT_STREAM = 'text/event-stream';
/** About the key, the account or the rate. */
const UNRELATED: ReadonlySet<number> = new Set([401, 402, 403, 408, 429]);

/** If the stream comes with another `Accept`, the rest of the run asks for its streams in that way. */
export async function tryAccept(step: Step, refused: Exchange, sender: StepSender): Promise<void> {
  const { template } = step;
  const other = { ...template, headers: { ...template.headers, accept: EVENT_STREAM } };
  const again = await sender.send(
    { ...step, template: other },
    { occasion: 'other-accept', number: refused.round ?? 1 },
  );
  if (again && wasAnswered(again)) sender.bind({ acceptsOnlyStreams: true });
}

export function isRefusedStream({ seeks, template }: Step, exchange: Exchange): boolean {
  const status = lastAnswer(exchange)?.status ?? 0;
  const isUsual = findHeader(exchange.request.headers, 'accept') === 'application/json';
  return (
    seeks === 'answer' &&
    template.mode === 'stream' &&
    isUsual &&
    status >= 400 &&
    status < 500 &&
    !UNRELATED.has(status)
  );
}
