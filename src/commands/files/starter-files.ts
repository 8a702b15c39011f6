/** The files that `wirecheck init` writes, ready to run. */
import { readPackageFile } from '../../contract/package-files.ts';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CONFIG_FILE } from '../settings/config-file.ts';
import { KEY_VARIABLES } from '../../settings/settings-without-flag.ts';
import { RERUN_FOLDER } from './outputs.ts';
import { DEFAULT_INSTALL, type Install, installCommand, installComment } from './install-spec.ts';

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
  /** Where the CI job gets wirecheck from; undefined if the user did not say. */
  readonly install: Install | undefined;
  /** Whether the repository has a `.gitlab-ci.yml` of its own, which is never touched. */
  readonly hasPipeline: boolean;
  /** Whether that file already has our job. */
  readonly isIncluded: boolean;
}

export interface StarterFile {
  /** Relative to the working folder. */
  readonly path: string;
  /** Never overwritten: people edit it by hand. */
  readonly isKept?: true;
  readonly text: string;
}

/** `cwd`: the folder it goes to. */
export function newWaiverFile(cwd: string): string {
  return `${schemaLine('waivers', cwd)}${WAIVER_TEXT}`;
}

/** For editors. Empty if wirecheck is not installed where the file is kept, so that the path would lead nowhere. */
function schemaLine(name: 'config' | 'waivers', cwd: string): string {
  const folder = findSchemas(cwd);
  return folder === undefined ? '' : `# yaml-language-server: $schema=${folder}/${name}.schema.json\n`;
}

/** By its name among the packages of this folder or of one above it, since a scope of one's own has another name. */
function findSchemas(cwd: string): string | undefined {
  const { name } = JSON.parse(readPackageFile('package.json')) as { readonly name: string };
  const path = join('node_modules', name, 'schemas', 'files');
  for (let up = ''; up.length <= MAX_LEVELS * 3; up += '../') {
    if (existsSync(resolve(cwd, up, path))) return `${up}${path.replaceAll('\\', '/')}`;
    // The files are shared with the repository, not with what is above it.
    if (existsSync(resolve(cwd, up, '.git'))) return undefined;
  }
  return undefined;
}

/** Folders above the working folder, as in a repository of several packages. */
const MAX_LEVELS = 6;

const WAIVER_TEXT = `# Waivers: known failures that are accepted for a time. They stay in every report, but do not fail the run.
# \`wirecheck waive ID --reason TEXT --until DATE\` adds an entry such as this:
#
#   - clause: errors.code          # or case: auth/unknown-key, or the fingerprint of a finding; * matches any characters
#     reason: Codes are numbers until the new error layer ships.
#     owner: gateway team
#     link: https://tracker.example/42
#     until: 2030-12-31
waivers: []
`;

export function starterFiles(start: Start, cwd: string): readonly StarterFile[] {
  return [
    { path: CONFIG_FILE, text: `${schemaLine('config', cwd)}${configText(start)}` },
    ...(start.waiverFile === undefined
      ? []
      : [{ path: start.waiverFile, text: newWaiverFile(cwd), isKept: true } as const]),
    ...CI_FILES[start.ci](start),
  ];
}

function configText({ baseUrl, allowHttp, keyVariable, waiverFile }: Start): string {
  const http = allowHttp
    ? '# Anyone on the network can read the key. Remove this as soon as the gateway has https.\nallowHttp: true\n'
    : '';
  const key = keyVariable === KEY_VARIABLES.full ? '' : `apiKeyEnv: ${keyVariable}\n`;
  return `# \`wirecheck list settings\` lists everything that can be set here. Keys do not belong here: they come from the environment.
baseUrl: ${baseUrl}
${http}${key}waivers: ${waiverFile}
# Wait for a deployment that is just starting.
waitFor: 60s
# A run usually has about 24 charged completions. This limits the bill if something goes wrong.
maxCompletions: 40
`;
}

export const IGNORE_FILE = '.gitignore';
/** Where runs write their reports. */
const REPORT_FOLDERS = ['wirecheck-report', RERUN_FOLDER];

/** The folders of reports that are not ignored yet, and the text with them. */
export function ignoreReports(text: string): { readonly added: readonly string[]; readonly text: string } {
  const lines = text.split(/\r?\n/).map((line) => line.trim().replaceAll(/^\/|\/$/g, ''));
  const added = REPORT_FOLDERS.filter((folder) => !lines.includes(folder)).map((folder) => `${folder}/`);
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return { added, text: `${text}${end}${added.map((folder) => `${folder}\n`).join('')}` };
}

export const GITHUB_JOB_FILE = '.github/workflows/wirecheck.yml';

/** A file of its own: only the user can say where the job belongs in an existing pipeline. */
export const GITLAB_JOB_FILE = 'wirecheck.gitlab-ci.yml';
export const GITLAB_PIPELINE = '.gitlab-ci.yml';

const CI_FILES: Record<Ci, (start: Start) => readonly StarterFile[]> = {
  none: () => [],
  github: (start) => [{ path: GITHUB_JOB_FILE, text: template('github-workflow.yml', start) }],
  gitlab: (start) => [
    { path: GITLAB_JOB_FILE, text: template('gitlab-ci.yml', start) },
    ...(start.hasPipeline ? [] : [{ path: GITLAB_PIPELINE, text: `include:\n  - local: ${GITLAB_JOB_FILE}\n` }]),
  ],
};

function template(name: string, { keyVariable, install = DEFAULT_INSTALL }: Start): string {
  return readPackageFile(`templates/${name}`)
    .replaceAll(KEY_VARIABLES.full, keyVariable)
    .replace(installComment(DEFAULT_INSTALL), () => installComment(install))
    .replace(installCommand(DEFAULT_INSTALL), () => installCommand(install));
}
