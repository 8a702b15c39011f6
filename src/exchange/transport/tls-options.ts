/** Reads the certificates of the settings. One that cannot be used is found before anything is sent. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { TlsSettings } from '../../settings.ts';
import { inert } from '../../text/inert.ts';
import { UsageError } from '../../usage-error.ts';

interface TlsOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized: boolean;
}

export function tlsOptions({ ca, clientCert, clientKey, insecure }: TlsSettings): TlsOptions {
  return {
    rejectUnauthorized: !insecure,
    ...(ca !== undefined && { ca: readAuthority(ca) }),
    ...readClient(clientCert, clientKey),
  };
}

/** OpenSSL passes over a file without a certificate in silence, and then trusts nobody. */
function readAuthority(given: string): string {
  const text = pem(given, 'CA certificate');
  if (hasCertificate(text)) return text;
  throw wrong(given, 'CA certificate', 'holds no certificate (PEM): give that of the authority, such as ca.pem.');
}

function hasCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}

function readClient(clientCert: string | undefined, clientKey: string | undefined): Pick<TlsOptions, 'cert' | 'key'> {
  const cert = clientCert === undefined ? undefined : pem(clientCert, 'client certificate');
  const key = clientKey === undefined ? undefined : pem(clientKey, 'client key');
  if (cert !== undefined) requireUsable(clientCert ?? '', { cert, ...(key !== undefined && { key }) });
  return { ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) };
}

function requireUsable(given: string, pair: { readonly cert: string; readonly key?: string }): void {
  try {
    createSecureContext(pair);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = `cannot be used with its key (${inert(code ?? 'unknown')}): give a certificate and the key that belongs to it (PEM).`;
    throw wrong(given, 'client certificate', what);
  }
}

/** A path, or the PEM text itself. */
function pem(given: string, what: string): string {
  if (isText(given)) return given;
  try {
    return readFileSync(given, 'utf8');
  } catch (error) {
    throw new UsageError(`Cannot read the ${what} ${given}: ${(error as Error).message}`, { code: 'FILE_UNREADABLE' });
  }
}

/** Text is not repeated: it may be a key. */
function wrong(given: string, name: string, what: string): UsageError {
  return isText(given)
    ? new UsageError(`The text of the ${name} ${what}`)
    : new UsageError(`${inert(given, 300)} ${what}`, { code: 'FILE_INVALID' });
}

function isText(given: string): boolean {
  return given.includes('-----BEGIN');
}
