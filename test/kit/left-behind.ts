/**
 * What a test file leaves for the next one of its worker. Files share a process (`isolate: false`), so a frozen date, a
 * changed variable or an open server of one file decides about another, in whatever order they happen to run.
 */
import { ChildProcess } from 'node:child_process';
import { Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { vi } from 'vitest';

interface Spied {
  readonly object: object;
  readonly key: PropertyKey;
}

const spied: Spied[] = [];
const spyOn = vi.spyOn;
// A spy replaces a member of any object, so they are noted as they are made.
vi.spyOn = ((object: object, key: PropertyKey, ...rest: readonly unknown[]) => {
  spied.push({ object, key });
  return Reflect.apply(spyOn, vi, [object, key, ...rest]) as unknown;
}) as typeof vi.spyOn;

export interface State {
  readonly globals: ReadonlyMap<string, unknown>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly listeners: ReadonlyMap<string | symbol, readonly unknown[]>;
  readonly open: ReadonlySet<object>;
  readonly dispatcher: ReturnType<typeof getGlobalDispatcher>;
}

/** The state before a file runs. */
export function noteState(): State {
  return {
    globals: new Map(
      Object.entries(Object.getOwnPropertyDescriptors(globalThis))
        .filter(([, { value }]) => typeof value === 'function')
        .map(([name, { value }]) => [name, value as unknown]),
    ),
    env: { ...process.env },
    cwd: process.cwd(),
    listeners: new Map(process.eventNames().map((event) => [event, listenersOf(event)])),
    open: new Set(findOpen()),
    dispatcher: getGlobalDispatcher(),
  };
}

/**
 * What is left, in words, and undone: the next file starts as this one did. What is closing has so many milliseconds to be
 * closed.
 */
export async function undoChanges(before: State, closingMs: number): Promise<readonly string[]> {
  const left = [
    ...undoClock(),
    ...undoSpies(),
    ...undoGlobals(before),
    ...undoEnvironment(before),
    ...undoFolder(before),
    ...undoListeners(before),
    ...undoDispatcher(before),
  ];
  return [...left, ...(await closeOpen(before, closingMs))];
}

function undoClock(): readonly string[] {
  if (!vi.isFakeTimers()) return [];
  vi.useRealTimers();
  return ['fake timers: call vi.useRealTimers()'];
}

function undoSpies(): readonly string[] {
  const left = spied.splice(0).filter(({ object, key }) => vi.isMockFunction(Reflect.get(object, key)));
  if (left.length > 0) vi.restoreAllMocks();
  return left.map(({ key }) => `a spy on ${String(key)}: call mockRestore()`);
}

function undoGlobals({ globals }: State): readonly string[] {
  const changed = [...globals].filter(([name, value]) => Reflect.get(globalThis, name) !== value);
  vi.unstubAllGlobals();
  for (const [name, value] of changed) Reflect.set(globalThis, name, value);
  return changed.map(([name]) => `another globalThis.${name}`);
}

function undoEnvironment({ env }: State): readonly string[] {
  const names = new Set([...Object.keys(env), ...Object.keys(process.env)]);
  const changed = [...names].filter((name) => env[name] !== process.env[name]);
  for (const name of changed) {
    if (env[name] === undefined) delete process.env[name];
    else process.env[name] = env[name];
  }
  return changed.map((name) => `another process.env.${name}`);
}

function undoFolder({ cwd }: State): readonly string[] {
  if (process.cwd() === cwd) return [];
  process.chdir(cwd);
  return ['another working directory'];
}

const listenersOf = (event: string | symbol): readonly unknown[] => process.rawListeners(event);

function undoListeners({ listeners }: State): readonly string[] {
  return process.eventNames().flatMap((event) => {
    const added = listenersOf(event).filter((listener) => !listeners.get(event)?.includes(listener));
    for (const listener of added) process.removeListener(event, listener as () => void);
    return added.map(() => `a listener for ${String(event)} on process`);
  });
}

function undoDispatcher({ dispatcher }: State): readonly string[] {
  if (getGlobalDispatcher() === dispatcher) return [];
  setGlobalDispatcher(dispatcher);
  return ['another global dispatcher of undici'];
}

/** Servers that listen and processes that run. A connection ends with its server or its process. */
function findOpen(): readonly (Server | ChildProcess)[] {
  // oxlint-disable-next-line no-underscore-dangle -- Node has no other way to the handles themselves
  const handles = (process as unknown as { _getActiveHandles(): readonly unknown[] })._getActiveHandles();
  return handles.filter(
    (handle): handle is Server | ChildProcess =>
      (handle instanceof Server && handle.listening) || (handle instanceof ChildProcess && handle.exitCode === null),
  );
}

async function closeOpen({ open }: State, closingMs: number): Promise<readonly string[]> {
  const findLeft = () => findOpen().filter((handle) => !open.has(handle));
  const until = performance.now() + closingMs;
  while (findLeft().length > 0 && performance.now() < until) await pause(10);
  return findLeft().map((handle) => {
    if (handle instanceof Server) {
      const address = JSON.stringify(handle.address());
      handle.close();
      return `a server still listening on ${address}`;
    }
    handle.kill('SIGKILL');
    return `a process still running: ${handle.spawnargs.join(' ').slice(0, 100)}`;
  });
}
