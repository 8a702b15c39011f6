import { expect, it } from 'vitest';
import { failedAttempt, failure, plainExchange } from '../../../test/kit/exchanges.ts';
import { Channel } from '../../exchange/channel/channel.ts';
import type { Sent, Transport } from '../../exchange/transport/transport.ts';
import type { FilledRequest } from '../../plan/bind-request.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { AnswerMemory, LoadConnections, sendCall } from './send-call.ts';

const CALL = {
  kind: 'plain',
  mode: 'plain',
  profile: 'short',
  connection: 'kept-connection',
  usesOtherKey: false,
  leaves: 'before-headers',
  leavesAfter: 1,
  id: 'own',
  stage: 0,
  number: 1,
} as const;

const ABORTED = failedAttempt(failure('aborted'));
const CLOSED = failedAttempt(failure('closed'));

/** What comes of the call of a client that leaves, if its sendings end so. */
async function sendWith(...endings: readonly Sent[]) {
  const left = [...endings];
  const transport = {
    describe: () => plainExchange().request,
    send: () => Promise.resolve(left.shift()),
  } as unknown as Transport;
  const settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1' };
  const channel = new Channel({ settings, keys: {}, transport });
  const connections = new LoadConnections(() => transport, 1);
  const sent = await sendCall(CALL, {} as FilledRequest, new AnswerMemory(0).open(false), {
    connections,
    channel,
    until: channel.signal,
  });
  return { isSent: sent !== undefined, requests: channel.ledger.used.requests };
}

it.each([
  ['before its request was sent', [ABORTED], false, 0],
  ['after its request was sent', [{ ...ABORTED, connection: 1 }], true, 1],
  ['before it was sent again', [{ ...CLOSED, connection: 1 }, ABORTED], true, 1],
  [
    'after it was sent again',
    [
      { ...CLOSED, connection: 1 },
      { ...ABORTED, connection: 2 },
    ],
    true,
    2,
  ],
] as const)('If a client leaves %s, only what was sent is a request', async (_when, endings, isSent, requests) => {
  expect(await sendWith(...endings)).toEqual({ isSent, requests });
});
