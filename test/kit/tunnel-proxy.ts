/** A proxy that opens every tunnel it is asked for. */
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

export interface TunnelProxy {
  readonly proxy: string;
  /** What each tunnel was asked for with: target and headers. */
  readonly tunnels: readonly string[];
}

export async function tunnelProxy(): Promise<TunnelProxy> {
  const tunnels: string[] = [];
  const server = createServer().on('connect', (request, socket) => {
    tunnels.push(`${request.url} ${JSON.stringify(request.headers)}`);
    const { hostname, port } = new URL(`http://${request.url}`);
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const end of [socket, onward]) end.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return { proxy: `http://127.0.0.1:${port}`, tunnels };
}
