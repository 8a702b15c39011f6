/** The scripted upstream: a server that the gateway under test calls, and that does what the script of each question says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Vault } from '../../exchange/secrets/vault.ts';
import { inert } from '../../text/inert.ts';
import { BodyRoom, findWord, headersOf, readBody, readJsonText } from './arrival.ts';
import { listModels, refuse } from './fixed-answers.ts';
import { gather, type Gathering } from './gathering.ts';
import { listen, trackSockets } from './listening.ts';
import { openCall } from './open-call.ts';
import { playAnswer } from './play-answer.ts';
import type { ScriptedQuestion } from './scripted-question.ts';
import type { OpenCall, UpstreamCall } from './upstream-call.ts';

/** Limits that no honest gateway reaches. Milliseconds, bytes and connections. */
const LIMITS = { requestTimeout: 60_000, headersTimeout: 20_000, maxHeaderSize: 64 * 1024, connections: 512 };
/** Gateways keep connections open between calls: closing one first would look like a failure of the upstream. */
const KEEP_ALIVE = 120_000;
/** Calls of one question, and of the run, that are answered and kept. Gateways that retry make fewer. */
const MAX_CALLS = 25;
const MAX_ALL_CALLS = 2_000;
/** Other requests that are listed. All are counted. */
const MAX_LISTED = 10;

export interface Stranger {
  readonly method: string;
  /** Redacted. */
  readonly path: string;
}

export interface Upstream {
  readonly url: string;
  expect(question: ScriptedQuestion): void;
  /** Calls of a question so far, in the order of arrival. */
  callsOf(question: string): readonly UpstreamCall[];
  readonly calls: readonly UpstreamCall[];
  /** Requests that belong to no question: their number, and the first few. */
  readonly strangers: { readonly count: number; readonly first: readonly Stranger[] };
  /** Number of chat requests that were too large or too many to be answered. */
  readonly overflow: number;
  /** Ends stalled answers of a question. */
  release(question: string): void;
  /** Closes the port, so that connections are refused. */
  stopListening(): Promise<void>;
  close(): Promise<void>;
}

export interface UpstreamOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly vault: Vault;
}

interface Expected extends ScriptedQuestion {
  readonly calls: OpenCall[];
  readonly release: AbortController;
}

export async function startUpstream({ host, port, vault }: UpstreamOptions): Promise<Upstream> {
  const byWord = new Map<string, Expected>();
  const byId = new Map<string, Expected>();
  const calls: OpenCall[] = [];
  const gatherings = new Map<string, Gathering>();
  const first: Stranger[] = [];
  const room = new BodyRoom();
  let strangers = 0;
  let overflow = 0;

  const countStranger = (request: IncomingMessage): void => {
    strangers += 1;
    if (first.length >= MAX_LISTED) return;
    const { path } = vault.receive({ path: request.url ?? '', headers: [], body: Buffer.alloc(0) });
    first.push({ method: inert(request.method ?? '', 20), path: inert(path, 120) });
  };

  const answerChat = async (request: IncomingMessage, response: ServerResponse, arrivedAt: number): Promise<void> => {
    const bytes = await readBody(request, room);
    if (bytes === 'left') return;
    if (bytes === 'too-large') {
      overflow += 1;
      return refuse(response, 413, 'request_too_large');
    }
    const text = bytes.toString();
    const body = readJsonText(text);
    const word = findWord(body, text, (known) => byWord.has(known));
    const question = word === undefined ? undefined : byWord.get(word);
    if (!question) {
      room.free(bytes.length);
      countStranger(request);
      return refuse(response, 404, 'unknown_question');
    }
    if (question.calls.length >= MAX_CALLS || calls.length >= MAX_ALL_CALLS) {
      room.free(bytes.length);
      overflow += 1;
      return refuse(response, 429, 'too_many_calls');
    }
    const call = openCall(question, { request, bytes, arrivedAt }, vault);
    question.calls.push(call);
    calls.push(call);
    if (question.script.gather > 1) await gather(gatherings, question);
    await playAnswer(response, call, question.release.signal);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const arrivedAt = performance.now();
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (request.method === 'POST' && path.endsWith('/chat/completions'))
      return answerChat(request, response, arrivedAt);
    request.resume();
    if (request.method === 'GET' && path.endsWith('/models')) {
      // A gateway that asks for models does so with its own key.
      vault.receive({ path, headers: headersOf(request), body: Buffer.alloc(0) });
      return listModels(response);
    }
    countStranger(request);
    refuse(response, 404, 'unknown_path');
  };

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE, ...LIMITS }, (request, response) => {
    response.on('error', () => response.destroy());
    answer(request, response).catch((error: unknown) => server.emit('error', error));
  });
  server.maxConnections = LIMITS.connections;
  const sockets = trackSockets(server);
  const bound = await listen(server, host, port);

  const stopListening = (): Promise<void> =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/v1`,
    calls,
    expect(question) {
      const expected = { ...question, calls: [], release: new AbortController() };
      byWord.set(question.word, expected);
      byId.set(question.id, expected);
    },
    callsOf: (question) => byId.get(question)?.calls ?? [],
    strangers: {
      get count() {
        return strangers;
      },
      first,
    },
    get overflow() {
      return overflow;
    },
    release: (question) => byId.get(question)?.release.abort(),
    stopListening,
    async close() {
      for (const { release } of byId.values()) release.abort();
      if (server.listening) await stopListening();
    },
  };
}
