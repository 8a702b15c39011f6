/** A TLS port in front of a gateway, under a host name. */
import { connect } from 'node:net';
import { createServer } from 'node:tls';
import { CERTIFICATE, KEY } from './certificate.ts';

export interface TlsFront {
  readonly baseUrl: string;
  readonly close: () => void;
}

/** `baseUrl`: that of the gateway. */
export async function startTlsFront(baseUrl: string): Promise<TlsFront> {
  const { port, hostname, pathname } = new URL(baseUrl);
  const server = createServer({ key: KEY, cert: CERTIFICATE }, (socket) => {
    const onward = connect(Number(port), hostname);
    socket.pipe(onward).pipe(socket);
    for (const end of [socket, onward]) end.on('error', () => end.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const address = server.address() as { readonly port: number };
  return { baseUrl: `https://localhost:${address.port}${pathname}`, close: () => server.close() };
}
