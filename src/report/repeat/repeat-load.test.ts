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

it('The permission to load another machine is told beside the command, and never part of it', () => {
  const { repeat, repeatNeeds } = repeatLoad({ ...RUN, isLocal: false }, undefined, []);
  expect(repeat).not.toContain('--allow-load');
  expect(repeatNeeds).toEqual({ permission: 'staging.example' });
});

it('This machine needs no permission', () => {
  const local = repeatLoad({ ...RUN, baseUrl: 'http://127.0.0.1:8080/v1', isLocal: true }, undefined, []);
  expect(local.repeatNeeds).toBeUndefined();
});

it('What no stage shows is repeated with the whole run', () => {
  const settings = { ...RUN.settings, 'load.stages': ['1', '4', '8'], 'load.duration': 6_000 };
  const { repeat } = repeatLoad({ ...RUN, settings, isLocal: true }, undefined, []);
  expect(repeat).toContain('--stages 1 --stages 4 --stages 8 --duration 6s');
});

it('A broken clause names the stage that shows it and how long that takes', () => {
  const stages = [{ inFlight: 16, duration: 60_000 }] as unknown as Parameters<typeof repeatLoad>[2];
  const { repeat, repeatNeeds } = repeatLoad({ ...RUN, isLocal: true }, COUNT, stages);
  // Nothing follows: a remark would become arguments in some shells.
  expect(repeat).toMatch(/--max-completions 500 --stages 16 --duration 28s --seed 7 --out none$/);
  expect(repeatNeeds).toEqual({ inFlight: 16, seconds: 14, most: 86 });
});

it('A stage that showed the fault once is passed over for one that showed it often', () => {
  const stages = [8, 10, 16].map((inFlight) => ({ inFlight, duration: 5_000 })) as unknown as Parameters<
    typeof repeatLoad
  >[2];
  const counts = [1, 60, 200].map((broken, stage) => ({ stage, judged: 500, broken }));
  const count = { ...COUNT, firstAt: 8, stages: counts };
  expect(repeatLoad({ ...RUN, isLocal: true }, count, stages).repeat).toContain('--stages 10 --duration 10s');
});

it('A stage below the one that breaks the clause is not repeated, however often it showed the fault', () => {
  const stages = [8, 10].map((inFlight) => ({ inFlight, duration: 5_000 })) as unknown as Parameters<
    typeof repeatLoad
  >[2];
  const counts = [6, 60].map((broken, stage) => ({ stage, judged: 900, broken }));
  const count = { ...COUNT, firstAt: 10, stages: counts };
  expect(repeatLoad({ ...RUN, isLocal: true }, count, stages).repeat).toContain('--stages 10 ');
});

it('Skipped cases stay skipped, since they decide which calls are sent', () => {
  const settings = { ...RUN.settings, skip: ['load/unknown-key', 'streaming/*'] };
  const { repeat } = repeatLoad({ ...RUN, settings, isLocal: true }, undefined, []);
  expect(repeat).toContain("--skip load/unknown-key --skip 'streaming/*'");
});

it('Budgets are repeated only where a budget is broken', () => {
  const run = {
    ...RUN,
    settings: { ...RUN.settings, 'load.budgets': ['end.p99=5s'] },
    isLocal: true,
  };
  expect(repeatLoad(run, COUNT, []).repeat).not.toContain('--budget');
  expect(repeatLoad(run, undefined, []).repeat).toContain('--budget end.p99=5s');
});

it('--concurrency is repeated with the whole run, and with a stage above its default', () => {
  const settings = { ...RUN.settings, concurrency: 128 };
  const stages = [{ inFlight: 16, duration: 60_000 }] as unknown as Parameters<typeof repeatLoad>[2];
  const high = [{ inFlight: 100, duration: 60_000 }] as unknown as Parameters<typeof repeatLoad>[2];
  const run = { ...RUN, settings, isLocal: true };
  expect(repeatLoad(run, undefined, []).repeat).toContain('--concurrency 128');
  expect(repeatLoad(run, COUNT, stages).repeat).not.toContain('--concurrency');
  expect(repeatLoad(run, COUNT, high).repeat).toContain('--concurrency 100 --stages 100');
  expect(repeatLoad({ ...RUN, isLocal: true }, undefined, []).repeat).not.toContain('--concurrency');
});

it('What a restart shows is repeated with its command', () => {
  const stages = [{ inFlight: 16, duration: 60_000 }] as unknown as Parameters<typeof repeatLoad>[2];
  const during = ['./restart.sh', 'a b'];
  const { repeat, repeatNeeds } = repeatLoad({ ...RUN, isLocal: true, during }, COUNT, stages);
  expect(repeat).toMatch(/--max-completions 500 --seed 7 --out none --during -- \.\/restart\.sh 'a b'$/);
  expect(repeatNeeds).toBeUndefined();
});
