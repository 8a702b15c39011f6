// What a run sends, as the gateway saw it, wave by wave: what the floor has to send as well.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGateway } from '../../dist/gateway/index.js';
import { DEFAULT_SETTINGS, plan, run } from '../../dist/index.js';
import { SCRATCH } from './processes.mjs';

/** What the client library adds by itself. */
const OWN_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** Writes them to a file for `floor.mjs`. */
export async function captureRequests() {
  const calls = [];
  const eavesdropper = { title: 'notes every call', before: (call) => void calls.push(call) };
  const gateway = await startGateway({ modifiers: [eavesdropper] });
  // One at a time, so that calls and exchanges come in the same order.
  const settings = { ...DEFAULT_SETTINGS, baseUrl: gateway.baseUrl, concurrency: 1 };
  const report = await run(settings, { full: gateway.keys.full });
  await gateway.close();
  if (calls.length !== report.exchanges.length) throw new Error('The gateway saw other requests than the report has.');
  const waveOf = new Map(plan(settings).steps.map(({ id, wave }) => [id, wave]));
  const requests = calls.map((call, place) => requestOf(call, waveOf.get(report.exchanges[place].id)));
  const file = join(SCRATCH, 'requests.json');
  writeFileSync(file, JSON.stringify(requests));
  return file;
}

function requestOf({ method, path, query, headers, text }, wave) {
  if (wave === undefined) throw new Error(`${method} ${path} belongs to no wave of the plan.`);
  return {
    wave,
    method,
    path: query.size > 0 ? `${path}?${query}` : path,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name))),
    body: text === '' || text === undefined ? null : text,
  };
}
