/** A port that is free, for a server whose port has to be known before it starts. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Systems give ports above it to connections and to servers that ask for any port: they would take ours at any moment. */
const LOWEST_GIVEN = 32_768;
const LOWEST = 20_000;

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (LOWEST_GIVEN - LOWEST));
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
