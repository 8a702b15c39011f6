/** The files that `wirecheck init` writes, ready to run. */
import { readPackageFile } from '../../contract/package-files.ts';
import { existsSync, readFileSync } from 'node:fs';
import { memberOf } from '../../json.ts';
import { join, resolve } from 'node:path';
import { CONFIG_FILE } from '../settings/config-file.ts';
import { KEY_VARIABLES } from '../../settings/settings-without-flag.ts';
import { RERUN_FOLDER } from './outputs.ts';

export const WAIVER_FILE = 'wirecheck.waivers.yaml';

export const CIS = ['github', 'gitlab', 'none'] as const;
export type Ci = (typeof CIS)[number];

export interface Start {
  readonly baseUrl: string;
  /** A key may go there over plain http. */
  readonly allowHttp: boolean;
  readonly keyVariable: string;
  /** The one that the config file names; undefined if it names none. */
  readonly waiverFile: string | undefined;
  readonly ci: Ci;
  /** Whether the repository has a `.gitlab-ci.yml` of its own, which is never touched. */
  readonly hasPipeline: boolean;
  /** Whether that file already has our job. */
  readonly isIncluded: boolean;
}

export interface StarterFile {
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

/** Finds wirecheck by its name among the packages of this folder or of one above it, since a scope of one's own has another name. */
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

export function starterFiles(start: Start, cwd: string): readonly StarterFile[] {
  return [
    { path: CONFIG_FILE, text: `${schemaLine('config', cwd)}${configText(start)}` },
    ...(start.waiverFile === undefined
      ? []
      : [{ path: start.waiverFile, text: newWaiverFile(cwd), isKept: true } as const]),
    ...CI_FILES[start.ci](start, cwd),
  ];
}

function configText({ baseUrl, allowHttp, keyVariable, waiverFile }: Start): string {
  const http = allowHttp
    ? '# Anyone on the network can read the key. Remove this as soon as the gateway has https.\nallowHttp: true\n'
    : '';
  const key = keyVariable === KEY_VARIABLES.full ? '' : `apiKeyEnv: ${keyVariable}\n`;
  return readPackageFile('templates/wirecheck.config.yaml')
    .replace('BASE_URL', () => baseUrl)
    .replace('waivers: WAIVERS', () => `${http}${key}waivers: ${waiverFile}`);
}

export const IGNORE_FILE = '.gitignore';
/** The folders that runs write their reports to. */
const REPORT_FOLDERS = ['wirecheck-report', RERUN_FOLDER];

/** The folders of reports that are not ignored yet, and the text with them. */
export function ignoreReports(text: string): { readonly added: readonly string[]; readonly text: string } {
  const lines = text.split(/\r?\n/).map((line) => line.trim().replaceAll(/^\/|\/$/g, ''));
  const added = REPORT_FOLDERS.filter((folder) => !lines.includes(folder)).map((folder) => `${folder}/`);
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return { added, text: `${text}${end}${added.map((folder) => `${folder}\n`).join('')}` };
}

const GITHUB_JOB_FILE = '.github/workflows/wirecheck.yml';

/** A file of its own: only the user can say where the job belongs in an existing pipeline. */
export const GITLAB_JOB_FILE = 'wirecheck.gitlab-ci.yml';
export const GITLAB_PIPELINE = '.gitlab-ci.yml';

const CI_FILES: Record<Ci, (start: Start, cwd: string) => readonly StarterFile[]> = {
  none: () => [],
  github: (start, cwd) => [{ path: GITHUB_JOB_FILE, text: template('github-workflow.yml', start, cwd) }],
  gitlab: (start, cwd) => [
    { path: GITLAB_JOB_FILE, text: template('gitlab-ci.yml', start, cwd) },
    ...(start.hasPipeline ? [] : [{ path: GITLAB_PIPELINE, text: `include:\n  - local: ${GITLAB_JOB_FILE}\n` }]),
  ],
};

function template(name: string, { keyVariable }: Start, cwd: string): string {
  const text = readPackageFile(`templates/${name}`).replaceAll(KEY_VARIABLES.full, keyVariable);
  // npm builds a git dependency with its `prepare`.
  return /^(?:git|github:|gitlab:)/.test(findDependency(cwd) ?? '') ? text.replace(' --ignore-scripts', '') : text;
}

/** A scope of one's own has another name. */
function ownName(): string {
  return (JSON.parse(readPackageFile('package.json')) as { readonly name: string }).name;
}

/** What package.json says of wirecheck, such as `file:wirecheck-0.3.0.tgz`. */
function findDependency(cwd: string): string | undefined {
  const found = ['devDependencies', 'dependencies'].map((member) =>
    memberOf(memberOf(readManifest(cwd), member), ownName()),
  );
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
export function findInstallObstacle(cwd: string): string | undefined {
  const name = ownName();
  const spec = findDependency(cwd);
  if (spec === undefined) {
    return `package.json does not have ${name}, which the job installs: add it with \`npm install --save-dev ./${name}-VERSION.tgz\`, or from a git address.`;
  }
  if (!name.startsWith('@') && !/^(?:file:|git|bitbucket:|https:)/.test(spec)) {
    return `package.json takes ${name} from the registry. It is not published there under such a name, and whoever registers it would get your key: add it with \`npm install --save-dev ./${name}-VERSION.tgz\`.`;
  }
  return existsSync(join(cwd, 'package-lock.json'))
    ? undefined
    : 'package-lock.json is missing, and the job installs what it pins: run `npm install`, and commit it.';
}
