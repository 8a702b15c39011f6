import type { ChunkReading } from '../../../exchange/reading/chunks.ts';
import type { Check } from '../../check.ts';
import { observeStreams } from './stream-view.ts';

function whereUsageCame({ events, chunks, done }: ChunkReading): string {
  const carriers = events.filter((event) => event.kind === 'chunk').filter(({ hasUsage }) => hasUsage);
  const [first] = carriers;
  if (!first) return 'nowhere';
  if (done && first.index > done.index) return 'after [DONE]';
  if (carriers.length > 1) return carriers.length >= chunks.length ? 'in every chunk' : 'in several chunks';
  if (first.choices === 0) return 'in a chunk without choices';
  return first === chunks.at(-1) ? 'in the last chunk with a choice' : 'in one chunk';
}

/** Part 4: whether and where a stream carries usage is not shown. */
export const streamUsage: Check = {
  summary: 'Records whether and where a stream carries usage.',
  execute: (input) =>
    observeStreams(input, 'event', ({ chunks }) => [{ name: 'usage', value: whereUsageCame(chunks) }]),
};
