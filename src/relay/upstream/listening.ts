/** The socket side of the upstream: it listens, tracks connections and survives what is not HTTP. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { inert } from '../../text/inert.ts';
import { UsageError } from '../../usage-error.ts';

export function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    else socket.destroy();
  });
  return sockets;
}

/** Returns the port. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        new UsageError(
          `Cannot listen on ${inert(host, 100)}:${port} (${error.code ?? error.message}): choose another --upstream-port or --upstream-host.`,
        ),
      );
    });
    server.listen(port, host, resolve);
  });
  server.removeAllListeners('error');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
