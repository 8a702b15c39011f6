/** Makes a call of the request that arrived, and composes its answer. */
import type { IncomingMessage } from 'node:http';
import type { Vault } from '../../exchange/secrets/vault.ts';
import { memberOf } from '../../json.ts';
import { DEFAULT_SCRIPT } from '../script.ts';
import { makeWord } from '../words.ts';
import { headersOf, readJsonText } from './arrival.ts';
import { composeAnswer } from './compose-answer.ts';
import { UPSTREAM_MODEL } from './fixed-answers.ts';
import type { ScriptedQuestion } from './scripted-question.ts';
import type { OpenCall } from './upstream-call.ts';

interface Arrived {
  readonly request: IncomingMessage;
  readonly bytes: Buffer;
  readonly arrivedAt: number;
}

export function openCall(
  question: ScriptedQuestion & { readonly calls: readonly OpenCall[] },
  { request, bytes, arrivedAt }: Arrived,
  vault: Vault,
): OpenCall {
  const {
    path,
    headers,
    body: text,
    secretsSeen,
    hasCredential,
  } = vault.receive({
    path: request.url ?? '',
    headers: headersOf(request),
    body: bytes,
  });
  const body = readJsonText(text);
  const mode = memberOf(body, 'stream') === true ? 'stream' : 'plain';
  const model = memberOf(body, 'model');
  const mark = makeWord();
  const script = question.calls.length > 0 && question.script.thenReplies ? DEFAULT_SCRIPT : question.script;
  return {
    id: `${question.id}@${question.calls.length + 1}`,
    question: question.id,
    arrivedAt,
    request: {
      endpoint: 'chat',
      mode,
      method: request.method ?? '',
      path,
      headers,
      body: text,
      key: hasCredential ? 'full' : 'none',
    },
    body,
    secretsSeen,
    mark,
    answer: composeAnswer(script, {
      mode,
      model: typeof model === 'string' ? model : UPSTREAM_MODEL,
      mark,
      acceptsGzip: /\bgzip\b/.test(request.headers['accept-encoding'] ?? ''),
      wantsUsage: memberOf(memberOf(body, 'stream_options'), 'include_usage') === true,
    }),
    writes: [],
  };
}
