/** A command that sends the same request again. Keys are named by variables, so it can be shared. */

import { COMMAND } from '../../contract/package-files.ts';
import { QUERY_NAMES } from '../../exchange/secrets/secrets.ts';
import { curlOptions, type RepeatedRun, runFlags, secretHeaders, settingFlags } from '../../settings/setting-flags.ts';
import { KEY_VARIABLES } from '../../settings/settings-without-flag.ts';
import type { KeyUse } from '../../suite/case.ts';
import { isBuiltInSuite } from '../../suite/suite-names.ts';
import { argument, formatPrintf, isPlain } from '../../text/shell-text.ts';
import { isOwnCheck } from '../../verdict/check.ts';
import type { CaseReport, ExchangeReport, Report } from '../report.ts';

/** Characters. A longer command is not something to paste. */
const MAX_BODY = 2_000;

/** Headers that curl or the key sends by itself. */
const OMITTED_HEADERS = new Set([
  'authorization',
  'x-api-key',
  'user-agent',
  'accept-encoding',
  'content-length',
  'host',
]);

/** Undefined if the request is too long to paste. `showsHead`: the point is the status, a header or the whole body. */
export function curlCommand(exchange: ExchangeReport, run: RepeatedRun, showsHead: boolean): string | undefined {
  const { body = '', filler, idle } = exchange;
  // A pause before it, or requests before it on the same connection, are part of what it shows.
  const needsConnection = idle !== undefined && (idle.pause > 0 || idle.connection !== undefined);
  if (body.length > MAX_BODY || filler || needsConnection) return undefined;
  // An argument cannot hold a NUL or, if printed, trailing line breaks: such a body goes through a pipe.
  const pipe = isPlain(body) ? '' : `${formatPrintf(body)} | `;
  if (pipe.length > MAX_BODY) return undefined;
  const data = pipe === '' ? `--data-raw ${argument(body)}` : '--data-binary @-';
  return `${pipe}curl ${curlArguments(exchange, run, data, showsHead)}`;
}

/** Characters. */
const MAX_SEQUENCE = 3_500;

/** Several requests on one connection. Undefined if they are too long to paste, or need more than arguments. */
export function curlSequence(exchanges: readonly ExchangeReport[], run: RepeatedRun): string | undefined {
  const bodies = exchanges.map(({ body = '' }) => body);
  if (exchanges.some(({ filler }) => filler) || bodies.some((body) => /\0|\n$/.test(body))) return undefined;
  const parts = exchanges.map((exchange, index) => {
    const data = `-w '\\n' --data-raw ${argument(bodies[index] ?? '')}`;
    return curlArguments(exchange, run, data, true);
  });
  const command = `curl ${parts.join(' --next ')}`;
  return command.length > MAX_SEQUENCE ? undefined : command;
}

function curlArguments(exchange: ExchangeReport, run: RepeatedRun, data: string, showsHead: boolean): string {
  const key = spellKey(run);
  const url = urlOf(exchange, run.baseUrl, key);
  // A POST without a body has a Content-Length of 0, which curl sends only for an empty body.
  const hasBody = (exchange.body ?? '') !== '' || exchange.method === 'POST';
  return [
    '-sS',
    ...(showsHead || hasOtherStatus(exchange) ? ['-i'] : []),
    // To curl, brackets and braces in an address are a pattern.
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    // A compressed stream may arrive in other pieces.
    ...(exchange.mode === 'stream' ? ['-N --compressed'] : []),
    ...methodFlags(exchange.method, hasBody),
    ...curlOptions(run),
    url,
    ...credentialFlags(exchange, key),
    ...headerFlags(exchange, run, hasBody),
    ...(hasBody ? [data] : []),
  ].join(' ');
}

function methodFlags(method: string, hasBody: boolean): readonly string[] {
  const usual = hasBody ? 'POST' : 'GET';
  // With `-X HEAD`, curl would wait for a body.
  return method === usual ? [] : [method === 'HEAD' ? '-I' : `-X ${argument(method)}`];
}

function credentialFlags({ key, attempts, headers }: ExchangeReport, spelled: SpelledKey): readonly string[] {
  // A key that is not known is replaced by one that is answered in the same way.
  const assumed = attempts.at(-1)?.answer?.status === 401 ? 'unknown' : 'full';
  const [usualName, value] = CREDENTIALS[key === 'not-in-file' ? assumed : key](spelled) ?? [];
  if (usualName === undefined) return [];
  // In the case in which its name was sent, which may be the point.
  const sent = headers.find(([name]) => name.toLowerCase() === usualName.toLowerCase());
  return [`-H "${sent?.[0] ?? usualName}: ${value}"`];
}

function headerFlags(exchange: ExchangeReport, run: RepeatedRun, hasBody: boolean): readonly string[] {
  const secrets = secretHeaders(run);
  const headers = exchange.headers.filter(([name]) => !OMITTED_HEADERS.has(name.toLowerCase()));
  // By itself, curl would label a body as a form.
  const isUnlabelled = hasBody && !headers.some(([name]) => name.toLowerCase() === 'content-type');
  return [
    ...headers.map(([name, value]) => {
      const variable = secrets.get(name.toLowerCase());
      // curl takes a name with a colon and no value for a header to leave out.
      const text = value === '' ? `${name};` : `${name}: ${value}`;
      return `-H ${variable === undefined ? argument(text, 'latin1') : `"${name}: $${variable}"`}`;
    }),
    ...(isUnlabelled ? [`-H 'Content-Type:'`] : []),
  ];
}

/** A key in the query is its last parameter. */
function urlOf({ key, path }: ExchangeReport, baseUrl: string, { whole }: SpelledKey): string {
  if (key !== 'query') return argument(`${baseUrl}${path}`);
  const at = path.indexOf('api_key=');
  const query = QUERY_NAMES.map((name) => `${name}=${whole}`).join('&');
  return `${argument(`${baseUrl}${path.slice(0, at)}`)}"${query}"`;
}

/** An answer other than 200 is known by its status. */
function hasOtherStatus({ attempts, method }: ExchangeReport): boolean {
  return method !== 'HEAD' && attempts.some(({ answer }) => answer !== undefined && answer.status !== 200);
}

/** Both ends of cases of `wirecheck relay`. */
export function repeatRelayCases(run: RepeatedRun, ids: readonly string[]): string {
  return repeatCommand('relay', run, [...settingFlags(run), ...onlyFlags(ids)]);
}

/** Repeats a request that is too long to paste, or must not be shown. The report of the run stays as it is. */
export function repeatByCase(run: RepeatedRun, caseId: string): string {
  return repeatCommand('run', run, [...onlyFlags([caseId]), ...runFlags(run)]);
}

/** A check that only the caller of the library has. A command that runs its case would not know it. */
export function checkOfLibrary(expectations: readonly { readonly check: string }[]): string | undefined {
  return expectations.find(({ check }) => isOwnCheck(check))?.check;
}

/** Repeats a request that must not be shown. No case of a run sends what was drawn. */
export function repeatUnshown({ target, provenance, explore }: Report, testCase: CaseReport): string | undefined {
  const { id, exchange, expectations } = testCase;
  const run = { ...target, ...provenance };
  if (!explore) return checkOfLibrary(expectations) === undefined ? repeatByCase(run, id) : undefined;
  return repeatExplore(run, explore.findings.find((finding) => finding.exchange === exchange)?.path);
}

/** Repeats drawn requests that curl cannot send, or that must not be shown; without a path, the whole exploration. */
export function repeatExplore(run: RepeatedRun, path: string | undefined): string {
  // The whole is asked for only by whoever agrees to what it costs.
  return repeatCommand('explore', run, [...runFlags(run), ...(path === undefined ? ['--yes'] : pathFlags(path))]);
}

/** The same with the upstream of `wirecheck relay`; without a path, the whole of it. */
export function repeatRelayExplore(run: RepeatedRun, path: string | undefined): string {
  return repeatCommand('relay', run, [...settingFlags(run), '--explore', `--seed ${run.seed}`, ...pathFlags(path)]);
}

function pathFlags(path: string | undefined): readonly string[] {
  return path === undefined ? [] : [`--path ${path}`];
}

/** The report of the run that is repeated stays as it is. */
function repeatCommand(command: string, { baseUrl }: RepeatedRun, flags: readonly string[]): string {
  return [`${COMMAND} ${command}`, argument(baseUrl), ...flags, '--out none'].join(' ');
}

export function onlyFlags(ids: readonly string[]): readonly string[] {
  return ids.map((id) => `--only ${argument(id)}`);
}

/**
 * With the profile or the suite, since v1 may not have the clause, or states it differently. `name`: what the command
 * names in place of the clauses.
 */
export function commandToExplain(
  { provenance, profile }: Pick<Report, 'provenance' | 'profile'>,
  clauses: readonly string[],
  name = clauses[0] ?? '',
): string {
  const { 'profile.file': file } = provenance.settings;
  const isOfSuite =
    file === undefined &&
    profile?.changes.some(({ change }) => change.kind === 'clause' && clauses.includes(change.clause));
  const own = suitesOf(provenance.settings).filter((suite) => !isBuiltInSuite(suite));
  return explainWith(name, {
    ...(file !== undefined && { 'profile.file': file }),
    ...(isOfSuite && { suites: own }),
  });
}

/** The command names every suite of the run if one is the user's own, which replaces those that come along. */
export function commandToExplainCase({ provenance }: Pick<Report, 'provenance'>, name: string): string {
  const suites = suitesOf(provenance.settings);
  return explainWith(name, suites.every(isBuiltInSuite) ? {} : { suites });
}

function suitesOf({ suites }: RepeatedRun['settings']): readonly string[] {
  return Array.isArray(suites) ? suites.filter((suite) => typeof suite === 'string') : [];
}

function explainWith(name: string, settings: RepeatedRun['settings']): string {
  return [`${COMMAND} explain`, argument(name), ...settingFlags({ settings })].join(' ');
}

// Keys and their headers as a shell spells them. Keys are named by variables or files.

/** How a shell spells the key, and changes to it. For double quotes. */
type SpelledKey = ReturnType<typeof spellKey>;

type Credential = readonly [name: string, value: string] | undefined;

const UNKNOWN_KEY = 'sk-service-unknown-wirecheck';

/** Header name and value of each key, for double quotes, in which the shell replaces variables. */
const CREDENTIALS: Record<KeyUse, (key: SpelledKey) => Credential> = {
  full: ({ whole }) => bearer(whole),
  restricted: () => bearer(`$${KEY_VARIABLES.restricted}`),
  exhausted: () => bearer(`$${KEY_VARIABLES.exhausted}`),
  limited: () => bearer(`$${KEY_VARIABLES.limited}`),
  second: () => bearer(`$${KEY_VARIABLES.second}`),
  revoked: () => bearer(`$${KEY_VARIABLES.revoked}`),
  expired: () => bearer(`$${KEY_VARIABLES.expired}`),
  none: () => undefined,
  empty: () => bearer(''),
  basic: ({ whole }) => basicOf(whole),
  'basic-plain': ({ whole }) => ['Authorization', `Basic ${whole}`],
  'basic-unknown': () => basicOf(UNKNOWN_KEY),
  token: ({ whole }) => ['Authorization', `Token ${whole}`],
  bare: ({ whole }) => ['Authorization', whole],
  'no-prefix': () => bearer('wirecheck0random0key'),
  unknown: () => bearer(UNKNOWN_KEY),
  longer: ({ longer }) => bearer(longer),
  dashed: ({ whole }) => bearer(`${whole}-zzz`),
  shorter: ({ shorter }) => bearer(shorter),
  'other-case': ({ whole }) => bearer(`sk-service-$(printf %s "${whole}" | sed "s/^sk-service-//" | tr a-zA-Z A-Za-z)`),
  'other-end': ({ whole }) => bearer(`$(printf %s "${whole}" | sed -e "s/x$/y/" -e t -e "s/.$/x/")`),
  'prefix-alone': () => bearer('sk-service-'),
  'word-after': ({ whole }) => bearer(`${whole} x`),
  'word-before': ({ whole }) => ['Authorization', `x Bearer ${whole}`],
  'word-between': ({ whole }) => bearer(`x ${whole}`),
  'lower-case-scheme': ({ whole }) => ['Authorization', `bearer ${whole}`],
  'x-api-key': ({ whole }) => ['x-api-key', whole],
  query: () => undefined,
};

function bearer(key: string): Credential {
  return ['Authorization', `Bearer ${key}`];
}

function basicOf(key: string): Credential {
  return ['Authorization', `Basic $(printf %s "${key}:${key}" | base64 | tr -d "\\n")`];
}

/** The key comes from where the run had it. */
function spellKey({ settings }: RepeatedRun) {
  const { apiKeyEnv, apiKeyFile } = settings;
  if (typeof apiKeyFile === 'string') {
    const file = argument(apiKeyFile);
    const whole = `$(cat ${file})`;
    return { whole, longer: `${whole}x`, shorter: `$(sed 's/.$//' ${file})` };
  }
  const name = typeof apiKeyEnv === 'string' ? apiKeyEnv : KEY_VARIABLES.full;
  return { whole: `$${name}`, longer: `\${${name}}x`, shorter: `\${${name}%?}` };
}
