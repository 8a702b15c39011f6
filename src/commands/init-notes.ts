/** The notes and next steps that `wirecheck init` prints. */
import { COMMAND } from '../contract/package-files.ts';
import { DEFAULT_INSTALL, INSTALL_EXAMPLES, installStep } from './files/install-spec.ts';
import { type Ci, GITHUB_JOB_FILE, GITLAB_JOB_FILE, GITLAB_PIPELINE, type Start } from './files/starter-files.ts';
import { CONFIG_FILE } from './settings/config-file.ts';

export interface InitOptions {
  readonly baseUrl?: string;
  readonly allowHttp?: boolean;
  readonly keyEnv?: string;
  readonly ci?: string;
  readonly install?: string;
  readonly force?: boolean;
}

/** An existing config file, which is kept. */
export interface KeptConfig {
  readonly baseUrl: string | undefined;
  readonly keyVariable: string;
  readonly waiverFile: string | undefined;
}

export function notesOn(start: Start, options: InitOptions, kept: KeptConfig | undefined): readonly string[] {
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

export const JOB_FILES: Record<Ci, string | undefined> = {
  none: undefined,
  github: GITHUB_JOB_FILE,
  gitlab: GITLAB_JOB_FILE,
};

/** `isChosen`: the user said so. */
export function notesOnInstall({ ci, install }: Start, hasNewJob: boolean, isChosen: boolean): readonly string[] {
  const file = JOB_FILES[ci];
  if (install === undefined && file === undefined && !isChosen) {
    return [
      `No CI job was written, since the folder has neither .github nor .gitlab-ci.yml: add one with \`${COMMAND} init --ci github\` or \`--ci gitlab\`.`,
    ];
  }
  if (install === undefined || hasNewJob) return [];
  return [
    file === undefined
      ? '--install had no effect because no CI job was written: add --ci github or --ci gitlab.'
      : `--install had no effect because ${file} was kept: edit that file, or add --force.`,
  ];
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

export function nextSteps(start: Start, hasNewJob: boolean): readonly string[] {
  const { install = DEFAULT_INSTALL } = start;
  return [
    'Next:',
    ...[
      `Try it here: ${start.keyVariable}=… ${COMMAND} run`,
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
    'wirecheck is not on a public registry. To install it in a different way, delete',
    `${JOB_FILES[ci]} and run \`${COMMAND} init --ci ${ci} --install SPEC\`.`,
    'SPEC is one of:',
    ...choices.map(([spec, meaning]) => `  ${spec.padEnd(git.length)}  ${meaning}`),
  ];
}
