/** A target that answers 429 or 503 to everything: reading rule 3. */
import { expect, it } from 'vitest';
import { jsonReply } from '../../gateway/answer.ts';
import { errorAnswer } from '../../gateway/change-answer.ts';
import type { Modifier } from '../../gateway/index.ts';
import { type Changes, runGateway } from '../../../test/kit/real-run.ts';
import type { Report } from '../../report/report.ts';

const run = (modifier: Omit<Modifier, 'title'>, changes: Changes = {}): Promise<Report> =>
  runGateway({ modifiers: [{ title: 'x', ...modifier }] }, changes);

const tooMany = (wait: string) => () =>
  jsonReply(429, { error: { message: 'm', type: 't', code: 'c' } }, { 'retry-after': wait });

it('A 429 to every request ends the run as limited, although there is no model to send the control for', async () => {
  const report = await run({ before: tooMany('3600') });
  expect(report.ending).toEqual({ kind: 'rate-limited', asked: 3_600_000 });
  expect(report.outcome.exit).toBe(3);
  expect(report.exchanges.length).toBeLessThan(20);
  const patient = await run({ before: tooMany('0') });
  expect(patient.ending).toEqual({ kind: 'rate-limited' });
  const short = await run({ before: tooMany('3600') }, { only: ['chat/reply'] });
  expect(short.ending).toEqual({ kind: 'rate-limited', asked: 3_600_000 });
});

it('A 429 to the list alone leaves no model to call', async () => {
  const limited: Omit<Modifier, 'title'> = { only: (call) => call.endpoint === 'models', before: tooMany('3600') };
  const report = await run(limited, { only: ['chat/reply', 'chat/unknown-model[chat]'] });
  expect(report.ending).toMatchObject({ kind: 'no-model', answer: { status: 429 } });
});

it('A 503 to every request is no target that stopped answering', async () => {
  const report = await run({ before: () => errorAnswer(503) });
  expect(report.ending.kind).not.toBe('stopped-answering');
});
