/** One HTTP call of the small client, and why one failed. */
import { Agent, type IncomingHttpHeaders, request as send } from 'node:http';

export type FailureKind =
  | 'status'
  /** An error in an answer with status 200. */
  | 'error-body'
  /** An error in a stream. */
  | 'error-event'
  /** No answer, or one that broke off. */
  | 'connection'
  /** The stream ended before finish_reason. */
  | 'early-end'
  | 'timeout'
  /** The client could not read the answer. */
  | 'unreadable';

export class CallFailure extends Error {
  readonly kind: FailureKind;
  readonly status: number | undefined;
  /** The text that a stream had so far. */
  said = '';

  constructor(kind: FailureKind, message: string, status?: number) {
    super(message);
    this.kind = kind;
    this.status = status;
  }
}

export function toFailure(error: unknown): CallFailure {
  return error instanceof CallFailure ? error : new CallFailure('unreadable', String(error));
}

export interface ServerAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Throws a `CallFailure` if the answer breaks off. */
  readonly bytes: AsyncIterable<Buffer>;
  /** Leaves the rest unread. */
  close(): void;
}

export interface SentCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: GET. */
  readonly body?: string;
  readonly keepsAlive: boolean;
  /** Milliseconds; absent: waits for ever. */
  readonly timeout?: number;
}

const lasting = new Agent({ keepAlive: true });

/** Rejects with a `CallFailure` if there is no answer. */
export function sendCall({ url, headers, body, keepsAlive, timeout }: SentCall): Promise<ServerAnswer> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const call = send(
      url,
      { method: body === undefined ? 'GET' : 'POST', headers, agent: keepsAlive ? lasting : false },
      (response) => {
        const { statusCode = 0 } = response;
        const bytes = untilFailure(response, () => isLate);
        resolve({ status: statusCode, headers: response.headers, bytes, close: () => call.destroy() });
      },
    );
    const giveUp = () => {
      isLate = true;
      call.destroy();
    };
    const timer = timeout === undefined ? undefined : setTimeout(giveUp, timeout);
    call.on('close', () => clearTimeout(timer));
    call.on('error', (error) => reject(failureOf(error, isLate)));
    call.end(body);
  });
}

async function* untilFailure(bytes: AsyncIterable<Buffer>, isLate: () => boolean): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    throw failureOf(error, isLate());
  }
}

function failureOf(error: unknown, isLate: boolean): CallFailure {
  return isLate ? new CallFailure('timeout', 'The call took too long.') : new CallFailure('connection', String(error));
}
