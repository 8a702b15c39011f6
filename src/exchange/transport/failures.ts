/** Gives the many errors of sockets, TLS and HTTP parsers the few names that a run distinguishes. */
import type { BodyEnd, Failure, LimitName, NoAnswer } from '../exchange.ts';

const KIND_OF_CODE: Readonly<Record<string, NoAnswer>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  EHOSTDOWN: 'refused',
  ENETUNREACH: 'refused',
  ENETDOWN: 'refused',
  EADDRNOTAVAIL: 'refused',
  EACCES: 'refused',
  EPERM: 'refused',
  ENOTFOUND: 'unresolved',
  EAI_AGAIN: 'unresolved',
  EAI_NODATA: 'unresolved',
  EAI_FAIL: 'unresolved',
  EAI_NONAME: 'unresolved',
  EPROTO: 'tls',
  UND_ERR_PRX_TLS: 'tls',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  ECONNABORTED: 'closed',
  UND_ERR_SOCKET: 'closed',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'limit',
  HTTPParserError: 'not-http',
  // Before the headers are through: they state a length twice, or a length and chunks.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'not-http',
  // Undici trusts a status to be at least 100.
  ERR_ASSERTION: 'not-http',
  // The proxy answered the CONNECT with something other than 200.
  UND_ERR_ABORTED: 'refused',
};

/** OpenSSL's names for what it dislikes about a certificate, which Node passes on as codes. */
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED)/;

/** What undici says when a complete HTTP message came that no request of ours allows: an upgrade, or a lone 100. */
const UNASKED_ANSWER = /^bad (response|upgrade)$/;

/** For an error that came before the headers of the answer. */
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
  return KIND_OF_CODE[code] ?? 'closed';
}

/** Connecting to several addresses fails with several errors, of which the first speaks for all. */
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

/** What the end of each phase of an attempt means while there is no answer. */
export const PHASE_OVER: Readonly<Partial<Record<LimitName, string>>> = {
  timeout: 'the attempt took too long as a whole',
  'connect-timeout': 'no connection in time',
  'first-byte-timeout': 'connected, but no answer in time',
};

export const HEAD_TOO_LONG: Failure = {
  kind: 'limit',
  limit: 'max-headers',
  code: 'HEAD_TOO_LONG',
  detail: 'the head of the answer does not come to an end',
};

export function tooManyInterim(count: number): Failure {
  return {
    kind: 'limit',
    limit: 'max-interim',
    code: 'TOO_MANY_INTERIM',
    detail: `${count} interim answers (1xx) and no real one`,
  };
}

/** For an error that came behind the head. */
export function cutBy(error: Error): BodyEnd {
  // Headers may come behind the last chunk, too.
  if (codeOf(error) === 'UND_ERR_HEADERS_OVERFLOW') return { kind: 'limit', limit: 'max-headers' };
  return { kind: 'cut', detail: `${codeOf(error)}: ${detailOf(error)}` };
}
