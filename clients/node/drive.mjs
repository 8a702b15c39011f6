// The driver protocol of `wirecheck client --driver`: a JSON line in per scenario, a JSON line out, in any order.
import { Console } from 'node:console';
import { createInterface } from 'node:readline';

// SDKs print warnings.
globalThis.console = new Console(process.stderr);

/**
 * A line in.
 * @typedef {object} Task
 * @property {string} scenario
 * @property {'plain' | 'stream' | 'models'} mode
 * @property {string} baseUrl
 * @property {string} apiKey
 * @property {string} model
 * @property {string} prompt
 *
 * What the SDK returned.
 * @typedef {{ text: string | null, finish?: string | null | undefined }} Reply
 *
 * @typedef {(task: Task) => Promise<Reply>} Call
 */

/** @param {{ plain: Call, stream: Call, models?: Call }} calls */
export function drive(calls) {
  createInterface({ input: process.stdin }).on('line', async (line) => {
    /** @type {Task} */
    const task = JSON.parse(line);
    process.stdout.write(`${JSON.stringify({ scenario: task.scenario, ...(await answer(calls[task.mode], task)) })}\n`);
  });
}

/**
 * @param {Call | undefined} call
 * @param {Task} task
 */
async function answer(call, task) {
  if (call === undefined) return { unsupported: true };
  try {
    return { ok: true, ...(await call(task)) };
  } catch (error) {
    return { ok: false, error: [error, Object(error).cause].filter(Boolean).map(describe).join(' because of ') };
  }
}

/**
 * SDKs throw strings and plain objects, too.
 * @param {unknown} error
 */
function describe(error) {
  /** @type {{ constructor?: { name: string }, message?: string }} */
  const { constructor, message } = Object(error);
  return `${constructor?.name}: ${message ?? String(error)}`;
}

/** @typedef {{ index: number, text: string, finish: string | null }} Piece */

/**
 * The text of a streamed reply. Only a stream in which several choices end has several of them.
 * @param {readonly Piece[]} pieces
 */
export function firstChoice(pieces) {
  const ends = pieces.filter(({ finish }) => finish);
  const isOne = new Set(ends.map(({ index }) => index)).size < 2;
  const own = pieces.filter(({ index }) => isOne || index === pieces[0]?.index);
  return { text: own.map(({ text }) => text).join(''), finish: own.findLast(({ finish }) => finish)?.finish };
}
