// The driver protocol of `wirecheck client --driver`: a JSON line in per scenario, a JSON line out, in any order.
import { Console } from 'node:console';
import { createInterface } from 'node:readline';

// SDKs print warnings.
globalThis.console = new Console(process.stderr);

export function drive(calls) {
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const task = JSON.parse(line);
    process.stdout.write(`${JSON.stringify({ scenario: task.scenario, ...(await answer(calls[task.mode], task)) })}\n`);
  });
}

async function answer(call, task) {
  if (call === undefined) return { unsupported: true };
  try {
    return { ok: true, ...(await call(task)) };
  } catch (error) {
    return { ok: false, error: [error, error?.cause].filter(Boolean).map(describe).join(' because of ') };
  }
}

function describe(error) {
  return `${error.constructor?.name}: ${error.message ?? error}`;
}

/** The text of a streamed reply. Only a stream in which several choices end has several of them. */
export function firstChoice(pieces) {
  const ends = pieces.filter(({ finish }) => finish);
  const isOne = new Set(ends.map(({ index }) => index)).size < 2;
  const own = pieces.filter(({ index }) => isOne || index === pieces[0].index);
  return { text: own.map(({ text }) => text).join(''), finish: own.findLast(({ finish }) => finish)?.finish };
}
