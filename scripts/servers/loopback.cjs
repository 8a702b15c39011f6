// Preloaded into servers that have no option for their address or port: they listen on loopback, and in place of any
// free port on LOOPBACK_PORT. Touches nothing that they answer.
const { Server } = require('node:net');

const HOST = '127.0.0.1';
// oxlint-disable-next-line unbound-method -- called with the server as `this`, below
const listen = Server.prototype.listen;

/**
 * @this {import('node:net').Server}
 * @param {unknown} first a port, or options with a port
 * @param {unknown[]} rest an address, or anything else that listen() takes
 */
Server.prototype.listen = function listenOnLoopback(first, ...rest) {
  if (first !== null && typeof first === 'object' && 'port' in first) {
    const port = first.port === 0 ? Number(process.env['LOOPBACK_PORT'] ?? 0) : first.port;
    return Reflect.apply(listen, this, [{ ...first, host: HOST, port }, ...rest]);
  }
  const others = typeof rest[0] === 'string' ? rest.slice(1) : rest;
  return Reflect.apply(listen, this, [first, HOST, ...others]);
};
