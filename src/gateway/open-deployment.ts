/** Everything of a gateway but its server: what it is configured with, what it remembers, and how it responds. */
import { type Keys, FORBIDDEN_MODEL } from './access.ts';
import type { Answer } from './answer.ts';
import { type Call, makeCall, type PreviousCall, type WholeRequest } from './call.ts';
import { type FaultId, FAULTS, type VariantId, VARIANTS } from './catalogue.ts';
import type { Modifier } from './modifier.ts';
import type { Promises } from './promises.ts';
import { type OneIn, Pool } from './pool.ts';
import { respond } from './respond.ts';

export interface DeploymentOptions {
  readonly fault?: FaultId;
  readonly variant?: VariantId;
  /** More of them, applied after `fault` and `variant`. */
  readonly faults?: readonly FaultId[];
  readonly variants?: readonly VariantId[];
  /** Changes that are not in a registry. */
  readonly modifiers?: readonly Modifier[];
  /** More of them for a single call. */
  readonly route?: (call: Call) => readonly Modifier[];
  /** Whether the endpoints are found below any path, not only below `/v1`. */
  readonly anyBasePath?: boolean;
  /** What it promises where it does not follow v1. */
  readonly promises?: Promises;
  /** Pause between the events of a stream. */
  readonly eventGapMs?: number;
  /** The modifiers are those of one replica of several, which a balancer chooses at random; of all calls by default. */
  readonly oneIn?: OneIn;
  /** The same seed and request give the same text, and the same seed and order of requests the same replicas. */
  readonly seed?: number;
}

export interface LoggedRequest {
  readonly method: string;
  /** The query is left out: it may contain a key. */
  readonly path: string;
  /** Undefined if the answer was not HTTP. */
  readonly status: number | undefined;
}

export interface DeploymentFacts {
  readonly keys: Keys;
  readonly models: readonly string[];
  /** A model that the restricted key may not call. */
  readonly forbiddenModel: string;
  /** The log has the order in which they were answered. */
  readonly requests: { readonly count: number; readonly log: readonly LoggedRequest[] };
}

export interface OpenDeployment {
  readonly basePath: string;
  readonly facts: DeploymentFacts;
  /**
   * Called when a request begins to arrive on a connection, which any object may stand for. Call the result when it is
   * whole.
   */
  readonly begin: (connection: object) => (request: WholeRequest) => Responded;
}

interface Responded {
  readonly call: Call;
  readonly answer: Answer;
  /** Has to be called once the answer was sent. */
  readonly ended: () => void;
}

/** Only the first answers are remembered: enough for a run, and not too much under load. */
const MAX_ANSWERS = 200;

export function openDeployment(options: DeploymentOptions): OpenDeployment {
  const modifiers = modifiersOf(options);
  const basePath = modifiers.findLast((modifier) => modifier.basePath !== undefined)?.basePath ?? '/v1';
  const { oneIn, route, promises, eventGapMs = 3, seed = 1 } = options;
  const expectedPath = options.anyBasePath ? undefined : basePath;
  const pool = new Pool({ modifiers, oneIn, eventGapMs, seed });
  const { keys, models } = pool.replicas[0].deployment;
  const log: LoggedRequest[] = [];
  /** When the last answer on a connection ended. */
  const lastUsed = new WeakMap<object, number>();
  const lastCalls = new WeakMap<object, PreviousCall>();
  return {
    basePath,
    facts: {
      keys,
      models: models.map(({ id }) => id),
      forbiddenModel: FORBIDDEN_MODEL,
      requests: {
        get count() {
          return log.length;
        },
        log,
      },
    },
    begin: (connection) => {
      const { deployment, memory } = pool.choose(connection);
      const number = memory.tally.next('all');
      const now = performance.now();
      const idleMs = now - (lastUsed.get(connection) ?? now);
      return (request) => {
        const previous = lastCalls.get(connection);
        const call = { ...makeCall(request, number, expectedPath, memory), idleMs, previous };
        const endPrompt = call.endpoint === 'chat' ? memory.prompts.begin(call.body) : () => undefined;
        const ended = (): void => {
          endPrompt();
          lastUsed.set(connection, performance.now());
        };
        const own = route?.(call) ?? [];
        const answer = respond(call, { ...deployment, promises, modifiers: [...deployment.modifiers, ...own] });
        const status = answer.kind === 'reply' ? answer.status : undefined;
        lastCalls.set(connection, { place: (previous?.place ?? 0) + 1, streamed: call.streamed, status });
        if (call.endpoint === 'chat' && status === 200 && memory.answers.size < MAX_ANSWERS)
          memory.answers.set(call.text ?? '', answer);
        log.push({ method: call.method, path: call.path, status });
        return { call, answer, ended };
      };
    },
  };
}

function modifiersOf(options: DeploymentOptions): readonly Modifier[] {
  const faults = [...(options.fault === undefined ? [] : [options.fault]), ...(options.faults ?? [])];
  const variants = [...(options.variant === undefined ? [] : [options.variant]), ...(options.variants ?? [])];
  return [...faults.map((id) => FAULTS[id]), ...variants.map((id) => VARIANTS[id]), ...(options.modifiers ?? [])];
}
