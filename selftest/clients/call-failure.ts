/** Why a call of the small client failed. */
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
