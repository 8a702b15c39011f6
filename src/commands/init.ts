/** `wirecheck init` */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkTransport, needsPermission } from '../run/check-address.ts';
import { parseYaml } from '../contract/yaml/yaml-document.ts';
import { isObject } from '../json.ts';
import { inert } from '../text/inert.ts';
import { UsageError } from '../usage-error.ts';
import {
  type Ci,
  CIS,
  GITLAB_JOB_FILE,
  GITLAB_PIPELINE,
  IGNORE_FILE,
  ignoreReports,
  type Start,
  type StarterFile,
  starterFiles,
  WAIVER_FILE,
} from './files/starter-files.ts';
import { readInstall } from './files/install-spec.ts';
import { type InitOptions, JOB_FILES, type KeptConfig, nextSteps, notesOn, notesOnInstall } from './init-notes.ts';
import { requireWritable, writeWhole } from './files/write-files.ts';
import { findBaseUrl } from './settings/read-settings.ts';
import { CONFIG_FILE } from './settings/config-file.ts';
import { KEY_VARIABLES } from '../settings/settings-without-flag.ts';
import type { CommandIo } from './command-io.ts';
import type { Call } from './table/command-row.ts';

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
    const word = toWrite.includes(file) ? 'Wrote' : 'Kept';
    stdout.write(`${word} ${file.path}${word === 'Kept' ? whyKept(file) : ''}\n`);
  }
  if (!isIgnored) {
    writeWhole(ignorePath, ignored.text);
    stdout.write(`Added ${ignored.added.join(' and ')} to ${IGNORE_FILE}\n`);
  }
  const hasNewJob = toWrite.some(({ path }) => path === JOB_FILES[start.ci]);
  const notes = [
    ...notesOn(start, options, kept),
    ...notesOnInstall(start, hasNewJob, options.ci !== undefined || io.ask !== undefined),
  ];
  stdout.write(`${notes.map((note) => `Note  ${note}\n`).join('')}\n${nextSteps(start, hasNewJob).join('\n')}\n`);
  return 0;
}

function whyKept({ isKept }: StarterFile): string {
  return isKept ? ', which is never overwritten' : ', which already exists; --force overwrites it';
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
  // Checked before any question is asked.
  const install = options.install === undefined ? undefined : readInstall(options.install);
  const pipeline = join(cwd, GITLAB_PIPELINE);
  const hasPipeline = existsSync(pipeline);
  const usualCi = hasPipeline ? 'gitlab' : existsSync(join(cwd, '.github')) ? 'github' : 'none';
  if (baseUrl === undefined && ask === undefined && kept === undefined) {
    throw new UsageError(
      'No terminal to ask questions: give --base-url URL, and if needed --key-env NAME and --ci github|gitlab|none.',
      { code: 'VALUE_MISSING' },
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
    'The variable of the key is not a valid name: give one such as WIRECHECK_API_KEY, not the key itself.',
  );
}

function readCi(text: string): Ci {
  const ci = CIS.find((each) => each === text.toLowerCase());
  if (ci) return ci;
  throw new UsageError(`Unknown CI "${inert(text, 40)}": choose one of ${CIS.join(', ')}.`, { code: 'UNKNOWN_NAME' });
}
