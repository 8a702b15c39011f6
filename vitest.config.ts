import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,test}/**/*.test.ts'],
    // Loading the tree takes longer than most test files. Nothing in it keeps state that a test could leave behind.
    isolate: false,
    // Most tests run whole checks over real sockets; on a busy machine these take their time without being stuck.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
