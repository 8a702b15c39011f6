/** A streamed reply of the scripted upstream of a run under load. */
import type { ServerResponse } from 'node:http';
import type { Json } from '../json.ts';
import type { KnownCall } from './call-registry.ts';
import { PACED_PAUSE, PROFILES, replyPieces, usageOf } from './profiles.ts';

export const LOAD_MODEL = 'wirecheck-upstream';
export const CREATED = 1_700_000_000;

/** Milliseconds between two pieces of a long stream, so that streams overlap. */
const GAP = 1;

export async function sendStream(response: ServerResponse, call: KnownCall, withUsage: boolean): Promise<void> {
  const { finish, pieces } = PROFILES[call.profile];
  const frame = { id: `chatcmpl-${call.word}`, object: 'chat.completion.chunk', created: CREATED, model: LOAD_MODEL };
  const event = (delta: Json, finishReason: string | null): string =>
    `data: ${JSON.stringify({ ...frame, choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  if (withUsage) call.usageSent = true;
  const hasGaps = pieces <= PROFILES.long.pieces;
  await write(response, event({ role: 'assistant', content: '' }, null));
  for (const [at, content] of replyPieces(call.word, call.profile).entries()) {
    if (response.destroyed) return;
    // A few pauses are enough for streams to overlap, and cost less than one for each piece.
    if (hasGaps && at % 8 === 4) await pauseStream(call);
    await write(response, event({ content }, null));
  }
  const usage = withUsage ? `data: ${JSON.stringify({ ...frame, choices: [], usage: usageOf(call.profile) })}\n\n` : '';
  response.end(`${event({}, finish)}${usage}data: [DONE]\n\n`);
}

async function pauseStream(call: KnownCall): Promise<void> {
  const isPaced = call.profile === 'paced';
  if (isPaced) call.wasPaced = true;
  await new Promise((resolve) => setTimeout(resolve, isPaced ? PACED_PAUSE : GAP));
}

/** Waits while the gateway does not read. */
function write(response: ServerResponse, text: string): Promise<void> | undefined {
  if (response.write(text) || response.destroyed) return undefined;
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go);
      response.off('close', go);
      resolve();
    };
    response.on('drain', go);
    response.on('close', go);
  });
}
