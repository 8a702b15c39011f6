import { describe, expect, it } from 'vitest';
import { endedRun } from '../../test/kit/endings.ts';
import { adviseOnEnding, type Ending } from './ending.ts';

describe('A run that ended in its middle', () => {
  it.each([
    [
      { kind: 'stopped-answering', suspects: ['explore/7', 'explore/9.2'], drawn: { seed: 3, paths: ['7', '9.2'] } },
      'Requests in flight: explore/7, explore/9.2.',
      'send each suspect alone: --seed 3 with --path 7 or --path 9.2.',
    ],
    [
      { kind: 'stopped-answering', suspects: ['chat'] },
      'The request in flight is the likely cause: the control (a plain chat request).',
      'Restart it if it is yours, or else tell its operator, then run again with --concurrency 1 to see which request stops it.',
    ],
    [
      { kind: 'stopped-answering', suspects: ['chat-stream', 'auth/bare-key'], lastAnswered: 'models' },
      'in flight: the plain streamed request, auth/bare-key. The last request answered: the model list.',
      'tell its operator',
    ],
    [{ kind: 'key-ended', status: 402 }, 'even the control, a plain request, was refused with 402', 'Add credit'],
    [{ kind: 'key-ended', status: 200 }, 'even the control, a plain request, got one', 'Check whether a login'],
    [{ kind: 'key-ended', status: 401 }, 'stopped working in mid-run', 'Use a key that stays valid'],
  ] satisfies [Ending, string, string][])('names what happened and the remedy: %j', (ending, what, remedy) => {
    const sentence = adviseOnEnding(endedRun(ending));
    expect(sentence).toContain(what);
    expect(sentence).toContain(remedy);
  });
});
