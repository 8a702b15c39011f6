/**
 * Asks the cases of two upstreams: the one that the gateway calls first fails, and the other is well. Before the next case, the
 * one that failed has to be called first again, since a gateway may leave it out for a while.
 */
import type { UpstreamName } from '../../../exchange/identity.ts';
import type { AskedCase } from '../../../exchange/traffic.ts';
import { withoutUndefined } from '../../../json.ts';
import type { Asked } from '../judge/both-ends.ts';
import { BAD_REQUESTS, GOOD_AROUND, isBadRequest } from '../judge/failover.ts';
import type { Settings } from '../../../settings.ts';
import { type Calls, isFailover, type RelayCase } from '../read-relay-suite.ts';
import { numbered, type QuestionAsker, questionOf, type RelayQuestion, STALL_WATCH } from './ask-question.ts';

/** Calls while one upstream is down, and milliseconds after which no further one is made. */
const OUTAGE_CALLS = 20;
const MAX_OUTAGE = 60_000;
/** Calls in flight while the first upstream fails. The script of the case waits for as many. */
const SURGE = 16;
/** Milliseconds that stalled upstreams are watched beyond `--upstream-timeout`, which a gateway may wait for a few times. */
const BEYOND_TIMEOUT = 10_000;
const TIMEOUTS = 3;
const MAX_WATCH = 90_000;

/** Milliseconds of a case with its control. A gateway that tries several times waits between two calls. */
const USUAL_TIMES: Partial<Record<Calls, number>> = { outage: 30_000, 'bad-request': 3_000, surge: 3_000, stall: 0 };
const USUAL_TIME = 1_500;
const OTHER_CASE = 150;
/** All silences of `--patient` at once. */
const PATIENT_TIME = 130_000;

/** Milliseconds that these cases take on a gateway that calls an upstream again right after it has failed. */
export function usualTime(cases: readonly RelayCase[], settings: Settings): number {
  const own = cases.map((each) => (isFailover(each) ? (USUAL_TIMES[each.calls] ?? USUAL_TIME) : OTHER_CASE));
  const stalls = cases.some(({ calls }) => calls === 'stall') ? longestWatch(settings) : 0;
  return own.reduce((sum, time) => sum + time, 0) + stalls + (settings.patient ? PATIENT_TIME : 0);
}

/** Milliseconds that an upstream that stalls is watched. */
function longestWatch({ relay: { upstreamTimeout } }: Settings): number {
  return upstreamTimeout === undefined ? STALL_WATCH : Math.min(MAX_WATCH, TIMEOUTS * upstreamTimeout + BEYOND_TIMEOUT);
}

export type Settle = (
  testCase: RelayCase,
  asked: readonly Asked[],
  isControlled: boolean,
  more?: Pick<AskedCase, 'unrecovered' | 'isAwayFromFirst'>,
) => void;

export class FailoverWalk {
  readonly #asker: QuestionAsker;
  readonly #settle: Settle;
  /** An upstream that failed was not called first again in time. Nobody waits for it once more. */
  #isAway = false;

  constructor(asker: QuestionAsker, settle: Settle) {
    this.#asker = asker;
    this.#settle = settle;
  }

  async run(cases: readonly RelayCase[]): Promise<void> {
    const stalls = cases.filter(({ calls }) => calls === 'stall');
    for (const testCase of cases.filter(({ calls }) => calls !== 'none')) {
      if (testCase === stalls[0]) await this.#walk(stalls);
      else if (testCase.calls !== 'stall') await this.#walk([testCase]);
    }
  }

  /** One case, or several at once, and the control after them. */
  async #walk(cases: readonly RelayCase[]): Promise<void> {
    const askable: RelayCase[] = [];
    for (const testCase of cases) if (await this.#isAskable(testCase)) askable.push(testCase);
    const [first] = askable;
    if (!first) return;
    const [wasAway, usual] = [this.#isAway, this.#first];
    const done = await Promise.all(askable.map(async (each) => ({ testCase: each, asked: await this.#ask(each) })));
    const isBack = await this.#asker.recover(first.mode);
    const more = this.#describe(isBack);
    const failed = first.calls === 'refused' ? usual : firstOf(done[0]?.asked ?? []);
    if (isBack && failed && !wasAway) this.#isAway = !(await this.#asker.awaitFirst(first.mode, failed));
    for (const { testCase, asked } of done) this.#settle(testCase, asked, isBack, more);
  }

  #describe(isBack: boolean): Parameters<Settle>[3] {
    const { lastControl } = this.#asker;
    const unrecovered = isBack ? undefined : lastControl?.front.id;
    return withoutUndefined({ unrecovered, isAwayFromFirst: this.#isAway ? (true as const) : undefined });
  }

  async #isAskable({ mode }: RelayCase): Promise<boolean> {
    const { signal, ending } = this.#asker.front;
    if (signal.aborted || ending !== undefined) return false;
    return this.#asker.isAnswered(mode) && !(await this.#asker.isGone(mode));
  }

  /** The upstream that the gateway called first most recently. */
  get #first(): UpstreamName | undefined {
    return this.#asker.lastControl && firstOf([this.#asker.lastControl]);
  }

  #ask(testCase: RelayCase): Promise<readonly Asked[]> {
    const { calls } = testCase;
    if (calls === 'outage') return this.#askInOutage(testCase);
    if (calls === 'bad-request') return this.#askAmongBad(testCase);
    if (calls === 'surge') return this.#askAtOnce(testCase);
    if (calls === 'refused') return this.#askRefused(testCase);
    return calls === 'stall' ? this.#watchStall(testCase) : this.#asker.askFailing(questionOf(testCase));
  }

  async #askInOutage(testCase: RelayCase): Promise<readonly Asked[]> {
    const began = performance.now();
    const all = [...(await this.#asker.askFailing(questionOf(testCase)))];
    const scripted = firstOf(all);
    for (let number = 2; number <= OUTAGE_CALLS && performance.now() - began < MAX_OUTAGE; number++)
      all.push(...(await this.#asker.askFailing({ ...questionOf(testCase, number), ...(scripted && { scripted }) })));
    return all;
  }

  /** No upstream takes the bad requests, and both take the others. */
  async #askAmongBad(testCase: RelayCase): Promise<readonly Asked[]> {
    const { script, otherScript: usual = script } = testCase;
    const all: Asked[] = [];
    for (let number = 1; number <= 2 * (GOOD_AROUND + BAD_REQUESTS); number++) {
      const own = isBadRequest(number) ? script : usual;
      all.push(...(await this.#asker.ask({ ...questionOf(testCase, number), script: own, otherScript: own })));
    }
    return all;
  }

  async #askAtOnce(testCase: RelayCase): Promise<readonly Asked[]> {
    const scripted = this.#first;
    const questions = Array.from({ length: SURGE }, (_, at): RelayQuestion => {
      const question = { ...questionOf(testCase), ...numbered(testCase.id, at + 1) };
      return scripted ? { ...question, scripted } : question;
    });
    return (await Promise.all(questions.map((question) => this.#asker.askFailing(question)))).flat();
  }

  async #askRefused(testCase: RelayCase): Promise<readonly Asked[]> {
    const { upstream } = this.#asker;
    const name = this.#first;
    if (name === undefined) return [];
    await upstream.close(name);
    try {
      // What is left of it is well.
      const { otherScript: script = testCase.script } = testCase;
      return await this.#asker.askFailing({ ...questionOf(testCase), script });
    } finally {
      await upstream.reopen(name);
    }
  }

  #watchStall(testCase: RelayCase): Promise<readonly Asked[]> {
    return this.#asker.watchStall(questionOf(testCase), longestWatch(this.#asker.settings));
  }
}

/** The upstream that the first of them called first. */
function firstOf([first]: readonly Asked[]): UpstreamName | undefined {
  return first?.calls[0]?.exchange.upstream;
}
