/** Reads `--clients FILE`: several clients, and the commands that print their versions. */
import { checkForm } from '../contract/file-schema.ts';
import { parseYaml } from '../contract/yaml/yaml-document.ts';
import { memberOf } from '../json.ts';
import { Mistakes } from '../mistakes.ts';
import { inert } from '../text/inert.ts';
import { UsageError } from '../usage-error.ts';
import type { Client } from '../exchange/client-traffic.ts';
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

/** The first line of its output; undefined if there is none. */
export async function findVersion(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<string | undefined> {
  let said = '';
  const child = new Child(command, {
    env,
    cwd,
    takesInput: false,
    stdout: 'pipe',
    onStdout: (bytes) => {
      if (said.length < MAX_LENGTH) said += bytes.toString();
    },
    onStderr: () => {},
  });
  const timer = setTimeout(() => child.kill(), MAX_TIME);
  const end = await child.ended;
  clearTimeout(timer);
  const [line = ''] = said.split('\n');
  return end.kind === 'exited' && end.exit === 0 && line.trim() !== '' ? line.trim().slice(0, MAX_LENGTH) : undefined;
}
