import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders by how long their files take. */
const LONGEST = ['test/golden/', 'test/hostile/', 'test/', 'src/render/html/', 'src/'];

/** The longest files first: none of them is left to one worker at the end, while the others are idle. */
class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const path = relative(project.config.root, moduleId).replaceAll('\\', '/');
      return LONGEST.findIndex((folder) => path.startsWith(folder));
    };
    return Promise.resolve(files.toSorted((a, b) => rank(a) - rank(b)));
  }
}

const TESTS = ['{src,test}/**/*.test.ts'];
const IN_BROWSER = ['src/**/*-in-browser.test.ts'];

export default defineConfig({
  test: {
    reporters: ['default', './test/kit/slowest-files.ts'],
    // One more than there are cores: clients, relays and hostile targets mostly wait.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'node', include: TESTS, exclude: IN_BROWSER } },
      { extends: true, test: { name: 'browser', include: IN_BROWSER, globalSetup: './test/kit/browser-server.ts' } },
    ],
    // Loading the tree takes longer than most test files. Nothing in it keeps state that a test could leave behind.
    isolate: false,
    // See test/kit/built.ts.
    server: { deps: { external: [/\/dist\//] } },
    // Most tests run whole checks over real sockets; on a busy machine these take their time without being stuck.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
