// Requests of a run on a gateway that refuses every chat request: nearly nothing can be judged, so it should cost little.
import { errorAnswer } from '../../build/src/gateway/change-answer.js';
import { isChat } from '../../build/src/gateway/call-tests.js';
import { startGateway } from '../../build/src/gateway/index.js';
import { DEFAULT_SETTINGS, run } from '../../build/src/index.js';
/** @import { Modifier } from '../../build/src/gateway/index.js' */

const STATUSES = [402, 500];

export async function measureRefused() {
  const rows = [];
  for (const status of STATUSES) {
    /** @type {Modifier} */
    const refuse = { title: 'refuses chat', only: isChat, before: () => errorAnswer(status) };
    const gateway = await startGateway({ modifiers: [refuse] });
    // The pauses between retries change nothing but the time.
    const settings = { ...DEFAULT_SETTINGS, baseUrl: gateway.baseUrl, retryPauses: [1, 1] };
    const { cost } = await run(settings, { full: gateway.keys.full });
    await gateway.close();
    rows.push({ status, requests: cost.used.requests });
  }
  return rows;
}
