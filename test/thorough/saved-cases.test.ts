/** What exploring found is kept as cases: they fail on the same gateway, and pass on one that keeps the contract. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runExplore } from '../../src/gather/explore/run-explore.ts';
import { formatSuite } from '../../src/gather/explore/save-cases.ts';
import { type GatewayOptions, startGateway } from '../../src/gateway/index.ts';
import { run } from '../../src/run/run.ts';
import { brokenClauses } from '../../selftest/compare.ts';
import { exploreSettings } from '../../selftest/explore/try-explore.ts';
import { HIDDEN_FAULTS } from '../../selftest/explore/hidden-faults.ts';
import { settingsFor } from '../../selftest/try-gateway.ts';
import { FIXED } from '../kit/explored.ts';

const folder = mkdtempSync(join(tmpdir(), 'wirecheck-saved-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function runSuite(file: string, options: GatewayOptions): Promise<readonly string[]> {
  const gateway = await startGateway({ ...options, eventGapMs: 0 });
  try {
    const settings = { ...settingsFor(gateway.baseUrl, '', 1), suites: [file] };
    return [...brokenClauses(await run(settings, { full: gateway.keys.full }))];
  } finally {
    await gateway.close();
  }
}

async function explored(options: GatewayOptions): Promise<string> {
  const gateway = await startGateway({ ...options, eventGapMs: 0 });
  try {
    const settings = exploreSettings(gateway.baseUrl, 2, FIXED + 50);
    const { causes } = await runExplore(settings, { full: gateway.keys.full });
    return formatSuite(causes, settings) ?? '';
  } finally {
    await gateway.close();
  }
}

/** A text, a stream, a violation in a stream, and a field that is missing in the reply. */
const FOUND = ['hidden-hebrew', 'hidden-stream-with-sampling', 'hidden-wrong-stream', 'hidden-usage-lost'];

it.each(FOUND)('%s stays as a case', { timeout: 60_000 }, async (id) => {
  const fault = HIDDEN_FAULTS[id];
  if (!fault) throw new Error(`No fault is named ${id}.`);
  const file = join(folder, `${id}.yaml`);
  writeFileSync(file, await explored({ modifiers: [fault] }));
  expect(await runSuite(file, { modifiers: [fault] })).toEqual([...fault.breaks]);
  expect(await runSuite(file, {})).toEqual([]);
});
