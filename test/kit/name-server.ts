/** A name server for one name. */
import { createSocket } from 'node:dgram';

export interface NameServer {
  readonly close: () => void;
}

/** A loopback address of its own: resolvers ask no other port than 53. */
export const NAME_SERVER = '127.0.53.7';

/** Undefined if the port cannot be had. Every name has the address 127.0.0.1, and no address of IPv6. */
export async function startNameServer(): Promise<NameServer | undefined> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => socket.send(answerTo(query), port, address));
  const isBound = await new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false));
    socket.bind(53, NAME_SERVER, () => resolve(true));
  });
  return isBound ? { close: () => void socket.close() } : undefined;
}

/** RFC 1035, section 4. */
function answerTo(query: Buffer): Buffer {
  // After the header: the name, which ends with a zero, its type and its class.
  const end = query.indexOf(0, 12) + 5;
  const isForAddress = query.readUInt16BE(end - 4) === 1;
  const header = Buffer.from(query.subarray(0, 12));
  // A response; one question; one answer or none; nothing else.
  header.writeUInt16BE(0x8180, 2);
  for (const [at, count] of [
    [4, 1],
    [6, isForAddress ? 1 : 0],
    [8, 0],
    [10, 0],
  ] as const)
    header.writeUInt16BE(count, at);
  // The name of the question, an address, one second, four bytes.
  const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 127, 0, 0, 1]);
  return Buffer.concat([header, query.subarray(12, end), ...(isForAddress ? [answer] : [])]);
}
