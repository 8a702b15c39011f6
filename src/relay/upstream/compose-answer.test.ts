import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readRelayEvents } from '../../selftest/relays/read-events.ts';
import { loadRelayCases } from '../load-relay-suite.ts';
import { DEFAULT_SCRIPT, type EventForm, type Script } from '../script.ts';
import { composeAnswer } from './compose-answer.ts';

const FACTS = { mode: 'stream', model: 'm', mark: 'bcdfghjklmnpqr', acceptsGzip: false, wantsUsage: false } as const;

function textOf(script: Script, facts: Partial<Parameters<typeof composeAnswer>[1]> = {}): string {
  const { writes } = composeAnswer(script, { ...FACTS, ...facts });
  return Buffer.concat(writes.map(({ bytes }) => bytes)).toString();
}

const streamed = (events: Partial<EventForm>) =>
  textOf({ ...DEFAULT_SCRIPT, events: { ...DEFAULT_SCRIPT.events, ...events } });

async function* once(text: string) {
  yield Buffer.from(text);
}

/** Read by a parser that shares no code with the composer. */
async function readReply(text: string): Promise<string> {
  let reply = '';
  for await (const { name, data } of readRelayEvents(once(text))) {
    if (data === '[DONE]' || (name !== '' && name !== 'message')) continue;
    const chunk = JSON.parse(data) as { choices?: { index?: number; delta: { content?: string | null } }[] };
    for (const { index = 0, delta } of chunk.choices ?? []) if (index === 0) reply += delta.content ?? '';
  }
  return reply;
}

const LEGAL = loadRelayCases().filter(
  ({ mode, script: { breaks, body, status } }) => mode === 'stream' && !breaks && body === 'reply' && status === 200,
);

it.each(LEGAL.map((testCase) => [testCase.id, testCase] as const))(
  '%s is legal: a parser by the grammar reads its whole text',
  async (_id, { script }) => {
    const composed = composeAnswer(script, FACTS);
    expect(await readReply(Buffer.concat(composed.writes.map(({ bytes }) => bytes)).toString())).toBe(
      composed.texts[0],
    );
  },
);

it('Every form of a stream is written as it is named', () => {
  expect(streamed({ lineEnd: 'crlf' })).not.toMatch(/[^\r]\n/);
  expect(streamed({ lineEnd: 'cr' })).not.toContain('\n');
  expect(streamed({ byteOrderMark: true })).toMatch(/^\uFEFFdata: /);
  expect(streamed({ space: false })).toMatch(/^data:\{/);
  expect(streamed({ dataLines: 3 }).match(/^data: /gm)?.length).toBeGreaterThan(15);
  expect(streamed({ done: 'open' })).toMatch(/data: \[DONE\]\n$/);
  expect(streamed({ done: 'absent' })).not.toContain('[DONE]');
  expect(streamed({ before: ': hi\n\n', ids: true })).toMatch(/^: hi\n\nid: 1\ndata: /);
});

it('A cut after n bytes makes writes of n bytes', () => {
  const { writes } = composeAnswer({ ...DEFAULT_SCRIPT, events: { ...DEFAULT_SCRIPT.events, cut: 7 } }, FACTS);
  expect(Math.max(...writes.map(({ bytes }) => bytes.length))).toBe(7);
});

it('Token counts come in a stream only if they are asked for', () => {
  expect(textOf(DEFAULT_SCRIPT)).not.toContain('prompt_tokens');
  expect(textOf(DEFAULT_SCRIPT, { wantsUsage: true })).toContain('"prompt_tokens":21');
});

it('A plain answer is compressed only for a gateway that accepts it', () => {
  const script = { ...DEFAULT_SCRIPT, plain: { ...DEFAULT_SCRIPT.plain, gzip: true } };
  const packed = composeAnswer(script, { ...FACTS, mode: 'plain', acceptsGzip: true });
  expect(gunzipSync(packed.writes[0]?.bytes ?? '').toString()).toBe(packed.unpacked?.toString());
  expect(textOf(script, { mode: 'plain' })).toMatch(/^\{/);
});

it('A break in mid-text keeps a beginning of the text and none of the end', () => {
  const composed = composeAnswer({ ...DEFAULT_SCRIPT, breaks: { how: 'close', at: 'text' } }, FACTS);
  const text = Buffer.concat(composed.writes.map(({ bytes }) => bytes)).toString();
  expect(text).not.toMatch(/"finish_reason":"stop"|\[DONE\]/);
  expect(composed.texts[0]).toMatch(/^The reply/);
  expect(composed.isWhole).toBe(false);
});
