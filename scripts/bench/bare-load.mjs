// The calls of a run under load, one for one, by bare undici: it reads each body and looks at nothing.
import { once } from 'node:events';
import { Client, Pool } from 'undici';
import { contractOf } from '../../build/src/contract/profile/apply-profile.js';
import { createRedactor } from '../../build/src/exchange/secrets/redaction.js';
import { createComposer } from '../../build/src/exchange/transport/transport.js';
import { LIGHT_ENCODINGS } from '../../build/src/exchange/transport/decompression.js';
import { CallSource, mixToSend, requestOf } from '../../build/src/gather/load/calls.js';
import { LoadConnections } from '../../build/src/gather/load/send-call.js';
import { eventsUntil } from '../../build/src/gather/load/send-call.js';
/** @import { LoadCall } from '../../build/src/gather/load/calls.js' */
/** @import { LoadSetup } from '../../build/src/gather/load/run-load.js' */
/** @import { StagePlan } from '../../build/src/gather/load/plan-load.js' */
/** @import { FilledRequest } from '../../build/src/plan/bind-request.js' */
/** @import { Keys, Settings } from '../../build/src/settings.js' */

/** A stage that was judged: its calls are sent again. */
/** @typedef {Pick<StagePlan, 'phase' | 'inFlight'> & { calls: number, duration: number }} SentStage */

export class BareLoad {
  #settings;
  #compose;
  #setup;
  #model;
  #connections;
  #source;
  #rules;
  #answers = 0;
  /** By endpoint and key. @type {Map<string, readonly string[]>} */
  #headers = new Map();

  /**
   * @param {Settings} settings
   * @param {Keys} keys
   * @param {LoadSetup} setup
   * @param {string} model
   */
  constructor(settings, keys, setup, model) {
    this.#settings = settings;
    this.#compose = createComposer(settings, keys, LIGHT_ENCODINGS, createRedactor([]));
    this.#setup = setup;
    this.#model = model;
    this.#connections = new LoadConnections(
      (connections) => new BarePool(this.#origin, connections),
      settings.concurrency,
    );
    this.#rules = contractOf(settings).rules;
    this.#source = new CallSource({
      ...mixToSend(settings, this.#rules),
      hasUpstream: true,
      sendsUnknownKeys: true,
    });
  }

  get #origin() {
    return new URL(this.#settings.baseUrl).origin;
  }

  /**
   * Returns the answers that came to clients that did not leave.
   * @param {readonly SentStage[]} stages
   */
  async send(stages) {
    for (const [place, stage] of stages.entries()) {
      if (stage.phase === 'burst') await this.#connections.renewHalf();
      await this.#sendStage(stage, place);
    }
    await this.#connections.close();
    return this.#answers;
  }

  /**
   * @param {SentStage} stage
   * @param {number} place
   */
  async #sendStage({ phase, inFlight, calls, duration }, place) {
    this.#source.beginStage({ phase, inFlight, least: duration, most: duration });
    let number = 0;
    const fillSlot = async () => {
      while (number < calls) {
        const call = this.#source.draw(place, ++number);
        if (await this.#sendCall(call)) this.#answers += 1;
        this.#source.end(call);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, fillSlot));
  }

  /**
   * Says whether it was answered.
   * @param {LoadCall} call
   */
  async #sendCall(call) {
    const { registry } = this.#setup;
    const known = registry.open(call.id, call.profile);
    const request = requestOf(call, known, { rules: this.#rules, model: this.#model });
    const line = this.#connections.choose(call.connection);
    const isFresh = line.use === 'new-connection';
    const wire = isFresh ? new Client(this.#origin) : line.transport.pool;
    const isAnswered = await this.#exchange(wire, call, request);
    if (isFresh) await wire.destroy();
    line.release();
    registry.end(known, !isAnswered);
    return isAnswered;
  }

  /**
   * @param {Client | Pool} wire
   * @param {LoadCall} call
   * @param {FilledRequest} request
   */
  async #exchange(wire, call, request) {
    const leaving = call.leaves === undefined ? undefined : new AbortController();
    const timer = call.leaves === 'before-headers' ? setTimeout(() => leaving?.abort(), call.leavesAfter) : undefined;
    try {
      const answer = await wire.request({
        method: request.method,
        path: new URL(this.#settings.baseUrl).pathname + request.path,
        headers: [...this.#headersOf(request)],
        ...(request.body !== undefined && { body: request.body }),
        ...(leaving && { signal: leaving.signal }),
      });
      if (leaving) await readUntil(answer.body, eventsUntil(call) ?? Infinity, leaving);
      else await answer.body.arrayBuffer();
      return true;
    } catch (error) {
      if (leaving?.signal.aborted) return false;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** @param {FilledRequest} request */
  #headersOf(request) {
    const name = `${request.endpoint} ${request.key}`;
    const made = this.#headers.get(name) ?? this.#compose(request).wire;
    this.#headers.set(name, made);
    return made;
  }
}

/** The relay sends each event by itself, so that reads stand for events. */
/**
 * @param {import('node:stream').Readable} body
 * @param {number} most
 * @param {AbortController} leaving
 */
async function readUntil(body, most, leaving) {
  let reads = 0;
  body.on('data', () => {
    reads += 1;
    if (reads >= most) leaving.abort();
  });
  await once(body, 'end');
}

/** A pool that can be renewed. */
class BarePool {
  #origin;
  #connections;

  /**
   * @param {string} origin
   * @param {number} connections
   */
  constructor(origin, connections) {
    this.#origin = origin;
    this.#connections = connections;
    this.pool = new Pool(origin, { connections });
  }

  async renew() {
    const { pool } = this;
    this.pool = new Pool(this.#origin, { connections: this.#connections });
    await pool.destroy();
  }

  async close() {
    await this.pool.destroy();
  }
}
