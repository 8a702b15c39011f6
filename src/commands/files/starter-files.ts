/** The files that `wirecheck init` writes, ready to run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../contract/package-root.ts';
import { CONFIG_FILE } from '../settings/config-file.ts';
import { KEY_VARIABLES } from '../../settings/settings-without-flag.ts';
import { DEFAULT_INSTALL, type Install, installCommand, installComment } from './install-spec.ts';

export const WAIVER_FILE = 'wirecheck.waivers.yaml';

export const CIS = ['github', 'gitlab', 'none'] as const;
export type Ci = (typeof CIS)[number];

export interface Start {
  readonly baseUrl: string;
  /** A key may go there over plain http. */
  readonly allowHttp: boolean;
  readonly keyVariable: string;
  /** What the configuration names; undefined where it names none. */
  readonly waiverFile: string | undefined;
  readonly ci: Ci;
  /** Where the CI job gets wirecheck from; undefined where the user has not said. */
  readonly install: Install | undefined;
  /** Whether the repository has a `.gitlab-ci.yml` of its own, which is never touched. */
  readonly hasPipeline: boolean;
  /** Whether that one has our job already. */
  readonly isIncluded: boolean;
}

export interface StarterFile {
  /** From the working folder on. */
  readonly path: string;
  /** Never replaced: what people wrote there is nowhere else. */
  readonly isKept?: true;
  readonly text: string;
}

export const NEW_WAIVER_FILE = `# yaml-language-server: $schema=node_modules/wirecheck/schemas/files/waivers.schema.json
# What is known to be broken and accepted for a time: it stays in every report, but does not fail the run.
# \`wirecheck waive ID --reason TEXT --until DATE\` adds an entry such as this:
#
#   - clause: errors.code          # or case: auth/unknown-key, or the fingerprint of a finding; * stands for anything
#     reason: Codes are numbers until the new error layer ships.
#     owner: gateway team
#     link: https://tracker.example/42
#     until: 2030-12-31
waivers: []
`;

export function starterFiles(start: Start): readonly StarterFile[] {
  return [
    { path: CONFIG_FILE, text: configText(start) },
    ...(start.waiverFile === undefined
      ? []
      : [{ path: start.waiverFile, text: NEW_WAIVER_FILE, isKept: true } as const]),
    ...CI_FILES[start.ci](start),
  ];
}

function configText({ baseUrl, allowHttp, keyVariable, waiverFile }: Start): string {
  const http = allowHttp
    ? '# Anybody on the way can read the key. Take this away as soon as the gateway has https.\nallowHttp: true\n'
    : '';
  const key = keyVariable === KEY_VARIABLES.full ? '' : `apiKeyEnv: ${keyVariable}\n`;
  return `# yaml-language-server: $schema=node_modules/wirecheck/schemas/files/config.schema.json
# \`wirecheck list settings\` shows everything that can be set here. Keys do not belong here: they come from the environment.
baseUrl: ${baseUrl}
${http}${key}waivers: ${waiverFile}
# Wait for a deployment that is just starting.
waitFor: 60s
# A run has about 25 completions charged; this bounds the bill if something goes wrong.
maxCompletions: 80
`;
}

export const GITHUB_JOB_FILE = '.github/workflows/wirecheck.yml';

/** Where a pipeline is there already, only the user can say where the job belongs in it. */
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
  return readFileSync(join(packageRoot(), 'templates', name), 'utf8')
    .replaceAll(KEY_VARIABLES.full, keyVariable)
    .replace(installComment(DEFAULT_INSTALL), () => installComment(install))
    .replace(installCommand(DEFAULT_INSTALL), () => installCommand(install));
}
