/** `wirecheck init`: asks, or takes flags, and writes what a gate needs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../usage-error.ts';
import { findBaseUrl } from './settings/base-url.ts';
import { KEY_VARIABLES } from './settings/settings-table.ts';
import { type Ci, CIS, GITLAB_JOB_FILE, GITLAB_PIPELINE, type Start, starterFiles } from './files/starter-files.ts';
import type { Surroundings } from './surroundings.ts';
import { writeWhole } from './files/write-files.ts';

export interface InitOptions {
  readonly baseUrl?: string;
  readonly keyEnv?: string;
  readonly ci?: string;
  readonly force?: boolean;
}

export async function initCommand(options: InitOptions, around: Surroundings): Promise<number> {
  const { cwd, stdout } = around;
  const start = await findOut(options, around);
  const files = starterFiles(start);
  const there = files.filter(({ path }) => existsSync(join(cwd, path))).map(({ path }) => path);
  if (there.length > 0 && !options.force) {
    throw new UsageError(
      `${there.join(' and ')} ${there.length === 1 ? 'is' : 'are'} there already: nothing was written. Replace with --force.`,
    );
  }
  for (const { path, text } of files) {
    write(join(cwd, path), path, text);
    stdout.write(`Wrote ${path}\n`);
  }
  stdout.write(`\n${nextSteps(start).join('\n')}\n`);
  return 0;
}

function write(path: string, name: string, text: string): void {
  try {
    writeWhole(path, text);
  } catch (error) {
    throw new UsageError(`${name} could not be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}

async function findOut({ baseUrl, keyEnv, ci }: InitOptions, { ask, stderr, cwd }: Surroundings): Promise<Start> {
  const hasPipeline = existsSync(join(cwd, GITLAB_PIPELINE));
  const usualCi = hasPipeline ? 'gitlab' : existsSync(join(cwd, '.github')) ? 'github' : 'none';
  if (baseUrl === undefined && ask === undefined) {
    throw new UsageError(
      'There is no terminal to ask questions on: give --base-url URL, as in `wirecheck init --base-url https://gateway.example/v1`; --key-env NAME and --ci github|gitlab|none say the rest.',
    );
  }
  const find = async <Value>(
    given: string | undefined,
    question: string,
    usual: string | undefined,
    read: Read<Value>,
  ) => {
    if (given !== undefined) return read(given);
    return ask === undefined ? read(usual ?? '') : askFor({ ask, stderr }, question, usual, read);
  };
  return {
    baseUrl: await find(baseUrl, 'Address of the gateway, such as https://gateway.example/v1', undefined, readBaseUrl),
    keyVariable: await find(keyEnv, 'Variable that holds the key', KEY_VARIABLES.full, readKeyVariable),
    ci: await find(ci, `CI (${CIS.join(', ')})`, usualCi, readCi),
    hasPipeline,
  };
}

type Read<Value> = (text: string) => Value;
/** Until the answer is right; what is wrong with it is said. */
async function askFor<Value>(
  { ask, stderr }: Asking,
  question: string,
  usual: string | undefined,
  read: Read<Value>,
): Promise<Value> {
  for (;;) {
    const answer = (await ask(`${question}${usual === undefined ? '' : ` [${usual}]`}: `)).trim();
    try {
      return read(answer === '' ? (usual ?? '') : answer);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      stderr.write(`${error.message}\n`);
    }
  }
}

type Asking = Pick<Surroundings, 'stderr'> & Required<Pick<Surroundings, 'ask'>>;

function readBaseUrl(text: string): string {
  return findBaseUrl(text, {}, undefined) ?? '';
}

/** What is given may be the key itself, so it is not repeated. */
function readKeyVariable(text: string): string {
  if (/^[A-Za-z_]\w*$/.test(text)) return text;
  throw new UsageError('The variable that holds the key is a name such as WIRECHECK_API_KEY, not the key itself.');
}

function readCi(text: string): Ci {
  const ci = CIS.find((each) => each === text.toLowerCase());
  if (ci) return ci;
  throw new UsageError(`The CI is one of ${CIS.join(', ')}.`);
}

const CI_STEPS: Record<Ci, (start: Start) => readonly string[]> = {
  none: () => [],
  github: ({ keyVariable }) => [
    `Add the key to the repository: Settings > Secrets and variables > Actions > ${keyVariable}.`,
  ],
  gitlab: ({ keyVariable, hasPipeline }) => [
    `Add the key to the project: Settings > CI/CD > Variables > ${keyVariable}, masked.`,
    ...(hasPipeline ? [`Add the job to ${GITLAB_PIPELINE}:  include: [{ local: ${GITLAB_JOB_FILE} }]`] : []),
  ],
};

function nextSteps(start: Start): readonly string[] {
  return [
    'Next:',
    ...[`Try it here: ${start.keyVariable}=… npx wirecheck run`, ...CI_STEPS[start.ci](start)].map(
      (step) => `  - ${step}`,
    ),
  ];
}
