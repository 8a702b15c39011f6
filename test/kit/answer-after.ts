/** A gateway that stops serving the key in mid-run. */
import type { Answer } from '../../src/gateway/answer.ts';
import { isChat } from '../../src/gateway/call-tests.ts';
import type { Modifier } from '../../src/gateway/index.ts';

/** Every chat call after so many gets this answer. */
export function answerAfter(calls: number, answer: Answer): Modifier {
  let seen = 0;
  return { title: 'x', only: isChat, before: () => ((seen += 1) > calls ? answer : undefined) };
}
