/** A call that arrived at the scripted upstream: what it asked, what was sent, and when. */
import type { Exchange, Header, NetworkRead, SecretSeen, SentRequest } from '../../exchange/exchange.ts';
import { isObject, type Json, memberOf } from '../../json.ts';
import type { ComposedAnswer } from './compose-answer.ts';

/** `left`: the gateway closed the connection first; `released`: a stall that the upstream ended. */
export type CallEnd = ComposedAnswer['end'] | 'left' | 'released';

export interface UpstreamCall {
  /** The id of the question, followed by `@1` and so on. */
  readonly id: string;
  readonly question: string;
  /** By `performance.now()`, as all times here. */
  readonly arrivedAt: number;
  /** Redacted. */
  readonly request: SentRequest;
  readonly body: Json | undefined;
  readonly secretsSeen: readonly SecretSeen[];
  /** In every text of its reply. */
  readonly mark: string;
  readonly answer: ComposedAnswer;
  readonly writes: readonly SentPart[];
  /** Absent while it is open. */
  readonly end?: CallEnd;
  readonly endedAt?: number;
  readonly headAt?: number;
}

export interface SentPart {
  readonly at: number;
  readonly bytes: number;
  /** Length of the first choice's text once this was written. */
  readonly textLength?: number;
}

/** While it is answered. */
export type OpenCall = { -readonly [Name in keyof UpstreamCall]: UpstreamCall[Name] } & { writes: SentPart[] };

export interface UpstreamMessage {
  readonly role: string;
  readonly text: string;
}

/** A string and text parts are the same; anything else is not text. */
export function messageText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: Json) => memberOf(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('');
}

export function messagesOf(body: Json | undefined): readonly UpstreamMessage[] {
  const messages = memberOf(body, 'messages');
  if (!Array.isArray(messages)) return [];
  return messages.filter(isObject).map((message) => {
    const role = memberOf(message, 'role');
    return { role: typeof role === 'string' ? role : '', text: messageText(memberOf(message, 'content')) };
  });
}

/** The call as an exchange, so that both ends are read and shown by the same functions. `began`: start of the run. */
export function exchangeOf(call: UpstreamCall, began: number, maxDepth: number): Exchange {
  const { id, request, arrivedAt, answer, secretsSeen, endedAt = arrivedAt } = call;
  const since = (at: number): number => at - arrivedAt;
  const written = Buffer.concat(answer.writes.slice(0, call.writes.length).map(({ bytes }) => bytes));
  const bytes = answer.unpacked && call.end === 'complete' ? answer.unpacked : written;
  const reads: readonly NetworkRead[] =
    bytes === written
      ? call.writes.filter((part) => part.bytes > 0).map((part) => ({ at: since(part.at), bytes: part.bytes }))
      : [{ at: since(call.writes[0]?.at ?? arrivedAt), bytes: bytes.length }];
  const outcome: Exchange['attempts'][number]['outcome'] =
    answer.head === undefined || call.headAt === undefined
      ? {
          kind: 'none',
          failure: { kind: 'closed', code: call.end ?? 'open', detail: ENDS[call.end ?? 'stall'] },
        }
      : {
          kind: 'answer',
          answer: {
            status: answer.head.status,
            httpVersion: '1.1',
            headers: Object.entries(answer.head.headers).map(([name, value]): Header => [name.toLowerCase(), value]),
            interim: 0,
            headersAt: since(call.headAt),
            endAt: since(endedAt),
            lateness: 0,
            body: {
              bytes,
              reads,
              maxDepth,
              end: call.end === 'complete' ? { kind: 'complete' } : { kind: 'cut', detail: ENDS[call.end ?? 'stall'] },
            },
          },
        };
  return {
    id,
    step: id,
    side: 'upstream',
    seeks: 'any',
    request,
    attempts: [{ sentAt: arrivedAt - began, pause: 0, outcome, secretsSeen }],
  };
}

const ENDS: Readonly<Record<CallEnd, string>> = {
  complete: 'the upstream answered in full',
  reset: 'the upstream reset the connection on purpose',
  cut: 'the upstream closed the connection in mid-answer on purpose',
  stall: 'the upstream stopped sending on purpose',
  released: 'the upstream stopped sending on purpose, then closed the connection',
  left: 'the gateway closed the connection',
};
