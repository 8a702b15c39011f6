/** Plays vectors to a client in this process. */
import { createServer, type Socket } from 'node:net';

export interface Vector {
  readonly id: string;
  readonly mode: 'plain' | 'stream' | 'models';
  readonly needs?: string;
  readonly clause?: string;
  readonly level?: string;
  readonly breaks?: readonly string[];
  readonly step?: string;
  readonly answer: { readonly pieces: readonly (string | number)[]; readonly end: string };
  readonly expect: { readonly kind: string; readonly text?: string; readonly models?: readonly string[] };
}

export function parseVectors(text: string): readonly Vector[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Vector]));
}

/** Those of which the contract says what a client makes of them. */
export function judgedOf(vectors: readonly Vector[]): readonly Vector[] {
  return vectors.filter(({ expect: { kind } }) => kind !== 'nothing');
}

const TASK = { scenario: 'vector', apiKey: 'sk-service-example', model: 'sea-small', prompt: 'Which word is it?' };
type Task = typeof TASK & Pick<Vector, 'mode'> & { readonly baseUrl: string; readonly timeoutMs: number };

/** Returns the text, or one model id per line, or throws. */
type Client = (task: Task) => Promise<string>;

const AT_ONCE = 8;

/** The vectors of which the client makes something else. */
export async function listMistakes(vectors: readonly Vector[], client: Client) {
  const queue = [...vectors];
  const wrong: { readonly id: string; readonly clause: string; readonly got: string; readonly expected: string }[] = [];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [got, expected] = [await playTo(client, next), expectedOf(next)];
      if (got !== expected) wrong.push({ id: next.id, clause: next.clause ?? '', got, expected });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return wrong;
}

async function playTo(client: Client, vector: Vector): Promise<string> {
  const { baseUrl, close } = await serve(vector);
  const { mode, answer } = vector;
  const timeoutMs = answer.end === 'held' ? 300 : 10_000;
  try {
    return await client({ ...TASK, baseUrl, mode, timeoutMs }).then(
      (text) => `text: ${mode === 'models' ? text.split('\n').toSorted().join('\n') : text}`,
      () => 'error',
    );
  } finally {
    close();
  }
}

/** Answers whoever connects. */
async function serve({ answer }: Vector): Promise<{ readonly baseUrl: string; readonly close: () => void }> {
  const sockets = new Set<Socket>();
  const play = async (socket: Socket): Promise<void> => {
    for (const piece of answer.pieces) {
      if (typeof piece === 'string')
        await new Promise((resolve) => socket.write(Buffer.from(piece, 'base64'), resolve));
      else await new Promise((resolve) => setTimeout(resolve, piece));
    }
    if (answer.end === 'close') socket.end();
    if (answer.end === 'reset') socket.resetAndDestroy();
  };
  const server = createServer((socket) => {
    sockets.add(socket.setNoDelay(true).on('error', () => socket.destroy()));
    socket.once('data', () => void play(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    baseUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function expectedOf({ expect: { kind, text, models = [] } }: Vector): string {
  if (kind === 'error') return 'error';
  return `text: ${text ?? models.toSorted().join('\n')}`;
}
