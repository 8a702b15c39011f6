/** Runs that end at the first contact: why the target could not be reached, or what its first answers say, and what to do. */
import { COMMAND } from '../contract/package-files.ts';
import type { Duration, Integer } from '../scalars.ts';
import { type DescribedSettings, allFlags } from '../settings/setting-flags.ts';
import { KEY_VARIABLES } from '../settings/settings-without-flag.ts';
import { inert } from '../text/layout.ts';
import { formatQuote, type Quote } from '../text/quote.ts';
import { argument } from '../text/shell-text.ts';
import { type AnswerStatus, formatStatus } from './answer-status.ts';
import type { Failure, LimitName, NoAnswer } from './exchange.ts';

/** The run had waited for the target before it began, so that advising `--wait-for` would not help. */
interface Waited {
  readonly waited?: true;
}

export interface Unreachable extends Waited {
  readonly failure: Failure;
  /** The value of the time limit. Absent in older recordings. */
  readonly most?: Duration;
  /** The head of the answer came, but not its end. */
  readonly began?: true;
}

/** Follows what the run met after its wait. */
const WAITED = ', although the run waited for as long as --wait-for allows';

/** Each says what happened, and then what to do. Words of the target or the system are inert. */
const UNREACHABLE: Readonly<Record<NoAnswer, AdviceOn<Unreachable>>> = {
  refused: ({ failure: { code }, waited }, baseUrl) =>
    `Cannot connect to ${baseUrl} (${inert(code)})${waited ? WAITED : ''}. Check the host and port, or start the gateway${waited ? '' : ' and wait for it with --wait-for 60s'}.`,
  unresolved: ({ failure: { code } }, baseUrl) =>
    `Cannot resolve the host name of ${baseUrl} (${inert(code)}). Check its spelling and this machine's DNS.`,
  tls: adviseOnTls,
  closed: ({ failure: { code } }, baseUrl) =>
    `${baseUrl} closed the connection without an answer (${inert(code)}). Check that what answers behind this port is up, and that it speaks the protocol of the URL, http or https.`,
  timeout: ({ failure: { limit = 'timeout' }, most, began }, baseUrl) =>
    `${formatTimeout(baseUrl, limit, nameLimit(limit, most), began)} Check that it is up, or raise --${limit}.`,
  'not-http': ({ failure: { detail } }, baseUrl) =>
    `${baseUrl} did not send valid HTTP (${inert(detail)}). Check the port, and whether the URL should start with http or https.`,
  limit: ({ failure: { limit = 'max-headers', detail } }, baseUrl) =>
    limit === 'max-interim'
      ? `${baseUrl} sent no final answer (${inert(detail)}). Check that the port speaks HTTP.`
      : `The first answer from ${baseUrl} exceeds --${limit}. Raise --${limit}.`,
  aborted: (_ending, baseUrl) => `The first request to ${baseUrl} was aborted before it was answered. Run again.`,
};

/** A phrase. Only what accepted no connection could not be reached. */
export function formatUnreachable({ failure: { kind, limit }, most, began }: Unreachable): string {
  if (kind === 'timeout' && limit !== 'connect-timeout') {
    const within = most === undefined ? 'in time' : `within ${formatLimit(most)}`;
    return began ? `the target did not end its answer ${within}` : `the target did not answer ${within}`;
  }
  if (kind === 'limit' && limit === 'max-interim') return 'the target sent no final answer';
  return REACHED[kind] ?? 'the target could not be reached';
}

const REACHED: Readonly<Partial<Record<NoAnswer, string>>> = {
  closed: 'the target closed the connection without an answer',
  'not-http': 'the target did not send valid HTTP',
  limit: 'the first answer of the target is too long',
  aborted: 'the first request was aborted',
};

function formatTimeout(baseUrl: string, limit: LimitName, within: string, began?: true): string {
  if (limit === 'connect-timeout') return `${baseUrl} accepted no connection within ${within}.`;
  return began
    ? `${baseUrl} began to answer GET /models, but did not finish within ${within}.`
    : `${baseUrl} accepted the connection, but did not answer within ${within}.`;
}

/** `3 s (--timeout)` */
export function nameLimit(limit: LimitName, most: number | undefined): string {
  return most === undefined ? `--${limit}` : `${formatLimit(most)} (--${limit})`;
}

/** Writes a time as people type it: `3 s`, `1.5 s`, `500 ms`. */
export function formatLimit(milliseconds: number): string {
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${milliseconds / 1_000} s`;
}

/** OpenSSL reports more than bad certificates here, and wraps its reasons in positions in its own source. */
function adviseOnTls({ failure: { code, detail } }: Unreachable, baseUrl: string, settings: DescribedSettings): string {
  const reason = /SSL routines:[^:]*:([^:]+):/.exec(detail)?.[1];
  if (reason !== undefined && /wrong version number|packet length too long|http request/.test(reason)) {
    return `${baseUrl} does not speak https on this port. Use http:// instead, or check the port.`;
  }
  if (code === 'EPROTO') {
    return `The TLS handshake with ${baseUrl} failed (${inert(reason ?? detail)}). Check the port, and whether the server asks for a client certificate (--client-cert and --client-key).`;
  }
  const namesAuthority = 'tls.ca' in settings;
  const why = `(${inert(code)}: ${inert(reason ?? detail)})`;
  return namesAuthority && UNKNOWN_AUTHORITY.has(code)
    ? adviseOnOtherAuthority(code, why, baseUrl)
    : `The certificate of ${baseUrl} is not trusted ${why}. ${remedyFor(code, namesAuthority)}, or ${SKIP}.`;
}

/** No trusted certificate signed that of the target, or the last one that it sent. */
const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

function adviseOnOtherAuthority(code: string, why: string, baseUrl: string): string {
  // The certificate was found in the file, or one that signed it, but not the issuer of that.
  const isBelowRoot = code === 'UNABLE_TO_GET_ISSUER_CERT';
  const what = isBelowRoot
    ? `--ca does not name the root of the authority that signed the certificate of ${baseUrl} ${why}.`
    : `The authority that --ca names did not sign the certificate of ${baseUrl} ${why}.`;
  return `${what} Name the root of its authority, in one file with any certificates in between, or ${SKIP}.`;
}

const SKIP = 'skip the check with --insecure';

function remedyFor(code: string, namesAuthority: boolean): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH') {
    return 'Use a host name that the certificate is for';
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return 'Renew it, check the clock of this machine';
  return namesAuthority ? 'Check the certificate' : 'Name its certificate authority with --ca FILE';
}

type AdviceOn<Of> = (ending: Of, baseUrl: string, settings: DescribedSettings) => string;

export const adviseOnUnreachable: AdviceOn<Unreachable> = (ending, baseUrl, settings) =>
  UNREACHABLE[ending.failure.kind](ending, baseUrl, settings);

/** The answer that ended the run. */
export interface FirstAnswer extends AnswerStatus {
  /** Where a redirect leads. */
  readonly location?: Quote;
  /** It leads to another host, or to an address that is no base URL. Known also where the text of the target is withheld. */
  readonly leadsAway?: true;
  /** A web page that asks for a password, or whose title does. */
  readonly isLogin?: true;
  /** The whole body, if it has nothing in it. */
  readonly emptyJson?: '{}' | '[]';
}

export interface RefusedKey {
  readonly status: Integer;
  readonly answer?: FirstAnswer;
}

export const adviseOnRefusedKey: AdviceOn<RefusedKey> = ({ status, answer }, baseUrl, settings) => {
  const said = formatFirstAnswer(answer ?? { status });
  if (answer?.isPage) {
    return `${baseUrl} answered the key with ${said}. ${status === 401 || answer.isLogin ? LOGIN_PAGE : BLOCKING_PAGE}`;
  }
  const doubt = status === 403 ? 'The key may be wrong. ' : '';
  return `${baseUrl} refused the key with ${said}. ${asksForHeader(answer) ? HEADER : `${doubt}${checkKey(settings)}`}`;
};

/** Names where the run had its key from. */
function checkKey({ apiKeyEnv, apiKeyFile }: DescribedSettings): string {
  const place =
    typeof apiKeyFile === 'string'
      ? `the file ${inert(apiKeyFile, 200)}`
      : inert(typeof apiKeyEnv === 'string' ? apiKeyEnv : KEY_VARIABLES.full, 100);
  return `Check that ${place} holds a valid key for this deployment.`;
}

export interface OtherApi extends Waited {
  readonly status: Integer;
  /** The base URL close to the given one that does answer like this API. */
  readonly nearby?: string;
  readonly answer?: FirstAnswer;
}

export const adviseOnOtherApi: AdviceOn<OtherApi> = (ending, baseUrl, settings) => {
  const { status, nearby, answer = { status }, waited } = ending;
  const what = `Nothing at ${baseUrl} answers like this API: GET ${baseUrl}/models returned ${formatFirstAnswer(answer)}${waited && status >= 500 ? WAITED : ''}`;
  if (nearby !== undefined) return `${what}, but ${inert(nearby)} does. ${tryAddress(nearby, settings)}`;
  const { location } = answer;
  if (location !== undefined) {
    const said = `${what}, a redirect to ${inert(formatQuote(location), 200)}.`;
    return `${said} ${adviseOnRedirect({ ...answer, location }, baseUrl, settings)}`;
  }
  return `${what}. ${remedyForOtherApi(answer, baseUrl, waited)}`;
};

function remedyForOtherApi(answer: FirstAnswer, baseUrl: string, waited?: true): string {
  if (isDown(answer.status)) return adviseOnDown(waited ? [] : [WAIT]);
  if (answer.isLogin) return LOGIN_PAGE;
  if (answer.isPage) return `This looks like a web page, not an API. ${CHECK_ADDRESS}.`;
  if (asksForHeader(answer)) return HEADER;
  if (baseUrl.endsWith('/v1')) return `${CHECK_ADDRESS}.`;
  return 'Pass the base URL that ends with the version, such as https://host/v1.';
}

function isDown(status: number): boolean {
  return status === 502 || status === 503 || status === 504;
}

const WAIT = 'wait for it with --wait-for 60s';
const NAME_MODEL = 'name a model with --model';

/** `others`: what may help besides. */
function adviseOnDown(others: readonly string[]): string {
  const ways = ['start it', ...others.slice(0, -1), ...others.slice(-1).map((last) => `or ${last}`)];
  return `The gateway's upstream seems to be down: ${ways.join(', ')}.`;
}

/** No redirect is followed: the key would go to wherever the target says. */
const adviseOnRedirect: AdviceOn<FirstAnswer & { readonly location: Quote }> = (answer, baseUrl, settings) => {
  const { location, leadsAway } = answer;
  if (leadsAway) return LOGIN;
  const base = location.quote === null || location.isCut ? undefined : baseOf(location.quote, baseUrl);
  if (base === undefined || base === baseUrl) return NO_REDIRECT;
  return leadsElsewhere(location.quote ?? '', baseUrl) ? LOGIN : tryAddress(base, settings);
};

/** The base URL that a redirect of the model list leads to. */
function baseOf(location: string, baseUrl: string): string | undefined {
  const address = `${baseUrl}/models`;
  if (!URL.canParse(location, address)) return undefined;
  const base = new URL(location, address).href.replace(/\/+$/, '').replace(/\/models$/, '');
  return /^https?:/.test(base) ? base : undefined;
}

/** Whether a redirect of the model list leads to another host, or to an address that is no base URL. */
export function leadsElsewhere(location: string, baseUrl: string): boolean {
  const base = baseOf(location, baseUrl);
  if (base === undefined || base === baseUrl) return false;
  const { host, pathname } = new URL(base);
  return host !== new URL(baseUrl).host || !pathname.endsWith('/v1') || base.includes('?');
}

const NO_REDIRECT =
  'wirecheck does not follow redirects. Pass the base URL at which the API answers without one, or what a login asks for with --header-env NAME=VAR.';

/** No command for another host or another kind of address: whoever copies it sends the key there. */
const LOGIN =
  'This looks like a login, or another host, in front of the API. Pass what it asks for with --header-env NAME=VAR, or the base URL at which the API answers without a redirect.';

/** The command repeats the settings of the run, such as its key and its limits. */
function tryAddress(address: string, settings: DescribedSettings): string {
  const command = 'explore.requests' in settings ? 'explore' : 'run';
  return ['Try:', COMMAND, command, argument(address), ...allFlags(settings)].join(' ');
}

export interface NoModel extends Waited {
  readonly reason: 'empty-list' | 'no-list' | 'not-listed';
  readonly answer?: FirstAnswer;
  /** Every chat request got a 5xx, so that naming a model would not help. */
  readonly chatFails?: true;
}

export const adviseOnNoModel: AdviceOn<NoModel> = (ending, baseUrl) => {
  const { reason, answer, waited } = ending;
  if (reason !== 'no-list' || answer === undefined) return NO_MODEL[reason];
  const inVain = waited && answer.status >= 500 ? WAITED : '';
  return `There is no model to call: GET ${baseUrl}/models returned ${formatFirstAnswer(answer)}${inVain}. ${adviseOnNoList(answer, ending)}`;
};

function adviseOnNoList(answer: FirstAnswer, { chatFails, waited }: NoModel): string {
  if (answer.isLogin) return LOGIN_PAGE;
  if (answer.isPage) return `This looks like a web page, not an API. ${CHECK_ADDRESS}, or ${NAME_MODEL}.`;
  if (asksForHeader(answer)) return HEADER;
  if (isDown(answer.status)) return adviseOnDown([...(waited ? [] : [WAIT]), ...(chatFails ? [] : [NAME_MODEL])]);
  return chatFails
    ? 'Every chat request failed with a 5xx as well: look for the cause in the log of the gateway.'
    : 'Name a model with --model.';
}

const NO_MODEL: Readonly<Record<NoModel['reason'], string>> = {
  'empty-list':
    'The model list has no id that can be called. Use a key that may call a model, or name a model with --model.',
  'no-list': 'The model list could not be read, so there is no model to call. Name a model with --model.',
  'not-listed':
    'The model given with --model was refused and is not in the model list. Name a listed model, or leave --model out.',
};

const CHECK_ADDRESS = 'Check the host, the port and the path of the base URL';

const LOGIN_PAGE = `This looks like a login page in front of the API. ${CHECK_ADDRESS}, or pass the credentials for the login with --header-env NAME=VAR.`;

const BLOCKING_PAGE = `This looks like the page of a firewall or a proxy in front of the API, which need not have looked at the key. ${CHECK_ADDRESS}, have this machine allowed, or pass what it asks for with --header-env NAME=VAR.`;

const HEADER =
  "Pass the header that it asks for with --header 'NAME: VALUE' or, if it is secret, with --header-env NAME=VAR.";

/**
 * Whether the answer asks for a header other than that of the key, which a run sends anyway. A 5xx is about the server's own
 * headers.
 */
function asksForHeader(answer: FirstAnswer | undefined): boolean {
  const words = answer?.message?.quote ?? '';
  if (answer === undefined || answer.status >= 500) return false;
  return /\bheaders?\b/i.test(words) && !/authorization/i.test(words);
}

/** The words of a 200 are quoted only if it is a web page: otherwise they are not an error. */
export function formatFirstAnswer({ message, emptyJson, ...answer }: FirstAnswer): string {
  const isQuoted = message !== undefined && (answer.status !== 200 || answer.isPage);
  const body = emptyJson === undefined ? '' : ` and the body ${emptyJson}`;
  return inert(formatStatus({ ...answer, ...(isQuoted && { message }) }), 400) + body;
}
