import { median, textTimes } from '../../../exchange/reading/looks-fake.ts';
import type { Check } from '../../check.ts';
import type { Observation } from '../../verdict.ts';
import { observeStreams } from './stream-view.ts';

/** Milliseconds to a tenth: finer than that is noise. */
function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Part 4: the contract speaks of no times; they are kept so that two runs can be compared. */
export const streamTiming: Check = {
  summary: 'Records time to the first event and the first text, gaps between events, and text per event.',
  execute: (input) =>
    observeStreams(input, 'event', ({ answer, chunks }) => {
      const { events } = chunks.stream;
      const gaps = events.slice(1).map(({ at }, index) => at - (events[index]?.at ?? at));
      const texts = textTimes(chunks);
      const characters = chunks.choices
        .flatMap(({ text, reasoning }) => [...text, ...reasoning])
        .reduce((sum, { text }) => sum + text.length, 0);
      const times: readonly (readonly [string, number | undefined])[] = [
        ['time to the first event (ms)', events[0]?.at],
        ['time to the first text (ms)', texts[0]],
        ['median gap (ms)', gaps.length === 0 ? undefined : median(gaps)],
        ['largest gap (ms)', gaps.length === 0 ? undefined : gaps.reduce((most, gap) => Math.max(most, gap), 0)],
        ['characters per event with text', texts.length === 0 ? undefined : characters / texts.length],
      ];
      const counts: readonly Observation[] = [
        { name: 'events', value: events.length },
        { name: 'events with text', value: texts.length },
        { name: 'bytes', value: answer.body.bytes.length },
        { name: 'network reads', value: answer.body.reads.length },
        { name: 'lateness of the checker (ms)', value: tenths(answer.lateness) },
      ];
      const known = times.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value: tenths(value) }]));
      return [...known, ...counts];
    }),
};
