/** The head that a report shows against the bytes that a client really gets. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { isPlayable, loadScenarios } from '../gather/client/scenario.ts';
import { startScenario } from '../gather/client/scenario-server.ts';

const KEY = 'sk-service-0123456789abcdef';

/** Node adds these to every answer. */
const ADDED = /^(?:date|connection|keep-alive):.*\r\n/gim;

async function compareHeads(id: string): Promise<{ readonly written: string; readonly shown: string | undefined }> {
  const scenario = loadScenarios().find((each) => each.id === id);
  if (!scenario || !isPlayable(scenario)) throw new Error(`No scenario ${id}`);
  const server = await startScenario(scenario, { key: KEY, stallMs: 1_000, began: 0, clean: (each) => each });
  const { port, pathname } = new URL(server.baseUrl);
  const body = JSON.stringify({ model: 'sea-small', messages: [], stream: scenario.mode === 'stream' });
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(
    [
      `POST ${pathname}/chat/completions HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${KEY}`,
      'Accept-Encoding: gzip',
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
  const received = await text(socket);
  const { exchanges } = await server.close();
  const { outcome } = exchanges[0]?.attempts[0] ?? {};
  const shown = outcome?.kind === 'answer' ? outcome.answer.head : undefined;
  const heads = received.split('\r\n\r\n').slice(0, shown?.split('\r\n\r\n').filter(Boolean).length);
  return { written: `${heads.join('\r\n\r\n')}\r\n\r\n`, shown };
}

/** Node writes its own headers in its own case, and where it likes. */
function sortLines(head = ''): readonly string[] {
  return head.replaceAll(ADDED, '').replace('Transfer-Encoding', 'transfer-encoding').split('\r\n').toSorted();
}

it.each([
  'client/plain',
  'client/plain-401',
  'client/plain-chunked',
  'client/plain-gzip',
  'client/plain-until-close',
  'client/plain-http-1-0',
  'client/plain-early-hints',
  'client/plain-header-names',
  'client/plain-no-reason-phrase',
  'client/plain-content-type-case',
  'client/plain-unknown-headers',
  'client/stream',
  'client/stream-content-length',
])('%s shows the status line and the headers that were sent', async (id) => {
  const { written, shown } = await compareHeads(id);
  expect(shown).toMatch(/^HTTP\/1\.[01] \d{3}/);
  expect(sortLines(shown)).toEqual(sortLines(written));
});
