/** `wirecheck init` */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkTransport, needsPermission } from '../run/check-address.ts';
import { parseYaml } from '../contract/yaml/yaml-document.ts';
import { isObject } from '../json.ts';
import { UsageError } from '../usage-error.ts';
import {
  type Ci,
  CIS,
  GITHUB_JOB_FILE,
  GITLAB_JOB_FILE,
  GITLAB_PIPELINE,
  type Start,
  type StarterFile,
  starterFiles,
  WAIVER_FILE,
} from './files/starter-files.ts';
import { DEFAULT_INSTALL, INSTALL_EXAMPLES, installStep, readInstall } from './files/install-spec.ts';
import { obstacleTo, writeWhole } from './files/write-files.ts';
import { findBaseUrl } from './settings/base-url.ts';
import { CONFIG_FILE } from './settings/config-file.ts';
import { KEY_VARIABLES } from '../settings/settings-without-flag.ts';
import type { CommandIo } from './command-io.ts';

export interface InitOptions {
  readonly baseUrl?: string;
  readonly allowHttp?: boolean;
  readonly keyEnv?: string;
  readonly ci?: string;
  readonly install?: string;
  readonly force?: boolean;
}

export async function initCommand(options: InitOptions, io: CommandIo): Promise<number> {
  const { cwd, stdout } = io;
  const kept = options.force ? undefined : readKeptConfig(cwd);
  const start = await collectAnswers(options, kept, io);
  const files = starterFiles(start).map((file) => ({ ...file, isExisting: existsSync(resolve(cwd, file.path)) }));
  const toWrite = files.filter(({ isExisting, isKept }) => !isExisting || (options.force && !isKept));
  checkWritable(toWrite, cwd);
  for (const { path, text } of toWrite) writeWhole(resolve(cwd, path), text);
  for (const file of files) {
    const word = toWrite.includes(file) ? 'Wrote' : 'Kept';
    stdout.write(`${word} ${file.path}${word === 'Kept' ? whyKept(file) : ''}\n`);
  }
  const hasNewJob = toWrite.some(({ path }) => path === JOB_FILES[start.ci]);
  const notes = [...notesOn(start, options, kept), ...notesOnInstall(start, hasNewJob)];
  stdout.write(`${notes.map((note) => `Note  ${note}\n`).join('')}\n${nextSteps(start, hasNewJob).join('\n')}\n`);
  return 0;
}

function whyKept({ isKept }: StarterFile): string {
  return isKept ? ', which is never overwritten' : ', which already exists; --force overwrites it';
}

/** Called before anything is written, so that all files are written or none. */
function checkWritable(files: readonly StarterFile[], cwd: string): void {
  for (const { path } of files) {
    const problem = obstacleTo(resolve(cwd, path));
    if (problem !== undefined) {
      throw new UsageError(
        `Cannot write ${path} (${problem}), so nothing was written: run this in a folder that you may write to.`,
      );
    }
  }
}

/** An existing config file, which is kept. */
interface KeptConfig {
  readonly baseUrl: string | undefined;
  readonly keyVariable: string;
  readonly waiverFile: string | undefined;
}

function readKeptConfig(cwd: string): KeptConfig | undefined {
  const path = join(cwd, CONFIG_FILE);
  if (!existsSync(path)) return undefined;
  const { value } = parseYaml(readFileSync(path, 'utf8'), CONFIG_FILE);
  // A run replaces `${VAR}`; here it is not known.
  const text = (key: string) => {
    const found = isObject(value) ? value[key] : undefined;
    return typeof found === 'string' && !found.includes('${') ? found : undefined;
  };
  return {
    baseUrl: text('baseUrl'),
    keyVariable: text('apiKeyEnv') ?? KEY_VARIABLES.full,
    waiverFile: text('waivers'),
  };
}

async function collectAnswers(options: InitOptions, kept: KeptConfig | undefined, io: CommandIo): Promise<Start> {
  const { baseUrl, keyEnv, ci, allowHttp = false } = options;
  const { ask, stderr, cwd } = io;
  // Checked before any question is asked.
  const install = options.install === undefined ? undefined : readInstall(options.install);
  const pipeline = join(cwd, GITLAB_PIPELINE);
  const hasPipeline = existsSync(pipeline);
  const usualCi = hasPipeline ? 'gitlab' : existsSync(join(cwd, '.github')) ? 'github' : 'none';
  if (baseUrl === undefined && ask === undefined && kept === undefined) {
    throw new UsageError(
      'No terminal to ask questions: give --base-url URL, and if needed --key-env NAME and --ci github|gitlab|none.',
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
  const address = kept
    ? (kept.baseUrl ?? '')
    : await find(baseUrl, 'Address of the gateway, such as https://gateway.example/v1', undefined, (text) =>
        readBaseUrl(text, allowHttp),
      );
  return {
    baseUrl: address,
    allowHttp: kept === undefined && needsPermission(address),
    keyVariable: kept
      ? readKeyVariable(kept.keyVariable)
      : await find(keyEnv, 'Variable that holds the key', KEY_VARIABLES.full, readKeyVariable),
    waiverFile: kept ? kept.waiverFile : WAIVER_FILE,
    ci: await find(ci, `CI (${CIS.join(', ')})`, usualCi, readCi),
    install,
    hasPipeline,
    isIncluded: hasPipeline && readFileSync(pipeline, 'utf8').includes(GITLAB_JOB_FILE),
  };
}

function notesOn(start: Start, options: InitOptions, kept: KeptConfig | undefined): readonly string[] {
  if (kept) {
    const given = [
      ...(options.baseUrl === undefined ? [] : ['--base-url']),
      ...(options.keyEnv === undefined ? [] : ['--key-env']),
    ];
    const isSame =
      (options.baseUrl === undefined || options.baseUrl.replace(/\/+$/, '') === kept.baseUrl) &&
      (options.keyEnv === undefined || options.keyEnv === kept.keyVariable);
    return isSame
      ? []
      : [`${given.join(' and ')} changed nothing, since ${CONFIG_FILE} was kept: edit that file, or add --force.`];
  }
  return [
    ...(start.allowHttp ? ['The key will go over plain http, where anyone on the way can read it.'] : []),
    ...(start.baseUrl.endsWith('/v1')
      ? []
      : [
          `The address does not end in v1, the version segment that the contract asks for. If it is missing, add it in ${CONFIG_FILE}; otherwise every run will report it.`,
        ]),
  ];
}

const JOB_FILES: Record<Ci, string | undefined> = {
  none: undefined,
  github: GITHUB_JOB_FILE,
  gitlab: GITLAB_JOB_FILE,
};

function notesOnInstall({ ci, install }: Start, hasNewJob: boolean): readonly string[] {
  if (install === undefined || hasNewJob) return [];
  const file = JOB_FILES[ci];
  return [
    file === undefined
      ? '--install changed nothing, since no CI job was written: add --ci github or --ci gitlab.'
      : `--install changed nothing, since ${file} was kept: edit that file, or add --force.`,
  ];
}

type Read<Value> = (text: string) => Value;
/** Asks until the answer is valid. */
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

type Asking = Pick<CommandIo, 'stderr'> & Required<Pick<CommandIo, 'ask'>>;

function readBaseUrl(text: string, allowHttp: boolean): string {
  const address = findBaseUrl(text, {}, undefined) ?? '';
  checkTransport(address, allowHttp);
  return address;
}

/** No message quotes the text, which may be the key itself. */
function readKeyVariable(text: string): string {
  if (/^[A-Za-z_]\w*$/.test(text)) return text;
  throw new UsageError(
    'The variable that holds the key must be a name such as WIRECHECK_API_KEY: do not give the key itself.',
  );
}

function readCi(text: string): Ci {
  const ci = CIS.find((each) => each === text.toLowerCase());
  if (ci) return ci;
  throw new UsageError(`The CI must be one of ${CIS.join(', ')}.`);
}

const CI_STEPS: Record<Ci, (start: Start) => readonly string[]> = {
  none: () => [],
  github: ({ keyVariable }) => [
    `Add the key to the repository: Settings > Secrets and variables > Actions > ${keyVariable}.`,
  ],
  gitlab: ({ keyVariable, hasPipeline, isIncluded }) => [
    `Add the key to the project: Settings > CI/CD > Variables > ${keyVariable}, masked.`,
    ...(hasPipeline && !isIncluded
      ? [`Add the job to ${GITLAB_PIPELINE}:  include: [{ local: ${GITLAB_JOB_FILE} }]`]
      : []),
  ],
};

function nextSteps(start: Start, hasNewJob: boolean): readonly string[] {
  const { install = DEFAULT_INSTALL } = start;
  return [
    'Next:',
    ...[
      `Try it here: ${start.keyVariable}=… npx --no-install wirecheck run`,
      ...CI_STEPS[start.ci](start),
      ...(hasNewJob ? [installStep(install)] : []),
    ].map((step) => `  - ${step}`),
    ...(hasNewJob && start.install === undefined ? installChoices(start.ci) : []),
  ];
}

function installChoices(ci: Ci): readonly string[] {
  const { tarball, git, registry } = INSTALL_EXAMPLES;
  const choices = [
    [tarball, 'a tarball that you commit'],
    [git, 'a git repository, at a full commit'],
    [registry, 'a package that you published in a scope of your own'],
  ] as const;
  return [
    '',
    'wirecheck is on no public registry. To install it in another way, delete',
    `${JOB_FILES[ci]} and run \`wirecheck init --ci ${ci} --install SPEC\`. SPEC is one of:`,
    ...choices.map(([spec, meaning]) => `  ${spec.padEnd(git.length)}  ${meaning}`),
  ];
}
