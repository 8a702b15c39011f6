/** The address of the target: from the argument, the variable or the file; checked before anything is sent. */
import { inert } from '../render/inert.ts';
import { UsageError } from '../usage-error.ts';
import type { ConfigFile } from './config-file.ts';
import { BASE_URL } from './settings-table.ts';

interface Given {
  readonly text: string;
  /** How the sentence about it starts. */
  readonly name: string;
  readonly at?: { readonly file: string; readonly line: number };
}

export function findBaseUrl(
  argument: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  config: ConfigFile | undefined,
): string | undefined {
  const given = fromArgument(argument) ?? fromVariable(env) ?? fromFile(config);
  return given === undefined ? undefined : checkBaseUrl(given);
}

export function requireBaseUrl(...sources: Parameters<typeof findBaseUrl>): string {
  const found = findBaseUrl(...sources);
  if (found !== undefined) return found;
  throw new UsageError(
    `There is no base URL: give one as in \`wirecheck run https://gateway.example/v1\`, or set ${BASE_URL.variable}, or ${BASE_URL.inFile} in wirecheck.config.yaml.`,
  );
}

function fromArgument(text: string | undefined): Given | undefined {
  return text === undefined ? undefined : { text, name: 'The base URL' };
}

function fromVariable(env: Readonly<Record<string, string | undefined>>): Given | undefined {
  const text = env[BASE_URL.variable];
  return text === undefined ? undefined : { text, name: `The base URL in ${BASE_URL.variable}` };
}

function fromFile(config: ConfigFile | undefined): Given | undefined {
  const value = config?.values[BASE_URL.inFile];
  if (config === undefined || value === undefined) return undefined;
  const at = { file: config.file, line: config.lineOf(BASE_URL.inFile) };
  return { text: typeof value === 'string' ? value : '', name: BASE_URL.inFile, at };
}

/** Without trailing slashes. What might be a secret is never repeated in the sentence. */
function checkBaseUrl({ text, name, at }: Given): string {
  const wrong = (what: string) => new UsageError(`${name} ${what}`, at);
  const given = text.trim();
  if (given === '') throw wrong('is empty: give one such as https://gateway.example/v1.');
  if (/[\s\p{Cc}]/u.test(given)) throw wrong('holds white space or control characters: take them out.');
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) {
    const shown = given.includes('@') ? '' : ` (${inert(given, 100)})`;
    throw wrong(`is not an http or https address${shown}: give one such as https://gateway.example/v1.`);
  }
  const url = new URL(given);
  if (url.username !== '' || url.password !== '') {
    throw wrong('holds a user name or a password: take it out; the key goes into WIRECHECK_API_KEY.');
  }
  if (given.includes('?')) throw wrong('has a query: take away everything from the question mark on.');
  if (given.includes('#')) throw wrong('has a fragment: take away everything from the # on.');
  return url.href.replace(/\/+$/, '');
}

/** A key over plain http can be read by everyone on the way, unless it does not leave this machine. */
export function checkTransport(baseUrl: string, allowHttp: boolean): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:' || allowHttp || isLoopback(hostname)) return;
  throw new UsageError(
    `The key would go to ${hostname} over plain http, where anybody on the way can read it: use https, or allow it with --allow-http.`,
  );
}

/** URL has already brought every way to write an address into one form. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
