// Judges the recording of a server: by v1, and by the profile common-servers.
import { join } from 'node:path';
import { judgeRecording, openRecording } from '../../build/index.js';
import { loadProfile } from '../../build/contract/profile/read-profile.js';
import { foldFindings } from '../../build/render/fold.js';
import { ROOT } from '../root.mjs';
/** @import { Report } from '../../build/index.js' */
/** @import { Server } from './measured.mjs' */

/** `measured`: the day of the recording. */
/** @typedef {Server & { measured: string, v1: Report, common: Report }} JudgedServer */

/**
 * @param {Server} server
 * @returns {Promise<JudgedServer>}
 */
export async function judgeServer(server) {
  const open = () => openRecording(join(ROOT, server.recording), server.recording);
  const recorded = await open();
  const measured = new Date(recorded.start.startedAt).toISOString().slice(0, 10);
  return {
    ...server,
    measured,
    v1: await judgeRecording(recorded),
    common: await judgeRecording(await open(), { profile: loadProfile('common-servers', ROOT) }),
  };
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
