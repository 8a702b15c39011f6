/** Certificates that are not trusted: what to do depends on why, and on whether an authority was named. */
import { expect, it } from 'vitest';
import { endedRun, unreachable } from '../../test/kit/endings.ts';
import { adviseOnEnding } from './ending.ts';

const NOT_SIGNED = 'The authority that --ca names did not sign the certificate of https://gateway.example/v1 (';
const NO_ROOT = '--ca does not name the root of the authority that signed the certificate of https://';

it.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', NOT_SIGNED, 'Name the root of its authority, '],
  ['SELF_SIGNED_CERT_IN_CHAIN', NOT_SIGNED, 'Name the root of its authority, '],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', NOT_SIGNED, 'Name the root of its authority, '],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', NOT_SIGNED, 'Name the root of its authority, '],
  ['UNABLE_TO_GET_ISSUER_CERT', NO_ROOT, 'Name the root of its authority, '],
  ['CERT_REVOKED', 'is not trusted (CERT_REVOKED', 'Check the certificate, or skip'],
  ['CERT_HAS_EXPIRED', 'is not trusted (CERT_HAS_EXPIRED', 'Renew it, check the clock'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'is not trusted (ERR_TLS', 'Use a host name that the certificate is for'],
])('Advice does not ask for the authority that --ca names: %s', (code, what, remedy) => {
  const ending = unreachable('tls', { code });
  const advice = adviseOnEnding(endedRun(ending, undefined, { 'tls.ca': 'ca.pem' }));
  expect(advice).toContain(what);
  expect(advice).toContain(`. ${remedy}`);
  expect(advice).not.toContain('--ca FILE');
});

it.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', true],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', true],
  ['CERT_HAS_EXPIRED', false],
  ['ERR_TLS_CERT_ALTNAME_INVALID', false],
])('Advice asks for an authority only if that may help: %s', (code, helps) => {
  expect(adviseOnEnding(endedRun(unreachable('tls', { code })))?.includes('--ca FILE')).toBe(helps);
});
