import { defineConfig } from 'vitest/config';

// Most tests run whole checks over real sockets; on a busy machine these take their time without being stuck.
export default defineConfig({
  test: { include: ['{src,test}/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
});
