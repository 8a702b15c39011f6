/** Serves the page of a watch to the browsers of this machine, and tells them when it changes. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Square } from '../../render/html/overview.ts';

interface LiveState {
  /** Browsers load the page again if theirs has another. */
  readonly round: number;
  /** What goes on, in a few words. */
  readonly now: string;
  /** As they are so far in the round that goes on. */
  readonly squares: readonly Square[];
}

const HOST = '127.0.0.1';

/** `onAgain`: somebody asks for a case again. Its id may be anything. */
export async function startLiveServer(onAgain: (testCase: string) => void) {
  // Another page cannot guess it, and nothing is served without it.
  const path = `/${randomBytes(16).toString('hex')}/`;
  const listeners = new Set<ServerResponse>();
  let page = '';
  let state: LiveState = { round: 0, now: '', squares: [] };
  const format = (told: Partial<LiveState>): string => `data: ${JSON.stringify(told)}\n\n`;
  const tell = (changed: Partial<LiveState>): void => {
    state = { ...state, ...changed };
    for (const response of listeners) response.write(format(changed));
  };
  const server = createServer((request, response) => {
    response.setHeader('cache-control', 'no-store').setHeader('x-content-type-options', 'nosniff');
    // Not from another page, and not by a name that somebody made point to this machine.
    const { host, origin: from = origin } = request.headers;
    if (`http://${host}` !== origin || from !== origin) return void response.writeHead(403).end();
    const [asked, query] = `${request.method} ${request.url}`.split('?');
    if (asked === `GET ${path}`) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'x-frame-options': 'DENY' }).end(page);
    } else if (asked === `GET ${path}events`) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      listeners.add(response);
      response.on('close', () => listeners.delete(response));
      response.write(format(state));
    } else if (asked === `POST ${path}again`) {
      onAgain(new URLSearchParams(query).get('case') ?? '');
      response.writeHead(204).end();
    } else response.writeHead(404).end();
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  const origin = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}${path}`,
    show(text: string, round: number) {
      page = text;
      tell({ round, squares: [] });
    },
    tell,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
