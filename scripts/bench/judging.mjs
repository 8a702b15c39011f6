// Judging recordings again: exchanges a second, and memory.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { CLI, repeat, runNode, runNodeForMemory, SCRATCH, startGatewayProcess, summaries } from './measure.mjs';

const SIZES = [
  { exchanges: 1_000, rounds: 5 },
  { exchanges: 10_000, rounds: 3 },
  { exchanges: 100_000, rounds: 3 },
];

/** The whole command, start and end of the process included. */
export async function measureJudging() {
  const recording = await recordRun();
  const rows = [];
  for (const { exchanges, rounds } of SIZES) {
    const file = lengthen(recording, exchanges);
    const measured = await repeat(rounds, async () => {
      const { wall, peak } = await runNodeForMemory([CLI, 'judge', file, '--quiet']);
      return { wall, perSecond: (exchanges / wall) * 1000, peakMemory: peak };
    });
    rows.push({ exchanges, ...summaries(measured) });
  }
  return rows;
}

async function recordRun() {
  const gateway = await startGatewayProcess(0);
  const file = join(SCRATCH, 'recording.ndjson');
  await runNode([CLI, 'run', gateway.baseUrl, '--out', 'none', '--record', file], { WIRECHECK_API_KEY: gateway.key });
  await gateway.close();
  return file;
}

/**
 * The exchanges of a real run, over and over, as a recording of so many.
 * @param {string} recording
 * @param {number} most
 */
function lengthen(recording, most) {
  const lines = readFileSync(recording, 'utf8').trimEnd().split('\n');
  const exchanges = lines.slice(1, -1);
  const file = join(SCRATCH, `recording-${most}.ndjson`);
  const to = openSync(file, 'w');
  writeSync(to, `${lines[0]}\n`);
  for (let written = 0; written < most; written += exchanges.length) {
    writeSync(to, `${exchanges.slice(0, most - written).join('\n')}\n`);
  }
  writeSync(to, `${lines.at(-1)}\n`);
  closeSync(to);
  return file;
}
