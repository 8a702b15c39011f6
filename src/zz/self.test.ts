import { it } from 'vitest';
import { runSelftest } from '../selftest/run-selftest.ts';
it('self', async () => {
  const t = performance.now();
  const results = await runSelftest({ parallel: 4 });
  const bad = results.filter((r: any) => JSON.stringify(r).includes('"ok":false') || r.verdict === 'wrong' || r.passed === false || (r.missed?.length ?? 0) > 0 || (r.extra?.length ?? 0) > 0);
  console.log(results.length, bad.length, JSON.stringify(results[0]), performance.now() - t);
  for (const b of bad) console.log(JSON.stringify(b).slice(0, 500));
}, 590_000);
