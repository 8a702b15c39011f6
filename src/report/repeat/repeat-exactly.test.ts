/** The commands of a report, taken from what people see of it and pasted into a shell: they send the same bytes again. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { quickRun, respondJson, serverFor } from '../../../test/kit/real-run.ts';
import { formatFinding } from '../../render/finding-text.ts';
import { foldFindings } from '../../render/fold.ts';
import { render } from '../../render/index.ts';
import { parseXml } from '../../../test/kit/xml.ts';
import { CHAT_EXCHANGE, hasCurl, inShell } from '../../../test/kit/repeat-command.ts';
import { curlCommand } from './repeat-command.ts';
import type { ExchangeReport } from '../report.ts';

const KEY = 'sk-service-paste0me0again';

/** What was received, to the byte, but for what curl says about itself. */
interface Received {
  readonly line: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const CHOICE = { index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' };

/** A target that lists one model, answers every call as another kind of object, and keeps what it got. */
async function listener(model: string) {
  const received: Received[] = [];
  const origin = await serverFor((request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { authorization, 'content-type': type, 'x-note': note, 'x-none': none } = request.headers;
      const body = Buffer.concat(pieces).toString('hex');
      received.push({
        line: `${request.method} ${request.url}`,
        headers: { authorization, type, note, none },
        body,
      });
      if (request.url === '/v1/models') respondJson(response, 200, { object: 'list', data: [{ id: model }] });
      else respondJson(response, 200, { id: 'x', object: 'wrong', choices: [CHOICE] });
    });
  });
  return { baseUrl: `${origin}/v1`, received };
}

const paste = (command: string) =>
  inShell('/bin/sh', ['-c', command], { env: { PATH: process.env['PATH'], WIRECHECK_API_KEY: KEY } });

const ODD: Readonly<Record<string, string>> = {
  'two colons': 'vendor::model',
  'what a shell would fill in': "it's $HOME `id` $(id) !!",
  quotes: 'x"y',
  'line ends': 'one\r\ntwo\n',
  'bidi marks': '\u202eledom\u2066\u200b',
  'a command of a runner': '::error::x ##[error]y ##vso[z]',
  'signs of printf': '-n %s %d \\n \\\\ \\101 %',
  'unusual blanks': 'a\u00a0b\u3000',
  'letters of other scripts': 'modèle–模型 🙂',
};

describe.skipIf(!hasCurl)('a Repeat command (needs curl)', () => {
  it.each(Object.entries(ODD))('with %s in the model id sends the same request again', async (_what, model) => {
    const { baseUrl, received } = await listener(model);
    const report = await quickRun(baseUrl, { only: ['chat/every-completion'], retries: 0 }, { full: KEY });
    const [first] = foldFindings(report);
    const repeat = (first && formatFinding(report, first).repeat) ?? '';
    const sent = received.filter(({ line }) => line.startsWith('POST'));
    expect(JSON.parse(Buffer.from(sent[0]?.body ?? '', 'hex').toString())).toMatchObject({ model });
    // As it is shown is as it is pasted.
    for (const width of [40, 100]) expect(render(report, 'terminal', { width })).toContain(` ${repeat}\n`);
    expect(render(report, 'markdown')).toContain(repeat);
    expect(JSON.stringify(parseXml(render(report, 'junit')))).toContain(JSON.stringify(repeat).slice(1, -1));
    received.length = 0;
    await paste(repeat);
    expect(sent).toContainEqual(received[0]);
    expect(received).toHaveLength(1);
  });

  it.each([
    ['line ends at its end', 'a\n\n'],
    ['a NUL', 'a\0b'],
    ['a first hyphen', '-n\n%s'],
    ['nothing odd', '@file & more'],
  ])('for a body with %s sends the same bytes', async (_what, body) => {
    const { baseUrl, received } = await listener('m');
    const exchange: ExchangeReport = {
      ...CHAT_EXCHANGE,
      headers: [
        ['content-type', 'text/plain'],
        ['x-note', "caf\u00e9 'a' \\n"],
        ['x-none', ''],
      ],
      body,
    };
    const command = curlCommand(exchange, { baseUrl, settings: {}, seed: 7 }, false) ?? '';
    expect(command).toMatch(/^[ -~]+$/);
    await paste(command);
    expect(received).toEqual([
      {
        line: 'POST /v1/chat/completions',
        headers: { authorization: `Bearer ${KEY}`, type: 'text/plain', note: "caf\u00e9 'a' \\n", none: '' },
        body: Buffer.from(body).toString('hex'),
      },
    ]);
  });
});
