/** Runs before each test file: the file fails if it leaves something behind, and the next one starts clean all the same. */
import { beforeAll, expect } from 'vitest';
import { noteState, undoChanges } from './left-behind.ts';

const before = noteState();
/** A process that was told to end takes a while on a busy machine. */
const CLOSING_MS = 5_000;

// What the first hook of a file returns is called last, after every other hook and what those returned.
beforeAll(() => async () => {
  expect(await undoChanges(before, CLOSING_MS), 'left behind for the files that run next in this worker').toEqual([]);
});
