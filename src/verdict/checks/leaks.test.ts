import { expect, it } from 'vitest';
import { checkInput, plainExchange, runView, streamExchange } from '../../../test/kit/exchanges.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { formatActual } from '../actual.ts';
import { LEAK_CHECKS } from './leaks.ts';

const BASE_URL = 'http://10.9.9.9:8080/via/192.168.7.7/v1';

const judge = (exchange: ReturnType<typeof plainExchange>) =>
  LEAK_CHECKS['no-leak'].execute(
    checkInput(exchange, { run: runView({ settings: { ...DEFAULT_SETTINGS, baseUrl: BASE_URL } }) }),
  );
const refused = (message: string, body = '') =>
  plainExchange({ status: 400, json: { error: { message, type: 't', code: 'c' } }, request: { body } });
const found = (message: string) => {
  const result = judge(refused(message));
  return result.kind === 'broken' ? result.findings.map(({ actual }) => formatActual(actual)) : result.kind;
};

it.each([
  'See https://docs.example/errors.html:12 and https://docs.example/a/b.md#L3.',
  'Requires 10.2.3.4, and not 1.10.2.3.4: version 10.2.3.4, v10.2.3.4, 10.2.3.4-beta, 10.2.3.4.5.',
  'line 3 of messages is wrong',
  'Cannot reach 10.9.9.9:8080 (10.9.9.9)',
  'Not allowed for 192.168.7.7',
  'Your IP is 10.1.2.3.',
  'Rate limit exceeded for 10.1.2.3',
  'Request from client ip: 172.16.5.4 refused',
  'Private networks such as 10.0.0.0/8 are refused.',
  'Listening on [fd00::1]:8080, 172.15.0.1, 172.32.0.1, 11.0.0.1, 8.8.8.8 and 192.169.1.1.',
  'Unknown text errors.internal, set config.local or use .env.local',
  'No route for /v1/chat/completions and /v1/models.json',
  'Unexpected token at 1:10:5, at line 3, at position 5',
  'The model file /models/llama.gguf is not loaded',
  '',
])('nothing in %j counts', (message) => {
  expect(found(message)).toBe('holds');
});

it.each([
  ['dial tcp 10.0.3.7:8000: connection refused', ['a private address: 10.0.3.7']],
  ['connect ECONNREFUSED 172.31.255.1:80', ['a private address: 172.31.255.1']],
  ['Cannot connect to host 192.168.1.20:8000.', ['a private address: 192.168.1.20']],
  ['Post "http://vllm.internal/v1": EOF', ['a private address: vllm.internal']],
  ['lookup vllm-0.models.svc.cluster.local: no such host', ['a private address: vllm-0.models.svc.cluster.local']],
  ['upstream node7.local:8000 is down', ['a private address: node7.local']],
  ['failed at /app/src/chat.py:42', ['a file with a line number: /app/src/chat.py:42']],
  ['File "/app/server.py", line 42, in run', ['a file with a line number: /app/server.py", line 42']],
  ['C:\\srv\\app\\chat.cs:7', ['a file with a line number: C:\\srv\\app\\chat.cs:7']],
  ['x at a (/x/y.js:1:2) at b (/x/z.js:3:4) at async c (file:///x/w.js:5:6)', ['a stack trace: at a (/x/y.js:1:2)']],
  ['panic a/b.go:1 c/d.go:2 e/f.go:3', ['a stack trace: a/b.go:1']],
])('%j tells of the inside', (message, leaks) => {
  expect(found(message)).toEqual(leaks);
});

it('text of the request does not count, nor does a success', () => {
  expect(judge(refused('Bad URL http://10.1.1.1/cat.png', '{"url":"http://10.1.1.1/cat.png"}')).kind).toBe('holds');
  expect(judge(plainExchange({ json: { text: 'dial tcp 10.0.3.7:8000' } })).kind).toBe('skipped');
});

it('reads errors that are not JSON, and errors in streams', () => {
  expect(judge(plainExchange({ status: 502, text: 'upstream 10.0.3.7:80 failed' })).kind).toBe('broken');
  const data = JSON.stringify({ error: { message: 'dial tcp 10.0.3.7:8000' } });
  expect(judge(streamExchange({ text: `data: ${data}\n\n` })).kind).toBe('broken');
});
