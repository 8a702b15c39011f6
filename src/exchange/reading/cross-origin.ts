/** What a browser may read (Fetch, 3.2): a page sends its origin, and the answer says which origins may read it. */
import { type Answer, type Exchange, findHeader } from '../exchange.ts';

/** The origin that a request carries, as that of a page does. */
export function originOf({ request }: Exchange): string | undefined {
  return findHeader(request.headers, 'origin');
}

export function allowsOrigin(answer: Answer, origin: string): boolean {
  const allowed = findHeader(answer.headers, 'access-control-allow-origin')?.trim();
  return allowed === '*' || allowed === origin;
}

/** Whether a page may read any of its answers. */
export function isReadableByPage(exchange: Exchange): boolean {
  const origin = originOf(exchange);
  if (origin === undefined) return false;
  return exchange.attempts.some(({ outcome }) => outcome.kind === 'answer' && allowsOrigin(outcome.answer, origin));
}
