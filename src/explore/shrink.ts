/** Shrinks a draw that fails, and finds the nearest form that passes. */
import type { Exchange } from '../exchange/exchange.ts';
import { asDrawn, type Cause, type CauseContext, type FailingDraw, featuresOfCause, pair } from './cause.ts';
import { differenceOf } from './difference.ts';
import type { Draw } from './drawn-request.ts';
import { smallerForms } from './smaller.ts';
import type { Symptom } from './symptoms.ts';

/** Requests that one finding may take. */
const MOST_REQUESTS = 40;

interface Tried {
  readonly draw: Draw;
  readonly exchanges: readonly Exchange[];
  /** The symptom in question first; empty if it does not show. */
  readonly symptoms: readonly Symptom[];
}

export class Shrinking {
  readonly #failing: FailingDraw;
  readonly #context: CauseContext;
  readonly #tried = new Map<string, Tried>();
  #requests = 0;
  #isOver = false;

  constructor(failing: FailingDraw, context: CauseContext) {
    this.#failing = failing;
    this.#context = context;
  }

  async run(): Promise<Cause> {
    const { draw, symptom, asked } = this.#failing;
    const first = asked.findIndex(({ exchange }) => exchange.id === symptom.exchange);
    // What follows the request that fails cannot be the reason.
    let smallest: Draw = { ...draw, requests: draw.requests.slice(0, first + 1) };
    const path: number[] = [];
    for (;;) {
      const next = await this.#firstFailing(smallest);
      if (!next) break;
      path.push(next.place);
      smallest = next.draw;
    }
    const last = await this.#askAgain(smallest);
    const [shown, ...others] = last?.symptoms ?? [];
    if (!shown) return asDrawn(this.#failing, symptom, this.#requests);
    const neighbour = await this.#neighbourOf(smallest);
    return {
      draw,
      kept: first + 1,
      path,
      smallest,
      symptoms: [shown, ...others],
      ...(neighbour && { neighbour: { draw: neighbour.draw, exchange: neighbour.exchanges.at(-1)?.id ?? '' } }),
      difference: neighbour ? differenceOf(smallest, neighbour.draw) : [],
      requests: this.#requests,
      isShrunk: !this.#isOver,
      draws: [draw.number],
      features: featuresOfCause(smallest, neighbour?.draw, this.#context.contract),
    };
  }

  async #firstFailing(draw: Draw): Promise<{ readonly place: number; readonly draw: Draw } | undefined> {
    for (const [place, form] of smallerForms(draw, this.#context.contract).entries()) {
      const tried = await this.#try(form);
      if (!tried) return undefined;
      if (tried.symptoms.length > 0) return { place, draw: form };
    }
    return undefined;
  }

  /** Undefined if the budget has run out. */
  async #try(draw: Draw): Promise<Tried | undefined> {
    const key = JSON.stringify(draw.requests);
    const known = this.#tried.get(key);
    if (known) return known;
    if (this.#isOver || this.#requests + draw.requests.length > MOST_REQUESTS - 2) {
      this.#isOver = true;
      return undefined;
    }
    const tried = await this.#ask(draw);
    if (tried) this.#tried.set(key, tried);
    else this.#isOver = true;
    return tried;
  }

  async #ask(draw: Draw): Promise<Tried | undefined> {
    const exchanges = await this.#context.ask(draw, 'smaller');
    if (!exchanges) return undefined;
    this.#requests += draw.requests.length;
    const { key } = this.#failing.symptom;
    const found = this.#context.symptomsOf(pair(draw, exchanges));
    const isShown = found.some((symptom) => symptom.key === key);
    const symptoms = isShown ? found.toSorted((a, b) => Number(b.key === key) - Number(a.key === key)) : [];
    return { draw, exchanges, symptoms };
  }

  /** Once more, beside its neighbour. What was asked only once is taken as it is if nothing more may be sent. */
  async #askAgain(draw: Draw): Promise<Tried | undefined> {
    const known = this.#tried.get(JSON.stringify(draw.requests));
    return (await this.#ask(draw)) ?? known;
  }

  /** The tried form that passed and differs least. */
  async #neighbourOf(smallest: Draw): Promise<Tried | undefined> {
    const distance = ({ draw }: Tried): number => {
      const places = differenceOf(smallest, draw);
      return places.length * 10_000 + JSON.stringify(places).length;
    };
    const forms = [...this.#tried.values()].filter(
      ({ symptoms, exchanges }) => symptoms.length === 0 && isAnsweredByAll(exchanges),
    );
    const [nearest] = forms.toSorted((a, b) => distance(a) - distance(b));
    if (!nearest) return undefined;
    const again = await this.#askAgain(nearest.draw);
    return again?.symptoms.length === 0 ? again : undefined;
  }
}

function isAnsweredByAll(exchanges: readonly Exchange[]): boolean {
  return exchanges.every(({ attempts }) => attempts.at(-1)?.outcome.kind === 'answer');
}
