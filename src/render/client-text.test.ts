import { describe, expect, it } from 'vitest';
import { CLIENT_RESULTS } from '../report/report.ts';
import { quoteText } from '../text/quote.ts';
import { exchange } from '../../test/kit/sample-reports.ts';
import { clientFacts, formatSent, RESULT_WORDS, showBytes } from './client-text.ts';

it('Every result has a word and a meaning', () => {
  expect(Object.keys(RESULT_WORDS).toSorted()).toEqual([...CLIENT_RESULTS].toSorted());
});

it('Line ends of a stream can be told apart', () => {
  expect(showBytes('\uFEFFa\r\n\r\nb\n\nc\r\rd\u001b[1m')).toBe(
    '⟨BOM⟩a␍␊\n␍␊\nb␊\n␊\nc␍\n␍\nd␛[1m'.replace('␛', showBytes('\u001b')),
  );
  expect(showBytes('\u001b')).not.toContain('\u001b');
});

it('What a client did not say is left out', () => {
  const evidence = {
    result: 'silent',
    said: quoteText(''),
    complaint: quoteText('no'),
    exit: 0,
    time: 1,
    exchanges: [],
  } as const;
  expect(clientFacts({ suite: 'streams', client: evidence, verdict: 'fail' })).toEqual([
    ['Result', 'silent: a failure shown as success'],
    ['Error', 'no'],
  ]);
});

it.each([
  ['pass', 'pass', 'pass: every request keeps the clause'],
  ['pass', 'observed', 'recorded: what the contract leaves open'],
  ['pass', 'inconclusive', 'not judged: the requests could not be judged'],
  ['pass', 'skipped', 'not judged: no request to judge it by'],
  ['bad-request', 'fail', 'bad request: a request that breaks a clause'],
  ['bad-request', 'observed', 'bad request: a request that breaks a clause'],
] as const)('A scenario about requests says what it judges: %s, %s', (result, verdict, words) => {
  const client = { result, said: quoteText(''), complaint: quoteText(''), time: 0, exchanges: [] };
  expect(clientFacts({ suite: 'requests', client, verdict })).toEqual([['Result', words]]);
  const played = { suite: 'streams', client: { ...client, exchanges: ['client/plain'] }, verdict };
  expect(clientFacts(played)).not.toContainEqual(['Result', 'pass: every request keeps the clause']);
});

it('Of a long stack trace, the last lines are shown', () => {
  const trace = [...Array.from({ length: 200 }, (_, at) => `  File "x.py", line ${at}`), "KeyError: 'choices'"].join(
    '\n',
  );
  const evidence = { result: 'breaks', said: quoteText(''), complaint: quoteText(trace, 10_000), time: 1 } as const;
  const client = { ...evidence, exchanges: [] };
  const [, error] =
    clientFacts({ suite: 'streams', client, verdict: 'fail' }).find(([label]) => label === 'Error') ?? [];
  expect(error).toMatch(/^…\n {2}File "x.py", line \d+\n/);
  expect(error?.endsWith("KeyError: 'choices'")).toBe(true);
});

describe('what a client was sent', () => {
  const [attempt] = exchange('x').attempts;
  const sent = (head: string, mode: 'plain' | 'stream' = 'plain') => {
    const attempts = attempt?.answer ? [{ ...attempt, answer: { ...attempt.answer, head } }] : [];
    return formatSent(exchange('x', { mode, attempts }));
  };

  it('is told by its status line and headers, interim answers first', () => {
    expect(
      sent('HTTP/1.1 103 Early Hints\r\nlink: </>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-type: Application/JSON\r\n\r\n'),
    ).toBe('HTTP/1.1 103 Early Hints, link: </>; HTTP/1.1 200 OK, content-type: Application/JSON');
  });

  it.each([
    ['plain', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 7\r\n\r\n', undefined],
    ['stream', 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n', undefined],
    ['plain', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', 'HTTP/1.1 200 OK, transfer-encoding: chunked'],
    ['stream', 'HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n', 'HTTP/1.1 200 OK, content-length: 7'],
    ['plain', 'HTTP/1.1 429 Too Many Requests\r\ncontent-length: 7\r\n\r\n', 'HTTP/1.1 429 Too Many Requests'],
    ['plain', 'HTTP/1.0 200 OK\r\ncontent-length: 7\r\n\r\n', 'HTTP/1.0 200 OK'],
  ] as const)('is told only if it is unusual: %s, %j', (mode, head, words) => {
    expect(sent(head, mode)).toBe(words);
  });

  it('is short and inert', () => {
    const text = sent(`HTTP/1.1 200 OK\r\nx-trace: \u001b[1m${'a'.repeat(5_000)}`) ?? '';
    expect(text.length).toBeLessThan(300);
    expect(text).not.toContain('\u001b');
  });

  it('may be no answer at all', () => {
    const failure = { kind: 'closed', code: 'ECONNRESET', detail: 'the server closed the connection' } as const;
    const attempts = [{ sentAt: 0, pause: 0, failure, secretsSeen: [] }];
    expect(formatSent(exchange('x', { attempts }))).toBe('no answer: the server closed the connection');
  });
});
