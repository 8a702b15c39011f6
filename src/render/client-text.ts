/** Formats the result of a client and its output. */
import { LOOKS } from './looks.ts';
import type { CaseReport, ClientResult, ExchangeReport } from '../report/report.ts';
import { inert } from '../text/layout.ts';
import { formatQuote } from '../text/quote.ts';

interface ResultWords {
  readonly word: string;
  readonly meaning: string;
}

export const RESULT_WORDS: Readonly<Record<ClientResult, ResultWords>> = {
  pass: { word: 'pass', meaning: 'the exact text, or a reported failure' },
  breaks: { word: 'breaks', meaning: 'an error in response to a legal answer' },
  'wrong-text': { word: 'wrong text', meaning: 'different text from the reply' },
  silent: { word: 'silent', meaning: 'a failure shown as success' },
  hangs: { word: 'hangs', meaning: 'no result within the limit' },
  retrying: { word: 'retrying', meaning: 'still retrying at the limit' },
  'bad-request': { word: 'bad request', meaning: 'a request that breaks a clause' },
  unsupported: { word: 'unsupported', meaning: 'the client does not make this kind of call' },
  'not-started': { word: 'not started', meaning: 'the client did not run, or ended before it made a call' },
};

/** Words for a scenario that looks at the requests of all others, if none of them is a bad request. */
const REQUEST_WORDS: Readonly<Partial<Record<CaseReport['verdict'], ResultWords>>> = {
  pass: { word: 'pass', meaning: 'every request keeps the clause' },
  observed: { word: LOOKS.observed.word, meaning: LOOKS.observed.meaning },
  inconclusive: { word: LOOKS.inconclusive.word, meaning: 'the requests could not be judged' },
  skipped: { word: LOOKS.skipped.word, meaning: 'no request to judge it by' },
};

/** The area of the suite whose scenarios are not played. */
const REQUESTS_AREA = 'requests';

/** Whether a scenario judges what a client sent in all the others. */
export function isAboutRequests({ suite }: Pick<CaseReport, 'suite'>): boolean {
  return suite === REQUESTS_AREA;
}

type ResultOfCase = Pick<CaseReport, 'suite' | 'client' | 'verdict'>;

/** Undefined for a scenario that was not judged. */
export function wordsOfResult(testCase: ResultOfCase): ResultWords | undefined {
  const { client, verdict } = testCase;
  const own = isAboutRequests(testCase) && client?.result === 'pass' ? REQUEST_WORDS[verdict] : undefined;
  return own ?? (client && RESULT_WORDS[client.result]);
}

const MAX_OUTPUT = 2_000;
/** Characters of a head, where space is short. */
const MAX_SENT = 240;

/** Labels and values, for the formats that people read. Each value may have several lines, and is not inert. */
export function clientFacts(testCase: ResultOfCase): readonly [string, string][] {
  const words = wordsOfResult(testCase);
  if (!testCase.client || !words) return [];
  const { text, said, complaint, exit, signal } = testCase.client;
  const { word, meaning } = words;
  const ended = signal === undefined ? exit && `exit ${exit}` : `terminated by ${signal}`;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Result', `${word}: ${meaning}`],
    ['Reply', text],
    ['Returned', said.length === 0 ? undefined : formatQuote(said).slice(0, MAX_OUTPUT)],
    ['Error', complaint.length === 0 ? undefined : lastLines(formatQuote(complaint).trimEnd())],
    ['Ended', ended || undefined],
  ];
  return facts.flatMap(([label, value]): [string, string][] => (value ? [[label, value]] : []));
}

/** The end of a long text, from the beginning of a line: that of a stack trace says what happened. */
function lastLines(text: string): string {
  if (text.length <= MAX_OUTPUT) return text;
  const end = text.slice(-MAX_OUTPUT);
  return `…\n${end.slice(end.indexOf('\n') + 1)}`;
}

/** Lines that say nothing about a scenario. */
const USUAL_LINES: Record<ExchangeReport['mode'], RegExp> = {
  plain: /^content-type: application\/json$|^content-length: \d+$/,
  stream: /^content-type: text\/event-stream$|^cache-control: no-cache$|^transfer-encoding: chunked$/,
};

/**
 * What is unusual about the head of an answer, or that there was none: `HTTP/1.1 103 Early Hints, link: </>; HTTP/1.1 200
 * OK`. Undefined for an ordinary one: then the body is what matters.
 */
export function formatSent({ attempts, mode }: ExchangeReport): string | undefined {
  const { answer, failure } = attempts.at(-1) ?? {};
  if (failure) return inert(`no answer: ${failure.detail}`);
  const heads = (answer?.head ?? '').split('\r\n\r\n').filter((head) => head !== '');
  const unusual = heads.map((head) =>
    head
      .split('\r\n')
      .filter((line) => !USUAL_LINES[mode].test(line))
      .join(', '),
  );
  const text = unusual.join('; ');
  return text === '' || text === 'HTTP/1.1 200 OK' ? undefined : inert(text, MAX_SENT);
}

const LINE_ENDS: Readonly<Record<string, string>> = { '\r\n': '␍␊\n', '\r': '␍\n', '\n': '␊\n' };

/** Line ends as pictures, so that those of a stream can be told apart. Every line is inert. */
export function showBytes(text: string): string {
  return text
    .replaceAll('\uFEFF', '⟨BOM⟩')
    .replaceAll(/\r\n|\r|\n/g, (end) => LINE_ENDS[end] ?? end)
    .split('\n')
    .map((line) => inert(line, 4_000))
    .join('\n');
}
