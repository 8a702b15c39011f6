/** Reads `--clients FILE`: several clients, and the commands that print their versions. */
import { checkForm } from '../contract/file-schema.ts';
import { parseYaml } from '../contract/yaml/yaml-document.ts';
import { memberOf } from '../json.ts';
import { Mistakes } from '../mistakes.ts';
import { inert } from '../text/inert.ts';
import { UsageError } from '../usage-error.ts';
import type { Client } from '../exchange/traffic.ts';
import type { NoticeOf } from '../exchange/notice.ts';
import { quoteText } from '../text/quote.ts';
import { Child } from './drive/child.ts';

export interface ListedClient extends Omit<Client, 'version'> {
  /** Prints the version. */
  readonly versionCommand?: readonly string[];
}

/** Several clients for one check: wirecheck client --clients FILE. */
export interface ClientsFile {
  /** @minItems 1 */
  readonly clients: readonly Entry[];
}

/** @title a client */
export interface Entry {
  /** @minLength 1 */
  readonly name: string;
  /**
   * Program and arguments. No shell is involved.
   *
   * @minItems 1
   */
  readonly command: readonly string[];
  /**
   * The command stays and takes JSON lines.
   *
   * @default false
   */
  readonly driver?: boolean;
  /**
   * Command that prints the version.
   *
   * @minItems 1
   */
  readonly version?: readonly string[];
}

export function readClients(text: string, file: string): readonly ListedClient[] {
  const document = parseYaml(text, file);
  const mistakes = new Mistakes();
  checkForm('clients', document, mistakes);
  const { clients } = (document.value ?? {}) as Partial<ClientsFile>;
  const entries = Array.isArray(clients) ? (clients as ClientsFile['clients']) : [];
  const names = entries.map((entry) => memberOf(entry, 'name'));
  for (const [index, name] of names.entries()) {
    if (typeof name !== 'string' || names.indexOf(name) === index) continue;
    const line = document.lineOf(['clients', index, 'name']);
    mistakes.attempt(() => refuseTaken(name, { file, line }));
  }
  mistakes.throwAny();
  return entries.map(({ name, command, driver = false, version }) => ({
    ...{ name, command, isDriver: driver },
    ...(version && { versionCommand: version }),
  }));
}

function refuseTaken(name: string, at: { readonly file: string; readonly line: number }): never {
  throw new UsageError(`the name ${inert(name, 60)} is already used. Choose another.`, at);
}

/** Milliseconds. */
const MAX_TIME = 30_000;
const MAX_LENGTH = 60;
/** Characters of stderr: enough for the stack trace of an error. */
const MAX_ERRORS = 20_000;

interface VersionOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Removes secrets. */
  readonly clean: (text: string) => string;
}

/** The first line that the version command prints, or why there is none; undefined without such a command. */
export async function findVersion(
  { versionCommand: command }: Pick<ListedClient, 'versionCommand'>,
  { env, cwd, clean }: VersionOptions,
): Promise<string | NoticeOf<'version-unknown'> | undefined> {
  if (!command) return undefined;
  let [said, errors] = ['', ''];
  const child = new Child(command, {
    env,
    cwd,
    takesInput: false,
    stdout: 'pipe',
    onStdout: (bytes) => {
      if (said.length < MAX_LENGTH) said += bytes.toString();
    },
    onStderr: (bytes) => {
      errors = (errors + bytes.toString()).slice(-MAX_ERRORS);
    },
  });
  const timer = setTimeout(() => child.kill(), MAX_TIME);
  const end = await child.ended;
  clearTimeout(timer);
  const [line = ''] = said.split('\n');
  const { kind, ...how } = end;
  if (kind === 'exited' && end.exit === 0 && line.trim() !== '') return line.trim().slice(0, MAX_LENGTH);
  const error = findError(errors);
  return {
    kind: 'version-unknown',
    ...how,
    ...(error !== undefined && { said: quoteText(clean(error)) }),
  };
}

/** The last line that names an error; otherwise the last one: Node.js ends a stack trace with its own version. */
function findError(text: string): string | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.findLast((line) => /^\w*(?:Error|Exception)\b/.test(line)) ?? lines.findLast((line) => line !== '');
}
