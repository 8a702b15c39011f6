// Whether a deviation shows in the call that a client makes: the bytes differ from those of the conforming gateway.
import { connect } from 'node:net';
import { startGateway } from '../../build/src/gateway/index.js';
/** @import { ClientCall } from '../../build/src/contract/stock-clients.js' */
/** @import { GatewayOptions } from '../../build/src/gateway/index.js' */

/** Generous, since a busy machine must not hide a deviation. */
const FIRST_BYTE_MS = 20_000;
const QUIET_MS = 1_500;

/**
 * @param {ClientCall} call
 * @param {GatewayOptions} options
 */
export async function showsIn(call, options) {
  const [usual, deviating] = await Promise.all([bytesOf(call, {}), bytesOf(call, options)]);
  return usual !== deviating;
}

/**
 * @param {ClientCall} call
 * @param {GatewayOptions} options
 */
async function bytesOf(call, options) {
  const gateway = await startGateway(options);
  const { port, pathname } = new URL(gateway.baseUrl);
  const body =
    call === 'models'
      ? ''
      : JSON.stringify({
          model: gateway.models[0],
          messages: [{ role: 'user', content: 'Hello' }],
          ...(call === 'stream' && { stream: true }),
        });
  const head = [
    call === 'models' ? `GET ${pathname}/models HTTP/1.1` : `POST ${pathname}/chat/completions HTTP/1.1`,
    'Host: gateway',
    'Connection: close',
    `Authorization: Bearer ${gateway.keys.full}`,
    'Content-Type: application/json',
    'Accept-Encoding: gzip, deflate, br',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  let text = '';
  await /** @type {Promise<void>} */ (
    new Promise((resolve) => {
      let timer = setTimeout(resolve, FIRST_BYTE_MS);
      socket.setEncoding('latin1');
      socket.on('data', (piece) => {
        text += piece;
        clearTimeout(timer);
        timer = setTimeout(resolve, QUIET_MS);
      });
      socket.on('close', () => {
        text += 'closed';
        resolve();
      });
      socket.on('error', () => resolve());
    })
  );
  socket.destroy();
  await gateway.close();
  // The time of the answer is not part of the deviation.
  return text.replace(/^date: .*$/im, '').replaceAll(/\b1\d{9}\b/g, 'now');
}
