/** The process that the self-test starts: `drive-client.js NAME` behaves like the client of that name. */
import { createInterface } from 'node:readline';
import { findClient } from './catalogue.ts';
import type { ClientModifier, ClientTask } from './client-modifier.ts';
import { makeCall } from './small-client.ts';

const modifier = findClient(process.argv[2] ?? '');
void (modifier.isProcess ? callFromEnvironment(modifier) : drive(modifier));

/** One line of JSON per call. */
async function drive(client: ClientModifier): Promise<void> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    const answered = answer(JSON.parse(line) as ClientTask, client);
    if (client.isSequential) await answered;
  }
}

async function answer(task: ClientTask, client: ClientModifier): Promise<void> {
  const { scenario, mode } = task;
  const print = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
  if (client.isChatty) process.stdout.write(`Calling ${scenario}\n{"level":"info"}\n[]\n`);
  if (client.modes && !client.modes.includes(mode)) return print({ scenario, unsupported: true });
  try {
    print({ scenario, ok: true, text: await makeCall(task, client) });
  } catch (error) {
    if (client.diesOfFailures) process.exit(70);
    print({ scenario, ok: false, error: String(error) });
  }
}

/** The call in the environment, the text on stdout, a failure in the exit code. */
async function callFromEnvironment(client: ClientModifier): Promise<void> {
  const variable = (name: string): string => process.env[name] ?? '';
  const task: ClientTask = {
    scenario: '',
    baseUrl: variable('OPENAI_BASE_URL'),
    apiKey: variable('OPENAI_API_KEY'),
    model: variable('WIRECHECK_MODEL'),
    mode: variable('WIRECHECK_MODE') as ClientTask['mode'],
    prompt: variable('WIRECHECK_PROMPT'),
    timeoutMs: Number(variable('WIRECHECK_TIMEOUT_MS')),
  };
  try {
    process.stdout.write(`${await makeCall(task, client)}\n`);
  } catch (error) {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  }
}
