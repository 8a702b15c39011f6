import { expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { createVault, UPSTREAM_KEY } from './vault.ts';

const KEYS = { full: 'sk-service-4hT8wQ2mZ6nR1xC9' };

function vaultWith(authorization: string, ownWords: readonly string[] = []) {
  const vault = createVault({ ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1' }, KEYS, ownWords);
  const received = vault.receive({
    path: '/v1/chat/completions',
    headers: [['Authorization', authorization]],
    body: Buffer.from('{}'),
  });
  return { vault, received };
}

it('A credential that arrived is found in later answers, and kept without its text', () => {
  const { vault, received } = vaultWith('Bearer sk-gateway-secret');
  expect(received.headers).toEqual([['Authorization', `Bearer ${'*'.repeat(17)}`]]);
  const { value, seen } = vault.redactor.text('denied for sk-gateway-secret');
  expect([value, seen]).toEqual([`denied for ${'*'.repeat(17)}`, [{ role: UPSTREAM_KEY, form: 'raw', whole: true }]]);
});

it('Ordinary words of a made-up credential are not found', () => {
  const { vault } = vaultWith('Bearer sk-wirecheck-upstream');
  expect(vault.redactor.text('model wirecheck-upstream: upstream connect error').seen).toEqual([]);
});

it('A credential that is a word of ours, or shorter than eight characters, is not learned', () => {
  expect(vaultWith('Bearer wirecheck-upstream', ['wirecheck-upstream']).vault.hasLearned).toBe(false);
  expect(vaultWith('Bearer any').vault.hasLearned).toBe(false);
});

it('A long credential is found by a large part of it', () => {
  const key = 'sk-proj-9aB7cD5eF3gH1iJ8kL6mN4oP2qR0sT';
  const { vault } = vaultWith(`Bearer ${key}`);
  expect(vault.redactor.text(`key ${key.slice(0, 34)}`).seen).toMatchObject([{ whole: true }]);
  expect(vault.redactor.text(`key ${key.slice(0, 12)}…`).seen).toEqual([]);
});

it("The run's own key is noticed on arrival, and not taken for the gateway's", () => {
  const { vault, received } = vaultWith(`Bearer ${KEYS.full}`);
  expect(received.secretsSeen).toMatchObject([{ role: 'full', whole: true, place: 'header' }]);
  expect(vault.hasLearned).toBe(false);
});

it('A secret header that names the upstream does not make its address a secret, but the rest still counts', () => {
  const value = '{"api_key":"sk-upstream-7Yq2Vb9Kx4","custom_host":"http://127.0.0.1:5055/v1"}';
  const headers = [{ name: 'x-config', value, secret: true }];
  const vault = createVault({ ...DEFAULT_SETTINGS, baseUrl: 'http://gateway.example/v1', headers }, KEYS);
  const report = '{"upstream":{"url":"http://127.0.0.1:5055/v1"}}';
  expect(vault.createScanner([]).findsIn(report)).toBe(true);
  const scanner = vault.createScanner(['http://127.0.0.1:5055']);
  expect(scanner.findsIn(report)).toBe(false);
  expect(scanner.findsIn('quoted: {"api_key":"sk-upstream-7Yq2Vb9Kx4"')).toBe(true);
});
