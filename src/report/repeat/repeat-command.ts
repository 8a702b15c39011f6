/** A command that sends the same request again. Keys are named by variables, so it can be shared. */
import { QUERY_NAMES } from '../../exchange/secrets/credentials.ts';
import type { KeyUse } from '../../suite/case.ts';
import { curlOptions, type RepeatedRun, runFlags, secretHeaders, settingFlags } from './repeat-settings.ts';
import type { ExchangeReport } from '../report.ts';
import { argument, isPlain, formatPrintf } from './shell-text.ts';

/** Characters. A longer command is not something to paste. */
const MAX_BODY = 2_000;

/** Header name and value of each key, for double quotes, in which the shell replaces variables. */
const CREDENTIALS: Record<KeyUse, readonly [name: string, value: string] | undefined> = {
  full: ['Authorization', 'Bearer $WIRECHECK_API_KEY'],
  restricted: ['Authorization', 'Bearer $WIRECHECK_RESTRICTED_KEY'],
  exhausted: ['Authorization', 'Bearer $WIRECHECK_EXHAUSTED_KEY'],
  limited: ['Authorization', 'Bearer $WIRECHECK_LIMITED_KEY'],
  second: ['Authorization', 'Bearer $WIRECHECK_SECOND_KEY'],
  none: undefined,
  empty: ['Authorization', 'Bearer '],
  basic: ['Authorization', 'Basic $(printf %s "$WIRECHECK_API_KEY:" | base64 | tr -d "\\n")'],
  'basic-plain': ['Authorization', 'Basic $WIRECHECK_API_KEY'],
  token: ['Authorization', 'Token $WIRECHECK_API_KEY'],
  bare: ['Authorization', '$WIRECHECK_API_KEY'],
  'no-prefix': ['Authorization', 'Bearer wirecheck0random0key'],
  unknown: ['Authorization', 'Bearer sk-service-unknown-wirecheck'],
  longer: ['Authorization', 'Bearer ${WIRECHECK_API_KEY}x'],
  shorter: ['Authorization', 'Bearer ${WIRECHECK_API_KEY%?}'],
  'lower-case-scheme': ['Authorization', 'bearer $WIRECHECK_API_KEY'],
  'x-api-key': ['x-api-key', '$WIRECHECK_API_KEY'],
  query: undefined,
};

/** Headers that curl or the key sends by itself. */
const OMITTED_HEADERS = new Set([
  'authorization',
  'x-api-key',
  'user-agent',
  'accept-encoding',
  'content-length',
  'host',
]);

export function repeatCommand(exchange: ExchangeReport, run: RepeatedRun, caseId: string): string {
  const body = exchange.body ?? '';
  if (body.length > MAX_BODY) return repeatByCase(run, caseId);
  // An argument cannot hold a NUL or, if printed, trailing line breaks: such a body goes through a pipe.
  const pipe = isPlain(body) ? '' : `${formatPrintf(body)} | `;
  if (pipe.length > MAX_BODY) return repeatByCase(run, caseId);
  const url = urlOf(exchange, run.baseUrl);
  const secrets = secretHeaders(run);
  const credential = CREDENTIALS[exchange.key];
  const headers = exchange.headers.filter(([name]) => !OMITTED_HEADERS.has(name.toLowerCase()));
  // A POST without a body has a Content-Length of 0, which curl sends only for an empty body.
  const hasBody = body !== '' || exchange.method === 'POST';
  // By itself, curl would label a body as a form.
  const unlabelled = hasBody && !headers.some(([name]) => name.toLowerCase() === 'content-type');
  const usual = hasBody ? 'POST' : 'GET';
  // With `-X HEAD`, curl would wait for a body.
  const method =
    exchange.method === usual ? [] : [exchange.method === 'HEAD' ? '-I' : `-X ${argument(exchange.method)}`];
  return [
    `${pipe}curl -sS`,
    // To curl, brackets and braces in an address are a pattern.
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    // A compressed stream may arrive in other pieces.
    ...(exchange.mode === 'stream' ? ['-N --compressed'] : []),
    ...method,
    ...curlOptions(run),
    url,
    ...(credential ? [`-H "${credential[0]}: ${credential[1]}"`] : []),
    ...headers.map(([name, value]) => {
      const variable = secrets.get(name.toLowerCase());
      return `-H ${variable === undefined ? argument(headerText(name, value), 'latin1') : `"${name}: $${variable}"`}`;
    }),
    ...(unlabelled ? [`-H 'Content-Type:'`] : []),
    ...(hasBody ? [pipe === '' ? `--data-raw ${argument(body)}` : '--data-binary @-'] : []),
  ].join(' ');
}

/** To curl, a name with a colon and no value is a header to leave out. */
function headerText(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}

/** A key in the query is its last parameter. */
function urlOf({ key, path }: ExchangeReport, baseUrl: string): string {
  if (key !== 'query') return argument(`${baseUrl}${path}`);
  const at = path.indexOf('api_key=');
  const query = QUERY_NAMES.map((name) => `${name}=$WIRECHECK_API_KEY`).join('&');
  return `${argument(`${baseUrl}${path.slice(0, at)}`)}"${query}"`;
}

/** Both ends of a case of `wirecheck relay`. */
export function repeatRelayCase(run: RepeatedRun, caseId: string): string {
  const flags = [`--only ${argument(caseId)}`, '--out none'];
  return ['wirecheck relay', argument(run.baseUrl), ...settingFlags(run), ...flags].join(' ');
}

/** For a request that is too long to paste, or must not be shown. */
export function repeatByCase(run: RepeatedRun, caseId: string): string {
  return ['wirecheck run', argument(run.baseUrl), `--only ${argument(caseId)}`, ...runFlags(run)].join(' ');
}
