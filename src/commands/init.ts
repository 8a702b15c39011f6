/** `wirecheck init` */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkTransport, needsPermission } from '../run/check-address.ts';
import { parseYaml } from '../contract/yaml/yaml-document.ts';
import { memberOf } from '../json.ts';
import { inert } from '../text/layout.ts';
import { COMMAND, readPackageFile } from '../contract/package-files.ts';
import { UsageError, usageError } from '../usage-error.ts';
import { requireWritable, writeWhole } from './files/user-files.ts';
import { findBaseUrl } from './settings/read-settings.ts';
import { CONFIG_FILE } from './settings/config-file.ts';
import { KEY_VARIABLES } from '../settings/settings-without-flag.ts';
import type { CommandIo, Call, OwnOptions } from './command-row.ts';
import { RERUN_FOLDER } from './files/outputs.ts';

/** An existing config file, which is kept. */
type KeptConfig = NonNullable<ReturnType<typeof readKeptConfig>>;

export async function initCommand({ options, io }: Pick<Call, 'options' | 'io'>): Promise<void> {
  const { cwd, stdout } = io;
  const kept = options.force ? undefined : readKeptConfig(cwd);
  const start = await collectAnswers(options, kept, io);
  const files = starterFiles(start, cwd).map((file) => ({ ...file, isExisting: existsSync(resolve(cwd, file.path)) }));
  const toWrite = files.filter(({ isExisting, isKept }) => !isExisting || (options.force && !isKept));
  const ignorePath = resolve(cwd, IGNORE_FILE);
  const ignored = ignoreReports(existsSync(ignorePath) ? readFileSync(ignorePath, 'utf8') : '');
  const isIgnored = ignored.added.length === 0;
  // Before anything is written, so that all files are written or none.
  for (const path of [...toWrite.map((file) => file.path), ...(isIgnored ? [] : [IGNORE_FILE])]) {
    requireWritable(resolve(cwd, path), 'run this in a folder that you may write to. Nothing was written.', path);
  }
  for (const { path, text } of toWrite) writeWhole(resolve(cwd, path), text);
  for (const file of files) {
    const why = file.isKept ? 'which is never overwritten' : 'which already exists; --force overwrites it';
    stdout.write(toWrite.includes(file) ? `Wrote ${file.path}\n` : `Kept ${file.path}, ${why}\n`);
  }
  if (!isIgnored) {
    writeWhole(ignorePath, ignored.text);
    stdout.write(`Added ${ignored.added.join(' and ')} to ${IGNORE_FILE}\n`);
  }
  const notes = notesOn(start, options, kept);
  if (start.ci === 'none' && options.ci === undefined && !io.ask) notes.push(whyNoJob(cwd));
  stdout.write(`${notes.map((note) => `Note  ${note}\n`).join('')}\n${nextSteps(start).join('\n')}\n`);
}

function readKeptConfig(cwd: string) {
  const path = join(cwd, CONFIG_FILE);
  if (!existsSync(path)) return undefined;
  const { value } = parseYaml(readFileSync(path, 'utf8'), CONFIG_FILE);
  // A run replaces `${VAR}`; here it is not known.
  const text = (key: string): string | undefined => {
    const found = memberOf(value, key);
    return typeof found === 'string' && !found.includes('${') ? found : undefined;
  };
  return {
    baseUrl: text('baseUrl'),
    keyVariable: text('apiKeyEnv') ?? KEY_VARIABLES.full,
    waiverFile: text('waivers'),
  };
}

async function collectAnswers(options: OwnOptions, kept: KeptConfig | undefined, io: CommandIo) {
  const { baseUrl, keyEnv, ci, allowHttp = false } = options;
  const { ask, stderr, cwd } = io;
  if (options.install !== undefined)
    throw usageError.UNKNOWN_FLAG('--install is gone: the CI job installs the wirecheck that package.json has.');
  const pipeline = join(cwd, GITLAB_PIPELINE);
  const hasPipeline = existsSync(pipeline);
  const usualCi = findInstallObstacle(cwd) === undefined ? detectCi(cwd) : 'none';
  if (baseUrl === undefined && ask === undefined && kept === undefined) {
    throw usageError.VALUE_MISSING(
      'No terminal to ask questions: give --base-url URL, and if needed --key-env NAME and --ci github|gitlab|none.',
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
    : await find(baseUrl, 'Address of the gateway, such as https://gateway.example/v1', undefined, (text) => {
        const read = findBaseUrl(text, {}) ?? '';
        checkTransport(read, allowHttp);
        return read;
      });
  return {
    baseUrl: address,
    /** A key may go there over plain http. */
    allowHttp: kept === undefined && needsPermission(address),
    keyVariable: kept
      ? readKeyVariable(kept.keyVariable)
      : await find(keyEnv, 'Variable that holds the key', KEY_VARIABLES.full, readKeyVariable),
    /** The one that the config file names; undefined if it names none. */
    waiverFile: kept ? kept.waiverFile : WAIVER_FILE,
    ci: await find(ci, `CI (${CIS.join(', ')})`, usualCi, (text) => readCi(text, cwd)),
    /** Whether the repository has a `.gitlab-ci.yml` of its own, which is never touched. */
    hasPipeline,
    /** Whether that file already has our job. */
    isIncluded: hasPipeline && readFileSync(pipeline, 'utf8').includes(GITLAB_JOB_FILE),
  };
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
  if (obstacle !== undefined && ci) throw usageError.VALUE_MISSING(`No CI job was written: ${obstacle}`);
  if (ci) return ci;
  throw usageError.UNKNOWN_NAME(`Unknown CI "${inert(text, 40)}": choose one of ${CIS.join(', ')}.`);
}

/** The CI that the folder seems to use. */
function detectCi(cwd: string): Ci {
  if (existsSync(join(cwd, GITLAB_PIPELINE))) return 'gitlab';
  return existsSync(join(cwd, '.github')) ? 'github' : 'none';
}

function notesOn(start: Start, options: OwnOptions, kept: KeptConfig | undefined): string[] {
  const notes: string[] = [];
  if (kept) {
    const { baseUrl, keyEnv } = options;
    const given = [baseUrl !== undefined && '--base-url', keyEnv !== undefined && '--key-env'].filter(Boolean);
    const isSame =
      (baseUrl?.replace(/\/+$/, '') ?? kept.baseUrl) === kept.baseUrl &&
      (keyEnv ?? kept.keyVariable) === kept.keyVariable;
    if (!isSame)
      notes.push(
        `${given.join(' and ')} had no effect because ${CONFIG_FILE} was kept: edit that file, or add --force.`,
      );
    return notes;
  }
  if (start.allowHttp) notes.push('The key will go over plain http, where anyone on the network can read it.');
  if (!start.baseUrl.endsWith('/v1'))
    notes.push(
      `The address does not end in v1, the version segment that the contract asks for. If it is missing, add it in ${CONFIG_FILE}; otherwise every run will report it.`,
    );
  return notes;
}

/** Nobody chose that. */
function whyNoJob(cwd: string): string {
  if (detectCi(cwd) !== 'none') return `No CI job was written: ${findInstallObstacle(cwd) ?? ''}`;
  return `No CI job was written, since the folder has neither .github nor .gitlab-ci.yml: add one with \`${COMMAND} init --ci github\` or \`--ci gitlab\`.`;
}

function nextSteps({ ci, keyVariable, hasPipeline, isIncluded }: Start): readonly string[] {
  const steps = [`Try it here: ${keyVariable}=… ${COMMAND} run`];
  if (ci === 'github')
    steps.push(`Add the key to the repository: Settings > Secrets and variables > Actions > ${keyVariable}.`);
  if (ci === 'gitlab') {
    steps.push(`Add the key to the project: Settings > CI/CD > Variables > ${keyVariable}, masked.`);
    if (hasPipeline && !isIncluded)
      steps.push(`Add the job to ${GITLAB_PIPELINE}:  include: [{ local: ${GITLAB_JOB_FILE} }]`);
  }
  return ['Next:', ...steps.map((step) => `  - ${step}`)];
}

export const WAIVER_FILE = 'wirecheck.waivers.yaml';

export const CIS = ['github', 'gitlab', 'none'] as const;
type Ci = (typeof CIS)[number];

type Start = Awaited<ReturnType<typeof collectAnswers>>;

interface StarterFile {
  /** Its path from the working folder. */
  readonly path: string;
  /** Never overwritten: people edit it by hand. */
  readonly isKept?: true;
  readonly text: string;
}

/** `cwd`: the folder it goes to. */
export function newWaiverFile(cwd: string): string {
  return `${schemaLine('waivers', cwd)}${readPackageFile('templates/wirecheck.waivers.yaml')}`;
}

/** The line that tells editors the schema. It is empty if wirecheck is not installed where the file is kept, so that the path would lead nowhere. */
function schemaLine(name: 'config' | 'waivers', cwd: string): string {
  const folder = findSchemas(cwd);
  return folder === undefined ? '' : `# yaml-language-server: $schema=${folder}/${name}.schema.json\n`;
}

/** Finds wirecheck by its name among the packages of this folder or of one above it, since another scope gives another name. */
function findSchemas(cwd: string): string | undefined {
  const path = join('node_modules', ownName(), 'schemas', 'files');
  for (let up = ''; up.length <= MAX_LEVELS * 3; up += '../') {
    if (existsSync(resolve(cwd, up, path))) return `${up}${path.replaceAll('\\', '/')}`;
    // The files are shared with the repository, not with what is above it.
    if (existsSync(resolve(cwd, up, '.git'))) return undefined;
  }
  return undefined;
}

/** Folders above the working folder, as in a repository of several packages. */
const MAX_LEVELS = 6;

function starterFiles(start: Start, cwd: string): readonly StarterFile[] {
  const { ci, waiverFile, hasPipeline } = start;
  const files: StarterFile[] = [{ path: CONFIG_FILE, text: `${schemaLine('config', cwd)}${configText(start)}` }];
  if (waiverFile !== undefined) files.push({ path: waiverFile, text: newWaiverFile(cwd), isKept: true });
  if (ci === 'github') files.push({ path: GITHUB_JOB_FILE, text: template('github-workflow.yml', start, cwd) });
  if (ci === 'gitlab') {
    files.push({ path: GITLAB_JOB_FILE, text: template('gitlab-ci.yml', start, cwd) });
    if (!hasPipeline) files.push({ path: GITLAB_PIPELINE, text: `include:\n  - local: ${GITLAB_JOB_FILE}\n` });
  }
  return files;
}

function configText({ baseUrl, allowHttp, keyVariable, waiverFile }: Start): string {
  const remark = '# Anyone on the network can read the key. Remove this as soon as the gateway has https.';
  const http = allowHttp ? `${remark}\nallowHttp: true\n` : '';
  const key = keyVariable === KEY_VARIABLES.full ? '' : `apiKeyEnv: ${keyVariable}\n`;
  return readPackageFile('templates/wirecheck.config.yaml')
    .replace('BASE_URL', () => baseUrl)
    .replace('waivers: WAIVERS', () => `${http}${key}waivers: ${waiverFile}`);
}

const IGNORE_FILE = '.gitignore';
/** The folders that runs write their reports to. */
const REPORT_FOLDERS = ['wirecheck-report', RERUN_FOLDER];

/** The folders of reports that are not ignored yet, and the text with them. */
function ignoreReports(text: string): { readonly added: readonly string[]; readonly text: string } {
  const lines = text.split(/\r?\n/).map((line) => line.trim().replaceAll(/^\/|\/$/g, ''));
  const added = REPORT_FOLDERS.filter((folder) => !lines.includes(folder)).map((folder) => `${folder}/`);
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return { added, text: `${text}${end}${added.map((folder) => `${folder}\n`).join('')}` };
}

const GITHUB_JOB_FILE = '.github/workflows/wirecheck.yml';

/** A file of its own: only the user can say where the job belongs in an existing pipeline. */
const GITLAB_JOB_FILE = 'wirecheck.gitlab-ci.yml';
const GITLAB_PIPELINE = '.gitlab-ci.yml';

function template(name: string, { keyVariable }: Start, cwd: string): string {
  const text = readPackageFile(`templates/${name}`).replaceAll(KEY_VARIABLES.full, keyVariable);
  // npm builds a git dependency with its `prepare`.
  return /^(?:git|github:|gitlab:)/.test(findDependency(cwd) ?? '') ? text.replace(' --ignore-scripts', '') : text;
}

/** Whoever publishes it in another scope renames it. */
function ownName(): string {
  return (JSON.parse(readPackageFile('package.json')) as { readonly name: string }).name;
}

/** What package.json says of wirecheck, such as `file:wirecheck-wirecheck-0.3.0.tgz`. */
function findDependency(cwd: string): string | undefined {
  const manifest = readManifest(cwd);
  const found = ['devDependencies', 'dependencies'].map((member) => memberOf(memberOf(manifest, member), ownName()));
  return found.find((spec) => typeof spec === 'string');
}

/** `package.json`; empty if there is none that npm could read. */
function readManifest(cwd: string): unknown {
  try {
    return JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
  } catch {
    return {};
  }
}

/** Why no CI job can install wirecheck here; undefined if one can: by `npm ci`, so that the lock file says what it is. */
function findInstallObstacle(cwd: string): string | undefined {
  if (findDependency(cwd) === undefined)
    return `the job installs ${ownName()} from package.json, which does not list it. Add it with \`npm install --save-dev ./wirecheck-wirecheck-VERSION.tgz\`, or from a git address.`;
  return existsSync(join(cwd, 'package-lock.json'))
    ? undefined
    : 'the job installs what package-lock.json pins, and that file is missing. Run `npm install`, and commit it.';
}
