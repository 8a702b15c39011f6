/** A command that sends the same request again. Keys stand in it as variables, so it can be pasted and shown around. */
import { QUERY_NAMES } from '../../exchange/secrets/credentials.ts';
import type { KeyUse } from '../../suite/case.ts';
import { curlOptions, type RepeatedRun, runFlags, secretHeaders } from './repeat-settings.ts';
import type { ExchangeReport } from '../report.ts';
import { argument, isPlain, printed } from './shell-text.ts';

/** Beyond this a command is no longer something to paste. */
const MOST_BODY = 2_000;

/** How each key is written: header name, and its value in double quotes, so that the shell fills it in. */
const CREDENTIALS: Record<KeyUse, readonly [name: string, value: string] | undefined> = {
  full: ['Authorization', 'Bearer $WIRECHECK_API_KEY'],
  restricted: ['Authorization', 'Bearer $WIRECHECK_RESTRICTED_KEY'],
  exhausted: ['Authorization', 'Bearer $WIRECHECK_EXHAUSTED_KEY'],
  limited: ['Authorization', 'Bearer $WIRECHECK_LIMITED_KEY'],
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

/** Headers that curl or the credential above sends by itself. */
const LEFT_OUT = new Set(['authorization', 'x-api-key', 'user-agent', 'accept-encoding', 'content-length', 'host']);

export function repeatCommand(exchange: ExchangeReport, run: RepeatedRun, caseId: string): string {
  const body = exchange.body ?? '';
  if (body.length > MOST_BODY) return repeatByCase(run, caseId);
  // An argument holds neither a NUL nor, if it was printed, line ends at its end: such a body comes through a pipe.
  const pipe = isPlain(body) ? '' : `${printed(body)} | `;
  if (pipe.length > MOST_BODY) return repeatByCase(run, caseId);
  const url = urlOf(exchange, run.baseUrl);
  const secrets = secretHeaders(run);
  const credential = CREDENTIALS[exchange.key];
  const headers = exchange.headers.filter(([name]) => !LEFT_OUT.has(name.toLowerCase()));
  // A POST without a body says that it has none, which curl does only for an empty one.
  const hasBody = body !== '' || exchange.method === 'POST';
  // curl would label a body as a form by itself.
  const unlabelled = hasBody && !headers.some(([name]) => name.toLowerCase() === 'content-type');
  const usual = hasBody ? 'POST' : 'GET';
  // curl waits for a body where HEAD is only the name of the method.
  const method =
    exchange.method === usual ? [] : [exchange.method === 'HEAD' ? '-I' : `-X ${argument(exchange.method)}`];
  return [
    `${pipe}curl -sS`,
    // Brackets and braces in an address are a pattern to curl.
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    // What is packed may arrive in other pieces than what is not.
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

/** To curl a name with a colon and nothing behind it is a header to leave out. */
function headerText(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}

/** The key in a query is the last of its parameters. */
function urlOf({ key, path }: ExchangeReport, baseUrl: string): string {
  if (key !== 'query') return argument(`${baseUrl}${path}`);
  const at = path.indexOf('api_key=');
  const query = QUERY_NAMES.map((name) => `${name}=$WIRECHECK_API_KEY`).join('&');
  return `${argument(`${baseUrl}${path.slice(0, at)}`)}"${query}"`;
}

/** Where the request itself is not something to paste, or must not be shown. */
export function repeatByCase(run: RepeatedRun, caseId: string): string {
  return ['wirecheck run', argument(run.baseUrl), `--only ${argument(caseId)}`, ...runFlags(run)].join(' ');
}
