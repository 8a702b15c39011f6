import { expect, it } from 'vitest';
import { showWaiting } from './check-subject.ts';

it('A wait for the target shows at once, and then every 20 seconds', () => {
  const lines: string[] = [];
  const tell = showWaiting((line) => void lines.push(line));
  for (const elapsed of [3, 500, 19_000, 20_400, 30_000, 41_000]) {
    tell({ elapsed, most: 60_000, why: elapsed < 1000 ? 'ECONNREFUSED' : 503 });
  }
  expect(lines).toEqual([
    'Waiting for the target (no connection: ECONNREFUSED): 0 s of up to 60 s\n',
    'Waiting for the target (GET /models returns 503): 20 s of up to 60 s\n',
    'Waiting for the target (GET /models returns 503): 41 s of up to 60 s\n',
  ]);
});

it('Another wait shows at once', () => {
  const lines: string[] = [];
  const tell = showWaiting((line) => void lines.push(line));
  for (const elapsed of [0, 900, 0, 400]) tell({ elapsed, most: 30_000, why: 'ECONNREFUSED' });
  expect(lines).toHaveLength(2);
});

it('A target that accepts a connection and does not answer is not told as one without a connection', () => {
  const lines: string[] = [];
  showWaiting((line) => void lines.push(line))({ elapsed: 8_000, most: 8_000, why: 'TIMEOUT' });
  expect(lines).toEqual(['Waiting for the target (GET /models is not answered): 8 s of up to 8 s\n']);
});
