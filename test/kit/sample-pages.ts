/** A report with one of everything that the page can show. */
import type { ExchangeReport, Report } from '../../src/report/report.ts';
import { broken, clause, counts, exchange, expectation, finding, oneCase } from './sample-reports.ts';

type Attempt = ExchangeReport['attempts'][number];
type Answer = NonNullable<Attempt['answer']>;

function answer(text: string, more: Partial<Answer> = {}): Attempt {
  const body = { text, bytes: text.length, shown: text.length, end: { kind: 'complete' as const } };
  const headers = [['content-type', 'application/json']] as const;
  const plain = { status: 200, httpVersion: '1.1', headers, interim: 0, headersAt: 3, endAt: 4.4, body };
  return { sentAt: 1, pause: 0, answer: { ...plain, ...more }, secretsSeen: [] };
}

const chat = { endpoint: 'chat', method: 'POST', path: '/chat/completions' } as const;
const control = '{"model":"alpha-1","messages":[{"role":"user","content":"Hello"}]}';
const edited = '{"model":"alpha-1","messages":[{"role":"user","content":"Hello"}],"temperature":2.1}';
const chunk = (content: string) => JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content } }] });

function stream(): Attempt {
  const events = [12, 20, 90, 97].map((at, number) => ({ at, data: number === 3 ? '[DONE]' : chunk(`word${number}`) }));
  const reads = events.map(({ at }, number) => ({ at, bytes: 40 + number }));
  return answer(events.map(({ data }) => `data: ${data}\n\n`).join(''), {
    headersAt: 11,
    endAt: 99,
    stream: {
      end: 'done',
      events: [{ at: 11.5, event: 'ping', data: '{}' }, ...events],
      eventCount: 5,
      reads,
      comments: 1,
    },
  });
}

export function oneOfEverything(more: Partial<Report> = {}): Report {
  const base = broken();
  const should = { kind: 'implied', level: 'should', verdict: 'warn' } as const;
  const inStream = finding({
    exchange: 'streaming/long',
    pointer: '/2/choices/0/index',
    expected: { kind: 'constant', value: 1 },
    actual: { kind: 'value', value: 0 },
  });
  const retried: Attempt = {
    sentAt: 0,
    pause: 0,
    secretsSeen: [],
    failure: { kind: 'timeout', limit: 'idle-timeout', code: 'X', detail: 'idle' },
  };
  return broken({
    cases: [
      ...base.cases,
      oneCase(
        'streaming/long',
        [expectation('stream.index', { ...should, findings: [inStream], exchanges: ['streaming/long'] })],
        {
          exchange: 'streaming/long',
          base: 'chat-stream',
          repeat: 'curl -N "$WIRECHECK_BASE_URL/chat/completions"',
        },
      ),
    ],
    clauses: [
      ...base.clauses,
      clause('stream.index', { verdict: 'warn', kind: 'implied', level: 'should', part: '1' }),
      clause('auth.restricted', { verdict: 'skipped', scope: 'extra-key', part: '5.4' }),
      clause('chat.answered', { verdict: 'inconclusive', part: '1' }),
      clause('keys.shown-once', { kind: 'outside', level: 'none', why: 'Keys are shown by the console.' }),
    ].map((each) => {
      const { verdict: _, ...rest } = each;
      return each.kind === 'outside' ? rest : each;
    }),
    areas: [...base.areas, { area: 'streaming', cases: counts({ warn: 1 }) }],
    exchanges: [
      exchange('chat', { ...chat, body: control, attempts: [answer('{"object":"chat.completion","choices":[]}')] }),
      exchange('auth/unknown-key[models]', {
        key: 'unknown',
        headers: [['Authorization', 'Bearer sk-service-unknown']],
        attempts: [answer('{"error":{"message":"no","type":"auth","code":401}}', { status: 401 })],
      }),
      exchange('parameters/temperature-above-range', {
        ...chat,
        body: edited,
        attempts: [retried, answer('{"error":{"message":"no","type":"auth","code":401}}', { status: 401 })],
      }),
      exchange('streaming/long', { ...chat, mode: 'stream', body: '{"stream":true}', attempts: [stream()] }),
    ],
    ...more,
  });
}

/** Texts that could do harm in a browser, beyond the poisons for every format. */
export const HOSTILE = {
  'a script': '<script>alert(1)</script><img src=x onerror=alert(1)>',
  'the end of a script': '</script><script>alert(1)</script><style>*{display:none}</style>',
  'handlers and addresses':
    '" onmouseover="alert(1)" x=\' onfocus=alert(1) autofocus javascript:alert(1) //evil.example',
  'a foreign base': '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=//evil.example/">',
  'the end of CDATA and comments': ']]>--><svg onload=alert(1)><iframe src="https://evil.example/"></iframe>',
  'the end of a title and a text area': '</title></textarea></select><form action="//evil.example"><input autofocus>',
  'bidi overrides': '\u202eedoc\u2066\u200b\ufeff</bdo>',
};
