/** Why a target could not be reached, and what to do about it: one row per kind of failure. */
import { formatDuration } from '../text/duration.ts';
import { inert } from '../text/inert.ts';
import type { Failure, NoAnswer } from './exchange.ts';

/** A sentence each. Words of the target or the system in them are inert. */
export interface Advice {
  readonly what: string;
  readonly remedy: string;
}

const UNREACHABLE: Readonly<Record<NoAnswer, (failure: Failure, baseUrl: string, waited?: true) => Advice>> = {
  refused: ({ code }, baseUrl, waited) => ({
    what: `Cannot connect to ${baseUrl} (${inert(code)})${waited ? ', although the run waited for as long as --wait-for allows' : ''}.`,
    remedy: `Check the host and port, or start the gateway${waited ? '' : ' and wait for it with --wait-for 60s'}.`,
  }),
  unresolved: ({ code }, baseUrl) => ({
    what: `Cannot resolve the host name of ${baseUrl} (${inert(code)}).`,
    remedy: "Check its spelling and this machine's DNS.",
  }),
  tls: adviseOnTls,
  closed: ({ code }, baseUrl) => ({
    what: `${baseUrl} closed the connection without an answer (${inert(code)}).`,
    remedy: 'Check that the port speaks the protocol of the URL, http or https.',
  }),
  timeout: ({ limit = 'timeout', at }, baseUrl) => ({
    what: `${baseUrl} did not answer within ${at === undefined ? `--${limit}` : `${formatDuration(roundDown(at))} (--${limit})`}.`,
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

/** The timer of a limit fires a little late. In milliseconds. */
function roundDown(time: number): number {
  return time < 1_000 ? time : Math.floor(time / 100) * 100;
}

/** OpenSSL reports more than bad certificates here, and wraps its reasons in positions in its own source. */
function adviseOnTls({ code, detail }: Failure, baseUrl: string): Advice {
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
  return {
    what: `The certificate of ${baseUrl} is not trusted (${inert(code)}: ${inert(reason ?? detail)}).`,
    remedy: 'Name its certificate authority with --ca FILE, or skip the check with --insecure.',
  };
}

/** `waited`: the run had `--wait-for`, so advising it would not help. */
export function adviseOnFailure(failure: Failure, baseUrl: string, waited?: true): Advice {
  return UNREACHABLE[failure.kind](failure, baseUrl, waited);
}
