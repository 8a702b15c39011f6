import { expect, it } from 'vitest';
import { endedRun } from '../../test/kit/endings.ts';
import { modelsExchange } from '../../test/kit/exchanges.ts';
import { quickSettings } from '../../test/kit/real-run.ts';
import { dropQuotes, quoteText } from '../text/quote.ts';
import type { DescribedSettings } from '../settings/setting-flags.ts';
import { adviseOnEnding, type Ending } from './ending.ts';
import { explainEnding } from './explain-ending.ts';

it.each([
  [{}, 'WIRECHECK_API_KEY holds'],
  [{ apiKeyEnv: 'STAGING_KEY' }, 'STAGING_KEY holds'],
  [{ apiKeyFile: '/run/key' }, 'the file /run/key holds'],
])('Advice on a refused key names where it came from: %j', (settings, place) => {
  const advice = adviseOnEnding(endedRun({ kind: 'key-refused', status: 401 }, undefined, settings));
  expect(advice).toContain(`Check that ${place} a valid key for this deployment.`);
  expect(advice?.includes('WIRECHECK_API_KEY')).toBe(Object.keys(settings).length === 0);
});

it.each(['{}', '[]'] as const)('A first answer that says nothing is told as it is: %s', (emptyJson) => {
  const ending = { kind: 'not-this-api', status: 200, answer: { status: 200, emptyJson } } as const;
  expect(adviseOnEnding(endedRun(ending))).toContain(`/models returned 200 and the body ${emptyJson}. Check the host`);
});

/** What a run on the base URL says of its first answer, with and without the text of the target. */
function adviceOn(answer: Parameters<typeof modelsExchange>[0]): readonly (string | undefined)[] {
  const list = modelsExchange({ ...answer, id: 'models', step: 'models' });
  const settings = quickSettings('https://api.example/v1');
  const ended: Ending = { kind: 'not-this-api', status: answer?.status ?? 200 };
  const ending = explainEnding(ended, [list], settings);
  return [ending, dropQuotes(ending)].map((each) => adviseOnEnding(endedRun(each, 'https://api.example/v1')));
}

it.each(['https://sso.example/auth?next=/v1', '/login', 'https://sso.example/v1'])(
  'A redirect to a login is told as one, also without the text of the target: %s',
  (location) => {
    const [whole, bare] = adviceOn({ status: 302, headers: { location } });
    expect(whole).toContain('This looks like a login, or another host');
    expect(bare).toContain('This looks like a login, or another host');
    expect(bare).not.toContain('sso.example');
  },
);

it('A redirect to the API itself is no login', () => {
  const [whole, bare] = adviceOn({ status: 302, headers: { location: '/v1/models/' } });
  expect(whole).toContain('does not follow redirects. Pass the base URL');
  expect(bare).toContain('does not follow redirects. Pass the base URL');
});

const HTML = { 'content-type': 'text/html' };

it.each([
  ['<title>Sign in</title>', 'a login page'],
  ['<title>Log in - Acme</title>', 'a login page'],
  ['<title>Acme login</title>', 'a login page'],
  ['<title>Acme</title><form><input name=p type="password"></form>', 'a login page'],
  ['<title>Blog index</title><p>Sign in anywhere</p><input type="text">', 'a web page, not an API'],
])('A page that asks for a password is a login: %s', (body, words) => {
  for (const advice of adviceOn({ status: 200, headers: HTML, text: `<html>${body}</html>` })) {
    expect(advice).toContain(`looks like ${words}`);
    expect(advice?.includes('--header-env')).toBe(words === 'a login page');
  }
});

it.each([
  [
    { kind: 'key-refused', status: 403, answer: { status: 403, message: quoteText('Blocked'), isPage: true } },
    'answered the key with 403 (web page: Blocked). This looks like the page of a firewall or a proxy',
    'have this machine allowed',
  ],
  [
    { kind: 'key-refused', status: 401, answer: { status: 401, message: quoteText('Sign in'), isPage: true } },
    'answered the key with 401 (web page: Sign in).',
    'looks like a login page in front of the API.',
  ],
  [
    { kind: 'no-model', reason: 'no-list', answer: { status: 503, message: quoteText('busy') } },
    'returned 503 (busy).',
    "The gateway's upstream seems to be down: start it, wait for it with --wait-for 60s, or name a model with --model.",
  ],
  [
    { kind: 'no-model', reason: 'no-list', answer: { status: 503 }, waited: true },
    'returned 503, although the run waited for as long as --wait-for allows.',
    ': start it, or name a model with --model.',
  ],
  [
    { kind: 'no-model', reason: 'no-list', answer: { status: 503 }, chatFails: true },
    'returned 503. The',
    ': start it, or wait for it with --wait-for 60s.',
  ],
  [
    { kind: 'no-model', reason: 'no-list', answer: { status: 503 }, waited: true, chatFails: true },
    'waited for as long as --wait-for allows.',
    "The gateway's upstream seems to be down: start it.",
  ],
  [
    { kind: 'no-model', reason: 'no-list', answer: { status: 500 }, chatFails: true },
    'returned 500.',
    'Every chat request failed with a 5xx as well: look for the cause in the log of the gateway.',
  ],
  [
    { kind: 'no-model', reason: 'no-list', answer: { status: 404 }, waited: true },
    'returned 404.',
    'Name a model with --model.',
  ],
] satisfies [Ending, string, string][])('A page or a breakdown is told as it is: %j', (ending, what, remedy) => {
  const advice = adviseOnEnding(endedRun(ending));
  expect(advice).toContain(what);
  expect(advice).toContain(remedy);
});

it.each<[Ending, string, DescribedSettings]>([
  [
    { kind: 'not-this-api', status: 404, nearby: 'https://api.example/v1' },
    'run https://api.example/v1 --api-key-file key.txt --strict --only chat/reply --ca ca.pem --max-completions 5 --header-env X-Gate=GATE --no-bodies',
    {
      apiKeyFile: 'key.txt',
      strict: true,
      only: ['chat/reply'],
      'tls.ca': 'ca.pem',
      maxCompletions: 5,
      noBodies: true,
      headers: [{ name: 'X-Gate', withheld: 'value', variable: 'GATE' }],
    },
  ],
  [
    { kind: 'not-this-api', status: 301, answer: { status: 301, location: quoteText('/$(id)/v1/models') } },
    "run 'https://api.example/$(id)/v1' --strict",
    { strict: true },
  ],
  [
    { kind: 'not-this-api', status: 404, nearby: 'https://api.example/v1' },
    'explore https://api.example/v1 --strict --no-bodies',
    { strict: true, noBodies: true, maxCompletions: 340, 'explore.requests': 300 },
  ],
])('The command for another address has the settings of the run: %#', (ending, command, settings) => {
  const advice = adviseOnEnding(endedRun(ending, 'https://api.example', settings)) ?? '';
  expect(advice.slice(advice.indexOf('Try: '))).toBe(`Try: npx --no-install wirecheck ${command}`);
});
