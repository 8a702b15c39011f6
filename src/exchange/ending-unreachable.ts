/** Why a target could not be reached, and what to do about it: one row per kind of failure. */
import { inert } from '../text/inert.ts';
import type { Failure, LimitName, NoAnswer } from './exchange.ts';

/** A sentence each. Words of the target or the system in them are inert. */
export interface Advice {
  readonly what: string;
  readonly remedy: string;
}

/** What is known besides the failure. */
interface Circumstances {
  /** The run had `--wait-for`, so advising it would not help. */
  readonly waited?: true;
  /** The value of the time limit. Milliseconds. */
  readonly most?: number;
  /** The head of the answer came. */
  readonly began?: true;
  /** The run had `--ca`. */
  readonly namesAuthority?: true;
}

/** Follows what the run met after its wait. */
export const WAITED = ', although the run waited for as long as --wait-for allows';

const UNREACHABLE: Readonly<Record<NoAnswer, (failure: Failure, baseUrl: string, how: Circumstances) => Advice>> = {
  refused: ({ code }, baseUrl, { waited }) => ({
    what: `Cannot connect to ${baseUrl} (${inert(code)})${waited ? WAITED : ''}.`,
    remedy: `Check the host and port, or start the gateway${waited ? '' : ' and wait for it with --wait-for 60s'}.`,
  }),
  unresolved: ({ code }, baseUrl) => ({
    what: `Cannot resolve the host name of ${baseUrl} (${inert(code)}).`,
    remedy: "Check its spelling and this machine's DNS.",
  }),
  tls: adviseOnTls,
  closed: ({ code }, baseUrl) => ({
    what: `${baseUrl} closed the connection without an answer (${inert(code)}).`,
    remedy:
      'Check that what answers behind this port is up, and that it speaks the protocol of the URL, http or https.',
  }),
  timeout: ({ limit = 'timeout' }, baseUrl, { most, began }) => ({
    what: formatTimeout(baseUrl, limit, nameLimit(limit, most), began),
    remedy: `Check that it is up, or raise --${limit}.`,
  }),
  'not-http': ({ detail }, baseUrl) => ({
    what: `${baseUrl} did not send valid HTTP (${inert(detail)}).`,
    remedy: 'Check the port, and whether the URL should start with http or https.',
  }),
  limit: ({ limit = 'max-headers', detail }, baseUrl) =>
    limit === 'max-interim'
      ? {
          what: `${baseUrl} sent no final answer (${inert(detail)}).`,
          remedy: 'Check that the port speaks HTTP.',
        }
      : { what: `The first answer from ${baseUrl} exceeds --${limit}.`, remedy: `Raise --${limit}.` },
  aborted: (_failure, baseUrl) => ({
    what: `The first request to ${baseUrl} was aborted before it was answered.`,
    remedy: 'Run again.',
  }),
};

/** A phrase. Only what accepted no connection could not be reached. */
export function formatUnreachable({ kind, limit }: Failure, { most, began }: Circumstances): string {
  switch (kind) {
    case 'closed':
      return 'the target closed the connection without an answer';
    case 'not-http':
      return 'the target did not send valid HTTP';
    case 'limit':
      return limit === 'max-interim' ? 'the target sent no final answer' : 'the first answer of the target is too long';
    case 'aborted':
      return 'the first request was aborted';
    case 'timeout': {
      if (limit === 'connect-timeout') return OUT_OF_REACH;
      const within = most === undefined ? 'in time' : `within ${formatLimit(most)}`;
      return began ? `the target did not end its answer ${within}` : `the target did not answer ${within}`;
    }
    case 'refused':
    case 'unresolved':
    case 'tls':
      return OUT_OF_REACH;
  }
}

const OUT_OF_REACH = 'the target could not be reached';

function formatTimeout(baseUrl: string, limit: LimitName, within: string, began?: true): string {
  if (limit === 'connect-timeout') return `${baseUrl} accepted no connection within ${within}.`;
  return began
    ? `${baseUrl} began to answer GET /models, and then sent no end within ${within}.`
    : `${baseUrl} accepted the connection, but did not answer within ${within}.`;
}

/** `3 s (--timeout)` */
export function nameLimit(limit: LimitName, most: number | undefined): string {
  return most === undefined ? `--${limit}` : `${formatLimit(most)} (--${limit})`;
}

/** As people type it: `3 s`, `1.5 s`, `500 ms`. */
export function formatLimit(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${milliseconds / 1_000} s`;
}

/** OpenSSL reports more than bad certificates here, and wraps its reasons in positions in its own source. */
function adviseOnTls({ code, detail }: Failure, baseUrl: string, { namesAuthority }: Circumstances): Advice {
  const reason = /SSL routines:[^:]*:([^:]+):/.exec(detail)?.[1];
  if (reason !== undefined && /wrong version number|packet length too long|http request/.test(reason)) {
    return { what: `${baseUrl} does not speak https on this port.`, remedy: 'Use http:// instead, or check the port.' };
  }
  if (code === 'EPROTO') {
    return {
      what: `The TLS handshake with ${baseUrl} failed (${inert(reason ?? detail)}).`,
      remedy: 'Check the port, and whether the server asks for a client certificate (--client-cert and --client-key).',
    };
  }
  const why = `(${inert(code)}: ${inert(reason ?? detail)})`;
  return namesAuthority && UNKNOWN_AUTHORITY.has(code)
    ? adviseOnOtherAuthority(code, why, baseUrl)
    : { what: `The certificate of ${baseUrl} is not trusted ${why}.`, remedy: `${remedyFor(code, namesAuthority)}.` };
}

/** No trusted certificate signed that of the target, or the last one that it sent. */
const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

function adviseOnOtherAuthority(code: string, why: string, baseUrl: string): Advice {
  return {
    what:
      // The certificate was found in the file, or one that signed it, but not the issuer of that.
      code === 'UNABLE_TO_GET_ISSUER_CERT'
        ? `What --ca names is not the root of the authority that signed the certificate of ${baseUrl} ${why}.`
        : `The certificate of ${baseUrl} was not signed by what --ca names ${why}.`,
    remedy: `Name the root of its authority, in one file with any certificates in between, or ${SKIP}.`,
  };
}

const SKIP = 'skip the check with --insecure';

function remedyFor(code: string, namesAuthority: true | undefined): string {
  switch (code) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return `Use a host name that the certificate is for, or ${SKIP}`;
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return `Renew it, check the clock of this machine, or ${SKIP}`;
    default:
      return namesAuthority
        ? `Check the certificate, or ${SKIP}`
        : `Name its certificate authority with --ca FILE, or ${SKIP}`;
  }
}

export function adviseOnFailure(failure: Failure, baseUrl: string, how: Circumstances): Advice {
  return UNREACHABLE[failure.kind](failure, baseUrl, how);
}
