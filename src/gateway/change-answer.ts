/** Builds changes of refusals and whole answers. */
import {
  type Answer,
  type Refusal,
  type Reply,
  type Rule,
  asRaw,
  bytesOf,
  piece,
  piecesOf,
  refusalReply,
  textReply,
} from './answer.ts';
import type { Call } from './call.ts';
import { says } from './call-tests.ts';
import type { Composition } from './composition.ts';
import { refusal, unsupported } from './refusals.ts';

/** Accepts calls that should be refused for one of these reasons. */
export function letPass(...rules: readonly Rule[]): (reason: Refusal) => Refusal | undefined {
  return (reason) => (rules.includes(reason.rule) ? undefined : reason);
}

/** Refuses for these reasons, or for any reason, with another status. */
export function refuseWith(status: number, ...rules: readonly Rule[]): (reason: Refusal) => Refusal {
  return (reason) =>
    rules.length === 0 || rules.includes(reason.rule)
      ? refusal(reason.rule, status, reason.code, reason.message)
      : reason;
}

/** Redirects to a help page instead of refusing for one of these reasons. */
export function redirect(...rules: readonly Rule[]): (reason: Refusal) => Refusal {
  return (reason) =>
    rules.includes(reason.rule) ? { ...reason, status: 302, headers: { location: '/help' } } : reason;
}

/** Refuses valid calls. */
export function refuseIf(
  test: (call: Call) => boolean,
  status?: number,
  message?: string,
): (call: Call) => Refusal | undefined {
  return (call) => (test(call) ? unsupported(status, message) : undefined);
}

type AnswerHook = (reply: Reply) => Answer;

/** Changes the answers with status 200 to some of the calls. */
export function onSuccess(test: (call: Call) => boolean, change: AnswerHook): (reply: Reply, call: Call) => Answer {
  return (reply, call) => (reply.status === 200 && test(call) ? change(reply) : reply);
}

export function setStatus(status: number): (reply: Reply) => Reply {
  return (reply) => ({ ...reply, status });
}

export function setHeader(name: string, value: string): (reply: Reply) => Reply {
  return (reply) => ({ ...reply, headers: { ...reply.headers, [name]: value } });
}

/** Changes only answers with this status. */
export function onStatus(status: number, change: AnswerHook): AnswerHook {
  return (reply) => (reply.status === status ? change(reply) : reply);
}

export function onErrors(change: AnswerHook): AnswerHook {
  return (reply) => (reply.status >= 400 ? change(reply) : reply);
}

/** Replaces the body, or changes its text, and keeps the status. */
export function replaceBody(contentType: string, text: string | ((body: string) => string)): (reply: Reply) => Reply {
  return (reply) =>
    textReply(reply.status, contentType, typeof text === 'string' ? text : text(String(bytesOf(piecesOf(reply)))));
}

/** Changes the text of JSON bodies. */
export function changeJson(change: (text: string) => string): (reply: Reply) => Reply {
  return onJson((reply) => ({ ...reply, body: { pieces: [piece(change(String(bytesOf(piecesOf(reply)))))] } }));
}

/** Writes members before all others of a JSON object. */
export const prefixMembers = (members: string): ((reply: Reply) => Reply) =>
  changeJson((text) => text.replace('{', `{${members}`));

/** Changes only answers with a JSON body. */
export function onJson(change: (reply: Reply) => Reply): (reply: Reply) => Reply {
  return (reply) => ('json' in reply.body ? change(reply) : reply);
}

/** Changes the text of the head, including its blank line. */
export function changeHead(change: (head: string) => string): (reply: Reply) => Answer {
  return (reply) => asRaw(reply, { head: change });
}

/** Sends half of the announced body, then closes the connection. */
export function cutBody(reply: Reply): Reply {
  const bytes = bytesOf(piecesOf(reply));
  const pieces = [piece(bytes.subarray(0, bytes.length >> 1))];
  return { ...setHeader('content-length', String(bytes.length))(reply), body: { pieces }, ending: 'cut' };
}

/** A well-formed error with any status. */
export function errorAnswer(status: number, code = 'unavailable', message = 'The gateway cannot answer now.'): Reply {
  return refusalReply(refusal('invented', status, code, message));
}

/** A short reply, unless a long one is asked for: it ends by itself before most limits. */
export function shorten(reply: Composition, call: Call): Composition {
  const isShort = reply.pieces.length <= 3 || says(/count/)(call);
  return isShort ? reply : { ...reply, pieces: reply.pieces.slice(0, 3), finishReason: 'stop' };
}
