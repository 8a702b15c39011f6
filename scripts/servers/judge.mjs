// Judges the recording of a server: by v1, and by the profile common-servers.
import { join } from 'node:path';
import { judgeRecording, openRecording } from '../../build/src/index.js';
import { loadProfile } from '../../build/src/contract/profile/read-profile.js';
import { foldFindings } from '../../build/src/render/fold.js';
import { ROOT } from '../root.mjs';
/** @import { JudgeOptions, Report } from '../../build/src/index.js' */
/** @import { Server } from './measured.mjs' */

/** `measured`: the day of the recording. `version`: none if nobody noted it. */
/** @typedef {Omit<Server, 'version'> & { version: string | undefined, measured: string, v1: Report, common: Report }} JudgedServer */

/**
 * First all by v1, then all by the profile: judging keeps the plan of the recording before, which takes most of the time.
 * @param {readonly Server[]} servers
 * @returns {Promise<readonly JudgedServer[]>}
 */
export async function judgeServers(servers) {
  const byV1 = [];
  for (const server of servers) byV1.push({ server, ...(await judgeBy(server, {})) });
  const profile = loadProfile('common-servers', ROOT);
  const judged = [];
  for (const { server, report, measured, tool } of byV1) {
    const version = versionOf(server, tool, report);
    judged.push({ ...server, version, measured, v1: report, common: (await judgeBy(server, { profile })).report });
  }
  return judged;
}

/**
 * @param {Server} server
 * @param {JudgeOptions} options
 */
async function judgeBy({ recording }, options) {
  const recorded = await openRecording(join(ROOT, recording), recording);
  const measured = new Date(recorded.start.startedAt).toISOString().slice(0, 10);
  return { measured, tool: recorded.start.tool.version, report: await judgeRecording(recorded, options) };
}

/**
 * @param {Server} server
 * @param {string} tool
 * @param {Report} report
 */
function versionOf({ version }, tool, { exchanges }) {
  if (typeof version !== 'function') return version;
  const headers = exchanges.flatMap(({ attempts }) => attempts.flatMap(({ answer }) => answer?.headers ?? []));
  return version({ tool, server: headers.find(([name]) => name.toLowerCase() === 'server')?.[1] ?? '' });
}

/**
 * The clauses that a server breaks, at a level: one case is enough, even if others of the clause could not be judged.
 * @param {JudgedServer} server
 * @param {'v1' | 'common'} by
 * @param {'must' | 'should'} wanted
 * @returns {readonly string[]}
 */
export function brokenClauses({ notItsOwn = {}, ...server }, by, wanted) {
  const broken = new Set(foldFindings(server[by]).map(({ expectation }) => expectation.clause));
  return server[by].clauses
    .filter(({ id, level }) => level === wanted && broken.has(id) && !(id in notItsOwn))
    .map(({ id }) => id);
}
