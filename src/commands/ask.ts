/** Questions to a person at a terminal. They go to stderr: stdout may be piped on. */
import { createInterface } from 'node:readline/promises';
import { UsageError } from '../usage-error.ts';

export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const gone = new Promise<never>((_resolve, reject) => {
    lines.once('close', () => reject(new UsageError('The question was not answered: nothing was written.')));
  });
  try {
    return await Promise.race([lines.question(question), gone]);
  } finally {
    lines.close();
  }
}
