/** Why a run ended before everything was asked, and what to do about it: one sentence each. */
import type { Report } from '../report/report.ts';
import { inert } from '../text/inert.ts';

type Ending = Report['ending'];
type Of<Kind extends Ending['kind']> = Extract<Ending, { kind: Kind }>;
type Failure = Of<'unreachable'>['failure'];

const NO_MODEL: Record<Extract<Report['ending'], { readonly kind: 'no-model' }>['reason'], string> = {
  'empty-list':
    'The model list is empty, so there is nothing to call: use a key that may call a model, or name one with --model.',
  'no-list': 'The model list cannot be read, so there is nothing to call: name a model with --model.',
  'not-listed':
    'The model that --model names was refused and is not in the model list: name one that is, or leave the setting out.',
};

const SENTENCES: { readonly [Kind in Ending['kind']]: (ending: Of<Kind>, report: Report) => string | undefined } = {
  complete: () => undefined,
  unreachable: ({ failure }, { target }) => UNREACHABLE[failure.kind](failure, inert(target.baseUrl)),
  'key-refused': ({ status }, { target }) =>
    `${inert(target.baseUrl)} refuses the key with ${status}: check that WIRECHECK_API_KEY, or what --api-key-env or --api-key-file names, holds a key of this deployment and that it has not been revoked.`,
  'not-this-api': ({ status, nearby }, { target }) =>
    nearby === undefined
      ? `Nothing at ${inert(target.baseUrl)} answers like this API (${inert(target.baseUrl)}/models gives ${status}): give the address whose last segment is the version, such as https://host/v1.`
      : `Nothing at ${inert(target.baseUrl)} answers like this API (its /models gives ${status}), but ${inert(nearby)} does: wirecheck run ${inert(nearby)}`,
  'no-model': ({ reason }) => NO_MODEL[reason],
  'stopped-answering': ({ suspect }) =>
    `The target stopped answering; the first thing that it left unanswered was ${inert(suspect)}: look at its log for that request and those beside it, then run again with --rerun-failed.`,
  'rate-limited': () =>
    'The target kept answering with 429, too many requests, however long it was given: run again later, go gently with --rate and --concurrency 1, or use a key with higher limits.',
  budget: ({ setting }) =>
    `The run was ended by --${setting}: raise it, or choose fewer cases with --only; \`wirecheck plan --only …\` shows what they cost.`,
  bailed: ({ after }) =>
    `The run was ended by --bail: a must failed in the stage "${inert(after)}", and the later ones were not begun. Leave the flag out to see everything.`,
  interrupted: () => 'The run was interrupted: only what was answered until then is judged.',
  'recording-cut': () =>
    'The recording breaks off before the end of its run: what it holds is judged, and the rest is inconclusive. Record again to have all of it.',
};

const UNREACHABLE: Readonly<Record<Failure['kind'], (failure: Failure, baseUrl: string) => string>> = {
  refused: ({ code }, baseUrl) =>
    `Nothing listens at ${baseUrl} (${inert(code)}): check host and port, start the gateway, or wait for it with --wait-for 60s.`,
  unresolved: ({ code }, baseUrl) =>
    `The host name of ${baseUrl} is not known (${inert(code)}): check its spelling and this machine's DNS.`,
  tls: tlsSentence,
  closed: ({ code }, baseUrl) =>
    `${baseUrl} closes the connection without an answer (${inert(code)}): check that the port speaks http or https as the address says.`,
  timeout: ({ limit }, baseUrl) =>
    `${baseUrl} did not answer in time (--${limit ?? 'timeout'}): check that it is up, or allow more time with --${limit ?? 'timeout'}.`,
  'not-http': ({ detail }, baseUrl) =>
    `What ${baseUrl} sends is not HTTP (${inert(detail)}): check the port, and http against https.`,
  limit: ({ limit }, baseUrl) =>
    `The first answer of ${baseUrl} is larger than --${limit ?? 'max-headers'} allows: raise that setting.`,
  aborted: (_failure, baseUrl) =>
    `The first request to ${baseUrl} was broken off by us before it was answered: run again.`,
};

/** A handshake fails for other reasons than a certificate, and OpenSSL wraps them in places of its own source. */
function tlsSentence({ code, detail }: Failure, baseUrl: string): string {
  const reason = /SSL routines:[^:]*:([^:]+):/.exec(detail)?.[1];
  if (reason !== undefined && /wrong version number|packet length too long|http request/.test(reason)) {
    return `${baseUrl} does not speak https on this port: write http:// in its place, or check the port.`;
  }
  if (code === 'EPROTO') {
    return `The TLS handshake with ${baseUrl} fails (${inert(reason ?? detail)}): check the port, and whether it asks for a client certificate (--client-cert, --client-key).`;
  }
  return `${baseUrl} cannot be trusted (${inert(code)}: ${inert(reason ?? detail)}): name its certificate authority with --ca FILE, or check nothing with --insecure.`;
}

/** Undefined where the run went to its end. */
export function endingSentence(report: Report): string | undefined {
  const { ending } = report;
  // The table is keyed by the very kind, which the compiler cannot follow through an index.
  const sentence = SENTENCES[ending.kind] as (ending: Ending, report: Report) => string | undefined;
  return sentence(ending, report);
}
