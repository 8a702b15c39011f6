/** Targets that hang under load, each in its own way: the run ends in time, judges what it knows, and says what hung. */
import { connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { LOAD_RELAYS } from '../../selftest/load/relays.ts';
import { faultyGateway, faultyRelay, type LoadRow } from '../../selftest/load/load-row.ts';
import { above, type Condition, to } from '../../selftest/load/pressure.ts';
import { type Front, frontKeys, startFront } from '../../selftest/load/try-load.ts';
import { isChat } from '../../src/gateway/call-tests.ts';
import { runLoad, setUpLoad } from '../../src/gather/load/run-load.ts';
import { render } from '../../src/render/index.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/settings.ts';

/** Milliseconds: those of the command are many times as long. Time limits of calls are those of the command. */
const DRAIN = 1_500;
const RECOVERY = 3_000;
const DURATION = 3_000;
/** Of the pause before the burst, which takes 0.7 s then. */
const PACE = 0.1;

/** What a busy machine adds. Without an end of its own, each of these waits for a minute and more: the limits of its calls. */
const BUSY = 20_000;

/** Once it holds, it holds for good. */
function forGood(condition: Condition): Condition {
  return {
    ...condition,
    watch(pressure) {
      const holds = condition.watch(pressure);
      let held = false;
      return () => (held ||= holds());
    },
  };
}

const NOTHING = { answer: (reply: object) => ({ ...reply, delayMs: 3_600_000 }) } as const;
const HEADERS = {
  answer: (reply: object) => ({ ...reply, body: { pieces: [] }, framing: 'chunked', ending: 'held' }),
} as const;
const blocksAbove4 = forGood(above(4));
const afterRamp = forGood({ kind: 'idle', watch: (pressure) => () => pressure.peak >= 16 && pressure.idle > 400 });
const readerIsSlow = forGood({ kind: 'slow-reader', watch: (pressure) => () => pressure.hasSlowReader });

interface Hanging {
  readonly row: LoadRow;
  readonly load?: Partial<Settings['load']>;
  /** Between the run and the target. */
  readonly wrap?: (front: Front) => Promise<Front>;
  readonly says: readonly RegExp[];
}

const RECOVERS_NOT = /One call at a time was not answered for \d+\.\d+ s after the load; the last one got no answer/;
const GIVES_UP = /wirecheck ended \d+ calls? still in flight long after its time/;

const TARGETS: Readonly<Record<string, Hanging>> = {
  'dies after the ramp': {
    row: faultyGateway('', 'load.recovery', {
      when: [to(isChat), afterRamp],
      change: NOTHING as object,
    }),
    says: [/^BROKEN FROM 16 IN FLIGHT: load\.recovery/m, RECOVERS_NOT],
  },
  'blocks once a client has left': {
    row: LOAD_RELAYS['load-relay-hangs-after-disconnects'],
    load: { disconnects: 25 },
    says: [/^BROKEN FROM \d+ IN FLIGHT: load\.recovery/m, RECOVERS_NOT, GIVES_UP, /--disconnects 0%/],
  },
  'blocks after a slow reader': {
    row: faultyRelay('', 'load.recovery', {
      when: [readerIsSlow],
      change: { admit: () => new Promise(() => undefined) },
    }),
    // The replies of slow readers are long, and other targets are loaded at the same time.
    load: { slowReaders: 2, duration: 2 * DURATION },
    says: [/^BROKEN FROM 16 IN FLIGHT: load\.recovery/m, RECOVERS_NOT, GIVES_UP],
  },
  'blocks from the third stage on': {
    row: faultyGateway('', 'load.recovery', { when: [to(isChat), blocksAbove4], change: NOTHING as object }),
    says: [
      /^BROKEN FROM 16 IN FLIGHT: load\.recovery/m,
      RECOVERS_NOT,
      GIVES_UP,
      /still had no answer when wirecheck ended it/,
    ],
  },
  'sends headers and then nothing': {
    row: faultyGateway('', 'load.recovery', { when: [to(isChat), blocksAbove4], change: HEADERS as object }),
    says: [/^BROKEN FROM 16 IN FLIGHT: load\.recovery/m, RECOVERS_NOT, GIVES_UP],
  },
  'accepts connections and never reads': {
    row: faultyGateway('', 'load.recovery', {}),
    wrap: neverReads,
    says: [/^BROKEN FROM \d+ IN FLIGHT: load\.recovery/m, RECOVERS_NOT, GIVES_UP],
  },
};

/** Bytes of requests that it reads before it stops. */
const READ = 25_000;

async function neverReads(front: Front): Promise<Front> {
  const sockets = new Set<Socket>();
  let left = READ;
  const { hostname, port, pathname } = new URL(front.baseUrl);
  const server = createServer((socket) => {
    sockets.add(socket);
    if (left <= 0) return void socket.pause();
    const behind = connect(Number(port), hostname);
    sockets.add(behind);
    socket.on('data', (bytes) => {
      left -= bytes.length;
      if (left <= 0) socket.pause();
      else behind.write(bytes);
    });
    behind.pipe(socket);
    for (const each of [socket, behind]) each.on('error', () => undefined).on('close', () => sockets.delete(each));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as { port: number };
  return {
    baseUrl: `http://127.0.0.1:${own}${pathname}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await front.close();
    },
  };
}

it.concurrent.each(Object.entries(TARGETS))('a target that %s', { timeout: 120_000 }, async (_name, target) => {
  const { row, load, wrap = (front: Front) => Promise.resolve(front), says } = target;
  const keys = frontKeys(row);
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    baseUrl: '',
    concurrency: 16,
    maxCompletions: 4_000,
    load: {
      ...DEFAULT_SETTINGS.load,
      slowReaders: 0,
      disconnects: 0,
      stages: ['1', '4', '16'],
      duration: DURATION,
      ...load,
    },
    relay: { ...DEFAULT_SETTINGS.relay, recovery: RECOVERY },
  };
  const setup = await setUpLoad(settings, keys, row.front === 'relay' ? 0 : undefined);
  const front = await wrap(await startFront(row, setup.upstream?.url ?? ''));
  const began = performance.now();
  const told: string[] = [];
  const report = await runLoad({ ...settings, baseUrl: front.baseUrl }, keys, setup, {
    pace: PACE,
    drain: DRAIN,
    onProgress: ({ now }) => void told.push(now.kind === 'stage' && now.awaited ? 'calls' : now.kind),
  });
  const elapsed = performance.now() - began;
  await front.close();
  const text = render(report, 'terminal').replaceAll(/\n? +/g, ' ');
  for (const each of says) expect(text).toMatch(each);
  expect(report.outcome.exit).toBe(1);
  expect(told).toContain('calls');
  // Between the stages before, it answered at once.
  expect(told.slice(told.indexOf('recovery')).every((kind) => kind === 'recovery')).toBe(true);
  expect(told.at(-1)).toBe('recovery');
  const planned = Math.max(
    ...(report.load?.stages ?? []).map(
      ({ startedAt, phase }) => startedAt + (phase === 'burst' ? 3_000 : settings.load.duration),
    ),
  );
  expect(elapsed).toBeLessThan(planned + DRAIN + RECOVERY + BUSY);
});
