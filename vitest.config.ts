import { existsSync, readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { IS_THOROUGH } from './test/kit/thoroughness.ts';

const ROOT = import.meta.dirname;
const BUILT = join(ROOT, 'build');
/** The folders that are built. */
const SOURCES = ['src', 'selftest'];

/** What paths of files have in common, by how long those files take. */
const LONGEST = [/^test\/(golden|hostile)\//, /-in-browser\.test/, /^test\//, /^src\/commands\//, /^src\/cli/, /./];

/** The longest files first: none of them is left to one worker at the end, while the others are idle. */
class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const path = relative(project.config.root, moduleId).replaceAll('\\', '/');
      return LONGEST.findIndex((each) => each.test(path));
    };
    return Promise.resolve(files.toSorted((a, b) => rank(a) - rank(b)));
  }
}

/** With `--sequence.shuffle.files`, which a sequencer of ours would override. */
const IS_SHUFFLED = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'));

/**
 * Tests get the modules of `src` and `selftest` as they were built. Node loads those itself, in a third of the time that
 * Vitest's loader takes for the sources, and runs them up to twice as fast. Without `--mode built`, Vitest takes the sources.
 */
const BUILT_MODULES: Plugin = {
  name: 'built-modules',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!importer || !/^\.\.?\/.*\.ts$/.test(source) || source.endsWith('.test.ts')) return undefined;
    const path = relative(ROOT, resolve(importer, '..', source));
    const isBuilt = SOURCES.some((folder) => path.startsWith(folder + sep));
    return isBuilt ? join(BUILT, path.replace(/\.ts$/, '.js')) : undefined;
  },
};

/** Milliseconds at which a file of the folder was last changed. */
function lastChange(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const modules = files.filter((file) => /(?<!\.test|\.d)\.[jt]s$/.test(file));
  return Math.max(0, ...modules.map((file) => statSync(join(folder, file)).mtimeMs));
}

function pluginsFor(mode: string): Plugin[] {
  if (mode !== 'built') return [];
  const changed = Math.max(...SOURCES.map((folder) => lastChange(join(ROOT, folder))));
  if (!existsSync(BUILT) || changed > lastChange(BUILT)) {
    throw new Error('build/ is older than src/ or selftest/. Run npm run build.');
  }
  return [BUILT_MODULES];
}

const TESTS = ['{src,selftest,test}/**/*.test.ts'];
const IN_BROWSER = ['src/**/*-in-browser.test.ts'];
/** The page that most people see. The others are made of the same parts. */
const TRIED_IN_BROWSER = IS_THOROUGH ? IN_BROWSER : ['src/render/html/html-in-browser.test.ts'];
/** Many whole runs that show much the same, and tests of bundle, release and templates, which start dozens of processes. */
const LEFT_TO_CI = IS_THOROUGH ? [] : ['test/thorough/**', 'test/shipped/**'];

export default defineConfig(({ mode }) => ({
  test: {
    reporters: ['default', './test/kit/slowest-files.ts'],
    // More than there are cores: most tests start processes or wait for servers.
    maxWorkers: availableParallelism() * 2,
    sequence: IS_SHUFFLED ? {} : { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        plugins: pluginsFor(mode),
        test: { name: 'node', include: TESTS, exclude: [...IN_BROWSER, ...LEFT_TO_CI] },
      },
      {
        extends: true,
        plugins: pluginsFor(mode),
        test: { name: 'browser', include: TRIED_IN_BROWSER, globalSetup: './test/kit/browser-server.ts' },
      },
    ],
    // Loading the tree takes longer than most test files. Files of a worker share a process, so none may leave anything behind.
    isolate: false,
    setupFiles: './test/kit/leave-nothing.ts',
    server: { deps: { external: [/\/build\//] } },
    // Most tests run whole checks over real sockets; on a busy machine these take their time without being stuck.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
}));
