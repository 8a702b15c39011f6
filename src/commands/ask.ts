/** Questions to a person at a terminal. They go to stderr: stdout may be piped on. */
import { createInterface, type Interface } from 'node:readline';
import { UsageError } from '../usage-error.ts';

let lines: Interface | undefined;
/** Keeps what was typed ahead, or pasted, for the next question. */
let answers: AsyncIterator<string> | undefined;

export async function ask(question: string): Promise<string> {
  lines ??= createInterface({ input: process.stdin, output: process.stderr });
  answers ??= lines[Symbol.asyncIterator]();
  lines.setPrompt(question);
  lines.prompt();
  const { value, done } = await answers.next();
  if (done) throw new UsageError('No answer, so nothing was written.');
  // A stream that is read from would keep the process alive.
  lines.pause();
  return value;
}
