import { expect, it } from 'vitest';
import { type Answer, piecesOf } from '../../gateway/answer.ts';
import { openDeployment } from '../../gateway/index.ts';
import { ACCEPT_ALL } from '../../scripted/reply-script.ts';
import { readRelayEvents } from '../../../selftest/relays/read-events.ts';
import { type RelayCase, injectsFailure, isFailover, loadRelayCases } from './read-relay-suite.ts';
import { followScript } from './upstream.ts';

const MARK = 'bcdfghjklmnpqr';

/** What the upstream sends in a case, without a server. */
function answerOf({ script, mode }: RelayCase, request: object = {}): Answer {
  const { begin } = openDeployment({
    modifiers: [ACCEPT_ALL],
    route: () => followScript(script, MARK),
    eventGapMs: 0,
  });
  const body = Buffer.from(JSON.stringify({ messages: [], stream: mode === 'stream', ...request }));
  const headers = { 'accept-encoding': 'gzip' };
  return begin({})({ method: 'POST', target: '/v1/chat/completions', headers, rawHeaders: [], body }).answer;
}

function bytesOf(answer: Answer): Buffer {
  if (answer.kind !== 'reply') throw new Error(answer.kind);
  return Buffer.concat(piecesOf(answer).map(({ bytes }) => Buffer.from(bytes)));
}

async function* once(bytes: Buffer) {
  yield bytes;
}

/** Read by a parser that shares no code with the upstream. */
async function readText(bytes: Buffer): Promise<string> {
  let text = '';
  for await (const { name, data } of readRelayEvents(once(bytes))) {
    if (data === '[DONE]' || !['', 'message', 'chunk'].includes(name)) continue;
    const chunk = JSON.parse(data) as { choices?: { index?: number; delta: { content?: string | null } }[] };
    for (const { index = 0, delta } of chunk.choices ?? []) if (index === 0) text += delta.content ?? '';
  }
  return text;
}

function textOf({ script: { text, times } }: RelayCase): string {
  return text.repeat(times).replaceAll('${mark}', MARK);
}

const CASES = loadRelayCases();
const caseOf = (name: string): RelayCase => {
  const found = CASES.find(({ id }) => id === `relay/${name}`);
  if (!found) throw new Error(name);
  return found;
};

const LEGAL = CASES.filter((each) => !injectsFailure(each) && !isFailover(each) && each.calls !== 'none');

it.each(LEGAL.filter(({ mode }) => mode === 'stream').map((testCase) => [testCase.id, testCase] as const))(
  '%s is legal: a parser by the grammar reads its whole text',
  async (_id, testCase) => {
    expect(await readText(bytesOf(answerOf(testCase)))).toBe(textOf(testCase));
  },
);

it.each(LEGAL.filter(({ mode }) => mode === 'plain').map((testCase) => [testCase.id, testCase] as const))(
  '%s is legal: its JSON has the whole text',
  (_id, testCase) => {
    const reply = JSON.parse(bytesOf(answerOf(testCase)).toString()) as { choices: { message: { content: string } }[] };
    expect(reply.choices[0]?.message.content).toBe(textOf(testCase));
  },
);

it('Token counts come in a stream if they are asked for', () => {
  const counts = '"prompt_tokens":21,"completion_tokens":13,"total_tokens":34';
  expect(bytesOf(answerOf(caseOf('stream'))).toString()).not.toContain('prompt_tokens');
  expect(bytesOf(answerOf(caseOf('stream'), { stream_options: { include_usage: true } })).toString()).toContain(counts);
});

it('Only the parts of the text have a pause before them, except for the first', () => {
  const answer = answerOf(caseOf('stream-pieces'));
  if (answer.kind !== 'reply') throw new Error(answer.kind);
  expect(piecesOf(answer).map(({ waitMs }) => waitMs)).toEqual([0, 0, 2200, 2200, 0, 0]);
});

it('A stream that breaks off has sent a beginning of its text and none of its end', async () => {
  const testCase = caseOf('break-cut');
  const bytes = bytesOf(answerOf(testCase));
  const text = await readText(bytes);
  expect(text.length).toBeGreaterThan(10);
  expect(textOf(testCase).startsWith(text)).toBe(true);
  expect(bytes.toString()).not.toMatch(/"finish_reason":"stop"|\[DONE\]/);
});
