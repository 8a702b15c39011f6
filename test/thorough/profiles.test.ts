/** Faults of every sixth clause, on gateways that follow a profile: found as under v1, except for what the profile changes. */
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { promisesOf } from '../../src/scripted/gateway-promises.ts';
import { contractOf } from '../../src/contract/profile/apply-profile.ts';
import { loadProfile } from '../../src/contract/profile/read-profile.ts';
import type { Report } from '../../src/report/report.ts';
import { judge } from '../../src/run/run.ts';
import { brokenClauses } from '../../selftest/compare.ts';
import { gatherFrom } from '../../selftest/in-memory.ts';
import { listSubjects } from '../../selftest/test-subjects.ts';
import { modifierOf, settingsFor, withPauses } from '../../selftest/try-gateway.ts';
import { runCommand } from '../kit/command.ts';
import { onePerClause } from '../kit/sample-subjects.ts';

const FOLDER = fileURLToPath(new URL('../profiles/', import.meta.url));

/** What each finds instead of its clauses. The first ones replace whole answers, so the header is missing too. */
const ACME: Readonly<Record<string, readonly string[]>> = {
  'auth-exhausted-stream-text': ['acme.request-id', 'errors.json'],
  'models-endpoint-missing': ['acme.request-id', 'endpoint.models-answers', 'errors.object'],
  'models-page-for-unknown-query': ['acme.request-id', 'endpoint.models-json'],
  'chat-empty-body': ['acme.request-id', 'endpoint.chat-json'],
  'param-system-role-rejected': ['acme.request-id', 'errors.json', 'message.roles'],
  'error-large-body-200': ['acme.request-id', 'limits.large-body'],
  'transport-502-after-idle': ['acme.request-id', 'errors.after-pauses'],
  'transport-502-after-long-idle': ['acme.request-id', 'errors.after-pause'],
  // The least request has max_tokens.
  'param-only-model-and-messages-refused': [],
  'param-stream-without-max-tokens-refused': [],
  // Without a body there is no max_tokens, so these are refused all the same.
  'param-body-missing-accepted': [],
  'param-malformed-json-accepted': [],
  // Every request has metadata.
  'param-unknown-field-rejected': ['endpoint.chat-answers'],
};

/** Faults at the limits of v1, which nobody promised, and bodies without the required field. */
const NARROW: Readonly<Record<string, readonly string[]>> = {
  'param-max-tokens-one-refused': [],
  'param-top-p-zero-refused': [],
  'param-top-p-below-accepted-in-streams': [],
  'param-body-missing-accepted': [],
  'param-malformed-json-accepted': [],
  // Two limits that cut a reply are not in its range.
  'stream-finish-stop-everywhere': ['stream.finish-once'],
};

/** What each recorded server breaks under common-servers: docs/profiles.md has the reasons. */
const SERVERS: Readonly<Record<string, readonly string[]>> = {
  'litellm-prisma': [
    'request.max-tokens-is-maximum',
    'message.role-required',
    'message.content-required',
    'endpoint.chat-body-json',
    'auth.required',
    'errors.code',
    'errors.no-server-error',
  ],
  'new-api': ['request.max-tokens-is-maximum', 'errors.no-server-error'],
  'one-api': ['errors.code', 'errors.no-server-error'],
  'nginx-ratelimit': ['request.model-required', 'errors.json', 'errors.code', 'errors.no-server-error'],
  vllm: ['request.model-required', 'message.content-required', 'errors.object', 'errors.code', 'limits.top-p-in-range'],
  'transformers-m': [
    'request.model-required',
    'message.content-required',
    'endpoint.chat-body-json',
    'auth.required',
    'errors.json',
    'errors.object',
    'errors.no-server-error',
  ],
  phantomllm: [
    'request.model-required',
    'request.messages-required',
    'request.max-tokens-is-maximum',
    'message.role-required',
    'message.content-required',
    'endpoint.chat-json',
    'endpoint.chat-body-json',
    'errors.object',
    'errors.no-server-error',
  ],
  'mock-openai-api': [
    'request.max-tokens-is-maximum',
    'message.role-required',
    'message.content-required',
    'auth.required',
    'errors.no-server-error',
    'errors.refusal-in-form',
  ],
  'llm-emulator-m': [
    'request.max-tokens-is-maximum',
    'endpoint.models-answers',
    'stream.event-stream',
    'errors.object',
  ],
};

it.each(Object.entries(SERVERS))('%s breaks as much as before under common-servers', async (file, clauses) => {
  const recording = fileURLToPath(new URL(`../recordings/${file}.ndjson.gz`, import.meta.url));
  const args = ['judge', recording, '--profile', 'common-servers', '--reporter', 'json'];
  const report: Report = JSON.parse((await runCommand(args, tmpdir())).stdout);
  expect(report.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual(clauses);
});

it.each([
  ['acme.yaml', ACME],
  ['narrow.yaml', NARROW],
])('under %s', { timeout: 900_000 }, async (file, others) => {
  const profile = loadProfile(file, FOLDER);
  const contract = contractOf({ levels: {}, profile });
  const names = onePerClause(listSubjects('gateway'), 5).filter((id, place) => place % 6 === 0 || id in others);
  for (const subject of listSubjects('gateway').filter(({ id }) => names.includes(id))) {
    const { breaks = [] } = subject;
    const { settings, gathered } = await gatherFrom({
      gateway: { ...modifierOf(subject), promises: promisesOf(profile) },
      inMemory: !breaks.includes('stream.in-pieces'),
      settingsFor: (baseUrl, forbiddenModel) =>
        withPauses({ ...settingsFor(baseUrl, forbiddenModel, 2), profile }, subject),
    });
    const found = brokenClauses(judge(gathered, settings));
    const wanted = breaks.filter((id) => ['must', 'should'].includes(contract.clause(id)?.level ?? ''));
    expect.soft([...found].toSorted(), subject.id).toEqual(others[subject.id] ?? wanted.toSorted());
  }
});
