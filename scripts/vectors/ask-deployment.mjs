// Asks a reference gateway without a socket, at a fixed time, so that its bytes are the same whenever it is asked.
import { openDeployment } from '../../build/src/gateway/open-deployment.js';
import { wireOf } from './wire.mjs';
/** @import { DeploymentOptions } from '../../build/src/gateway/open-deployment.js' */

/** 2026-01-01. */
const NOW = Date.UTC(2026, 0, 1);

/** Headers in the order of sending. @typedef {{ method: string, path: string, headers: [string, string][], body?: string }} VectorRequest */

/**
 * @param {DeploymentOptions} options
 * @param {(basePath: string, keys: Readonly<Record<string, string>>) => VectorRequest} makeRequest
 */
export function askDeployment(options, makeRequest) {
  return atFixedTime(() => {
    const { basePath, facts, begin } = openDeployment({ eventGapMs: 1, ...options });
    const request = makeRequest(basePath, facts.keys);
    const { answer } = begin({})({
      method: request.method,
      target: request.path,
      headers: Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value])),
      rawHeaders: request.headers.flat(),
      body: Buffer.from(request.body ?? ''),
    });
    return { request, answer, wire: wireOf(answer) };
  });
}

/**
 * @template Result
 * @param {() => Result} work
 * @returns {Result}
 */
function atFixedTime(work) {
  const { now } = Date;
  Date.now = () => NOW;
  try {
    return work();
  } finally {
    Date.now = now;
  }
}
