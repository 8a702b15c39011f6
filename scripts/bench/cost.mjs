// What runs ask for and are charged, against what their plans said.
import { startGateway } from '../../dist/gateway/index.js';
import { DEFAULT_SETTINGS, plan, run } from '../../dist/index.js';
import { BUILT_IN_SUITES } from '../../dist/suite/load-suites.js';

export async function measureCost() {
  const gateway = await startGateway();
  const runs = [
    { name: 'default', changes: {} },
    { name: '--strict', changes: { strict: true } },
    ...BUILT_IN_SUITES.map((suite) => ({ name: `--suite ${suite}`, changes: { suites: [suite] } })),
  ];
  const rows = [];
  for (const { name, changes } of runs) {
    const settings = { ...DEFAULT_SETTINGS, baseUrl: gateway.baseUrl, ...changes };
    const { cost, outcome } = await run(settings, { full: gateway.keys.full });
    if (outcome.exit !== 0) throw new Error(`A run with ${name} on the conforming gateway ended with ${outcome.exit}.`);
    const { least, most } = plan(settings);
    rows.push({ run: name, used: cost.used, least, most });
  }
  await gateway.close();
  return rows;
}
