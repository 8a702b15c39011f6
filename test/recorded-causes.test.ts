/** What the recordings of real servers show first: one entry for each cause, with the plainest request. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openRecording } from '../src/recording/read-recording.ts';
import { formatFinding } from '../src/render/finding-text.ts';
import { foldFindings } from '../src/render/fold.ts';
import { judgeRecording } from '../src/run/judge-recording.ts';

/** Case, request and number of answers of each entry about a clause. */
async function entriesOf(name: string, clause: string) {
  const file = `${name}.ndjson.gz`;
  const path = fileURLToPath(new URL(`recordings/${file}`, import.meta.url));
  const report = await judgeRecording(await openRecording(path, file));
  return foldFindings(report)
    .filter(({ expectation }) => expectation.clause === clause)
    .map((entry) => {
      const { request, actual } = formatFinding(report, entry);
      return [entry.case.id, actual?.split(' ')[0], request, entry.answers];
    });
}

it('LiteLLM: the refusal of unknown keys is not hidden behind malformed JSON', async () => {
  expect(await entriesOf('litellm-prisma', 'auth.required')).toEqual([
    ['auth/unknown-key[models]', '400', 'GET /v1/models, key: unknown', 8],
    ['auth/missing-key[chat-malformed]', '400', 'POST /v1/chat/completions, key: none', 3],
  ]);
  expect(await entriesOf('litellm-prisma', 'auth.other-form')).toEqual([
    ['auth/other-scheme[basic-plain]', '200', 'GET /v1/models, key: basic-plain', 1],
  ]);
});

it('One API: a 503 and a 500 are two entries', async () => {
  expect(await entriesOf('one-api', 'errors.no-server-error')).toEqual([
    ['parameters/model-missing[chat]', '503', 'POST /v1/chat/completions, without /model', 8],
    ['parameters/role-missing[chat]', '500', 'POST /v1/chat/completions, without /messages/0/role', 3],
  ]);
});

it('vLLM: the integer codes are one entry, whatever their status and type', async () => {
  const entries = await entriesOf('vllm', 'errors.code');
  expect(new Set(entries.map(([id]) => id))).toEqual(new Set(['errors/every-error-body[code]']));
  expect(entries.map(([, actual, , answers]) => [actual, answers])).toEqual([['400', 47]]);
});
