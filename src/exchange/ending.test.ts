import { describe, expect, it } from 'vitest';
import { adviseOnEnding, type Ending, explainsStatus, formatEnding } from './ending.ts';
import { endedRun, unreachable } from '../../test/kit/endings.ts';
import { ENDINGS } from '../../test/kit/reports.ts';
import { quoteText } from '../text/quote.ts';

describe('advice on how a run ended', () => {
  it('asks for the version segment only if the address does not end in it', () => {
    const ending = { kind: 'not-this-api', status: 404 } as const;
    expect(adviseOnEnding(endedRun(ending, 'https://gateway.example'))).toContain('that ends with the version');
    expect(adviseOnEnding(endedRun(ending))).not.toContain('version');
  });

  it('is absent after a complete run', () => {
    expect(adviseOnEnding(endedRun({ kind: 'complete' }))).toBeUndefined();
  });

  it.each([
    [unreachable('refused'), 'Cannot connect to https://gateway.example/v1 (CODE)', '--wait-for'],
    [unreachable('unresolved'), 'host name', 'DNS'],
    [unreachable('tls'), 'CODE', '--ca FILE'],
    [
      unreachable('tls', {
        code: 'EPROTO',
        detail: 'write EPROTO 80DC:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/a.c:350:',
      }),
      'does not speak https',
      'http://',
    ],
    [
      unreachable('tls', {
        code: 'EPROTO',
        detail: 'write EPROTO 80DC:error:0A000410:SSL routines:read:sslv3 alert handshake failure:../deps/a.c:1593:',
      }),
      'handshake with https://gateway.example/v1 failed (sslv3 alert handshake failure)',
      '--client-cert',
    ],
    [unreachable('closed'), 'closed the connection', 'http or https'],
    [unreachable('timeout', { limit: 'connect-timeout' }), 'accepted no connection within', 'raise --connect-timeout'],
    [
      unreachable('timeout', { limit: 'first-byte-timeout', at: 60_004 }, { most: 60_000 }),
      'accepted the connection, but did not answer within 60 s (--first-byte-timeout)',
      'raise --first-byte-timeout',
    ],
    [
      unreachable('timeout', { limit: 'idle-timeout' }, { most: 500, began: true }),
      'began to answer GET /models, but did not finish within 500 ms (--idle-timeout)',
      'raise --idle-timeout',
    ],
    [unreachable('not-http'), 'did not send valid HTTP (detail)', 'Check the port'],
    [unreachable('limit', { limit: 'max-headers' }), 'exceeds --max-headers', 'Raise'],
    [unreachable('limit', { limit: 'max-interim' }), 'no final answer (detail)', 'Check that the port'],
    [unreachable('aborted'), 'aborted', 'Run again'],
    [
      { kind: 'key-refused', status: 401 },
      'refused the key with 401',
      'Check that WIRECHECK_API_KEY holds a valid key',
    ],
    [{ kind: 'not-this-api', status: 404 }, '/models returned 404.', 'Check the host, the port and the path'],
    [
      { kind: 'not-this-api', status: 200, answer: { status: 200, message: quoteText('Welcome'), isPage: true } },
      '/models returned 200 (web page: Welcome).',
      'looks like a web page, not an API. Check the host',
    ],
    [
      { kind: 'not-this-api', status: 502, answer: { status: 502, message: quoteText('Bad Gateway'), isPage: true } },
      '/models returned 502 (web page: Bad Gateway).',
      "The gateway's upstream seems to be down: start it, or wait for it with --wait-for 60s.",
    ],
    [
      { kind: 'not-this-api', status: 503, answer: { status: 503, isEmpty: true }, waited: true },
      '/models returned 503 (empty body), although the run waited for as long as --wait-for allows.',
      "The gateway's upstream seems to be down: start it.",
    ],
    [
      {
        kind: 'not-this-api',
        status: 301,
        answer: { status: 301, location: quoteText('https://other.example/v1/models') },
      },
      '/models returned 301, a redirect to https://other.example/v1/models.',
      'This looks like a login, or another host, in front of the API.',
    ],
    [
      { kind: 'not-this-api', status: 302, answer: { status: 302, location: quoteText('/auth?next=/v1') } },
      '/models returned 302, a redirect to /auth?next=/v1.',
      'This looks like a login, or another host, in front of the API.',
    ],
    [
      { kind: 'not-this-api', status: 308, answer: { status: 308, location: quoteText('/api/v1/models') } },
      '/models returned 308, a redirect to /api/v1/models.',
      'Try: npx --no-install wirecheck run https://gateway.example/api/v1',
    ],
    [
      { kind: 'not-this-api', status: 308, answer: { status: 308, location: quoteText('/v1/models/') } },
      '/models returned 308, a redirect to /v1/models/.',
      'Pass the base URL at which the API answers without one, or what a login asks for with --header-env NAME=VAR.',
    ],
    [
      { kind: 'key-refused', status: 401, answer: { status: 401, message: quoteText('No such key') } },
      'refused the key with 401 (No such key).',
      'WIRECHECK_API_KEY',
    ],
    [
      {
        kind: 'no-model',
        reason: 'no-list',
        answer: { status: 400, message: quoteText('the x-route header is required') },
      },
      'There is no model to call: GET https://gateway.example/v1/models returned 400 (the x-route header is required).',
      "Pass the header that it asks for with --header 'NAME: VALUE'",
    ],
    [
      {
        kind: 'no-model',
        reason: 'no-list',
        answer: { status: 500, message: quoteText('Cannot set headers after they are sent') },
      },
      'GET https://gateway.example/v1/models returned 500 (Cannot set headers after they are sent).',
      'Name a model with --model.',
    ],
    [
      { kind: 'no-model', reason: 'no-list', answer: { status: 403, message: quoteText('Denied'), isPage: true } },
      'returned 403 (web page: Denied).',
      'looks like a web page, not an API.',
    ],
    [
      { ...unreachable('refused'), waited: true } as Ending,
      'Cannot connect to https://gateway.example/v1 (CODE), although the run waited',
      'Check the host and port, or start the gateway.',
    ],
    [
      { kind: 'not-this-api', status: 404, nearby: 'https://gateway.example/api/v1' },
      'answers like this API',
      'wirecheck run https://gateway.example/api/v1',
    ],
    [{ kind: 'no-model', reason: 'empty-list' }, 'has no id that can be called', '--model'],
    [{ kind: 'no-model', reason: 'not-listed' }, 'not in the model list', 'leave --model out'],
    [{ kind: 'no-model', reason: 'no-list' }, 'could not be read', '--model'],
    [
      { kind: 'chat-unanswered', limit: 'first-byte-timeout', most: 1_500 },
      'The control, a plain request, had no complete answer within 1.5 s (--first-byte-timeout), on every attempt.',
      'raise --first-byte-timeout',
    ],
    [
      { kind: 'stopped-answering', suspects: ['parameters/huge', 'b'], lastAnswered: 'c' },
      'Requests in flight: parameters/huge, b. The last request answered: c.',
      '--concurrency 1',
    ],
    [
      { kind: 'stopped-answering', suspects: ['a/b'], lastAnswered: 'c', oneAtATime: true },
      'The request in flight is the likely cause: a/b. The last request answered: c. Restart it',
      'run again to see whether the same request stops it',
    ],
    [
      { kind: 'stopped-answering', suspects: [], lastAnswered: 'c' },
      'answering. The last request answered: c. It is the likely cause. Restart it',
      '--concurrency 1',
    ],
    [{ kind: 'stopped-answering', suspects: [] }, 'The target stopped answering. Restart it', '--concurrency 1'],
    [{ kind: 'rate-limited' }, '429 (too many requests), however long the run waited.', '--rate'],
    [{ kind: 'rate-limited', asked: 120_000 }, 'asked to wait for 120 s, which', 'raise --max-retry-wait, slow down'],
    [{ kind: 'budget', setting: 'max-requests' }, '--max-requests', '`npx --no-install wirecheck plan --only …`'],
    [{ kind: 'budget', setting: 'max-requests', underLoad: true }, '--max-requests', 'wirecheck load … --plan` shows'],
    [{ kind: 'budget', setting: 'max-time', exploring: true }, '--max-time', 'draw fewer requests with --requests;'],
    [{ kind: 'refused-alone' }, 'with a reply that broke off, before any load', 'wirecheck run'],
    [{ kind: 'refused-alone', answer: { status: 503 } }, 'a single call with 503', 'Run again later'],
    [{ kind: 'ended-under-load', why: 'stopped-answering', inFlight: 16 }, 'at 16 in flight', 'a lower --concurrency'],
    [{ kind: 'ended-under-load', why: 'shut-out', inFlight: 4 }, 'may block this client', '--skip load/unknown-key'],
    [{ kind: 'bailed', after: 'positive' }, 'after the stage "positive"', 'without --bail'],
    [{ kind: 'interrupted' }, 'interrupted', 'Run again'],
    [{ kind: 'recording-cut' }, 'incomplete', 'Record again'],
  ] satisfies [Ending, string, string][])('names what happened and the remedy: %j', (ending, what, remedy) => {
    const sentence = adviseOnEnding(endedRun(ending));
    expect(sentence).toContain(what);
    expect(sentence).toContain(remedy);
    expect(sentence).not.toContain('\n');
  });
});

describe('a status', () => {
  it('is explained by a refused key or another API only if it is the one that ended the run', () => {
    expect(explainsStatus(ENDINGS['key-refused'], 401)).toBe(true);
    expect(explainsStatus(ENDINGS['key-refused'], 500)).toBe(false);
    expect(explainsStatus(ENDINGS['not-this-api'], 404)).toBe(true);
    expect(explainsStatus(ENDINGS['not-this-api'], 401)).toBe(false);
  });

  it('is explained by an unlisted --model whatever its value, and by no other ending', () => {
    expect(explainsStatus({ kind: 'no-model', reason: 'not-listed' }, 500)).toBe(true);
    expect(explainsStatus({ kind: 'no-model', reason: 'empty-list' }, 500)).toBe(false);
    expect(explainsStatus(ENDINGS.budget, 429)).toBe(false);
  });
});

it("The system's and the target's words are inert in a sentence", () => {
  const detail = 'bad\u001b[31m\nred';
  for (const ending of [
    unreachable('tls', { detail }),
    unreachable('not-http', { detail }),
    unreachable('refused', { code: detail }),
  ]) {
    const sentence = adviseOnEnding(endedRun(ending));
    expect(sentence).not.toContain('\u001b');
    expect(sentence).not.toContain('\n');
  }
});

it.each(Object.values(ENDINGS))('A phrase fits in the verdict line: $kind', (ending) => {
  expect(formatEnding(ending)).toMatch(/^[a-z-].*[^.]$/);
  expect(formatEnding(ending).length).toBeLessThan(60);
});
