/** `wirecheck init` */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkTransport, needsPermission } from '../run/check-address.ts';
import { parseYaml } from '../contract/yaml/yaml-document.ts';
import { isObject } from '../json.ts';
import { inert } from '../text/inert.ts';
import { COMMAND } from '../contract/package-files.ts';
import { UsageError } from '../usage-error.ts';
import {
  type Ci,
  CIS,
  findInstallObstacle,
  GITLAB_JOB_FILE,
  GITLAB_PIPELINE,
  IGNORE_FILE,
  ignoreReports,
  type Start,
  starterFiles,
  WAIVER_FILE,
} from './files/starter-files.ts';
import { requireWritable, writeWhole } from './files/write-files.ts';
import { findBaseUrl } from './settings/read-settings.ts';
import { CONFIG_FILE } from './settings/config-file.ts';
import { KEY_VARIABLES } from '../settings/settings-without-flag.ts';
import type { CommandIo } from './command-io.ts';
import type { Call } from './table/command-row.ts';

export interface InitOptions {
  readonly baseUrl?: string;
  readonly allowHttp?: boolean;
  readonly keyEnv?: string;
  readonly ci?: string;
  /** An option of 0.x, which is refused. */
  readonly install?: string;
  readonly force?: boolean;
}

/** An existing config file, which is kept. */
interface KeptConfig {
  readonly baseUrl: string | undefined;
  readonly keyVariable: string;
  readonly waiverFile: string | undefined;
}

export async function initCommand({ options, io }: Pick<Call<InitOptions>, 'options' | 'io'>): Promise<number> {
  const { cwd, stdout } = io;
  const kept = options.force ? undefined : readKeptConfig(cwd);
  const start = await collectAnswers(options, kept, io);
  const files = starterFiles(start, cwd).map((file) => ({ ...file, isExisting: existsSync(resolve(cwd, file.path)) }));
  const toWrite = files.filter(({ isExisting, isKept }) => !isExisting || (options.force && !isKept));
  const ignorePath = resolve(cwd, IGNORE_FILE);
  const ignored = ignoreReports(existsSync(ignorePath) ? readFileSync(ignorePath, 'utf8') : '');
  const isIgnored = ignored.added.length === 0;
  checkWritable([...toWrite.map(({ path }) => path), ...(isIgnored ? [] : [IGNORE_FILE])], cwd);
  for (const { path, text } of toWrite) writeWhole(resolve(cwd, path), text);
  for (const file of files) {
    const why = file.isKept ? 'which is never overwritten' : 'which already exists; --force overwrites it';
    stdout.write(toWrite.includes(file) ? `Wrote ${file.path}\n` : `Kept ${file.path}, ${why}\n`);
  }
  if (!isIgnored) {
    writeWhole(ignorePath, ignored.text);
    stdout.write(`Added ${ignored.added.join(' and ')} to ${IGNORE_FILE}\n`);
  }
  const notes = [
    ...notesOn(start, options, kept),
    ...(start.ci === 'none' && options.ci === undefined && !io.ask ? [whyNoJob(cwd)] : []),
  ];
  stdout.write(`${notes.map((note) => `Note  ${note}\n`).join('')}\n${nextSteps(start).join('\n')}\n`);
  return 0;
}

/** Called before anything is written, so that all files are written or none. */
function checkWritable(paths: readonly string[], cwd: string): void {
  const remedy = 'run this in a folder that you may write to. Nothing was written.';
  for (const path of paths) requireWritable(resolve(cwd, path), remedy, path);
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
  if (options.install !== undefined) {
    throw new UsageError('--install is gone: the CI job installs the wirecheck that package.json has.', {
      code: 'UNKNOWN_FLAG',
    });
  }
  const pipeline = join(cwd, GITLAB_PIPELINE);
  const hasPipeline = existsSync(pipeline);
  const usualCi = findInstallObstacle(cwd) === undefined ? detectCi(cwd) : 'none';
  if (baseUrl === undefined && ask === undefined && kept === undefined) {
    throw new UsageError(
      'No terminal to ask questions: give --base-url URL, and if needed --key-env NAME and --ci github|gitlab|none.',
      { code: 'VALUE_MISSING' },
    );
  }
  /** Asks until the answer is valid. */
  const find = async <Value>(
    given: string | undefined,
    question: string,
    usual: string | undefined,
    read: (text: string) => Value,
  ): Promise<Value> => {
    if (given !== undefined || ask === undefined) return read(given ?? usual ?? '');
    for (;;) {
      const answer = (await ask(`${question}${usual === undefined ? '' : ` [${usual}]`}: `)).trim();
      try {
        return read(answer === '' ? (usual ?? '') : answer);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        stderr.write(`${error.message}\n`);
      }
    }
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
    ci: await find(ci, `CI (${CIS.join(', ')})`, usualCi, (text) => readCi(text, cwd)),
    hasPipeline,
    isIncluded: hasPipeline && readFileSync(pipeline, 'utf8').includes(GITLAB_JOB_FILE),
  };
}

function readBaseUrl(text: string, allowHttp: boolean): string {
  const address = findBaseUrl(text, {}, undefined) ?? '';
  checkTransport(address, allowHttp);
  return address;
}

/** No message quotes the text, which may be the key itself. */
function readKeyVariable(text: string): string {
  if (/^[A-Za-z_]\w*$/.test(text)) return text;
  throw new UsageError(
    'The variable of the key is not a valid name: give one such as WIRECHECK_API_KEY, not the key itself.',
  );
}

function readCi(text: string, cwd: string): Ci {
  const ci = CIS.find((each) => each === text.toLowerCase());
  const obstacle = ci === 'none' ? undefined : findInstallObstacle(cwd);
  if (obstacle !== undefined && ci) {
    throw new UsageError(`No CI job was written: ${obstacle}`, { code: 'VALUE_MISSING' });
  }
  if (ci) return ci;
  throw new UsageError(`Unknown CI "${inert(text, 40)}": choose one of ${CIS.join(', ')}.`, { code: 'UNKNOWN_NAME' });
}

/** The CI that the folder seems to use. */
function detectCi(cwd: string): Ci {
  if (existsSync(join(cwd, GITLAB_PIPELINE))) return 'gitlab';
  return existsSync(join(cwd, '.github')) ? 'github' : 'none';
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
      : [`${given.join(' and ')} had no effect because ${CONFIG_FILE} was kept: edit that file, or add --force.`];
  }
  return [
    ...(start.allowHttp ? ['The key will go over plain http, where anyone on the network can read it.'] : []),
    ...(start.baseUrl.endsWith('/v1')
      ? []
      : [
          `The address does not end in v1, the version segment that the contract asks for. If it is missing, add it in ${CONFIG_FILE}; otherwise every run will report it.`,
        ]),
  ];
}

/** Nobody chose that. */
function whyNoJob(cwd: string): string {
  if (detectCi(cwd) !== 'none') return `No CI job was written: ${findInstallObstacle(cwd) ?? ''}`;
  return `No CI job was written, since the folder has neither .github nor .gitlab-ci.yml: add one with \`${COMMAND} init --ci github\` or \`--ci gitlab\`.`;
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

function nextSteps(start: Start): readonly string[] {
  const steps = [`Try it here: ${start.keyVariable}=… ${COMMAND} run`, ...CI_STEPS[start.ci](start)];
  return ['Next:', ...steps.map((step) => `  - ${step}`)];
}
