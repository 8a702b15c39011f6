/** A server that must never be contacted: redirects and ambient proxies lead to it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Trap {
  readonly address: string;
  readonly asked: number;
  close(): void;
}

export async function startTrap(): Promise<Trap> {
  let asked = 0;
  const server = createServer((_request, response) => response.end('{}'));
  server.on('connection', () => (asked += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return asked;
    },
    close: () => void server.close(),
  };
}

/** Its address; set before the runs. */
export const trapped = { address: '' };
