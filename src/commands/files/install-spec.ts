/** The SPEC of `wirecheck init --install SPEC`, and how a CI job installs each kind of it. */
import { UsageError } from '../../usage-error.ts';

export interface Install {
  readonly kind: 'tarball' | 'git' | 'registry';
  /** Has no character that means anything to a shell or to YAML inside single quotes. */
  readonly spec: string;
}

export const DEFAULT_INSTALL: Install = { kind: 'tarball', spec: './wirecheck.tgz' };

export const INSTALL_EXAMPLES = {
  tarball: './wirecheck-VERSION.tgz',
  git: 'git+https://HOST/REPO.git#COMMIT',
  registry: '@acme/wirecheck@VERSION',
} as const satisfies Record<Install['kind'], string>;

const GIVE = `give a tarball (${INSTALL_EXAMPLES.tarball}), a git address with a full commit (${INSTALL_EXAMPLES.git}) or a package in a scope of your own (${INSTALL_EXAMPLES.registry})`;

/** The text may hold a password, so no message repeats it. */
export function readInstall(text: string): Install {
  if (text === '') throw new UsageError(`--install is empty: ${GIVE}.`);
  if (/[^\w@:/.+#-]/.test(text)) {
    throw new UsageError(
      '--install has a character that is unsafe in a shell command: use letters, digits and @ : / . _ + # - only.',
    );
  }
  if (text.startsWith('-')) throw new UsageError(`--install starts with a dash, like a flag of npm: ${GIVE}.`);
  return readGit(text) ?? readTarball(text) ?? readRegistry(text) ?? refuse();
}

function refuse(): never {
  throw new UsageError(`--install is not a package that wirecheck can be installed from: ${GIVE}.`);
}

const HOSTS: Record<string, RegExp> = {
  https: /^[\w.-]+(?::\d+)?$/,
  ssh: /^(?:[\w.-]+@)?[\w.-]+(?::\d+)?$/,
  file: /^$/,
};

function readGit(spec: string): Install | undefined {
  const [, protocol = '', host = '', commit] = /^git\+(https|ssh|file):\/\/([^/#]*)\/[^#]+(?:#(.*))?$/.exec(spec) ?? [];
  if (protocol === '') return undefined;
  if (!HOSTS[protocol]?.test(host)) {
    throw new UsageError(
      protocol !== 'file' && host.includes('@')
        ? '--install has a user name or a password, which the CI file would show: remove it, and let git on the runner find the credentials.'
        : `--install has an invalid host: ${GIVE}.`,
    );
  }
  // A branch or a tag can be moved.
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit ?? '')) {
    throw new UsageError(
      '--install has no full commit, so the job could install other code tomorrow: end it in # and the 40 characters that `git rev-parse HEAD` prints.',
    );
  }
  return { kind: 'git', spec };
}

/** Without the dot and the slash, npm could take a path for something else. */
function readTarball(path: string): Install | undefined {
  if (!/^[^:#]+\.(?:tgz|tar\.gz)$/.test(path)) return undefined;
  return { kind: 'tarball', spec: /^(?:\.\.?)?\//.test(path) ? path : `./${path}` };
}

function readRegistry(spec: string): Install | undefined {
  const [, scope, name, version] = /^(@[a-z0-9][a-z0-9._-]*\/)?([a-z0-9][a-z0-9._-]*)(?:@(.*))?$/.exec(spec) ?? [];
  if (name === undefined) return undefined;
  if (scope === undefined) {
    throw new UsageError(
      `--install names a package without a scope. wirecheck is not published under such a name, and whoever registers it would get your key: ${GIVE}.`,
    );
  }
  if (!/^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(version ?? '')) {
    throw new UsageError(
      `--install has no exact version, so the job could install other code tomorrow: give one, as in ${INSTALL_EXAMPLES.registry}.`,
    );
  }
  return { kind: 'registry', spec };
}

/** Only a git install has to run scripts: npm builds the package with its `prepare`. */
export function installCommand({ kind, spec }: Install): string {
  return `npm install --no-save --no-audit --no-fund ${kind === 'git' ? '' : '--ignore-scripts '}'${spec}'`;
}

/** The line above that command in the CI file. */
export function installComment({ kind, spec }: Install): string {
  return {
    tarball: `# To make ${spec}, run \`npm ci && npm pack\` in a clone of wirecheck. Commit it under this name.`,
    git: '# npm clones this commit and builds it, so it has to run scripts.',
    registry: '# If the package is not on registry.npmjs.org, name the registry of its scope in .npmrc.',
  }[kind];
}

/** What the user still has to do before the job can install it. */
export function installStep({ kind, spec }: Install): string {
  return {
    tarball: `Commit ${spec}, which the job installs. To make it, run \`npm ci && npm pack\` in a clone of wirecheck.`,
    git: 'Make sure that the CI runner can read the git repository: the job clones and builds wirecheck.',
    registry: `Make sure that .npmrc names the registry of ${spec.split('/')[0]}, unless it is registry.npmjs.org.`,
  }[kind];
}
