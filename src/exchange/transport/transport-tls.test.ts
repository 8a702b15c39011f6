import { createServer } from 'node:https';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CERTIFICATE, KEY } from '../../../test/kit/certificate.ts';
import { failureIn, GET_MODELS, textOf, transportTo } from '../../../test/kit/raw-target.ts';
import type { TlsSettings } from '../../settings.ts';
import { tunnelProxy } from '../../../test/kit/tunnel-proxy.ts';

describe('a target that speaks TLS', () => {
  async function secureTarget(): Promise<string> {
    const server = createServer({ key: KEY, cert: CERTIFICATE }, (_request, response) => response.end('ok'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `https://127.0.0.1:${(server.address() as { port: number }).port}/v1`;
  }

  it('is not trusted without a known certificate', async () => {
    const failure = failureIn(await transportTo(await secureTarget()).send(GET_MODELS));
    expect(failure).toMatchObject({ kind: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });

  it('is trusted with the given certificate, or if verification is turned off', async () => {
    const baseUrl = await secureTarget();
    expect(textOf(await transportTo(baseUrl, { tls: { insecure: false, ca: CERTIFICATE } }).send(GET_MODELS))).toBe(
      'ok',
    );
    expect(textOf(await transportTo(baseUrl, { tls: { insecure: true } }).send(GET_MODELS))).toBe('ok');
  });

  it('is reached through a proxy, on one connection for several requests', async () => {
    const { proxy, tunnels } = await tunnelProxy();
    const transport = transportTo(await secureTarget(), {
      proxy,
      tls: { insecure: false, ca: CERTIFICATE },
      concurrency: 1,
    });
    const first = await transport.send(GET_MODELS);
    const second = await transport.send(GET_MODELS);
    expect([textOf(first), textOf(second)]).toEqual(['ok', 'ok']);
    expect([first.connection, second.connection]).toEqual([1, 1]);
    expect(tunnels).toHaveLength(1);
  });

  it('is not trusted under another host name', async () => {
    const baseUrl = (await secureTarget()).replace('127.0.0.1', '127.0.0.2');
    const failure = failureIn(
      await transportTo(baseUrl, { tls: { insecure: false, ca: CERTIFICATE } }).send(GET_MODELS),
    );
    // Where the second loopback address does not exist, there is nobody to distrust.
    expect(failure.kind).toMatch(/tls|refused/);
  });

  it('needs a readable certificate file', () => {
    expect(() => transportTo('https://127.0.0.1:1/v1', { tls: { insecure: false, ca: 'no-such-file.pem' } })).toThrow(
      /^Cannot read the CA certificate no-such-file\.pem: /,
    );
  });

  it.each<[TlsSettings, RegExp]>([
    [
      { insecure: false, ca: 'package.json' },
      /^package\.json holds no certificate \(PEM\): give that of the authority/,
    ],
    [{ insecure: true, ca: KEY }, /^The text of the CA certificate holds no certificate \(PEM\): [\w ,]+\.pem\.$/],
    [{ insecure: false, ca: CERTIFICATE.replace('MII', 'XXX') }, /holds no certificate/],
    [
      { insecure: false, clientCert: 'package.json', clientKey: KEY },
      /^package\.json cannot be used with its key \(ERR_/,
    ],
    [
      { insecure: false, clientCert: KEY, clientKey: KEY },
      /^The text of the client certificate cannot be used[\w (),:]+\.$/,
    ],
    [{ insecure: false, clientCert: CERTIFICATE, clientKey: CERTIFICATE }, /cannot be used with its key/],
  ])('needs certificates that can be used: %#', (tls, sentence) => {
    expect(() => transportTo('https://127.0.0.1:1/v1', { tls })).toThrow(sentence);
  });

  it('takes an authority after a key and a comment, and a client certificate with its key', () => {
    const ca = `# ours\n${KEY}\r\n${CERTIFICATE}`;
    const tls = { insecure: false, ca, clientCert: CERTIFICATE, clientKey: KEY };
    expect(() => transportTo('https://127.0.0.1:1/v1', { tls })).not.toThrow();
  });
});
