import { it } from 'vitest';
import { runSelftest } from '../selftest/run-selftest.ts';
it('self', async () => {
  const results = await runSelftest({ parallel: 4 });
  const bad = results.filter((r) => r.problems.length > 0);
  console.log('RESULTS', results.length, bad.length);
  for (const b of bad) console.log(JSON.stringify(b).slice(0, 700));
}, 590_000);
