/** Maps the many errors of sockets, TLS and HTTP parsers to the few kinds that a run distinguishes. */
import { type BodyEnd, type Failure, type LimitName, NO_ANSWER, type NoAnswer } from '../exchange.ts';

/** Any other code is that of a closed connection. */
const CODES: Readonly<Partial<Record<NoAnswer, readonly string[]>>> = {
  // The last one: the proxy answered the CONNECT with something other than 200.
  refused: [
    ...['ECONNREFUSED', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'EACCES', 'EPERM'],
    'UND_ERR_ABORTED',
  ],
  unresolved: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_FAIL', 'EAI_NONAME'],
  tls: ['EPROTO', 'UND_ERR_PRX_TLS'],
  timeout: ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'],
  limit: ['UND_ERR_HEADERS_OVERFLOW'],
  // The headers state a length twice, or a length and chunks; undici asserts that a status is at least 100.
  'not-http': ['HTTPParserError', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ERR_ASSERTION'],
};

/** OpenSSL's names for certificate problems, which Node uses as codes. */
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED)/;

/** Undici's messages for a complete answer that fits no request of ours: an upgrade, or a lone 100. */
const UNASKED_ANSWER = /^bad (response|upgrade)$/;

/** Describes an error before the headers of the answer. */
export function failureOf(error: unknown): Failure {
  const code = codeOf(error);
  const detail = detailOf(error);
  const kind = kindOf(code, detail);
  if (kind === 'limit') return { kind, limit: 'max-headers', code, detail };
  if (kind === 'timeout') return { kind, limit: 'connect-timeout', code, detail };
  return { kind, code, detail };
}

function kindOf(code: string, detail: string): NoAnswer {
  if (UNASKED_ANSWER.test(detail)) return 'not-http';
  if (TLS_CODE.test(code) || detail.includes('before secure TLS connection')) return 'tls';
  return NO_ANSWER.find((kind) => CODES[kind]?.includes(code)) ?? 'closed';
}

/** Connecting to several addresses fails with several errors; the first one is used. */
export function codeOf(error: unknown): string {
  for (let here = error, depth = 0; here instanceof Error && depth < 4; depth++) {
    const { code } = here as NodeJS.ErrnoException;
    if (typeof code === 'string' && code !== '') return code;
    here = here instanceof AggregateError ? here.errors[0] : here.cause;
  }
  return error instanceof Error ? error.name : 'UNKNOWN';
}

export function detailOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(detailOf).join('; ');
  return (error instanceof Error ? error.message || error.name : String(error)).replaceAll(/\s+/g, ' ').trim();
}

/** The detail of a timeout without an answer, by phase. */
export const PHASE_OVER: Readonly<Partial<Record<LimitName, string>>> = {
  timeout: 'the attempt exceeded its time limit',
  'edit-timeout': 'no answer to an edit of max_tokens within its time limit',
  'connect-timeout': 'no connection within the time limit',
  'first-byte-timeout': 'connected, but no answer within the time limit',
};

/** Made once: every answer that is complete would make one for nothing, with its stack. */
export const READING_ENDED = new Error('reading has ended');

/** A limit of ours was exceeded before there was an answer. */
export function exceeded(limit: LimitName, code: string, detail: string): Failure {
  return { kind: 'limit', limit, code, detail };
}

/** Describes an error after the head. */
export function cutBy(error: Error): BodyEnd {
  // Trailers follow the last chunk.
  if (codeOf(error) === 'UND_ERR_HEADERS_OVERFLOW') return { kind: 'limit', limit: 'max-headers' };
  return { kind: 'cut', detail: `${codeOf(error)}: ${detailOf(error)}` };
}
