import { expect, it } from 'vitest';
import { repeatLoad } from './repeat-load.ts';

const RUN = { baseUrl: 'https://staging.example/v1', settings: { maxCompletions: 500 }, seed: 7 };
const COUNT = {
  case: 'load/whole',
  clause: 'load.whole',
  judged: 1_000,
  broken: 30,
  firstAt: 16,
  stages: [{ stage: 0, judged: 1_000, broken: 30 }],
};

it('The permission to load another machine is a hint, and never part of the command', () => {
  const [command, hint] = repeatLoad({ ...RUN, isLocal: false }, undefined, []).split(' # ');
  expect(command).not.toContain('--allow-load');
  expect(hint).toBe('add --allow-load staging.example if its operator agreed');
});

it('This machine needs no permission', () => {
  expect(repeatLoad({ ...RUN, baseUrl: 'http://127.0.0.1:8080/v1', isLocal: true }, undefined, [])).not.toContain('#');
});

it('A broken clause names the stage that shows it and how long that takes', () => {
  const stages = [{ inFlight: 16, duration: 60_000 }] as unknown as Parameters<typeof repeatLoad>[2];
  const repeated = repeatLoad({ ...RUN, isLocal: true }, COUNT, stages);
  expect(repeated).toContain('--max-completions 500 --stages 16 --duration 28s --seed 7');
  expect(repeated).toContain('# needs about 14 s at 16 in flight; takes up to 86 s');
});

it('A stage that showed the fault once is passed over for one that showed it often', () => {
  const stages = [8, 10, 16].map((inFlight) => ({ inFlight, duration: 5_000 })) as unknown as Parameters<
    typeof repeatLoad
  >[2];
  const counts = [1, 60, 200].map((broken, stage) => ({ stage, judged: 500, broken }));
  const count = { ...COUNT, firstAt: 8, stages: counts };
  expect(repeatLoad({ ...RUN, isLocal: true }, count, stages)).toContain('--stages 10 --duration 10s');
});

it('Skipped cases stay skipped, since they decide which calls are sent', () => {
  const settings = { ...RUN.settings, skip: ['load/unknown-key', 'streaming/*'] };
  const repeated = repeatLoad({ ...RUN, settings, isLocal: true }, undefined, []);
  expect(repeated).toContain("--skip load/unknown-key --skip 'streaming/*'");
});

it('Budgets are repeated only where a budget is broken', () => {
  const run = {
    ...RUN,
    settings: { ...RUN.settings, 'load.budgets': ['end.p99=5s'] },
    isLocal: true,
  };
  expect(repeatLoad(run, COUNT, [])).not.toContain('--budget');
  expect(repeatLoad(run, undefined, [])).toContain('--budget end.p99=5s');
});
