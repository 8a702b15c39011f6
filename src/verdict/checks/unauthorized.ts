/** Whether a request without a valid key gets 401. */
import { lastAnswer, wasAnswered } from '../../exchange/reading/answered.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { formatAsked } from '../../exchange/identity.ts';
import { isValidKey } from '../../suite/case.ts';
import type { OtherAnswer } from '../actual.ts';
import type { Check, CheckInput, RunView } from '../check.ts';
import { HOLDS, broken, finding, inconclusive } from '../finding.ts';
import { statusClass, statusOf } from '../reading/answers.ts';
import { answerFound } from '../reading/body-content.ts';
import { controlAnswered, controlFor, noControlFor } from '../reading/control.ts';
import { eachExchange } from '../reading/each-exchange.ts';
import { answerOutcome, whyNoAnswer } from '../reading/outcome.ts';
import { replyId } from '../reading/reply-id.ts';
import { replyTexts } from '../reading/reply-texts.ts';

/** Rate limit and timeout: the key may not have been checked yet. */
const BEFORE_THE_KEY: ReadonlySet<number> = new Set([408, 429]);

export const unauthorized: Check = {
  summary: 'A request without a valid key is answered with 401, while its control is answered or the key is refused.',
  seeks: 'unauthorized',
  isBrokenByAnswer: true,
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const outcome = answerOutcome(exchange);
      if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
      const { kind, status } = outcome;
      const answer = statusOf(outcome.answer);
      if (kind === 'server-error')
        return inconclusive({ kind: 'see-clause', because: 'status', clause: 'errors.no-server-error', answer });
      if (kind === 'odd-status' || BEFORE_THE_KEY.has(status)) return inconclusive({ kind: 'status-stayed', answer });
      if (kind === 'client-error' && !controlAnswered(input) && !isOtherThanOfKey(status, input))
        return inconclusive(noControlFor(input));
      if (status === 401) return HOLDS;
      const cached = cachedReply(exchange, input.run);
      return broken([
        finding(exchange, {
          mismatch: 'status',
          expected:
            exchange.request.key === 'revoked' ? { kind: 'revoked-key-refused' } : { kind: 'status', status: 401 },
          actualType: statusClass(status),
          actual: cached
            ? { kind: 'cached-reply', ...cached }
            : status < 300
              ? answerFound(outcome.answer)
              : { kind: 'status', ...answer },
        }),
      ]);
    }),
};

/** If the key of the run is refused as well, only a refusal for another reason shows that the key was not looked at first. */
function isOtherThanOfKey(status: number, input: CheckInput): boolean {
  const refused = refusalOfKey(input);
  if (status === 401 || status === refused) return false;
  return refused === 401 || (refused === 403 && tellsKeysApart(input.run));
}

/** The status with which the key of the run was refused here. A run that ended for that has no control. */
function refusalOfKey(input: CheckInput): number | undefined {
  const control = controlFor(input);
  const { ending } = input.run.traffic;
  if (control) return lastAnswer(control)?.status;
  return ending.kind === 'key-refused' ? ending.status : undefined;
}

/**
 * Whether a request with the key of the run was refused in another way than the same request without a valid one. If all
 * get the same refusal, nobody looked at the key.
 */
export function tellsKeysApart({ traffic: { exchanges } }: RunView): boolean {
  const refused = exchanges.filter(
    (exchange) => answerOutcome(exchange).kind === 'client-error' && !isOfRate(exchange),
  );
  const without = refused.filter(({ request: { key } }) => key === 'none' || key === 'unknown');
  return refused.some(
    (exchange) =>
      exchange.request.key === 'full' &&
      without.some(
        (other) => isSameRequest(exchange, other) && lastAnswer(exchange)?.status !== lastAnswer(other)?.status,
      ),
  );
}

function isOfRate(exchange: Exchange): boolean {
  return BEFORE_THE_KEY.has(lastAnswer(exchange)?.status ?? 0);
}

function isSameRequest({ request: a }: Exchange, { request: b }: Exchange): boolean {
  return a.method === b.method && a.path === b.path && a.body === b.body;
}

/** The request with a valid key whose reply was given again. */
function cachedReply(exchange: Exchange, { traffic }: RunView): OtherAnswer | undefined {
  if (exchange.request.endpoint !== 'chat' || !wasAnswered(exchange)) return undefined;
  const first = traffic.exchanges.find(
    (other) => isValidKey(other.request.key) && isSameRequest(exchange, other) && isSameReply(exchange, other),
  );
  return first && { exchange: first.id, request: formatAsked(first) };
}

/** A model may say the same twice, so that ids decide if there are any. */
function isSameReply(a: Exchange, b: Exchange): boolean {
  const [id, other] = [replyId(a), replyId(b)];
  if (id !== undefined && other !== undefined && id !== '') return id === other;
  const [texts, others] = [a, b].map((exchange) => textsOf(exchange).join('\n'));
  return texts !== '' && texts === others;
}

function textsOf(exchange: Exchange): readonly string[] {
  const answer = lastAnswer(exchange);
  return answer && wasAnswered(exchange) ? replyTexts(exchange, answer) : [];
}
