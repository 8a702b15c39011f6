/** Serves the page of a watch to the browsers of this machine, and tells them when it changes. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LiveServer {
  readonly url: string;
  /** Browsers load the page again if it has another number than theirs. */
  readonly show: (page: string, number: number) => void;
  /** What goes on, in a few words. */
  readonly tell: (now: string) => void;
  readonly close: () => Promise<void>;
}

const HOST = '127.0.0.1';
/** More characters than the id of any case has. */
const LONGEST_ID = 1_000;

/** `onAgain`: somebody asks for a case again. Its id may be anything. */
export async function startLiveServer(onAgain: (testCase: string) => void): Promise<LiveServer> {
  // Another page cannot guess it, and nothing is served without it.
  const path = `/${randomBytes(16).toString('hex')}/`;
  const listeners = new Set<ServerResponse>();
  let page = '';
  let state = { round: 0, now: '' };
  const send = (response: ServerResponse): void => void response.write(`data: ${JSON.stringify(state)}\n\n`);
  const update = (changed: Partial<typeof state>): void => {
    state = { ...state, ...changed };
    for (const response of listeners) send(response);
  };
  const server = createServer((request, response) => {
    response.setHeader('cache-control', 'no-store').setHeader('x-content-type-options', 'nosniff');
    if (!isOwn(request, origin)) return void response.writeHead(403).end();
    const asked = `${request.method} ${request.url}`;
    if (asked === `GET ${path}`) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'x-frame-options': 'DENY' }).end(page);
    } else if (asked === `GET ${path}events`) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      listeners.add(response);
      response.on('close', () => listeners.delete(response));
      send(response);
    } else if (asked === `POST ${path}again`) {
      void takeCase(request, response, onAgain);
    } else response.writeHead(404).end();
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  const origin = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}${path}`,
    show(text, round) {
      page = text;
      update({ round });
    },
    tell: (now) => update({ now }),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Not from another page, and not by a name that somebody made point to this machine. */
function isOwn({ headers: { host, origin } }: IncomingMessage, own: string): boolean {
  return `http://${host}` === own && (origin === undefined || origin === own);
}

async function takeCase(request: IncomingMessage, response: ServerResponse, onAgain: (testCase: string) => void) {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text = (text + piece).slice(0, LONGEST_ID);
  onAgain(text);
  response.writeHead(204).end();
}
