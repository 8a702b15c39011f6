/** The pauses of `--patient`: silent upstreams and idle connections, all at the same time. */
import { pauseFor } from '../../exchange/attempts/pace.ts';
import type { Asked } from '../judge/relay-check.ts';
import type { RelayCase } from '../relay-case.ts';
import { type QuestionAsker, questionOf } from './ask-question.ts';
import type { Controls } from './controls.ts';

/** Milliseconds in which nothing else is sent. */
const IDLE_PAUSES = [6_000, 16_000];
/** Milliseconds that an answer is waited for after the silence. */
const AFTER_SILENCE = 20_000;

export interface Patience {
  readonly asker: QuestionAsker;
  readonly controls: Controls;
  readonly signal: AbortSignal;
  /** Factor of all pauses. */
  readonly pace: number;
}

export async function askInSilence(testCase: RelayCase, { asker, pace }: Patience): Promise<readonly Asked[]> {
  const question = questionOf(testCase);
  const silence = question.script.silence * pace;
  const asked = await asker.ask({ ...question, script: { ...question.script, silence } }, silence + AFTER_SILENCE);
  return asked ? [asked] : [];
}

/** A call before the first pause leaves a connection that can go stale. */
export async function askAfterPauses(
  testCase: RelayCase,
  { asker, controls, signal, pace }: Patience,
): Promise<readonly Asked[]> {
  await controls.ask(testCase.mode);
  const all: Asked[] = [];
  for (const [index, pause] of IDLE_PAUSES.entries()) {
    await pauseFor(pause * pace, signal);
    const asked = await asker.ask(questionOf(testCase, index + 1));
    if (asked) all.push(asked);
  }
  return all;
}
