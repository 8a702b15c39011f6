/** Reads `--clients FILE`: several clients, and the commands that print their versions. */
import { checkForm } from '../../contract/file-schema.ts';
import { parseYaml } from '../../contract/yaml/yaml-document.ts';
import { memberOf } from '../../json.ts';
import { Mistakes } from '../../mistakes.ts';
import { inert } from '../../text/layout.ts';
import { UsageError } from '../../usage-error.ts';
import type { Client } from '../../exchange/traffic.ts';
import type { NoticeOf } from '../../exchange/notice.ts';
import { quoteText } from '../../text/quote.ts';
import { type DriverOptions, ProcessCall } from './drive/drivers.ts';
import { endOf } from './client-checks.ts';

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
    mistakes.add(new UsageError(`the name ${inert(name, 60)} is already used. Choose another.`, { file, line }));
  }
  mistakes.throwAny();
  return entries.map(({ name, command, driver = false, version }) => ({
    ...{ name, command, isDriver: driver },
    ...(version && { versionCommand: version }),
  }));
}

/** Milliseconds. */
const MAX_TIME = 30_000;
const MAX_LENGTH = 60;

/** The first line that the version command prints, or why there is none; undefined without such a command. `clean` removes secrets. */
export async function findVersion(
  { versionCommand: command }: Pick<ListedClient, 'versionCommand'>,
  { clean, ...means }: Pick<DriverOptions, 'variables' | 'cwd'> & { readonly clean: (text: string) => string },
): Promise<string | NoticeOf<'version-unknown'> | undefined> {
  if (!command) return undefined;
  const answer = await new ProcessCall({ ...means, command }).answer(MAX_TIME);
  const [line = ''] = answer.said.split('\n');
  if (answer.kind === 'returned' && line.trim() !== '') return line.trim().slice(0, MAX_LENGTH);
  const error = findError(answer.complaint);
  return {
    kind: 'version-unknown',
    ...(answer.kind === 'not-started' && { code: answer.code }),
    // It was ended, since it took too long or printed too much.
    ...(answer.kind === 'timed-out' || answer.kind === 'flooded' ? { signal: 'SIGKILL' } : endOf(answer)),
    ...(error !== undefined && { said: quoteText(clean(error)) }),
  };
}

/** The last line that names an error; otherwise the last one: Node.js ends a stack trace with its own version. */
function findError(text: string): string | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.findLast((line) => /^\w*(?:Error|Exception)\b/.test(line)) ?? lines.findLast((line) => line !== '');
}
